package play

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"syscall"
	"time"

	"holdfast/core/realserver"
	"holdfast/core/seed"
	"holdfast/tools/chaos/fault"
	"holdfast/tools/chaos/judge"
)

// A trap is a fault that waits for a step of an operation.
type trap struct {
	method string // of the frame, "*" for any mutation
	out    bool
	answer bool // the answer to such a frame
	skip   int
	do     func()
	act    judge.Act
}

// points are the steps that traps wait for.
var points = []trap{
	{method: "turn/start", out: true},
	{method: "turn/start", answer: true},
	{method: "turn/steer", out: true},
	{method: "turn/steer", answer: true},
	{method: "turn/interrupt", out: true},
	{method: "turn/interrupt", answer: true},
	{method: "thread/resume", out: true},
	{method: "thread/resume", answer: true},
	{method: "thread/start", out: true},
	{method: "thread/start", answer: true},
	{method: "thread/fork", out: true},
	{method: "thread/fork", answer: true},
	{method: "thread/queue/add", out: true},
	{method: "thread/queue/add", answer: true},
	{method: "thread/name/set", out: true},
	{method: "thread/name/set", answer: true},
	{method: "thread/delete", out: true},
	{method: "thread/delete", answer: true},
	{method: "account/login/start", out: true},
	{method: "account/login/start", answer: true},
	{method: "account/logout", out: true},
	{method: "account/logout", answer: true},
	{method: "account/updated"},
	{method: "thread/deleted"},
	{method: "thread/read", out: true},
	{method: "thread/read", answer: true},
	{method: "thread/items/list", out: true},
	{method: "thread/items/list", answer: true},
	{method: "thread/turns/list", answer: true},
	{method: "initialize", out: true},
	{method: "initialize", answer: true},
	{method: "account/read", out: true},
	{method: "account/read", answer: true},
	{method: "thread/list", out: true},
	{method: "thread/list", answer: true},
	{method: "", out: true}, // an answer of ours
	{method: "turn/started"},
	{method: "turn/completed"},
	{method: "item/started"},
	{method: "item/completed"},
	{method: "item/agentMessage/delta"},
	{method: "item/commandExecution/requestApproval"},
	{method: "item/fileChange/requestApproval"},
	{method: "serverRequest/resolved"},
}

// arm sets a trap with a fault that can be done at once.
func (w *world) arm(rng *rand.Rand) {
	p := points[rng.IntN(len(points))]
	p.skip = rng.IntN(2)
	name, do := w.instant(rng)
	p.do = func() { w.count("trap: " + name); do() }
	if p.answer && rng.IntN(4) == 0 {
		p.do, p.act = func() { w.count("trap: answer lost") }, judge.Act{Swallow: true}
	}
	w.mu.Lock()
	w.trap = &p
	w.mu.Unlock()
}

// ambush sets a trap at a step of the command that is about to be given.
func (r *run) ambush(d judge.Deed) {
	rng, method := r.lurking, d.Tells()
	if rng == nil || method == "" {
		if rng == nil || d.Do != "answer" {
			return
		}
	}
	r.lurking = nil
	name, do := r.world.instant(rng)
	t := &trap{method: method, out: true}
	if rng.IntN(2) == 0 && method != "" {
		t.out, t.answer = false, true
	}
	if rng.IntN(3) == 0 && (t.answer || slices.Contains(refusable, d.Do)) {
		name, t.act = r.tamper(rng, t)
		do = func() {}
	}
	t.do = func() { r.world.count("trap: " + name); do() }
	r.world.mu.Lock()
	r.world.trap = t
	r.world.mu.Unlock()
	r.laters = append(r.laters, later{time.Now().Add(time.Duration(300+rng.IntN(2500)) * time.Millisecond), r.world.mend})
}

// refusable are the commands whose request names a conversation and little else:
// with a wrong one the server refuses them.
var refusable = []string{"send", "steer", "stop", "queue", "rename", "join", "archive", "delete"}

// tamper is a fault of the message itself.
func (r *run) tamper(rng *rand.Rand, t *trap) (string, judge.Act) {
	switch {
	case t.out:
		return "refused by the server", judge.Act{Spoil: true}
	case rng.IntN(2) == 0:
		return "answer lost", judge.Act{Swallow: true}
	}
	late := time.Duration(rng.IntN(12000)) * time.Millisecond
	if rng.IntN(3) == 0 {
		late = 65 * time.Second // after the deadline of a mutation
	}
	late /= time.Duration(r.plan.Timing)
	return "answer out of order", judge.Act{Late: late}
}

