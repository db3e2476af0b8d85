package transcript

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"
	base "fyne.io/fyne/v2/theme"

	"holdfast/core/safetext"
	"holdfast/widgets/text"
	"holdfast/widgets/theme"
)

// bundled is shared: parsing faces is the dear part of most tests.
var bundled = text.Bundled()

// A stage is a transcript in a window of its own.
type stage struct {
	*Transcript
	w    fyne.Window
	look theme.Look
}

func newStage(t testing.TB, w, h float32) *stage {
	t.Helper()
	test.NewTempApp(t)
	s := &stage{look: theme.Look{Tokens: theme.New(theme.Light, 1).Tokens(base.VariantLight), TextScale: 1}}
	s.Transcript = New(bundled, func() theme.Look { return s.look })
	s.w = test.NewTempWindow(t, s.Transcript)
	s.w.SetPadded(false)
	s.resize(w, h)
	return s
}

func (s *stage) resize(w, h float32) {
	s.w.Resize(fyne.NewSize(w, h))
	s.shot()
}

// shot draws a frame the way the painter does and returns a copy of it.
func (s *stage) shot() *image.RGBA {
	size := s.Size()
	scale := s.w.Canvas().Scale()
	img := s.draw(int(size.Width*scale), int(size.Height*scale)).(*image.RGBA)
	return &image.RGBA{Pix: append([]uint8(nil), img.Pix...), Stride: img.Stride, Rect: img.Rect}
}

func (s *stage) mode(m theme.Mode) {
	s.look.Tokens = theme.New(m, 1).Tokens(base.VariantLight)
	s.Refresh()
}

func say(s string) safetext.Line { return safetext.MakeLine(s) }

func message(form Form, key, body string) *Row {
	who := "Codex"
	if form == User {
		who = "You"
	}
	return &Row{Key: key, Version: 1, Form: form, Who: say(who), When: say("14:02"), Body: []safetext.Doc{safetext.Markdown(body)}}
}

const goDiff = ` func next(r *bufio.Reader) (string, error) {
-	line, err := r.ReadString('\n')
+	line, err := r.ReadString('\n')
+	line = strings.TrimSuffix(line, "\r\n")
 	return line, err`

const proseMD = `The line splitter keeps the carriage return, so ` + "`key=value\\r`" + ` never matches. I will trim it where **lines are read**, see [the notes](https://example.com/crlf):

1. Trim the ending in ` + "`next`" + `
2. Add a test for *both* endings
   - with CRLF
   - with LF alone, in a line that is long enough to need a second line of its own in the column

> A quoted remark from the issue, long enough to be wrapped in a narrow column, or so one hopes.

` + "```go\nfunc next(r *bufio.Reader) (string, error) {\n\treturn r.ReadString('\\n')\n}\n```" + `

| File | Lines | Verdict |
|------|------:|---------|
| parser/lines.go | 12 | changed |
| parser/lines_test.go | 40 | new, proves the rule for both line endings |

日本語の要約を直す、そして👍 مرحبا بالعالم abc.`

// Samples are rows of every form.
func samples() []*Row {
	warn := message(User, "u2", "Please also rename the test to say what it proves.")
	warn.Notes = []Note{{Text: say("Sent, no answer. It may have run."), Tone: Warn, Action: "review", Do: say("Review")}}
	return []*Row{
		{Key: "m0", Form: Mark, Head: say("Model changed to gpt-5.5")},
		message(User, "u1", "The parser fails on files with CRLF line ends. Find out why and fix it, with a test."),
		message(Agent, "a1", proseMD),
		{Key: "c1", Form: Command, Head: say("go test ./parser -run CRLF"), Verdict: []Word{{say("exit 1"), Bad}, {say("1.4 s"), Dim}}},
		{
			Key: "f1", Form: FileChange, Open: true, Head: say("parser/lines.go"), Verdict: []Word{{say("+2"), Good}, {say("−1"), Bad}},
			Body: []safetext.Doc{safetext.Diff("update", goDiff)},
		},
		{
			Key: "c2", Form: Command, Open: true, Running: true, Head: say("go test ./... -count=1 -run 'TestEverything|TestNothing' -timeout 10m -json | tee /tmp/out.json"),
			Verdict: []Word{{say("12 s"), Dim}}, Partial: true,
			Body:  []safetext.Doc{safetext.ANSI("ok  \tholdfast/parser\t0.01s\n\x1b[31mFAIL\x1b[0m holdfast/lines\n")},
			Notes: []Note{{Text: say("shortened here · 1.2 MB"), Action: "all", Do: say("Show all")}},
		},
		{Key: "q1", Form: Quiet, Open: true, Head: say("Thought for 8 s"), Body: []safetext.Doc{safetext.Markdown("The reader strips only the newline.")}},
		{Key: "q2", Form: Quiet, Head: say("Searched the web: bufio ReadString CRLF"), Verdict: []Word{{say("0.8 s"), Dim}}},
		{Key: "p1", Form: Plan, Head: say("Plan"), Steps: []Step{
			{say("Find where lines are split"), Done},
			{say("Trim the carriage return"), Doing},
			{say("Add a test for both endings"), Pending},
		}},
		{
			Key: "e1", Form: Failure, Head: say("The model could not be reached."),
			Body: []safetext.Doc{safetext.Plain("The connection ended after 30 s. Nothing was lost; send the message again.")},
		},
		warn,
	}
}

// many are n rows of prose of several sizes.
func many(prefix string, n int) []*Row {
	rows := make([]*Row, n)
	for i := range rows {
		k := fmt.Sprint(prefix, i)
		rows[i] = message([]Form{User, Agent}[i%2], k, strings.Repeat("word "+k+" and more text here ", 1+i%37))
	}
	return rows
}

// TestShots leaves pictures of the samples, for people, where asked to.
func TestShots(t *testing.T) {
	dir := os.Getenv("HOLDFAST_SHOTS")
	for _, c := range []struct {
		name       string
		mode       theme.Mode
		w, h       float32
		text, zoom float32
	}{
		{"light-800", theme.Light, 800, 1500, 1, 1},
		{"dark-800", theme.Dark, 800, 1500, 1, 1},
		{"hc-360", theme.HighContrast, 360, 1900, 1, 1},
		{"light-320-large", theme.Light, 320, 2600, 1.5, 1},
		{"dark-500-x2", theme.Dark, 500, 1500, 1, 2},
		{"light-800-x125", theme.Light, 800, 1500, 1, 1.25},
	} {
		s := newStage(t, c.w, c.h)
		s.w.Canvas().(software.WindowlessCanvas).SetScale(c.zoom)
		s.mode(c.mode)
		s.look.TextScale = c.text
		s.SetRows(samples())
		s.FocusGained()
		s.shot()
		s.FocusRow("c1")
		img := s.shot()
		if dir == "" {
			if got, want := img.Bounds().Dx(), int(c.w*c.zoom); got != want {
				t.Errorf("%s: got a picture %d px wide, want %d", c.name, got, want)
			}
			continue
		}
		f, err := os.Create(filepath.Join(dir, "transcript-"+c.name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		if err := png.Encode(f, img); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
