package judge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Sections of a snapshot, as DRIVE.md names them.
type (
	// View is the folded snapshot.
	View struct {
		Seq            uint64      `json:"seq"`
		State          string      `json:"state"`
		Code           string      `json:"code"`
		Text           string      `json:"text"`
		Attempt        int         `json:"attempt"`
		Actions        []string    `json:"actions"`
		Server         Server      `json:"server"`
		Generations    Generations `json:"generations"`
		Threads        []Thread    `json:"threads"`
		Thread         *Thread     `json:"thread"`
		Rows           []Row       `json:"rows"`
		Composer       *Composer   `json:"composer"`
		RecoveryDrafts []Draft     `json:"recoveryDrafts"`
		Operations     []Operation `json:"operations"`
		Requests       []Request   `json:"requests"`
		Queue          Queue       `json:"queue"`
	}
	// Server is the server section.
	Server struct {
		PID       int  `json:"pid"`
		Confirmed bool `json:"confirmed"`
	}
	// Generations is the generations section.
	Generations struct{ Owner, Connection, View uint64 }
	// Thread is a row of the list, or the selected conversation.
	Thread struct {
		ID         string `json:"id"`
		Joined     bool   `json:"joined"`
		Status     string `json:"status"`
		Turn       string `json:"turn"`
		TurnStatus string `json:"turnStatus"`
	}
	// Row is a row of the transcript.
	Row struct{ Turn, Item, Kind string }
	// Composer is the shown composer.
	Composer struct {
		Text   string   `json:"text"`
		Blocks []string `json:"blocks"`
	}
	// Draft is a recovery draft.
	Draft struct {
		ID     string   `json:"id"`
		Thread string   `json:"thread"`
		Text   string   `json:"text"`
		Blocks []string `json:"blocks"`
	}
	// Operation is a record of the ledger.
	Operation struct {
		ID     string `json:"id"`
		Kind   string `json:"kind"`
		Thread string `json:"thread"`
		State  string `json:"state"`
		Proof  string `json:"proof"`
		Seen   bool   `json:"seen"`
		Text   string `json:"text"`
	}
	// Request is a request card.
	Request struct {
		ID        string     `json:"id"`
		Live      bool       `json:"live"`
		Decisions []Decision `json:"decisions"`
	}
	// Decision is one way to answer a request.
	Decision struct {
		Name string `json:"name"`
	}
	// Queue is the server's queue.
	Queue struct {
		Entries []struct {
			ID string `json:"id"`
		} `json:"entries"`
	}
	// Done is the end of a command.
	Done struct {
		Cmd   int    `json:"cmd"`
		OK    bool   `json:"ok"`
		Code  string `json:"code"`
		Error string `json:"error"`
		At    time.Time
	}
)

// Offers reports whether an action is allowed now.
func (v *View) Offers(action string) bool { return slices.Contains(v.Actions, action) }

// Connected reports whether the state has a connection.
func (v *View) Connected() bool {
	return slices.Contains([]string{"awaiting-selection", "ready", "history-refresh", "synchronizing"}, v.State)
}

// Secret is a part of every key and token of a run: it may be in no line.
const Secret = "chaos-secret"

// A Watch folds the events of drive and checks each. It is safe for concurrent
// use.
type Watch struct {
	mu      sync.Mutex
	view    View
	dones   map[int]Done
	history []Moment
	wrong   []string
	changed chan struct{}
	ended   bool
	pids    map[int]bool
	expect  map[int]func(*View, Done) string
	ops     map[string]Operation // the newest of each that was ever shown
}

// A Moment is a state that was shown.
type Moment struct {
	At    time.Time
	State string
	Conn  uint64
}

// NewWatch makes a watch that has seen nothing.
func NewWatch() *Watch {
	return &Watch{dones: map[int]Done{}, changed: make(chan struct{}), pids: map[int]bool{}, ops: map[string]Operation{}, expect: map[int]func(*View, Done) string{}}
}

// View is the newest state of every section.
func (w *Watch) View() View {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.view
}

// Expect sets what the snapshot before the end of a command must show; check
// says what is missing.
func (w *Watch) Expect(n int, check func(*View, Done) string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.expect[n] = check
}

// Done is the end of a command, if it has ended.
func (w *Watch) Done(n int) (Done, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	d, ok := w.dones[n]
	return d, ok
}

// Moments are the states that were shown.
func (w *Watch) Moments() []Moment {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.history)
}

// Changed closes at the next event.
func (w *Watch) Changed() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.changed
}

// Ended reports whether the output has ended.
func (w *Watch) Ended() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ended
}

// PIDs are the processes that were shown as ours.
func (w *Watch) PIDs() []int {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []int
	for p := range w.pids {
		out = append(out, p)
	}
	return out
}

// Wrong are the rules that events broke.
func (w *Watch) Wrong() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.wrong)
}

// End notes the end of the output.
func (w *Watch) End() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	w.nudge()
}

func (w *Watch) nudge() {
	close(w.changed)
	w.changed = make(chan struct{})
}

