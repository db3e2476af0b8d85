package safetext

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMakeLine(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "Fix the parser", "Fix the parser"},
		{"empty", "", ""},
		{"line breaks and tabs", "a\nb\r\nc\rd\te\u2028f\u2029g", "a b c d e f g"},
		{"NUL", "a\x00b", "a\ufffdb"},
		{"escape sequence", "\x1b[31mred\x1b[0m", "\ufffd[31mred\ufffd[0m"},
		{"C1 and DEL", "a\u009bb\x7fc\u0085d", "a\ufffdb\ufffdc\ufffdd"},
		{"bidi override", "user\u202etxt.exe", "user\ufffdtxt.exe"},
		{"bidi isolates", "\u2066a\u2067b\u2068c\u2069", "\ufffda\ufffdb\ufffdc\ufffd"},
		{"bidi marks", "a\u200eb\u200fc\u061cd", "abcd"},
		{"lone surrogates", "a\xed\xa0\x80b\xed\xb0\x80", "a\ufffdb\ufffd"},
		{"invalid UTF-8", "a\xff\xfe\xc0b\xf0\x9f", "a\ufffdb\ufffd"},
		{"a replacement character of the sender", "\ufffd\ufffd", "\ufffd\ufffd"},
		{"zero width", "pass\u200bword\ufeff\u2060x\u00ad", "passwordx"},
		{"tags", "hi\U000e0068\U000e0069\U000e007f!", "hi!"},
		{"noncharacters", "\ufffe\U0001ffff\ufdd0", "\ufffd\ufffd\ufffd"},
		{"joiners after ASCII", "a\u200db\u200cc", "abc"},
		{"joiners in emoji", "👩\u200d💻", "👩\u200d💻"},
		{"marks", "e\u0301", "e\u0301"},
		{"eight marks", "e" + strings.Repeat("\u0301", 8), "e" + strings.Repeat("\u0301", 8)},
		{"nine marks", "e" + strings.Repeat("\u0301", 9), "e" + strings.Repeat("\u0301", 8)},
		{"ten thousand marks", "a" + strings.Repeat("\u0489", 10_000) + "b", "a" + strings.Repeat("\u0489", 8) + "b"},
		{"hangul filler", "a\u3164b", "ab"},
		{"scripts stay", "日本語 עברית हिन्दी ไทย", "日本語 עברית हिन्दी ไทย"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := MakeLine(tt.in).String(); got != tt.want {
				t.Errorf("MakeLine(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestLineIsBounded(t *testing.T) {
	tests := []struct {
		name, in string
		max      int
		want     string
	}{
		{"at the bound", "abcde", 5, "abcde"},
		{"one past it", "abcdef", 5, "abcde…"},
		{"runes, not bytes", "日本語日本語", 5, "日本語日本…"},
		{"nothing visible", strings.Repeat("\u200b", 1000), 5, "…"},
		{"no room", "a", 0, "…"},
	}
	for _, tt := range tests {
		if got := MakeLineMax(tt.in, tt.max).String(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	for _, unit := range []string{"a", "語", "\u0301", "\u200b", "\x00", "\xff"} {
		got := MakeLine(strings.Repeat(unit, 1<<20)).String()
		if n := utf8.RuneCountInString(got); n > LineRunes+1 {
			t.Errorf("a megabyte of %q gives %d runes", unit, n)
		}
	}
}

func TestJoin(t *testing.T) {
	got := Join(" · ", Trusted("Codex"), Line{}, MakeLine("a\nb"))
	if want := (Line{"Codex · a b"}); got != want {
		t.Errorf("Join = %q, want %q", got, want)
	}
	if got := Join(", "); !got.Empty() {
		t.Errorf("joining nothing gives %q", got)
	}
}

func TestCutAt(t *testing.T) {
	tests := []struct {
		in   string
		n    int
		want string
	}{
		{"abc", 3, "abc"},
		{"abc", 2, "ab"},
		{"abc", 0, ""},
		{"abc", -1, ""},
		{"日本", 3, "日"},
		{"日本", 4, "日"},
		{"日本", 5, "日"},
		{"日本", 2, ""},
		{"\x80\x80\x80\x80\x80\x80", 5, "\x80\x80\x80\x80\x80"},
	}
	for _, tt := range tests {
		if got := cutAt(tt.in, tt.n); got != tt.want {
			t.Errorf("cutAt(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
}
