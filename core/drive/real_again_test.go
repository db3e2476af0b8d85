package drive_test

import (
	"slices"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
)

// A turn is cut off and its message comes back; a review is a turn of its own;
// what was cut off stays cut off when the conversation is read anew.
func TestGoingBackAndReviewing(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{})
		s := begin(t, stdio(h))
		s.untilState("awaiting-selection")
		s.fresh(h)
		s.tell(h, "first", fakemodel.Say("one"))
		s.turnEnds("completed", "agentMessage: one")
		s.tell(h, "second", fakemodel.Say("two"))
		s.turnEnds("completed", "agentMessage: two")

		cut := s.section("thread")["turn"].(string)
		s.run(object{"do": "draft", "text": "typed"})
		s.run(object{"do": "revert", "turn": cut})
		s.untilState("ready")
		want := []string{"userMessage: first", "agentMessage: one"}
		s.until("the rest", func() bool { return slices.Equal(s.said(), want) })
		if got := s.section("composer")["text"]; got != "second\ntyped" {
			t.Errorf("the composer has %q", got)
		}
		s.run(object{"do": "refresh"})
		if got := s.said(); !slices.Equal(got, want) {
			t.Errorf("read anew: %q, want %q", got, want)
		}
		if d := s.do(`{"do":"retry"}`); d["code"] != "not-failed" {
			t.Errorf("retry of a turn that did not fail: %v", d)
		}
		h.Model.Enqueue(fakemodel.Say(`{"findings":[],"overall_correctness":"patch is correct","overall_explanation":"fine","overall_confidence_score":1}`))
		s.run(object{"do": "startReview", "name": "custom", "text": "look at it"})
		s.until("the review's end", func() bool {
			actions, _ := s.state["actions"].([]any)
			return slices.Contains(actions, any("send")) &&
				slices.ContainsFunc(s.list("rows"), func(r map[string]any) bool { return r["kind"] == "exitedReviewMode" })
		})
		s.quit()
	})
}
