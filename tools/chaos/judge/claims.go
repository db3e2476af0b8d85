package judge

import (
	"fmt"
	"strings"
	"time"
)

// A group is the operations and frames that cannot be told apart.
type group struct {
	ops      map[string]int // by state
	total    int
	byAnswer int
	written  int
	answered int // with success
	refused  int // with an error
	lost     int // refused with an error that proves nothing
	ids      []string
}

// overload is the one refusal that proves that nothing was done.
const overload = "Server overloaded; retry later."

// groups are the operations and frames of a run by kind, conversation and text.
type groups map[string]*group

func (gs groups) of(kind, thread, text string) *group {
	k := kind + "|" + thread + "|" + strings.TrimSpace(text)
	if gs[k] == nil {
		gs[k] = &group{ops: map[string]int{}}
	}
	return gs[k]
}

// claims: what the ledger says is true against the wire.
func claims(e Evidence) (wrong []string) {
	gs := groups{}
	gs.takeFrames(e)
	wrong = gs.takeOperations(e)
	for k, g := range gs {
		wrong = append(wrong, g.judge(k)...)
	}
	return append(wrong, restingClaims(e)...)
}

// answers are the first whole answers by connection and ID.
func answers(frames []*Frame) map[string]*Frame {
	out := map[string]*Frame{}
	for _, f := range frames {
		if !f.Out && f.Method == "" && f.ID != nil && !f.Broken {
			if k := f.key(); out[k] == nil {
				out[k] = f
			}
		}
	}
	return out
}

func (f *Frame) key() string { return fmt.Sprint(f.Conn, " ", string(f.ID)) }

func (gs groups) takeFrames(e Evidence) {
	frames := e.Wire.Frames()
	answered := answers(frames)
	for _, f := range frames {
		if !f.Out || !mutations[f.Method] {
			continue
		}
		p := f.params()
		g := gs.of(f.Method, p.ThreadID, p.text())
		g.written++
		g.ids = append(g.ids, p.ClientID)
		a := answered[f.key()]
		if a == nil || e.FinalAt.Sub(a.At) < time.Second/2 {
			g.lost++ // none, or perhaps too late to be in the last snapshot
		}
		switch {
		case a == nil:
		case a.Error == nil:
			g.answered++
		case a.Error.Code == -32001 && (a.Error.Message != overload || a.Error.Data != nil || f.Method == "thread/resume"):
			g.lost++
		default:
			g.refused++
		}
	}
}

func (gs groups) takeOperations(e Evidence) (wrong []string) {
	listed := len(e.Final.Operations)
	for i, o := range append(append([]Operation(nil), e.Final.Operations...), e.Watch.dismissed(e.Final)...) {
		if !mutations[o.Kind] {
			continue
		}
		text := o.Text
		if !submitting[o.Kind] && o.Kind != "thread/queue/update" {
			text = ""
		}
		g := gs.of(o.Kind, o.Thread, text)
		g.total++
		if i >= listed && o.State != "NotSent" {
			continue // dismissed: what became known later was not shown
		}
		g.ops[o.State]++
		switch {
		case o.Proof == "accepted, by item":
			if !anySaid(e.Wire, g.ids) {
				wrong = append(wrong, fmt.Sprintf("%s (%s) is accepted by item, and no item of it came", o.ID, o.Kind))
			}
		case o.State == "Confirmed" && o.Proof != "by the turn's end":
			g.byAnswer++
		}
	}
	return wrong
}

func anySaid(w *Wire, ids []string) bool {
	for _, id := range ids {
		if id != "" && w.Said(`"clientId":"`+id+`"`) {
			return true
		}
	}
	return false
}

func (g *group) judge(key string) (wrong []string) {
	say := func(format string, args ...any) {
		wrong = append(wrong, fmt.Sprintf("%.160s: ", key)+fmt.Sprintf(format, args...)+fmt.Sprintf(" (%+v)", *g))
	}
	if g.written != g.total-g.ops["NotSent"] {
		say("%d were written, %d operations say so", g.written, g.total-g.ops["NotSent"])
	}
	if g.byAnswer > g.answered {
		say("%d are confirmed by answer, %d were answered", g.byAnswer, g.answered)
	}
	if g.ops["Rejected"] > g.refused {
		say("%d are rejected, %d were refused", g.ops["Rejected"], g.refused)
	}
	if unknown := g.ops["OutcomeUnknown"] + g.ops["InFlight"]; unknown > g.lost {
		say("%d are unknown, %d had no answer", unknown, g.lost)
	}
	return wrong
}

// dismissed are operations that were shown once and are not in the last view.
func (w *Watch) dismissed(final View) []Operation {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := map[string]bool{}
	for _, o := range final.Operations {
		now[o.ID] = true
	}
	var out []Operation
	for id, o := range w.ops {
		if !now[id] {
			out = append(out, o)
		}
	}
	return out
}

// restingClaims: after the end nothing is in flight that could not be.
func restingClaims(e Evidence) (wrong []string) {
	for _, o := range e.Final.Operations {
		if o.State == "InFlight" {
			wrong = append(wrong, fmt.Sprintf("%s (%s) is in flight after its connection was lost", o.ID, o.Kind))
		}
	}
	return wrong
}
