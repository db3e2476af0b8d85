package judge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Deed is one command the user gave.
type Deed struct {
	N    int
	Do   string
	Op   string // of a queue command; the action of a profile command
	Text string // what it typed, if anything
	At   time.Time
}

// Evidence is everything that is known of a run that has ended.
type Evidence struct {
	Wire  *Wire
	Watch *Watch
	Deeds []Deed
	// Gone are the markers that the user gave up: overwritten, discarded or
	// dismissed.
	Gone map[string]bool
	// Final is the last snapshot, taken over at FinalAt.
	Final   View
	FinalAt time.Time
	// Transcript is every user message that a clean client reads.
	Transcript []string
	// Asked are the bodies of the requests to the model.
	Asked []json.RawMessage
}

// submitting are the methods that carry what the user typed.
var submitting = map[string]bool{"turn/start": true, "turn/steer": true, "thread/queue/add": true}

// mutations are all methods that change something.
var mutations = map[string]bool{
	"turn/start": true, "turn/steer": true, "turn/interrupt": true,
	"thread/queue/add": true, "thread/queue/update": true, "thread/queue/delete": true, "thread/queue/reorder": true, "thread/queue/start": true,
	"thread/start": true, "thread/resume": true, "thread/fork": true, "thread/name/set": true, "thread/compact/start": true,
	"thread/archive": true, "thread/unarchive": true, "thread/delete": true, "thread/unsubscribe": true,
	"account/login/start": true, "account/logout": true,
}

// Judge lists every promise that was broken.
func Judge(e Evidence) []string {
	wrong := e.Watch.Wrong()
	for _, check := range []func(Evidence) []string{
		doneOnce, sentOnce, askedOnce, sentAsOftenAsTold, answeredOnce, readWhenTold, nothingLost, quietWhileSynchronizing, claims, bounds, deletedIsGone, leftBehind,
	} {
		wrong = append(wrong, check(e)...)
	}
	return wrong
}

// doneOnce: every command has ended.
func doneOnce(e Evidence) (wrong []string) {
	for _, d := range e.Deeds {
		if _, over := e.Watch.Done(d.N); !over {
			wrong = append(wrong, fmt.Sprintf("command %d (%s) was never done", d.N, d.Do))
		}
	}
	return wrong
}

// sentOnce: a client message ID is written at most once.
func sentOnce(e Evidence) (wrong []string) {
	n := map[string]int{}
	for _, f := range e.Wire.Frames() {
		if !f.Out || !submitting[f.Method] {
			continue
		}
		id := f.params().ClientID
		if n[id]++; n[id] == 2 || id == "" {
			wrong = append(wrong, fmt.Sprintf("%s with client message ID %q was written again", f.Method, id))
		}
	}
	return wrong
}

// askedOnce: the model sees a marker as often as the user's messages held it,
// and those that were typed once at most once.
func askedOnce(e Evidence) (wrong []string) {
	allowed := map[string]int{}
	for _, f := range e.Wire.Frames() {
		if f.Out && (submitting[f.Method] || f.Method == "thread/queue/update") {
			for _, m := range marked(f.params().text()) {
				allowed[m]++
			}
		}
	}
	told := map[string]bool{}
	for _, body := range e.Asked {
		n := map[string]int{}
		for _, m := range marked(userText(body)) {
			n[m]++
		}
		for m, k := range n {
			if k > allowed[m] && !told[m] {
				told[m] = true
				wrong = append(wrong, fmt.Sprintf("the model sees %s %d times, the user sent it %d times", m, k, allowed[m]))
			}
		}
	}
	return wrong
}

