package session

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"holdfast/core/recovery"
)

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
		"nothing happened":         {"abc", nil, "abcd", "abcd"},
		"it was sent":              {"abc", []func(*board){sent}, "abcd", "d"},
		"it was sent, same text":   {"abc", []func(*board){sent}, "abc", ""},
		"it was sent and refused":  {"abc", []func(*board){refused}, "abcd", "abcd"},
		"a draft was put before":   {"abc", []func(*board){restored}, "abcd", "draft\nabcd"},
		"into an empty one":        {"", []func(*board){restored}, "x", "draft\n\nx"},
		"what was had is deleted":  {"abc", []func(*board){restored}, "ab", "draft\nab"},
		"what was sent is edited":  {"abc", []func(*board){sent}, "xabc", "x"},
		"what was sent is deleted": {"abc", []func(*board){sent}, "ab", ""},
		"all is replaced":          {"abc", []func(*board){restored}, "xyz", "draft\nxyz"},
		"all is deleted":           {"abc", []func(*board){restored}, "", "draft"},
		"long ago":                 {"abc", slices.Repeat([]func(*board){restored}, mostEarlier+1), "abcd", strings.Repeat("draft\n", mostEarlier+1) + "abc\nabcd"},
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
			if got := b.hear(key{rev, tt.typed}); got != tt.want {
				t.Errorf("text = %q, want %q", got, tt.want)
			}
		})
	}
}

// A message that is refused comes back in front of what is typed, once, however
// many keys still carry the revision of before and whatever they did.
func TestManyKeysCrossTheReturnOfARefusedMessage(t *testing.T) {
	tests := map[string]struct {
		keys []string
		want string
	}{
		"typed":          {[]string{"n", "ne", "nex", "next", "next ", "next w", "next wo"}, "first\nnext wo"},
		"deleted":        {[]string{"n", "ne", "nex", "next", "nex", "ne"}, "first\nne"},
		"typed before":   {[]string{"n", "xn", "xyn"}, "first\nxyn"},
		"replaced":       {[]string{"next", "other", "others"}, "first\nothers"},
		"cleared":        {[]string{"n", "ne", ""}, "first"},
		"cleared, typed": {[]string{"n", "", "m", "mo"}, "first\nmo"},
		"accents":        {[]string{"é", "è", "èé"}, "first\nèé"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.live()
				r.must(SetDraft{Text: text("first")})
				r.srv.Fail("turn/start", -32603, "no")
				r.do(Send{})
				r.settle()
				old := r.now().Composer.Rev - 1 // while the message was out
				for _, k := range tt.keys {
					r.must(SetDraft{Rev: &old, Text: text(k)})
				}
				if got := r.now().Composer.Text; got != tt.want {
					t.Errorf("composer = %q, want %q", got, tt.want)
				}
			})
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

// A key is what a surface gives the core: its text, and what it was typed onto.
type key struct {
	rev  uint64
	text string
}

// hear takes a key as setDraft does, and gives the text after it.
func (b *board) hear(k key) string {
	old := *b.at("t1")
	in := SetDraft{Rev: &k.rev, Text: &k.text}
	if k.rev >= old.Rev {
		b.put(in.apply(old), false)
	} else {
		next, has := b.onto(&old, in)
		b.remember("t1", has)
		b.put(next, next.Text != old.Text)
	}
	return b.at("t1").Text
}

// A typist is a surface that shows what the core wrote, and types on.
type typist struct {
	rev        uint64
	text, sent string
	keys       []key
}

func (w *typist) press(s string) {
	w.text, w.sent = s, s
	w.keys = append(w.keys, key{w.rev, s})
}

func (w *typist) see(c Composer) {
	if c.Rev == w.rev {
		return
	}
	next := Onto(c.Text, w.sent, w.text)
	w.rev, w.text, w.sent = c.Rev, next, c.Text
	if next != c.Text {
		w.press(next)
	}
}

// However keys and what the core writes cross, the surface and the core end
// with the same text, and each letter that was typed is in it once.
func TestTypingAndTheCoreConverge(t *testing.T) {
	for seed := range uint64(500) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		b, w := newBoard(), &typist{}
		w.rev = b.at("t1").Rev
		var seen []Composer
		var away []recovery.Content
		hear := func() {
			k := w.keys[0]
			w.keys = w.keys[1:]
			b.hear(k)
		}
		letters := "abcdefghijklmnopqrst"
		for i := 0; i < len(letters); {
			switch n := rnd.IntN(8); {
			case n < 3:
				w.press(w.text + letters[i:i+1])
				i++
			case n < 5 && len(w.keys) > 0:
				hear()
			case n == 5 && len(away) == 0:
				away = append(away, b.take("t1"))
			case n == 6 && len(away) > 0:
				b.back("t1", away[0])
				away = nil
			default:
				seen = append(seen, *b.at("t1"))
				if rnd.IntN(2) == 0 {
					w.see(seen[len(seen)-1])
				}
			}
		}
		for range 8 { // nothing is typed any more
			for len(w.keys) > 0 {
				hear()
			}
			w.see(*b.at("t1"))
		}
		all := b.at("t1").Text
		for _, x := range away {
			all += x.Text
		}
		if w.text != b.at("t1").Text || len(w.keys) > 0 {
			t.Fatalf("seed %d: the surface has %q, the core %q", seed, w.text, b.at("t1").Text)
		}
		for _, x := range letters {
			if strings.Count(all, string(x)) != 1 {
				t.Fatalf("seed %d: %q is %d times in %q", seed, x, strings.Count(all, string(x)), all)
			}
		}
	}
}

