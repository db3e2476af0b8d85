package session

import "testing"

// What became of the selected conversation is said, survives a fresh read, and
// offers what helps: Unarchive, or a new one; a deleted one is not joined.
func TestWhatBecameOfTheConversation(t *testing.T) {
	bubble(t, func(r *rig) {
		tell := func(what string) { r.srv.Notify("thread/"+what, map[string]any{"threadId": "t1"}); r.settle() }
		want := func(when, problem string, fix Action, join bool) {
			t.Helper()
			th := r.now().Thread
			if th.JoinProblem != problem || th.JoinFix != fix || r.now().Status.Allows(ActJoin) != join {
				t.Errorf("%s: %q, %q, join %v; want %q, %q, %v", when, th.JoinProblem, th.JoinFix, r.now().Status.Allows(ActJoin), problem, fix, join)
			}
		}
		r.must(Select{Thread: "t1"})
		want("selected", "", "", true)
		tell("archived")
		r.must(Refresh{})
		want("archived", string(archivedText), ActUnarchive, true)
		tell("unarchived")
		r.must(Refresh{})
		want("unarchived", "", "", true)

		r.must(ListThreads{Archived: true})
		r.must(Select{Thread: "t1"})
		want("chosen among the archived", string(archivedText), ActUnarchive, true)
		tell("unarchived")
		want("unarchived there", "", "", true)
		r.must(Refresh{})
		tell("deleted")
		r.must(Refresh{})
		want("deleted", "This conversation was deleted. What was read of it stays until you leave it.", ActNew, false)
	})
}