// sprung looks whether a frame is what the trap waits for.
func (w *world) sprung(f *judge.Frame) judge.Act {
	w.mu.Lock()
	t := w.trap
	if t == nil || !w.fits(t, f) {
		w.mu.Unlock()
		return judge.Act{}
	}
	if t.skip > 0 {
		t.skip--
		w.mu.Unlock()
		return judge.Act{}
	}
	w.trap = nil
	w.mu.Unlock()
	t.do()
	return t.act
}

// fits reports whether a frame is what a trap waits for. w.mu is held.
func (w *world) fits(t *trap, f *judge.Frame) bool {
	if !t.answer {
		return f.Out == t.out && f.Method == t.method
	}
	if f.Out || f.Method != "" || f.ID == nil {
		return false
	}
	for _, q := range slices.Backward(w.wire.Frames()) {
		if q.Out && q.Conn == f.Conn && string(q.ID) == string(f.ID) && q.Method != "" {
			return q.Method == t.method
		}
	}
	return false
}

// instant is a fault that takes no time.
func (w *world) instant(rng *rand.Rand) (string, func()) {
	all := []struct {
		name string
		do   func()
	}{
		{"kill -9", func() { w.signal(syscall.SIGKILL) }},
		{"SIGTERM", func() { w.signal(syscall.SIGTERM) }},
		{"SIGSTOP", func() { w.signal(syscall.SIGSTOP) }},
	}
	if w.proxy != nil {
		all = append(all[:2:2], []struct {
			name string
			do   func()
		}{
			{"reset", w.proxy.Reset},
			{"reset", w.proxy.Reset},
			{"torn frame to the client", func() { w.proxy.Set(fault.Pass, fault.Tear, 0) }},
			{"torn frame to the server", func() { w.proxy.Set(fault.Tear, fault.Pass, 0) }},
			{"silence from the server", func() { w.proxy.Set(fault.Pass, fault.Hold, 0) }},
			{"silence from the client", func() { w.proxy.Set(fault.Hold, fault.Pass, 0) }},
			{"half-open", func() { w.proxy.Set(fault.Hold, fault.Hold, 0) }},
			{"late bytes of a retired connection", w.proxy.HoldForLate},
		}...)
	}
	f := all[rng.IntN(len(all))]
	return f.name, f.do
}

// A later is something that a fault does afterwards, on the run's goroutine.
type later struct {
	at time.Time
	do func()
}

// A blow is one fault that is done now, and what follows from it.
type blow struct {
	*run
	w   *world
	rng *rand.Rand
}

func (b blow) after(d time.Duration, do func()) {
	b.laters = append(b.laters, later{time.Now().Add(d), do})
}

// some is a time between two numbers of milliseconds at --timing 10.
func (b blow) some(from, to int) time.Duration {
	return time.Duration(from+b.rng.IntN(to-from)) * time.Millisecond * 10 / time.Duration(b.plan.Timing)
}

func (b blow) instant() {
	name, do := b.w.instant(b.rng)
	b.w.count(name)
	do()
	if name == "reset" && b.plan.remote() {
		b.dropped = time.Now()
	}
}

// What a fault needs of a run.
func anywhere(*run) bool  { return true }
func proxied(r *run) bool { return r.world.proxy != nil }
func tokened(r *run) bool { return r.plan.Kind == "token" }
func owned(r *run) bool   { return r.plan.Account && r.plan.remote() }