// userText is the text of all user messages of a request to the model.
func userText(body json.RawMessage) string {
	var r struct {
		Input []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"input"`
	}
	_ = json.Unmarshal(body, &r) // another form has no messages
	var b strings.Builder
	for _, in := range r.Input {
		if in.Role == "user" {
			b.Write(in.Content)
		}
	}
	return b.String()
}

// Tells is which method a command sends, at most once.
func (d Deed) Tells() string {
	switch d.Do {
	case "send":
		return "turn/start"
	case "steer":
		return "turn/steer"
	case "stop":
		return "turn/interrupt"
	case "queue":
		return "thread/queue/" + d.Op
	case "new":
		return "thread/start"
	case "join":
		return "thread/resume"
	case "fork":
		return "thread/fork"
	case "rename":
		return "thread/name/set"
	case "compact":
		return "thread/compact/start"
	case "archive", "unarchive", "delete":
		return "thread/" + d.Do
	case "signIn":
		return "account/login/start"
	case "signOut":
		return "account/logout"
	}
	return ""
}

// Connects reports whether a command begins an attempt by itself.
func (d Deed) Connects() bool {
	return d.Do == "reconnect" || d.Do == "profile" && d.Op == "apply"
}

// maybe are the ends of a command that may have sent something.
var maybe = []string{"outcome-unknown", "rejected", "lost", "replaced", "read-failed", "ended"}

// sentAsOftenAsTold: a mutation leaves only for a command, once for each, and
// for none that says that nothing was sent.
func sentAsOftenAsTold(e Evidence) (wrong []string) {
	most, least, sent := map[string]int{}, map[string]int{}, map[string]int{}
	for _, d := range e.Deeds {
		m := d.Tells()
		end, _ := e.Watch.Done(d.N)
		switch {
		case m == "":
		case end.OK:
			most[m]++
			least[m]++
		case slices.Contains(maybe, end.Code):
			most[m]++
		}
	}
	for _, f := range e.Wire.Frames() {
		if f.Out && mutations[f.Method] {
			sent[f.Method]++
		}
	}
	for m, n := range sent {
		if m != "thread/unsubscribe" && n > most[m] {
			wrong = append(wrong, fmt.Sprintf("%s was written %d times for %d commands", m, n, most[m]))
		}
	}
	for m, n := range least {
		if sent[m] < n {
			wrong = append(wrong, fmt.Sprintf("%s was written %d times, but %d commands say that it was done", m, sent[m], n))
		}
	}
	return wrong
}

// answeredOnce: a request of the server gets one answer, and only when the user
// gave one.
func answeredOnce(e Evidence) (wrong []string) {
	n := 0
	given := map[string]bool{}
	for _, f := range e.Wire.Frames() {
		if !f.Out || f.Method != "" {
			continue
		}
		n++
		k := fmt.Sprint(f.Conn, " ", string(f.ID))
		if given[k] {
			wrong = append(wrong, fmt.Sprintf("request %s of the server was answered again", f.ID))
		}
		given[k] = true
	}
	told := 0
	for _, d := range e.Deeds {
		if end, _ := e.Watch.Done(d.N); d.Do == "answer" && (end.OK || slices.Contains(maybe, end.Code)) {
			told++
		}
	}
	if n > told {
		wrong = append(wrong, fmt.Sprintf("%d answers were written for %d commands", n, told))
	}
	return wrong
}

// readWhenTold: nothing is selected by itself, also not after a recovery.
func readWhenTold(e Evidence) (wrong []string) {
	reads, told := 0, 0
	for _, f := range e.Wire.Frames() {
		if f.Out && f.Method == "thread/read" {
			reads++
		}
	}
	for _, d := range e.Deeds {
		if d.Do == "select" || d.Do == "refresh" || d.Do == "bad" { // a bad one may select what does not exist
			told++
		}
	}
	if reads > told {
		wrong = append(wrong, fmt.Sprintf("conversations were read %d times for %d commands", reads, told))
	}
	return wrong
}

// nothingLost: what was typed and taken is somewhere.
func nothingLost(e Evidence) (wrong []string) {
	have := map[string]bool{}
	note := func(text string) {
		for _, m := range marked(text) {
			have[m] = true
		}
	}
	for _, t := range e.Transcript {
		note(t)
	}
	if c := e.Final.Composer; c != nil {
		note(c.Text + strings.Join(c.Blocks, "\n"))
	}
	for _, d := range e.Final.RecoveryDrafts {
		note(d.Text + strings.Join(d.Blocks, "\n"))
	}
	for _, o := range e.Final.Operations {
		note(o.Text)
	}
	for _, text := range deletedTexts(e) {
		note(text)
	}
	told := map[string]bool{}
	for _, d := range e.Deeds {
		end, over := e.Watch.Done(d.N)
		if !over || !end.OK && d.Do == "draft" || !end.OK && d.Do == "queue" {
			continue // it was not taken, and says so
		}
		for _, m := range marked(d.Text) {
			if !have[m] && !e.Gone[m] && !told[m] {
				told[m] = true
				wrong = append(wrong, fmt.Sprintf("%s, typed by command %d, is nowhere", m, d.N))
			}
		}
	}
	return wrong
}

// settled is how long after its first read a synchronizing view may still be
// taken for one: a read's own deadline ends it.
const settled = 2 * time.Second

// quietWhileSynchronizing: no mutation but Stop leaves before the list was
// read on a connection, nor between the newest thread/read and its answer.
func quietWhileSynchronizing(e Evidence) (wrong []string) {
	type conn struct {
		listed bool
		read   string
		since  time.Time
	}
	conns := map[int]*conn{}
	listIDs, entering := map[string]bool{}, map[string]bool{}
	for _, f := range e.Wire.Frames() {
		c := conns[f.Conn]
		if c == nil {
			c = &conn{}
			conns[f.Conn] = c
		}
		id := fmt.Sprint(f.Conn, string(f.ID))
		switch {
		case f.Out && f.Method == "thread/list":
			listIDs[id] = true
		case f.Out && f.Method == "thread/read":
			c.read, c.since = id, f.At
		case !f.Out && f.Method == "" && listIDs[id]:
			c.listed = true
		case !f.Out && f.Method == "" && (id == c.read || entering[id]):
			c.read = "" // it was read, or a new one took its place
		case f.Out && mutations[f.Method] && f.Method != "turn/interrupt" && f.Method != "thread/unsubscribe":
			if !c.listed && f.Method != "account/login/start" { // signed out there is no list
				wrong = append(wrong, f.Method+" left before the list was read")
			}
			entering[id] = f.Method == "thread/start" || f.Method == "thread/fork"
			if c.read != "" && f.At.Sub(c.since) < settled {
				wrong = append(wrong, f.Method+" left while the conversation was being read")
			}
		}
	}
	return wrong
}

// maxAttempts is how often one episode dials.
const maxAttempts = 5

// bounds: between two commands to connect, and between two connections, an
// episode dials five times at most; after its end nothing dials.
func bounds(e Evidence) (wrong []string) {
	greeted := map[int]bool{}
	for _, f := range e.Wire.Frames() {
		if !f.Out && f.Result != nil && strings.Contains(string(f.Result), `"nextCursor"`) {
			greeted[f.Conn] = true // it got as far as the list
		}
	}
	n := 0
	commands := e.Deeds
	for i, d := range e.Wire.Dials() {
		for len(commands) > 0 && commands[0].At.Before(d.At) {
			if commands[0].Connects() {
				n = 0
			}
			commands = commands[1:]
		}
		if n++; n > maxAttempts+1 {
			wrong = append(wrong, fmt.Sprintf("attempt %d is the %dth in a row", i+1, n))
		}
		if greeted[i+1] {
			n = 0
		}
	}
	return append(wrong, restless(e)...)
}

// restless: a surface that says that nothing is tried does not dial.
func restless(e Evidence) (wrong []string) {
	const slack = 300 * time.Millisecond // the output may be behind
	moments := e.Watch.Moments()
	for i, d := range e.Wire.Dials() {
		at := -1
		for k, m := range moments {
			if m.At.Before(d.At) {
				at = k
			}
		}
		if at < 0 {
			continue
		}
		m := moments[at]
		if m.State != "manual-reconnect" || d.At.Sub(m.At) < slack {
			continue
		}
		asked := slices.ContainsFunc(e.Deeds, func(x Deed) bool {
			return x.Connects() && x.At.After(m.At.Add(-slack)) && !x.At.After(d.At)
		})
		if !asked {
			wrong = append(wrong, fmt.Sprintf("attempt %d began %v after %s was shown, and nobody asked", i+1, d.At.Sub(m.At).Round(time.Millisecond), m.State))
		}
	}
	return wrong
}
