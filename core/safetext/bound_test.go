package safetext

import (
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// The costs of the parser are bounded by what it is given, not by a clock.
func TestPiecesAreBounded(t *testing.T) {
	units := []string{"a", "a ", "\n", "word and word\n", "para\n\n", "> ", "- a\n", "  - a\n\n", "1. a\n   b\n\n", "|a|b|\n", "```\n", "日", "\t", "~~~~", "> ```\n"}
	for _, u := range units {
		s := strings.Repeat(u, (ChunkBytes*5)/len(u))
		if len(s)%2 == 0 {
			s += "\nend"
		}
		ps := pieces(s)
		if len(ps) < 5 {
			t.Errorf("%q: %d pieces", u, len(ps))
		}
		for i, p := range ps {
			if len(p.text) > ChunkBytes {
				t.Errorf("%q: piece %d has %d bytes", u, i, len(p.text))
			}
		}
	}
}

func TestPiecesAtTheBoundary(t *testing.T) {
	if got := pieces(strings.Repeat("a", ChunkBytes)); len(got) != 1 {
		t.Errorf("a text of the bound is %d pieces", len(got))
	}
	if got := pieces(strings.Repeat("a", ChunkBytes+1)); len(got) != 2 || !got[1].hard {
		t.Errorf("a text one past the bound is %d pieces", len(got))
	}
}

// What is cut to be parsed must read as if it had not been.
func TestSplitMarkdownReadsTheSame(t *testing.T) {
	line := strings.Repeat("word ", 15) + "\n"
	long := strings.Repeat(line, 400)
	kinds := func(d Doc) []Kind {
		var out []Kind
		for _, x := range d.Blocks() {
			out = append(out, x.Kind)
		}
		return slices.Compact(out)
	}
	tests := []struct {
		name, in string
		want     []Kind
	}{
		{"fence", "a\n\n```go\n" + long + "```\n\nb", []Kind{Paragraph, CodeBlock, Paragraph}},
		{"fence in a quote", "> ```go\n> " + strings.ReplaceAll(long, "\n", "\n> ") + "```\n\nb", []Kind{CodeBlock, Paragraph}},
		{"fence in a list", "1. a\n\n      ```go\n" + strings.ReplaceAll("\n"+long, "\n", "\n      ") + "```\n\nb", []Kind{ListItem, CodeBlock, Paragraph}},
		{"table", "|a|b|\n|-|-|\n" + strings.Repeat("|"+strings.Repeat("x", 50)+"|y|\n", 800) + "\nb", []Kind{Table, Paragraph}},
		{"list", strings.Repeat("- "+line, 400), []Kind{ListItem}},
		{"nested list", "- a\n" + strings.Repeat("    - "+line, 400), []Kind{ListItem}},
		{"paragraph", long, []Kind{Paragraph}},
		{"paragraphs", strings.Repeat(line+"\n", 400), []Kind{Paragraph}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Markdown(tt.in)
			if got := kinds(d); !slices.Equal(got, tt.want) {
				t.Errorf("kinds %v, want %v", got, tt.want)
			}
			if tt.name == "table" && d.Blocks()[len(d.Blocks())-2].Kind != Table {
				t.Error("the rows of a later piece are no table")
			}
			if got, want := strings.Count(d.Plain(), "word"), strings.Count(tt.in, "word"); got != want {
				t.Errorf("%d words are left of %d", got, want)
			}
			for i, x := range d.Blocks() {
				if x.size() > ChunkBytes+1000 {
					t.Errorf("block %d has %d bytes", i, x.size())
				}
			}
			checkDoc(t, d)
		})
	}
}

// The AST of hostile text is bounded too.
func TestTreesAreBounded(t *testing.T) {
	tests := map[string]string{
		"twenty thousand quotes": strings.Repeat(">", 20_000) + "x",
		"spaced quotes":          strings.Repeat("> ", 20_000) + "x",
		"nested lists":           strings.Repeat("- ", 20_000) + "x",
		"numbered lists":         strings.Repeat("1. ", 20_000) + "x",
		"mixed":                  strings.Repeat("> - 1) ", 5_000) + "x",
		"forty thousand openers": strings.Repeat("*a **b ", 20_000),
		"brackets":               strings.Repeat("[", 50_000),
		"links":                  strings.Repeat("[a](", 20_000),
		"wide table":             strings.Repeat("|a", 1000) + "|\n" + strings.Repeat("|-", 1000) + "|\n" + strings.Repeat("|a\n", 5_000),
		"ragged table":           strings.Repeat("|a", 60) + "|\n" + strings.Repeat("|-", 60) + "|\n" + strings.Repeat("|\n", 5_000),
		"heading of openers":     "# " + strings.Repeat("*a ", 5_000),
	}
	for name, in := range tests {
		t.Run(name, func(t *testing.T) {
			for _, p := range pieces(clean(in)) {
				nodes, deepest, depth := 0, 0, 0
				err := ast.Walk(markdown().Parse(text.NewReader([]byte(p.text))), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
					if n.Type() != ast.TypeBlock {
						return ast.WalkContinue, nil
					}
					if entering {
						nodes++
						depth++
					} else {
						depth--
					}
					deepest = max(deepest, depth)
					return ast.WalkContinue, nil
				})
				if err != nil {
					t.Fatal(err)
				}
				if nodes > 2*len(p.text)+10 || deepest > 2*MaxDepth+3 {
					t.Errorf("%d bytes gave %d blocks, %d deep", len(p.text), nodes, deepest)
				}
			}
			checkDoc(t, Markdown(in))
		})
	}
}

