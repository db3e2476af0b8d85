package safetext

import (
	"strings"
	"testing"
)

func TestCode(t *testing.T) {
	tests := []struct{ name, lang, in, want string }{
		{"go", "Go", "func f(a int) { // x\n\treturn `a\nb` + 'c' + \"d\\\"\" }", "code(Go)|<kw:func> <func:f><c:(a ><kw:int><c:) { ><com:// x>|\t<kw:return> <str:`a>|<str:b`><c: + ><str:'c'><c: + ><str:\"d\\\"\"><c: }>"},
		{"alias", "py", "x = 1.5 # c\ny = '''a\nb'''", "code(py)|<c:x = ><num:1.5> <com:# c>|<c:y = ><str:'''a>|<str:b'''>"},
		{"hash in a word", "sh", "echo a#b ${#x} # c", "code(sh)|<c:echo a#b ${#x} ><com:# c>"},
		{"apostrophe", "yaml", "a: it's\nb: 'x'", "code(yaml)|<c:a: it's>|<c:b: ><str:'x'>"},
		{"case", "sql", "SELECT a -- b", "code(sql)|<kw:SELECT><c: a ><com:-- b>"},
		{"comment without end", "c", "/* a\nb", "code(c)|<com:/* a>|<com:b>"},
		{"unknown", "brainfuck", "a // b", "code(brainfuck)|<c:a // b>"},
		{"no language", "", "if x", "code()|<c:if x>"},
		{"empty lines", "go", "a\n\nb\n", "code(go)|<c:a>||<c:b>"},
		{"diff", "diff", "@@ -1 +1 @@\n-a\n+b\n c", "code(diff)|<hunk:@@ -1 +1 @@>|<del:-a>|<add:+b>|<c: c>"},
		{"controls", "go", "a\x00\u202e\x1b[0m\r\nb", "code(go)|<c:a\ufffd\ufffd\ufffd[><num:0m>|<c:b>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Code(tt.lang, tt.in)
			if got := show(d); got != tt.want {
				t.Errorf("Code(%q, %q)\n%s\nwant\n%s", tt.lang, tt.in, got, tt.want)
			}
			checkDoc(t, d)
		})
	}
}

// Colours never change the text, whatever it is.
func TestColouringKeepsText(t *testing.T) {
	for lang := range languages {
		for _, u := range []string{"\"", "'", "`", "/*", "#", "--", "\"\\", "'\\\n", "a(", "1x.", "\n", "日", "<!--", "'''"} {
			in := strings.Repeat(u, 300) + "x"
			if got := Code(lang, in).Plain(); got != in {
				t.Errorf("%s: %q × 300 became %.40q", lang, u, got)
			}
		}
	}
}

// Coloured spans cost memory, so there is a bound for one block and one Doc.
func TestColouringIsBounded(t *testing.T) {
	line := "if x { return \"a\" }\n"
	coloured := func(d Doc) (yes, no int) {
		for _, x := range d.Blocks() {
			for _, l := range x.Lines {
				if len(l) > 1 {
					yes++
				} else {
					no++
				}
			}
		}
		return yes, no
	}
	at := strings.Repeat(line, maxHighlight/len(line))
	if _, no := coloured(Code("go", at)); no > 0 {
		t.Errorf("%d lines of a block at the bound have no colours", no)
	}
	if yes, _ := coloured(Code("go", at+line)); yes > 0 {
		t.Errorf("%d lines of a block past the bound have colours", yes)
	}
	block := "```go\n" + strings.Repeat(line, 500) + "```\n\n"
	yes, no := coloured(Markdown(strings.Repeat(block, 20)))
	if want := maxColoured / (500 * len(line)) * 500; yes != want || no == 0 {
		t.Errorf("%d lines of a long Doc have colours, want %d", yes, want)
	}
}

func TestDiff(t *testing.T) {
	tests := []struct {
		name, kind, in, want string
		added, removed       int
	}{
		{"update", "update", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n", "code(diff)|<muted:--- a/x>|<muted:+++ b/x>|<hunk:@@ -1,2 +1,2 @@>|<c: a>|<del:-b>|<add:+c>", 1, 1},
		{"add is content", "add", "a\n-b\n", "code(diff)|<add:+a>|<add:+-b>", 2, 0},
		{"delete is content", "delete", "a\n\n+b", "code(diff)|<del:-a>|<del:->|<del:-+b>", 0, 3},
		{"add that is a patch", "add", "@@ -0,0 +1 @@\n+a\n", "code(diff)|<hunk:@@ -0,0 +1 @@>|<add:+a>", 1, 0},
		{"unknown kind", "", "+a", "code(diff)|<add:+a>", 1, 0},
		{"override", "update", "+a\u202e", "code(diff)|<add:+a\ufffd>", 1, 0},
		{"nothing", "update", "", "", 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Diff(tt.kind, tt.in)
			if got := show(d); got != tt.want || d.Added() != tt.added || d.Removed() != tt.removed {
				t.Errorf("Diff(%q, %q) +%d -%d\n%s\nwant +%d -%d\n%s", tt.kind, tt.in, d.Added(), d.Removed(), got, tt.added, tt.removed, tt.want)
			}
			checkDoc(t, d)
		})
	}
}
