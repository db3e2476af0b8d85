package safetext

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzLine(f *testing.F) {
	for _, s := range []string{"", "title", "a\x00b\x1b[0m", "\u202ex\u2069", "e" + strings.Repeat("\u0301", 40), "\xed\xa0\x80\xff", "👩\u200d💻\u200d", "a\r\n\tb"} {
		f.Add(s, 20)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = max(0, n%2000)
		l := MakeLineMax(s, n)
		checkSpans(t, []Span{{Text: l.String()}}[:min(1, len(l.String()))], "")
		if got := utf8.RuneCountInString(l.String()); got > n+1 {
			t.Errorf("%d runes, bound %d", got, n)
		}
		if again := MakeLineMax(l.String(), n+1); again != l {
			t.Errorf("made twice: %q, then %q", l, again)
		}
		if u, ok := SafeURL(s); ok {
			checkURL(t, u)
		}
	})
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{
		"# a\n\n- [x] *b* `c`\n\n> d\n\n```go\nfunc\n```\n", "|a|b|\n|-|-|\n|c|\n", "[a](javascript:b) ![c](d) <e> https://f.example",
		"&#x202e;\\&amp;&#0;", "[a]: /b\n[a]", "<div>\n<!-- x", "> - 1) > a\n\n  b", "a*\u0301*\u0301**\u0301**", "~~~\n```\n\t\t", "[\u202e](<\x00>)",
	} {
		f.Add(s, 1)
	}
	f.Fuzz(func(t *testing.T, s string, times int) {
		in := strings.Repeat(s, max(1, times%200))
		if len(in) > 4*ChunkBytes {
			in = in[:4*ChunkBytes]
		}
		checkDoc(t, Markdown(in))
		checkDoc(t, Code("go", in))
		checkDoc(t, Diff("update", in))
		checkDoc(t, Plain(in))
	})
}

func FuzzANSI(f *testing.F) {
	for _, s := range []string{"\x1b[31;1mred\x1b[0m\r\n", "10%\r20%\b\b\x1b[K", "\x1b]0;t\x07\x1bP\x1b\\", "\x1b[38;5;9;48;2;1;2;3mx\x1b[99Cy\x1b[1Kz", "\u009b1mé\u0301\t\u202e\xff", "\x1b[\x1b[\x1b("} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d := ANSI(s)
		checkDoc(t, d)
		if strings.ContainsAny(d.Plain(), "\x1b\r\b") {
			t.Errorf("control characters are left of %q", s)
		}
	})
}

func FuzzRedact(f *testing.F) {
	for _, s := range []string{"Authorization: Bearer abcdef123", `{"token":"a\"b","x":1}`, "https://u:p@h/?key=v", "sk-abcdefgh"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		const secret = "sk-0123456789abcdef"
		for _, in := range []string{s + " " + secret, s + "\n\"password\": \"" + secret + "\"", secret + " " + s} {
			if got := Redact(in); strings.Contains(got, secret) {
				t.Errorf("Redact(%q) = %q", in, got)
			}
		}
	})
}