// blows are the faults, and where each is possible. The first is the most
// frequent.
var blows = []struct {
	name string // "" counts by itself
	on   func(*run) bool
	do   func(b blow)
}{
	{"", anywhere, blow.instant},
	{"", anywhere, blow.instant},
	{"", anywhere, blow.instant},
	{"server of another version", anywhere, func(b blow) {
		b.w.otherVersion(b.rng)
		b.w.signal(syscall.SIGKILL)
	}},
	{"two servers on one home", anywhere, func(b blow) { b.rivalry() }},
	{"SIGSTOP, SIGCONT", anywhere, func(b blow) {
		b.w.signal(syscall.SIGSTOP)
		b.after(b.some(20, 600), b.w.wake)
	}},
	{"stalled reader", anywhere, func(b blow) { b.stall(b.some(20, 400)) }},
	{"1 byte at a time", proxied, func(b blow) {
		b.w.proxy.Set(fault.Slow, fault.Slow, time.Second/time.Duration(b.plan.Timing)/5)
		b.after(b.some(20, 600), func() { b.w.proxy.Set(fault.Pass, fault.Pass, 0) })
	}},
	{"401 after success", proxied, func(b blow) { b.greeted(fault.Greeting{Status: 401}) }},
	{"503", proxied, func(b blow) {
		b.greeted(slices.Repeat([]fault.Greeting{{Status: 503}}, 1+b.rng.IntN(6))...)
	}},
	{"closed port", proxied, func(b blow) {
		b.w.proxy.Shut()
		b.w.proxy.Reset()
		b.after(b.some(50, 2500), func() { _ = b.w.proxy.Reopen() })
	}},
	{"overtaken connections", proxied, func(b blow) {
		b.greeted(fault.Greeting{Delay: b.some(10, 400)}, fault.Greeting{}, fault.Greeting{Delay: b.some(10, 100)})
		b.after(b.some(5, 100), func() { b.tell("cancel", nil) })
		b.after(b.some(10, 120), func() { b.tell("reconnect", nil) })
	}},
	{"attempts that hang or break", proxied, func(b blow) {
		b.greeted(fault.Greeting{Drop: true}, fault.Greeting{Hang: true}, fault.Greeting{Drop: true})
		b.after(b.some(100, 1500), b.w.proxy.Heal)
	}},
	{"two servers, the port moves", proxied, func(b blow) { b.w.move() }},
	{"the token is replaced", tokened, func(b blow) {
		b.w.newToken()
		if b.rng.IntN(2) == 0 { // the server takes it at once, else after an attempt was refused
			b.w.signal(syscall.SIGKILL)
		} else {
			b.w.proxy.Reset()
		}
	}},
	{"the token is replaced, nobody notices", tokened, func(b blow) { b.w.newToken() }},
	{"the token file is gone", tokened, func(b blow) {
		_ = os.Remove(b.w.tokenFile())
		if b.rng.IntN(2) == 0 {
			b.w.proxy.Reset()
		}
	}},
	{"a useless token file", tokened, func(b blow) {
		b.w.spoilToken([]string{"", "two words", "another-token-than-the-server-wants"}[b.rng.IntN(3)])
		b.w.proxy.Reset()
	}},
	{"another client signs out", owned, func(b blow) { b.w.otherAccount("account/logout", nil) }},
	{"another client signs in", owned, func(b blow) {
		b.w.otherAccount("account/login/start", object{"type": "apiKey", "apiKey": judge.Secret})
	}},
}

// greeted drops what is connected, and says what the next ones get.
func (b blow) greeted(next ...fault.Greeting) {
	b.w.proxy.Greet(next...)
	b.w.proxy.Reset()
}

// strike does one of the faults now.
func (r *run) strike(rng *rand.Rand) {
	b := blow{r, r.world, rng}
	k := rng.IntN(len(blows))
	for !blows[k].on(r) {
		k = rng.IntN(len(blows))
	}
	if blows[k].name != "" {
		r.world.count(blows[k].name)
	}
	blows[k].do(b)
	b.after(b.some(50, 3000), r.world.mend)
}

// mend ends what an instant fault began, and starts a dead server again.
func (w *world) mend() {
	w.wake()
	if w.proxy != nil {
		w.proxy.Set(fault.Pass, fault.Pass, 0)
	}
	w.alive()
}

// otherVersion makes the next server one of another version.
func (w *world) otherVersion(rng *rand.Rand) {
	all := realserver.Versions()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.version = all[rng.IntN(len(all))]
}

// move leads new connections to a second server while the first one lives.
func (w *world) move() {
	if !w.plan.remote() {
		w.proxy.Reset()
		return
	}
	w.mu.Lock()
	old := w.rival
	w.rival = w.server
	version := w.version
	w.mu.Unlock()
	if old != nil {
		old.Kill()
	}
	w.serve(version)
	w.proxy.Reset()
}

// rivalry has another server process take a conversation of the home.
func (r *run) rivalry() {
	w := r.world
	w.mu.Lock()
	busy := w.rival != nil
	w.mu.Unlock()
	if busy {
		return
	}
	s := w.listen(w.plan.Version)
	w.mu.Lock()
	w.rival = s
	w.mu.Unlock()
	v := r.watch.View()
	if v.Thread == nil {
		return
	}
	c := s.Client(seed.Quiet)
	// It may be refused: then the other one has it.
	_, _ = c.Call(w.home.Context(), "thread/resume", map[string]any{"threadId": v.Thread.ID, "excludeTurns": true})
}

// otherAccount has another client of the server change the account.
func (w *world) otherAccount(method string, params object) {
	w.wake()
	w.mu.Lock()
	s := w.server
	w.mu.Unlock()
	ctx, cancel := context.WithTimeout(w.home.Context(), 3*time.Second)
	defer cancel()
	c, err := s.TryClient(ctx, seed.Quiet)
	if err != nil {
		return // the server is gone, or wants another token
	}
	_, _ = c.Call(ctx, method, params) // it may end meanwhile
	_ = c.Close()
}
