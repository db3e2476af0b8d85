package play

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"holdfast/tools/chaos/judge"
)

type object map[string]any

// tell writes one command and returns its number, 0 when drive has ended.
func (r *run) tell(do string, o object) int {
	line := object{"do": do}
	for k, v := range o {
		line[k] = v
	}
	raw, err := json.Marshal(line)
	if err != nil {
		return 0
	}
	text, _ := o["text"].(string)
	op, _ := o["op"].(string)
	if action, ok := o["action"].(string); ok && do == "profile" {
		op = action
	}
	return r.write(string(raw), judge.Deed{Do: do, Op: op, Text: text})
}

func (r *run) write(line string, d judge.Deed) int {
	r.ambush(d)
	r.lines++
	d.N, d.At = r.lines, time.Now()
	r.deeds = append(r.deeds, d)
	r.watch.Expect(d.N, d.Shows)
	if _, err := r.in.Write([]byte(line + "\n")); err != nil {
		r.deeds = r.deeds[:len(r.deeds)-1]
		return 0
	}
	return d.N
}

// marker is a text that no other has.
func (r *run) marker() string {
	r.marks++
	return fmt.Sprintf("MARK-%d-%d-end", r.plan.Seed, r.marks)
}

// gone notes the markers of a text that the user gives up.
func (r *run) gone(text string) {
	for _, m := range judge.Marked(text) {
		r.given[m] = true
	}
}

// open lists commands that are not done.
func (r *run) open(which ...string) bool {
	return slices.ContainsFunc(r.deeds, func(d judge.Deed) bool {
		if _, over := r.watch.Done(d.N); over {
			return false
		}
		return len(which) == 0 || slices.Contains(which, d.Do)
	})
}

// settle waits until no command of those is open; false when that takes long.
func (r *run) settle(d time.Duration, which ...string) bool {
	return r.until(d, func() bool { return !r.open(which...) })
}

// until waits for something to be seen.
func (r *run) until(d time.Duration, want func() bool) bool {
	limit := time.NewTimer(d)
	defer limit.Stop()
	for {
		changed := r.watch.Changed()
		if want() {
			return true
		}
		if r.watch.Ended() {
			return false
		}
		wait := limit.C
		if len(r.laters) > 0 { // what was promised goes on meanwhile
			t := time.NewTimer(max(time.Until(r.laters[r.soonest()].at), 0))
			select {
			case <-changed:
			case <-t.C:
				r.due()
			case <-wait:
				t.Stop()
				return want()
			}
			t.Stop()
			continue
		}
		select {
		case <-changed:
		case <-wait:
			return want()
		}
	}
}

// changesComposer are the commands that move text.
var changesComposer = []string{"draft", "restore", "review", "select", "new", "fork"}

// typeText sets the draft: it mostly goes on with what is there.
func (r *run) typeText(rng *rand.Rand) bool {
	if !r.settle(time.Second, changesComposer...) {
		return false
	}
	v := r.watch.View()
	text := r.marker() + " words"
	if rng.IntN(20) == 0 { // longer than what a pipe or a socket holds
		text += strings.Repeat(" long", 200<<10/5)
	}
	o := object{}
	if v.Thread != nil {
		o["thread"] = v.Thread.ID
	}
	if v.Composer != nil && v.Composer.Text != "" {
		if rng.IntN(4) > 0 && !r.open("send", "steer") {
			text = v.Composer.Text + "\n" + text
		} else {
			r.gone(v.Composer.Text)
		}
	}
	o["text"] = text
	return r.tell("draft", o) != 0
}

// act gives one command. Mostly it is one that makes sense.
func (r *run) act(rng *rand.Rand) {
	v := r.watch.View()
	n := 0
	r.lurking = nil
	if rng.IntN(5) == 0 {
		r.lurking = rng
	}
	if rng.IntN(20) < 17 {
		n = r.sensible(rng, &v)
	} else {
		n = r.anything(rng, &v)
	}
	if n > 0 && rng.IntN(4) > 0 {
		d := time.Duration(100+rng.IntN(1400)) * time.Millisecond
		r.until(d, func() bool { _, over := r.watch.Done(n); return over })
	}
}

