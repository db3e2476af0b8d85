package session

import "testing"

// A key pressed while the core writes to the same composer is neither lost nor
// doubled, whatever the core did meanwhile.
func TestTextTypedOntoAnEarlierRevision(t *testing.T) {
	sent := func(b *board) { b.take("t1") }
	refused := func(b *board) { x := b.take("t1"); b.back("t1", x) }
	restored := func(b *board) {
		c := *b.at("t1")
		c.Text = "draft\n" + c.Text
		b.put(c, true)
	}
	tests := map[string]struct {
		had   string
		core  []func(*board)
		typed string
		want  string
	}{
		"nothing happened":        {"abc", nil, "abcd", "abcd"},
		"it was sent":             {"abc", []func(*board){sent}, "abcd", "d"},
		"it was sent, same text":  {"abc", []func(*board){sent}, "abc", ""},
		"it was sent and refused": {"abc", []func(*board){refused}, "abcd", "abcd"},
		"a draft was put before":  {"abc", []func(*board){restored}, "abcd", "draft\nabcd"},
		"into an empty one":       {"", []func(*board){restored}, "x", "draft\n\nx"},
		"what was had is deleted": {"abc", []func(*board){restored}, "ab", "draft\nabc\nab"},
		"long ago":                {"abc", []func(*board){restored, restored, restored, restored, restored}, "abcd", "draft\ndraft\ndraft\ndraft\ndraft\nabc\nabcd"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBoard()
			c := *b.at("t1")
			c.Text = tt.had
			b.put(c, false)
			rev := b.at("t1").Rev
			for _, f := range tt.core {
				f(&b)
			}
			if got := b.onto(b.at("t1"), rev, tt.typed); got != tt.want {
				t.Errorf("text = %q, want %q", got, tt.want)
			}
		})
	}
}

// A message that is refused comes back in front of what is typed, also when the
// next key crosses its return.
func TestAKeyCrossesTheReturnOfARefusedMessage(t *testing.T) {
	bubble(t, func(r *rig) {
		r.live()
		r.must(SetDraft{Text: text("first")})
		r.srv.Fail("turn/start", -32603, "no")
		r.do(Send{})
		r.settle()
		now := r.now().Composer
		old := now.Rev - 1 // while the message was out
		r.must(SetDraft{Rev: &old, Text: text("next")})
		if got := r.now().Composer; got.Text != "first\nnext" || got.Rev == now.Rev {
			t.Errorf("composer = %q at %d, want both texts and a new revision", got.Text, got.Rev)
		}
	})
}

// What was typed while nothing was selected stays together in its draft.
func TestAKeyCrossesTheSelection(t *testing.T) {
	bubble(t, func(r *rig) {
		r.must(SetDraft{Text: text("before a choice")})
		seen := r.now().Composer.Rev
		r.must(Select{Thread: "t1"})
		r.must(SetDraft{Thread: text(""), Rev: &seen, Text: text("before a choice, late")})
		d := r.now().Drafts.Rows
		if len(d) != 1 || d[0].Text != "before a choice, late" || r.now().Composer.Text != "" {
			t.Errorf("%d drafts %+v, composer %q", len(d), d, r.now().Composer.Text)
		}
	})
}
