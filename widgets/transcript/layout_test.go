package transcript

import (
	"fmt"
	"strings"
	"testing"

	"holdfast/core/safetext"
	"holdfast/widgets/text"
)

func metricsFor(w int) *metrics {
	m, _ := newMetrics(w+48, 1, 1)
	m.col = w
	return &m
}

// shape writes a layout down: one line of text per line, with its runs' marks.
func written(l *layout) string {
	var b strings.Builder
	for _, ln := range l.lines {
		for j := ln.from; j < ln.to; j++ {
			b.WriteString(l.textOf(&l.runs[j]))
		}
		b.WriteByte('|')
	}
	return b.String()
}

func bodyOf(form Form, d safetext.Doc, w int) []*layout {
	var out []*layout
	r := &Row{Form: form, Body: []safetext.Doc{d}, Open: true}
	it := newItem(r, true, nil)
	for i := range it.parts {
		if it.parts[i].kind == bodyPart {
			out = append(out, layPart(bundled, metricsFor(w), &scratch{}, it, &it.parts[i]))
		}
	}
	return out
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name string
		doc  safetext.Doc
		w    int
		want string
	}{
		{"one line", safetext.Plain("a few words"), 300, "a few words|"},
		{"breaks at spaces", safetext.Plain("aaaa bbbb cccc"), 80, "aaaa bbbb |cccc|"},
		{"breaks inside a long word", safetext.Plain("aaaaaaaaaaaaaaaaaaaa"), 80, "aaaaaaaaa|aaaaaaaaa|aa|"},
		{"no break after a slash that begins a path", safetext.Plain("aaaaaa /tmp/bbbbb"), 90, "aaaaaa |/tmp/bbbbb|"},
		{"keeps line breaks", safetext.Plain("a\n\nb"), 80, "a||b|"},
		{"code breaks anywhere", safetext.Code("", strings.Repeat("x", 40)), 200, "xxxxxxxxxxxxxxxxxxxxxx|xxxxxxxxxxxxxxxxxx|"},
		{"list", safetext.Markdown("- a\n- b\n  1. c"), 200, "•a|•b|1.c|"},
		{"quote and rule", safetext.Markdown("> a\n\n---\n\nb"), 200, "a|b|"},
		{"strong in the middle of a word", safetext.Markdown("a**b**c d"), 200, "abc d|"},
		{"a break between spans goes to the space before them", safetext.Markdown("aaaa bb**bbbb**"), 60, "aaaa |bbbbbb|"},
		{"empty", safetext.Plain(""), 200, ""},
	} {
		var got string
		for _, l := range bodyOf(Agent, c.doc, c.w) {
			got += written(l)
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// breaks marks where a line may end.
func breaks(t string) string {
	s := newSetter(bundled, metricsFor(300), &scratch{})
	s.measure([]piece{{text: t, px: 15}}, 0)
	var b strings.Builder
	for i, u := range s.buf.units {
		end := len(t)
		if i+1 < len(s.buf.units) {
			end = int(s.buf.units[i+1].at)
		}
		b.WriteString(t[u.at:end])
		if u.brk {
			b.WriteByte('|')
		}
	}
	return b.String()
}

func TestWhereLinesMayEnd(t *testing.T) {
	for in, want := range map[string]string{
		"a b-c/d e":      "a |b-|c/|d |e",
		"see /etc/hosts": "see |/etc/|hosts",
		"日本語。日本":         "日|本|語。|日|本|",
		"は「引用」だ":         "は|「引|用」|だ|",
		"go言語go":         "go|言|語|go",
		"a—b":            "a—|b",
	} {
		if got := breaks(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestOnlyWrappedLinesOfCodeStandIn(t *testing.T) {
	d := safetext.Plain(strings.Repeat("x", 30) + "\nyyy")
	var got []string
	for _, l := range bodyOf(Command, d, 224) {
		for _, ln := range l.lines {
			got = append(got, fmt.Sprintf("%s %.0f", l.textOf(&l.runs[ln.from])[:1], l.runs[ln.from].x))
		}
	}
	if want := "[x 12 x 28 y 12]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

const tableMD = "| Name | Count |\n|---|--:|\n| first | 1 |\n| second one | 22 |\n"

func TestTablesSqueezeAndStack(t *testing.T) {
	for _, c := range []struct {
		w    int
		want string
	}{
		{400, "Name|Count|first|1|second one|22|"},
		{140, "Name|Count|first|1|second |22|one|"},
		{90, "Name: first|Count: 1|Name: |second one|Count: 22|"},
	} {
		l := bodyOf(Agent, safetext.Markdown(tableMD), c.w)[0]
		if got := written(l); got != c.want {
			t.Errorf("%d px: got %s, want %s", c.w, got, c.want)
		}
		for i := range l.runs {
			if r := &l.runs[i]; r.x < 0 || r.x+r.w > float32(c.w)+8 {
				t.Errorf("%d px: %q stands at %v to %v", c.w, l.textOf(r), r.x, r.x+r.w)
			}
		}
	}
	wide := bodyOf(Agent, safetext.Markdown(tableMD), 400)[0]
	if got, want := wide.plain, "Name\tCount\nfirst\t1\nsecond one\t22\n"; got != want {
		t.Errorf("copied: got %q, want %q", got, want)
	}
}

func TestHeads(t *testing.T) {
	long := say("go test ./... -count=1 -run TestEverythingThereIsInThisPackage -timeout 10m")
	exit := []Word{{say("exit 1"), Bad}, {say("1.4 s"), Dim}}
	for _, c := range []struct {
		name string
		row  *Row
		open bool
		want string
	}{
		{"message", &Row{Form: User, Who: say("You"), When: say("14:02")}, false, "You  14:02|"},
		{"message without a name", &Row{Form: Agent}, false, ""},
		{"closed fold is cut", &Row{Form: Command, Head: long, Verdict: exit}, false, "1.4 sexit 1go test ./... -count…|"},
		{"open fold is not", &Row{Form: Command, Head: long}, true, "go test ./... -count=1 -run |TestEverythingThereIsInThisPack|age -timeout 10m|"},
		{"emoji in a head that is cut", &Row{Form: Quiet, Head: say("Looked 👍 for a very long name of a thing that is not there")}, false, "Looked 👍 for a very long name of a th…|"},
		{"mark", &Row{Form: Mark, Head: say("Compacted")}, false, "Compacted|"},
		{"failure", &Row{Form: Failure, Head: say("No answer.")}, false, "No answer.|"},
	} {
		it := newItem(c.row, c.open, nil)
		l := layPart(bundled, metricsFor(300), &scratch{}, it, &it.parts[0])
		if got := written(l); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
		for i := range l.runs {
			if r := &l.runs[i]; r.x+r.w > 300 {
				t.Errorf("%s: %q ends at %v of 300", c.name, l.textOf(r), r.x+r.w)
			}
		}
	}
}

func TestClosedFoldsKeepTheirWarnings(t *testing.T) {
	r := &Row{Form: Command, Head: say("make"), Notes: []Note{
		{Text: say("shortened here"), Action: "all", Do: say("Show all")},
		{Text: say("It may have run."), Tone: Warn},
	}}
	for open, want := range map[bool]string{false: "It may have run.|", true: "shortened here · Show all|It may have run.|"} {
		it := newItem(r, open, nil)
		if got := written(layPart(bundled, metricsFor(300), &scratch{}, it, &it.parts[len(it.parts)-1])); got != want {
			t.Errorf("open %v: got %s, want %s", open, got, want)
		}
	}
}

// Colour is never alone: a diff keeps its signs.
func TestDiffLinesAreTintedAndKeepTheirSigns(t *testing.T) {
	l := bodyOf(FileChange, safetext.Diff("update", goDiff), 500)[0]
	var tints []string
	for _, s := range l.shapes {
		for _, ln := range l.lines {
			if s.kind == block && ln.y >= s.at.Min.Y && ln.y < s.at.Max.Y {
				tints = append(tints, fmt.Sprint(s.paint == addedPaint, " ", l.textOf(&l.runs[ln.from])[:1]))
			}
		}
	}
	if got, want := strings.Join(tints, ","), "false -,true +,true +"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestChunksAreBounded(t *testing.T) {
	for name, d := range map[string]safetext.Doc{
		"prose":    safetext.Markdown(strings.Repeat("some words of a paragraph\n\n", 20000)),
		"one word": safetext.Plain(strings.Repeat("x", 300000)),
		"code":     safetext.Code("go", strings.Repeat("x := 1\n", 40000)),
		"newlines": safetext.Plain(strings.Repeat("\n", 100000)),
	} {
		total := 0
		for _, c := range chunksOf(&Row{Body: []safetext.Doc{d}}) {
			if n := len(c.blocks); c.bytes > 4*chunkBytes && n > 1 {
				t.Errorf("%s: a chunk of %d blocks counts %d", name, n, c.bytes)
			}
			total += len(c.blocks)
		}
		if want := len(d.Blocks()); total != want {
			t.Errorf("%s: %d blocks in chunks, want %d", name, total, want)
		}
	}
}

func TestSameChunksAreKept(t *testing.T) {
	long := strings.Repeat("some words of a paragraph\n\n", 3000)
	a := newItem(&Row{Key: "k", Version: 1, Form: Agent, Body: []safetext.Doc{safetext.Markdown(long)}}, false, nil)
	for i := range a.parts {
		a.parts[i].lay = &layout{}
	}
	b := newItem(&Row{Key: "k", Version: 2, Form: Agent, Body: []safetext.Doc{safetext.Markdown(long + "and more")}}, false, a)
	var fresh []int
	for i := range b.parts {
		if b.parts[i].lay == nil {
			fresh = append(fresh, i)
		}
	}
	if want := fmt.Sprint([]int{len(b.parts) - 2}); fmt.Sprint(fresh) != want {
		t.Errorf("to lay out again: %v of %d parts, want %s", fresh, len(b.parts), want)
	}
}

func TestScaleIsSteadyWhileResizing(t *testing.T) {
	for _, c := range []struct{ scale, width float32 }{{1.25, 733.3}, {1.5, 401}, {2, 320.5}, {1.1, 1024.7}, {1, 999.9}} {
		if got := scaleOf(int(c.width*c.scale), c.width); got < c.scale-0.005 || got > c.scale+0.005 {
			t.Errorf("%v at %v: got %v", c.scale, c.width, got)
		}
	}
	seen := map[float32]bool{}
	for w := float32(400); w < 1400; w += 7.3 {
		seen[scaleOf(int(w*1.25), w)] = true
	}
	if len(seen) != 1 || !seen[1.25] {
		t.Errorf("got the scales %v, want 1.25 alone", seen)
	}
}

// FuzzLayout proves that no document breaks the layout, and that its lines stay
// in order and its runs inside the text.
func FuzzLayout(f *testing.F) {
	for _, s := range []string{"", proseMD, tableMD, goDiff, "שלום **abc** 👍🏽 e\u0301", "> > - [x] a\n> > - b", "\t\tx", strings.Repeat("|a", 100) + "|\n" + strings.Repeat("|-", 100) + "|\n"} {
		f.Add(s, uint8(0), uint16(300))
		f.Add(s, uint8(1), uint16(1))
	}
	fonts := text.Bundled()
	f.Fuzz(func(t *testing.T, s string, kind uint8, width uint16) {
		if len(s) > 1<<14 {
			return
		}
		w := max(int(width)%1500, 40)
		d := [...]func(string) safetext.Doc{
			safetext.Markdown, safetext.Plain, safetext.ANSI,
			func(s string) safetext.Doc { return safetext.Code("go", s) },
			func(s string) safetext.Doc { return safetext.Diff("update", s) },
		}[kind%5](s)
		r := &Row{Form: Form(kind % 8), Body: []safetext.Doc{d}, Head: safetext.MakeLine(s), Open: true, Steps: []Step{{Text: safetext.MakeLine(s)}}}
		it := newItem(r, true, nil)
		for i := range it.parts {
			l := layPart(fonts, metricsFor(w), &scratch{}, it, &it.parts[i])
			check(t, l, len(s))
		}
	})
}

func check(t *testing.T, l *layout, size int) {
	t.Helper()
	if most := (8*size + 200) * 60; l.h < 0 || l.h > most {
		t.Fatalf("%d px high for %d bytes", l.h, size)
	}
	for k, ln := range l.lines {
		if k > 0 && ln.y < l.lines[k-1].y {
			t.Fatalf("line %d is above the one before it", k)
		}
		if ln.y+ln.h > l.h || ln.from > ln.to || ln.to > len(l.runs) {
			t.Fatalf("line %d: %+v in a layout %d px high", k, ln, l.h)
		}
	}
	for i := range l.runs {
		r := &l.runs[i]
		if r.from < 0 || r.from > r.to || r.to > len(l.plain) {
			t.Fatalf("run %d is %d to %d of %d bytes", i, r.from, r.to, len(l.plain))
		}
	}
}