// Line takes one line of the output.
func (w *Watch) Line(line []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.nudge()
	if i := bytes.Index(line, []byte(Secret)); i >= 0 {
		w.bad("a secret is shown: %.200q", line[max(0, i-100):])
	}
	var e struct {
		Event string `json:"event"`
	}
	if err := json.Unmarshal(line, &e); err != nil {
		w.bad("a line is not JSON: %.200q", line)
		return
	}
	switch e.Event {
	case "hello", "row":
	case "done":
		var d Done
		if err := json.Unmarshal(line, &d); err != nil {
			w.bad("a done event cannot be read: %v", err)
		}
		if _, twice := w.dones[d.Cmd]; twice {
			w.bad("command %d is done twice", d.Cmd)
		}
		d.At = time.Now()
		w.dones[d.Cmd] = d
		if check := w.expect[d.Cmd]; check != nil {
			if why := check(&w.view, d); why != "" {
				w.bad("command %d is done, and the snapshot before does not show it: %s", d.Cmd, why)
			}
		}
	case "snapshot":
		w.snapshot(line)
	default:
		w.bad("there is no event %q", e.Event)
	}
}

func (w *Watch) bad(format string, args ...any) {
	w.wrong = append(w.wrong, fmt.Sprintf(format, args...))
}

func (w *Watch) snapshot(line []byte) {
	was := w.view
	now := was
	if was.Thread != nil { // the old value is not to be written into
		now.Thread, now.Composer = nil, nil
	}
	fresh := now
	fresh.Actions, fresh.Threads, fresh.Rows, fresh.RecoveryDrafts, fresh.Operations, fresh.Requests = nil, nil, nil, nil, nil, nil
	fresh.Queue = Queue{}
	if err := json.Unmarshal(line, &fresh); err != nil {
		w.bad("a snapshot cannot be read: %v", err)
		return
	}
	var has map[string]json.RawMessage
	_ = json.Unmarshal(line, &has)
	keep(has, "actions", &fresh.Actions, was.Actions)
	keep(has, "threads", &fresh.Threads, was.Threads)
	keep(has, "thread", &fresh.Thread, was.Thread)
	keep(has, "rows", &fresh.Rows, was.Rows)
	keep(has, "composer", &fresh.Composer, was.Composer)
	keep(has, "recoveryDrafts", &fresh.RecoveryDrafts, was.RecoveryDrafts)
	keep(has, "operations", &fresh.Operations, was.Operations)
	keep(has, "requests", &fresh.Requests, was.Requests)
	keep(has, "queue", &fresh.Queue, was.Queue)
	w.view = fresh
	w.compare(&was, &fresh)
}

// keep takes a section over from before when the snapshot left it out.
func keep[T any](has map[string]json.RawMessage, section string, to *T, from T) {
	if _, ok := has[section]; !ok {
		*to = from
	}
}

func (w *Watch) compare(was, now *View) {
	if now.Seq < was.Seq { // the same one comes again after full
		w.bad("snapshot %d came after %d", now.Seq, was.Seq)
	}
	if !slices.Contains(States, now.State) {
		w.bad("there is no state %q", now.State)
	}
	if len(now.Actions) == 0 {
		w.bad("state %s offers no action", now.State)
	}
	if now.State == "" || now.Text == "" {
		w.bad("state %q says nothing", now.State)
	}
	if now.Server.PID != 0 {
		w.pids[now.Server.PID] = true
	}
	if was.State != now.State {
		w.history = append(w.history, Moment{time.Now(), now.State, now.Generations.Connection})
		if was.State != "" && !mayFollow(was.State, now.State) {
			w.bad("state %s follows %s", now.State, was.State)
		}
	}
	if was.Generations.Connection != now.Generations.Connection && now.Generations.Connection < was.Generations.Connection {
		w.bad("the connection generation went back")
	}
	w.operations(was, now)
}

// operations checks how records changed between two snapshots.
func (w *Watch) operations(was, now *View) {
	old := map[string]Operation{}
	for _, o := range was.Operations {
		old[o.ID] = o
	}
	for _, o := range now.Operations {
		w.ops[o.ID] = o
		p, known := old[o.ID]
		if !known {
			continue
		}
		if p.State != o.State && !slices.Contains(recordEdges[p.State], o.State) {
			w.bad("operation %s (%s) went from %s to %s", o.ID, o.Kind, p.State, o.State)
		}
		if p.Kind != o.Kind || p.Thread != o.Thread || p.Text != o.Text {
			w.bad("operation %s changed what it is", o.ID)
		}
		if p.Seen && !o.Seen {
			w.bad("operation %s was seen and then not", o.ID)
		}
	}
}

// marked lists the markers in a text.
func marked(text string) []string {
	var out []string
	for {
		i := strings.Index(text, "MARK-")
		if i < 0 {
			return out
		}
		text = text[i:]
		j := strings.Index(text, "-end")
		if j < 0 {
			return out
		}
		out = append(out, text[:j+4])
		text = text[j+4:]
	}
}

// Marked lists the markers in a text, in order.
func Marked(text string) []string { return marked(text) }

// Shows says what of a command that has ended is missing in a snapshot: the
// text that was sent, in an operation that is no longer in flight.
func (d Deed) Shows(v *View, end Done) string {
	if !end.OK || d.Do != "queue" || d.Op != "add" {
		return ""
	}
	for _, o := range v.Operations {
		if o.Text == d.Text && o.State != "InFlight" {
			return ""
		}
	}
	return "no operation that has ended holds " + d.Text
}