func (r *run) sensible(rng *rand.Rand, v *judge.View) int {
	var live []judge.Request
	for _, q := range v.Requests {
		if q.Live {
			live = append(live, q)
		}
	}
	switch {
	case v.State == "sign-in" && v.Offers("signIn") && !r.open("signIn") && rng.IntN(4) > 0:
		return r.signIn()
	case r.applied == nowhere && !v.Connected() && rng.IntN(3) > 0:
		return r.apply(usual)
	case v.State == "confirmation" && v.Offers("confirm"):
		return r.tell("confirm", nil)
	case v.State == "manual-reconnect" || v.State == "sign-in" && !v.Connected() || v.State == "confirmation" && !v.Connected():
		return r.tell("reconnect", nil)
	case v.State == "awaiting-selection":
		if len(v.Threads) > 0 && rng.IntN(3) > 0 {
			return r.tell("select", object{"thread": v.Threads[rng.IntN(len(v.Threads))].ID})
		}
		return r.tell("new", object{"cwd": r.world.home.Work})
	case len(live) > 0 && rng.IntN(3) > 0:
		return r.answer(rng, live)
	case len(v.RecoveryDrafts) > 0 && v.Offers("confirm"):
		return r.tell("confirm", nil)
	case len(v.RecoveryDrafts) > 0 && v.Offers("restore") && rng.IntN(2) == 0:
		return r.restore(rng, v)
	case v.Thread != nil && v.State == "ready" && rng.IntN(20) == 0:
		return r.tell("delete", object{"thread": v.Thread.ID})
	case v.State == "ready" && r.plan.Account && rng.IntN(20) == 0:
		return r.tell("signOut", nil)
	case v.State == "history-refresh":
		return r.tell("refresh", nil)
	case v.Offers("join"):
		return r.tell("join", nil)
	case v.Offers("send"):
		if r.typeText(rng) {
			return r.tell("send", nil)
		}
	case v.Offers("steer"):
		switch rng.IntN(5) {
		case 0, 1:
			if r.typeText(rng) {
				return r.tell("steer", nil)
			}
		case 2:
			return r.tell("queue", object{"op": "add", "text": r.marker() + " queued"})
		case 3:
			return r.tell("stop", nil)
		}
	}
	if rng.IntN(2) == 0 {
		return r.anything(rng, v)
	}
	r.typeText(rng)
	return 0
}

func (r *run) answer(rng *rand.Rand, live []judge.Request) int {
	q := live[rng.IntN(len(live))]
	d := "decline"
	if len(q.Decisions) > 0 {
		d = q.Decisions[rng.IntN(len(q.Decisions))].Name
	}
	return r.tell("answer", object{"request": q.ID, "decision": d})
}

func (r *run) restore(rng *rand.Rand, v *judge.View) int {
	d := v.RecoveryDrafts[rng.IntN(len(v.RecoveryDrafts))]
	mode := []string{"before", "after", "replace"}[rng.IntN(3)]
	if mode == "replace" {
		if !r.settle(time.Second, append([]string{"send", "steer"}, changesComposer...)...) {
			return 0
		}
		if c := r.watch.View().Composer; c != nil {
			r.gone(c.Text)
		}
	}
	return r.tell("restore", object{"draft": d.ID, "mode": mode})
}

// anything gives any command, allowed or not.
func (r *run) anything(rng *rand.Rand, v *judge.View) int {
	thread := ""
	if len(v.Threads) > 0 {
		thread = v.Threads[rng.IntN(len(v.Threads))].ID
	}
	switch rng.IntN(24) {
	case 0:
		return r.tell("select", object{"thread": thread})
	case 1:
		return r.tell("join", nil)
	case 2:
		return r.tell("send", nil)
	case 3:
		return r.tell("steer", nil)
	case 4:
		return r.tell("stop", nil)
	case 5:
		return r.tell("new", object{"cwd": r.world.home.Work, "access": "read-only"})
	case 6:
		return r.tell("fork", object{"thread": thread})
	case 7:
		return r.tell("rename", object{"thread": thread, "name": fmt.Sprintf("name %d", r.lines)})
	case 8:
		return r.tell("older", nil)
	case 9:
		return r.tell("refresh", nil)
	case 10:
		return r.tell("reconnect", nil)
	case 11:
		return r.tell("confirm", nil)
	case 12:
		return r.tell("cancel", nil)
	case 13:
		return r.tell("queue", object{"op": "add", "text": r.marker() + " queued"})
	case 14:
		return r.queueEdit(rng, v)
	}
	return r.rarely(rng, v, thread)
}

