package judge

import (
	"fmt"
	"slices"
	"time"
)

// deletions are the answers to thread/delete by conversation, nil while there is
// none. One that may have been done outlives a later one that was refused.
func deletions(e Evidence) map[string]*Frame {
	frames := e.Wire.Frames()
	answered := answers(frames)
	out := map[string]*Frame{}
	for _, f := range frames {
		if !f.Out || f.Method != "thread/delete" {
			continue
		}
		id, a := f.params().ThreadID, answered[f.key()]
		if was, before := out[id]; !before || was != nil && was.Error != nil || a != nil && a.Error == nil {
			out[id] = a
		}
	}
	return out
}

// deletedTexts are the messages of conversations that the user had deleted, or
// may have: they are where the user wanted them.
func deletedTexts(e Evidence) (out []string) {
	by := deletions(e)
	for _, f := range e.Wire.Frames() {
		if !f.Out || !submitting[f.Method] && f.Method != "thread/queue/update" {
			continue
		}
		p := f.params()
		if a, asked := by[p.ThreadID]; asked && (a == nil || a.Error == nil) {
			out = append(out, p.text())
		}
	}
	return out
}

// deletedIsGone: what the server said is deleted is not in the list that was
// read on a later connection.
func deletedIsGone(e Evidence) (wrong []string) {
	last := len(e.Wire.Dials())
	for id, a := range deletions(e) {
		if a == nil || a.Error != nil || a.Conn == last || !e.Final.Connected() {
			continue
		}
		if slices.ContainsFunc(e.Final.Threads, func(t Thread) bool { return t.ID == id }) {
			wrong = append(wrong, fmt.Sprintf("conversation %s is deleted, and is in the list", id))
		}
	}
	return wrong
}

// leftBehind: after a profile was applied nothing is written where it was before.
func leftBehind(e Evidence) (wrong []string) {
	const slack = 300 * time.Millisecond // the end is written before it is read
	dials := e.Wire.Dials()
	for _, d := range e.Deeds {
		end, over := e.Watch.Done(d.N)
		if !over || !end.OK || d.Do != "profile" || d.Op != "apply" {
			continue
		}
		for _, f := range e.Wire.Frames() {
			if f.Out && f.At.After(end.At.Add(slack)) && f.Conn > 0 && dials[f.Conn-1].At.Before(d.At) {
				wrong = append(wrong, fmt.Sprintf("%s was written to connection %d after command %d applied a profile", f.Method, f.Conn, d.N))
			}
		}
	}
	return wrong
}