// Keys that cross a loss go on with one draft, however many they are and
// whatever they do; what was frozen is in a draft as long as nothing but more
// was typed.
func TestManyKeysCrossALoss(t *testing.T) {
	for name, tt := range map[string]struct {
		keys []string
		want string
	}{
		"typed":            {[]string{"frozen t", "frozen te", "frozen tex"}, "frozen tex"},
		"in the middle":    {[]string{"fr ozen", "fr xozen"}, "fr xozen"},
		"deleted":          {[]string{"froze", "froz", "fro"}, "frozen|fro"},
		"typed, deleted":   {[]string{"frozen t", "frozen ", "frozen", "froze", "froz"}, "frozen|froz"},
		"replaced":         {[]string{"o", "ot", "oth"}, "frozen|oth"},
		"cleared":          {[]string{"fro", ""}, "frozen"},
		"cleared, written": {[]string{"", "o", "ot"}, "frozen|ot"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.live()
				r.must(SetDraft{Text: text("frozen")})
				seen := r.now().Composer.Rev
				r.srv.Link().Drop()
				r.settle()
				for _, k := range tt.keys {
					r.must(SetDraft{Thread: text("t1"), Rev: &seen, Text: text(k)})
				}
				var got []string
				for _, d := range r.now().Drafts.Rows {
					got = append(got, d.Text)
				}
				if strings.Join(got, "|") != tt.want {
					t.Errorf("drafts = %q, want %q", strings.Join(got, "|"), tt.want)
				}
			})
		})
	}
}

// What is attached or taken off while a refused message comes back changes that
// alone: what came back with it stays.
func TestAttachingCrossesTheReturnOfARefusedMessage(t *testing.T) {
	tests := map[string]struct {
		given [][]string
		want  string
	}{
		"attached":       {[][]string{{"b"}}, "a b"},
		"two":            {[][]string{{"b"}, {"b", "c"}}, "a b c"},
		"and taken off":  {[][]string{{"b"}, {"b", "c"}, {"c"}}, "a c"},
		"all taken off":  {[][]string{{"b"}, {}}, "a"},
		"nothing at all": {nil, "a"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.live()
				r.must(SetDraft{Text: text("first"), Blocks: &[]string{"a"}})
				r.srv.Fail("turn/start", -32603, "no")
				r.do(Send{})
				r.settle()
				old := r.now().Composer.Rev - 1 // while the message was out
				for _, list := range tt.given {
					r.must(SetDraft{Rev: &old, Blocks: &list})
					r.must(SetDraft{Rev: &old, Images: &list})
				}
				c := r.now().Composer
				images := strings.TrimSpace("a " + strings.Join(c.Images, " "))
				if got := strings.Join(c.Blocks, " "); got != tt.want || images != tt.want || c.Text != "first" {
					t.Errorf("blocks %q, images %q, text %q; want %q", got, images, c.Text, tt.want)
				}
			})
		})
	}
}
