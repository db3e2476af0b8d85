package recovery

import (
	"reflect"
	"slices"
	"testing"

	"holdfast/core/stamp"
)

func owners() (a, b stamp.Stamp) {
	var f stamp.Fence
	a = f.NextOwner()
	return a, f.NextOwner()
}

// Every non-empty composer is a draft of its own; a later loss adds.
//
// req: DRF-1
func TestFreezeAdds(t *testing.T) {
	var d Drafts
	images := []string{"/a.png"}
	d.Freeze(Draft{Thread: "t1", Content: Content{Text: "one", Images: images, Skill: "s", Model: "m", Effort: "e", Tier: "f", Personality: "p"}})
	d.Freeze(Draft{Thread: "t1", Content: Content{Text: "one"}})
	d.Freeze(Draft{Thread: "t2", Content: Content{Text: "  ", Model: "m"}})
	images[0] = "/changed.png"
	got := d.Rows()
	if len(got) != 2 || got[0].ID == got[1].ID {
		t.Fatalf("%d drafts", len(got))
	}
	want := Content{Text: "one", Images: []string{"/a.png"}, Skill: "s", Model: "m", Effort: "e", Tier: "f", Personality: "p"}
	if !reflect.DeepEqual(got[0].Content, want) {
		t.Errorf("content = %+v, want %+v: frozen means frozen", got[0].Content, want)
	}
}

// What was typed at the moment of the freeze is not lost and not doubled.
func TestLateText(t *testing.T) {
	var d Drafts
	d.Freeze(Draft{Thread: "t1", Content: Content{Text: "half a"}})
	d.Late(Draft{Thread: "t1", Content: Content{Text: "half a thought"}})
	d.Late(Draft{Thread: "t1", Content: Content{Text: "half a thought"}})
	d.Late(Draft{Thread: "t2", Content: Content{Text: "other"}})
	var got []string
	for _, x := range d.Rows() {
		got = append(got, x.Thread+":"+x.Text)
	}
	if want := []string{"t1:half a thought", "t2:other"}; !reflect.DeepEqual(got, want) {
		t.Errorf("drafts = %q, want %q", got, want)
	}
}

// Restore asks where the text goes unless the composer is empty.
//
// req: DRF-5
func TestRestoreModes(t *testing.T) {
	from := Content{Text: "draft", Images: []string{"a"}, Model: "m1"}
	into := Content{Text: "typed", Images: []string{"b"}, Model: "m2", Effort: "low"}
	for _, tc := range []struct {
		mode Mode
		into Content
		want Content
		ok   bool
	}{
		{ModeAsk, Content{}, from, true},
		{ModeAsk, Content{Effort: "low"}, Content{Text: "draft", Images: []string{"a"}, Model: "m1", Effort: "low"}, true},
		{ModeAsk, into, into, false},
		{Mode("sideways"), into, into, false},
		{ModeReplace, into, Content{Text: "draft", Images: []string{"a"}, Model: "m1", Effort: "low"}, true},
		{ModeBefore, into, Content{Text: "draft\ntyped", Images: []string{"a", "b"}, Model: "m1", Effort: "low"}, true},
		{ModeAfter, into, Content{Text: "typed\ndraft", Images: []string{"b", "a"}, Model: "m2", Effort: "low"}, true},
	} {
		got, ok := Restore(from, tc.into, tc.mode)
		if ok != tc.ok || !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%q into %q: %+v %v, want %+v %v", tc.mode, tc.into.Text, got, ok, tc.want, tc.ok)
		}
	}
}

func TestOfOther(t *testing.T) {
	a, b := owners()
	var d Drafts
	d.Freeze(Draft{Owner: a.OwnerOnly(), Content: Content{Text: "x"}})
	if d.OfOther(a) || !d.OfOther(b) {
		t.Errorf("own %v, other %v", d.OfOther(a), d.OfOther(b))
	}
}

// Late text takes the place of the newest draft alone, and only where nothing of
// it is lost.
func TestLateTextContinuesTheNewestDraft(t *testing.T) {
	tests := map[string]struct{ frozen, late, want []string }{
		"more at the end":        {[]string{"ab"}, []string{"abc", "abcd"}, []string{"abcd"}},
		"more in the middle":     {[]string{"ab"}, []string{"axb"}, []string{"axb"}},
		"more at the front":      {[]string{"ab"}, []string{"xab"}, []string{"xab"}},
		"less":                   {[]string{"ab"}, []string{"a"}, []string{"ab", "a"}},
		"another text":           {[]string{"ab"}, []string{"xaby"}, []string{"ab", "xaby"}},
		"more of an older draft": {[]string{"ab", "c"}, []string{"abx"}, []string{"ab", "c", "abx"}},
		"letters of several":     {[]string{"日"}, []string{"日本"}, []string{"日本"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var d Drafts
			for _, s := range tt.frozen {
				d.Freeze(Draft{Thread: "t1", Content: Content{Text: s}})
			}
			d.Freeze(Draft{Thread: "t2", Content: Content{Text: "other"}})
			for _, s := range tt.late {
				d.Late(Draft{Thread: "t1", Content: Content{Text: s}})
			}
			var got []string
			for _, x := range d.Rows() {
				if x.Thread == "t1" {
					got = append(got, x.Text)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("drafts = %q, want %q", got, tt.want)
			}
		})
	}
}