// A paragraph in which too much could mean something is shown as it is written.
func TestManySpecialsAreText(t *testing.T) {
	at := strings.Repeat("*a* ", maxSpecials/2)
	if got := Markdown(at).Blocks()[0].Spans; len(got) != maxSpecials-1 {
		t.Errorf("%d spans at the bound, want %d", len(got), maxSpecials-1)
	}
	if got, want := Markdown(at + "*").Blocks()[0].Spans, (Span{Text: at + "*"}); len(got) != 1 || got[0] != want {
		t.Errorf("one past the bound gives %d spans, first %q", len(got), got[0].Text[:20])
	}
}

// A long line is no heading: what could mean something in it would be counted by
// nobody.
func TestLongHeadingsAreText(t *testing.T) {
	fits, long := strings.Repeat("a", maxHeading-3), strings.Repeat("a", maxHeading-2)
	for in, want := range map[string]Kind{
		"# " + fits: Heading, "# " + long: Paragraph,
		fits[:1000] + "\n===": Heading, long + "\nb\n===": Paragraph,
	} {
		if got := Markdown(in + "\n").Blocks()[0].Kind; got != want {
			t.Errorf("%.5s…, %d bytes: kind %d, want %d", in, len(in), got, want)
		}
	}
}

// What is not there is looked for once, not from every place again.
func TestSearchesAreNotRepeated(t *testing.T) {
	code := lexer{lang: languages["go"], src: strings.Repeat(`"\`, 1000)}
	code.token()
	if code.bare != len(code.src) {
		t.Errorf("after a quote without end, quotes are looked for from %d", code.bare)
	}
	out := terminal{src: strings.Repeat("\x1b]", maxControl)}
	out.step()
	if want := 2 + maxControl; out.bare != want {
		t.Errorf("after a control string without end, ends are looked for from %d, want %d", out.bare, want)
	}
	first := out.bare
	out.step()
	if out.bare != first {
		t.Errorf("the next one was looked for again, up to %d", out.bare)
	}
}

func TestDocIsBounded(t *testing.T) {
	tests := []struct {
		name string
		make func(string) Doc
		unit string
		n    int
		cut  int64
	}{
		{"at the bound", Plain, "a", MaxBytes, 0},
		{"one past it", Plain, "a", MaxBytes + 1, 1},
		{"code", func(s string) Doc { return Code("go", s) }, "x := 1 // abc\n", 3 * MaxBytes, 1},
		{"output", ANSI, "\x1b[31mab\x1b[0m\n", 3 * MaxBytes, 1},
		{"cursor to the right", ANSI, "\x1b[500Cx\n", MaxBytes, 1},
		{"diff", func(s string) Doc { return Diff("add", s) }, "line of text\n", 3 * MaxBytes, 1},
		{"tabs", Plain, "\t", MaxBytes, 1},
		{"empty lines", ANSI, "\n", MaxBytes, 1},
		{"markdown", Markdown, "para\n\n", 3 * MaxBytes, 1},
		{"one link, many times", Markdown, "[a] ", MaxBytes, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := strings.Repeat(tt.unit, tt.n/len(tt.unit)+1)[:tt.n]
			if tt.name == "one link, many times" {
				in = "[a]: http://x.example/" + strings.Repeat("y", 1900) + "\n\n" + in
				tt.cut = 1
			}
			d := tt.make(in)
			if d.Cut() < tt.cut || tt.cut == 0 && d.Cut() != 0 {
				t.Errorf("Cut() = %d, want at least %d", d.Cut(), tt.cut)
			}
			if d.Cut() > 0 && d.Blocks()[len(d.Blocks())-1].Kind != Notice {
				t.Error("nothing says that text was cut")
			}
			checkDoc(t, d)
		})
	}
}
