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
	byItem   int
	written  int
	answered int // with success
	refused  int // with an error
	lost     int // refused with an error that proves nothing
	ids      []string
}

// overload is the one refusal that proves that nothing was done.
const overload = "Server overloaded; retry later."

// claims: what the ledger says is true against the wire.
func claims(e Evidence) (wrong []string) {
	groups := map[string]*group{}
	get := func(kind, thread, text string) *group {
		k := kind + "|" + thread + "|" + strings.TrimSpace(text)
		if groups[k] == nil {
			groups[k] = &group{ops: map[string]int{}}
		}
		return groups[k]
	}
	frames := e.Wire.Frames()
	answers := map[string]*Frame{}
	for _, f := range frames {
		if !f.Out && f.Method == "" && f.ID != nil && !f.Broken {
			if k := fmt.Sprint(f.Conn, " ", string(f.ID)); answers[k] == nil {
				answers[k] = f
			}
		}
	}
	dismissed := dismissedIn(e)
	for _, f := range frames {
		if !f.Out || !mutations[f.Method] {
			continue
		}
		p := f.params()
		thread := p.ThreadID
		g := get(f.Method, thread, p.text())
		g.written++
		g.ids = append(g.ids, p.ClientID)
		a := answers[fmt.Sprint(f.Conn, " ", string(f.ID))]
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
	for i, o := range append(append([]Operation(nil), e.Final.Operations...), dismissed...) {
		if !mutations[o.Kind] {
			continue
		}
		text := o.Text
		if !submitting[o.Kind] && o.Kind != "thread/queue/update" {
			text = ""
		}
		g := get(o.Kind, o.Thread, text)
		g.total++
		if i >= len(e.Final.Operations) && o.State != "NotSent" {
			continue // dismissed: what became known later was not shown
		}
		g.ops[o.State]++
		if o.Proof == "accepted, by item" {
			g.byItem++
			if !anySaid(e.Wire, g.ids) {
				wrong = append(wrong, fmt.Sprintf("%s (%s) is accepted by item, and no item of it came", o.ID, o.Kind))
			}
		} else if o.State == "Confirmed" && o.Proof != "by the turn's end" {
			g.byAnswer++
		}
	}
	for k, g := range groups {
		wrong = append(wrong, g.judge(k)...)
	}
	return append(wrong, restingClaims(e)...)
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

// dismissedIn is filled by the watch: records that the user dismissed.
func dismissedIn(e Evidence) []Operation { return e.Watch.dismissed(e.Final) }

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
