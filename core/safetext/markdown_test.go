package safetext

import (
	"strings"
	"testing"
)

func TestMarkdown(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"paragraphs", "one\ntwo\n\nthree", "p one two\np three"},
		{"hard break", "one  \ntwo\\\nthree", "p one↵two↵three"},
		{"headings", "# One\n\nTwo\n---", "h1 <b:One>\nh2 <b:Two>"},
		{"emphasis", "*a* **b** ***c*** ~~d~~ `e`", "p <i:a> <b:b> <b,i:c> <s:d> <c:e>"},
		{"code", "```go\nx\t:= 1\n```", "code(go)|<c:x\t:= ><num:1>"},
		{"indented code", "    a\n    b", "code()|<c:a>|<c:b>"},
		{"entities are not resolved in code", "`&lt;`\n\n    &lt;", "p <c:&lt;>\ncode()|<c:&lt;>"},
		{"list", "- a\n- b\n  - c\n\n3. x\n4. y", "  • a\n  • b\n    • c\n  3. x\n  4. y"},
		{"item of two paragraphs", "- a\n\n  b", "  • a\n  p b"},
		{"item that begins with code", "- ```\n  x\n  ```", "  • \n  code()|<c:x>"},
		{"empty item", "-\n- b", "  • \n  • b"},
		{"tasks", "- [ ] a\n- [x] b", "  •[ ] a\n  •[x] b"},
		{"quote", "> a\n> > b", "> p a\n> > p b"},
		{"list in a quote", "> - a", ">   • a"},
		{"rule", "a\n\n---\n\nb", "p a\nrule\np b"},
		{"table", "|a|b|\n|-|:-:|\n|1|*2*|\n|3|", "table / <b:a> | <b:b> | / 1 | <i:2> | / 3 |"},
		{"escapes and entities", `\*a\* &lt;b&gt; &#65; &copy; \&amp; &nosuch; a&b`, "p *a* <b> A © &amp; &nosuch; a&b"},
		{"link", "[docs](https://example.org/a)", "p <link,https://example.org/a:docs><muted,https://example.org/a: (https://example.org/a)>"},
		{"link that says its target", "[example.org/a](https://example.org/a)", "p <link,https://example.org/a:example.org/a>"},
		{"bare address", "see https://example.org/a.", "p see <link,https://example.org/a:https://example.org/a>."},
		{"link to a file", "[main.go](/src/main.go)", "p <link,file:///src/main.go:main.go><muted,file:///src/main.go: (/src/main.go)>"},
		{"mail", "<a@example.org>", "p a@example.org"},
		{"image", "![a *b*](https://example.org/x.png)", "p <muted:[image: a b]>"},
		{"image without words", "![](file:///etc/passwd)", "p <muted:[image: ]>"},
		{"inline HTML", "a <b onclick='x'>b</b><br>c", "p a <muted:<b onclick='x'>>b<muted:</b>>↵c"},
		{"HTML block", "<script>\nalert(1)\n</script>", "p <muted:<script>↵alert(1)↵</script>>"},
		{"HTML comment", "<!-- a\nb -->", "p <muted:<!-- a↵b -->>"},
		{"nothing", "", ""},
		{"blanks", " \n\n ", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Markdown(tt.in)
			if got := show(d); got != tt.want {
				t.Errorf("Markdown(%q)\n%s\nwant\n%s", tt.in, got, tt.want)
			}
			checkDoc(t, d)
		})
	}
}

// Hostile Markdown must come out harmless: nothing runs, loads or lies.
//
// req: HIS-9
func TestHostileMarkdown(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"javascript", "[a](javascript:alert(1))", "p a<muted: (javascript:alert(1))>"},
		{"javascript in disguise", "[a](java&#115;cript:x)", "p a<muted: (javascript:x)>"},
		{"data", "[a](data:text/html,x)", "p a<muted: (data:text/html,x)>"},
		{"vbscript", "<vbscript:x>", "p vbscript:x"},
		{"user name", "[a](https://bank.example@evil.example/)", "p a<muted: (https://bank.example@evil.example/)>"},
		{
			"text that looks like another address", "[https://bank.example](https://evil.example/)",
			"p <link,https://evil.example/:https://bank.example><muted,https://evil.example/: (https://evil.example/)>",
		},
		{
			"letters that look like others", "[x](https://b\u0430nk.example/)",
			"p <link,https://xn--bnk-6cd.example/:x><muted,https://xn--bnk-6cd.example/: (https://xn--bnk-6cd.example/)>",
		},
		{"override in a target", "[a](https://example.org/\u202ex)", "p a<muted: (https://example.org/\ufffdx)>"},
		{"control in a target", "[a](<https://example.org/\x01>)", "p a<muted: (https://example.org/\ufffd)>"},
		{"no host", "[a](https:///x)", "p a<muted: (https:///x)>"},
		{"other machine's file", "[a](file://host/share)", "p a<muted: (file://host/share)>"},
		{"override by entity", "a&#x202e;b&#8238;c", "p a\ufffdb\ufffdc"},
		{"NUL and escape", "a\x00b&#0;c\x1b[31md&#27;e", "p a\ufffdb\ufffdc\ufffd[31md\ufffde"},
		{"surrogate by entity", "a&#xd800;b", "p a\ufffdb"},
		{"lone surrogate", "a\xed\xa0\x80b", "p a\ufffdb"},
		{
			"mark by mark across spans", "a*" + strings.Repeat("\u0301", 6) + "***" + strings.Repeat("\u0301", 6) + "**",
			"p a<i:" + strings.Repeat("\u0301", 6) + "><b:" + strings.Repeat("\u0301", 2) + ">",
		},
		{"override in a language", "```\u202e\nx\n```", "code(\ufffd)|<c:x>"},
		{"override in code", "`a\u202eb`", "p <c:a\ufffdb>"},
		{"reference to script", "[a]\n\n[a]: javascript:x", "p a<muted: (javascript:x)>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Markdown(tt.in)
			if got := show(d); got != tt.want {
				t.Errorf("Markdown(%q)\n%s\nwant\n%s", tt.in, got, tt.want)
			}
			checkDoc(t, d)
		})
	}
}

// A link's shown target keeps the end of its host: that is who it belongs to.
func TestShownTarget(t *testing.T) {
	long := "https://bank.example." + strings.Repeat("a", 60) + ".evil.example/x"
	got := shownTarget(long)
	if !strings.HasPrefix(got, "https://…") || !strings.HasSuffix(got, ".evil.example/x") {
		t.Errorf("shown as %q", got)
	}
	if got := shownTarget("https://example.org/" + strings.Repeat("p", 200)); got != "https://example.org/"+strings.Repeat("p", 80)+"…" {
		t.Errorf("shown as %q", got)
	}
}

func TestPlain(t *testing.T) {
	d := Plain("*a*\tb\r\n<b>\x1b[0m")
	if got, want := show(d), "p *a*    b↵<b>\ufffd[0m"; got != want {
		t.Errorf("Plain = %s, want %s", got, want)
	}
	if got := Plain(""); !got.Empty() {
		t.Errorf("Plain of nothing has blocks: %s", show(got))
	}
}

func TestDocPlain(t *testing.T) {
	d := Markdown("# T\n\na *b*\n\n- x\n  - [x] y\n\n|a|b|\n|-|-|\n|1|2|\n\n```go\nf()\n\tg\n```\n\n---")
	want := "T\n\na b\n\n• x\n  • [x] y\n\na\tb\n1\t2\n\nf()\n\tg\n\n---"
	if got := d.Plain(); got != want {
		t.Errorf("Plain() = %q\nwant %q", got, want)
	}
}
