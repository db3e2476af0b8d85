package safetext

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var classNames = map[Class]string{
	Muted: "muted", Link: "link", CodeText: "", Keyword: "kw", String: "str", Comment: "com", Number: "num", Func: "func",
	Added: "add", Removed: "del", Hunk: "hunk", AnsiBlack: "black", AnsiRed: "red", AnsiGreen: "green", AnsiYellow: "yellow",
	AnsiBlue: "blue", AnsiMagenta: "magenta", AnsiCyan: "cyan", AnsiWhite: "white",
}

// show writes a Doc in a form that tests can compare.
func show(d Doc) string {
	var b strings.Builder
	for _, x := range d.Blocks() {
		b.WriteString(strings.Repeat("> ", x.Quote) + strings.Repeat("  ", x.Depth))
		if x.Continued {
			b.WriteString("~")
		}
		switch x.Kind {
		case Paragraph:
			b.WriteString("p " + showSpans(x.Spans))
		case Heading:
			fmt.Fprintf(&b, "h%d %s", x.Level, showSpans(x.Spans))
		case ListItem:
			b.WriteString(x.Marker + [...]string{"", "[ ]", "[x]"}[x.Task] + " " + showSpans(x.Spans))
		case CodeBlock:
			b.WriteString("code(" + x.Lang + ")")
			for _, l := range x.Lines {
				b.WriteString("|" + showSpans(l))
			}
		case Rule:
			b.WriteString("rule")
		case Table:
			b.WriteString("table")
			for _, row := range x.Rows {
				b.WriteString(" /")
				for _, c := range row {
					b.WriteString(" " + showSpans(c) + " |")
				}
			}
		case Notice:
			b.WriteString("notice " + showSpans(x.Spans))
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func showSpans(ss []Span) string {
	var b strings.Builder
	for _, s := range ss {
		var style []string
		for _, f := range []struct {
			on   bool
			name string
		}{{s.Bold, "b"}, {s.Italic, "i"}, {s.Strike, "s"}, {s.Mono && s.Class == CodeText, "c"}} {
			if f.on {
				style = append(style, f.name)
			}
		}
		if n := classNames[s.Class]; n != "" {
			style = append(style, n)
		}
		if s.URL != "" {
			style = append(style, s.URL)
		}
		text := strings.ReplaceAll(s.Text, "\n", "↵")
		if len(style) == 0 || len(style) == 1 && style[0] == "c" && strings.TrimSpace(s.Text) == "" {
			b.WriteString(text)
			continue
		}
		b.WriteString("<" + strings.Join(style, ",") + ":" + text + ">")
	}
	return b.String()
}

// checkDoc checks what every Doc promises, whatever it was made of.
func checkDoc(t *testing.T, d Doc) {
	t.Helper()
	total := 0
	for i, x := range d.Blocks() {
		total += x.size()
		if x.Depth > MaxDepth || x.Quote > MaxDepth {
			t.Errorf("block %d is at depth %d, quote %d", i, x.Depth, x.Quote)
		}
		checkSpans(t, x.Spans, "\n")
		for _, l := range x.Lines {
			checkSpans(t, l, "\t")
		}
		for _, row := range x.Rows {
			if len(row) > maxColumns {
				t.Errorf("a table of %d columns", len(row))
			}
			for _, c := range row {
				checkSpans(t, c, "\n")
			}
		}
		checkSpans(t, []Span{{Text: x.Marker + x.Lang}}, "")
	}
	if d.Bytes() > MaxBytes || total > MaxBytes+100 {
		t.Errorf("a Doc of %d bytes (%d counted)", d.Bytes(), total)
	}
	if len(d.Blocks()) > maxBlocks+1 {
		t.Errorf("a Doc of %d blocks", len(d.Blocks()))
	}
}

// checkSpans checks the text of one block or line; also are the control
// characters that may be in it.
func checkSpans(t *testing.T, ss []Span, also string) {
	t.Helper()
	marks := 0
	for _, s := range ss {
		if s.Text == "" && s != (Span{}) {
			t.Errorf("an empty span %+v", s)
		}
		if !utf8.ValidString(s.Text) {
			t.Errorf("invalid UTF-8 in %q", s.Text)
		}
		for _, r := range s.Text {
			if unicode.IsControl(r) && !strings.ContainsRune(also, r) || unicode.Is(unicode.Bidi_Control, r) || r == 0x2028 || r == 0x2029 {
				t.Errorf("%U in %q", r, s.Text)
			}
			if unicode.Is(unicode.M, r) {
				marks++
			} else {
				marks = 0
			}
			if marks > maxMarks {
				t.Errorf("%d marks on one base in %q", marks, s.Text)
				return
			}
		}
		checkURL(t, s.URL)
	}
}

func checkURL(t *testing.T, u string) {
	t.Helper()
	if u == "" {
		return
	}
	if again, ok := SafeURL(u); !ok || again != u {
		t.Errorf("link to %q, which is %q, %v when asked again", u, again, ok)
	}
	if !strings.HasPrefix(u, "http://") && !strings.HasPrefix(u, "https://") && !strings.HasPrefix(u, "file:///") {
		t.Errorf("link to %q", u)
	}
	for _, r := range u {
		if r <= ' ' || r >= 0x7f {
			t.Errorf("%U in link %q", r, u)
		}
	}
}