// rarely are the commands that are given less often.
func (r *run) rarely(rng *rand.Rand, v *judge.View, thread string) int {
	switch rng.IntN(18) {
	case 9:
		return r.tell("profile", object{"action": "edited"})
	case 10, 11:
		return r.tell("delete", object{"thread": thread})
	case 12, 13:
		return r.apply([]string{usual, usual, plain, plain, plain, nowhere, "no-such"}[rng.IntN(7)])
	case 14, 15:
		if r.plan.Account {
			return r.tell("signOut", nil)
		}
		return r.tell("delete", object{"thread": thread})
	case 16:
		return r.signIn()
	case 0:
		return r.discard(rng, v)
	case 1, 2:
		return r.review(rng, v)
	case 3:
		bad := []string{`{"do":"sned"}`, `{"do":"select","thraed":"x"}`, `nothing`, `[1]`, `{"do":"draft","text":1}`, `{"do":"select","thread":"no-such"}`, `{"do":"restore","draft":"d0"}`, `{"do":"answer","request":"r0"}`}
		return r.write(bad[rng.IntN(len(bad))], judge.Deed{Do: "bad"})
	case 4:
		return r.tell("threads", nil)
	case 5:
		return r.tell("full", nil)
	case 6:
		return r.tell([]string{"archive", "unarchive"}[rng.IntN(2)], object{"thread": thread})
	case 7:
		return r.tell("compact", nil)
	}
	if len(v.Rows) > 0 {
		row := v.Rows[rng.IntN(len(v.Rows))]
		return r.tell([]string{"row", "expand"}[rng.IntN(2)], object{"turn": row.Turn})
	}
	return r.tell("newer", nil)
}

func (r *run) queueEdit(rng *rand.Rand, v *judge.View) int {
	if len(v.Queue.Entries) == 0 {
		return r.tell("queue", object{"op": "start", "entry": "none"})
	}
	e := v.Queue.Entries[rng.IntN(len(v.Queue.Entries))].ID
	switch rng.IntN(4) {
	case 0:
		return r.tell("queue", object{"op": "update", "entry": e, "text": r.marker() + " changed"})
	case 1:
		return r.tell("queue", object{"op": "delete", "entry": e})
	case 2:
		return r.tell("queue", object{"op": "reorder", "entry": e})
	}
	return r.tell("queue", object{"op": "start", "entry": e})
}

func (r *run) discard(rng *rand.Rand, v *judge.View) int {
	if len(v.RecoveryDrafts) == 0 {
		return r.tell("discard", object{"draft": "d0"})
	}
	d := v.RecoveryDrafts[rng.IntN(len(v.RecoveryDrafts))]
	r.gone(d.Text + strings.Join(d.Blocks, "\n"))
	return r.tell("discard", object{"draft": d.ID})
}

func (r *run) review(rng *rand.Rand, v *judge.View) int {
	if len(v.Operations) == 0 {
		return r.tell("review", object{"op": "op0", "action": "dismiss"})
	}
	o := v.Operations[rng.IntN(len(v.Operations))]
	if rng.IntN(3) > 0 {
		return r.tell("review", object{"op": o.ID, "action": "restore", "mode": []string{"before", "after"}[rng.IntN(2)]})
	}
	if o.State == "InFlight" {
		return 0
	}
	r.gone(o.Text)
	return r.tell("review", object{"op": o.ID, "action": "dismiss"})
}

// signIn gives a key that nobody has asked for before, and that may show nowhere.
func (r *run) signIn() int {
	r.keys++
	return r.tell("signIn", object{"apiKey": fmt.Sprintf("sk-%s-%d", judge.Secret, r.keys)})
}

// apply goes over to another profile.
func (r *run) apply(name string) int {
	if name == usual || name == plain || name == nowhere {
		r.applied = name
	}
	return r.tell("profile", object{"action": "apply", "profile": name})
}
