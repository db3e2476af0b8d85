package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// sample is a small module with a rule, two tests of it and mutants of every kind.
var sample = map[string]string{
	"go.mod":         "module sample\n\ngo 1.26\n",
	"rule/rule.go":   "package rule\n\nfunc Rule() int { return 1 }\n",
	"rule/a_test.go": "package rule\n\nimport \"testing\"\n\nfunc TestRule(t *testing.T) {\n\tif Rule() != 1 {\n\t\tt.Error(\"no\")\n\t}\n}\n\nfunc TestBlind(t *testing.T) { Rule() }\n\nfunc TestRed(t *testing.T) { t.Error(\"no\") }\n",

	"testdata/mutants/AA-1.patch": patch("return 1", "return 2"),
	"testdata/mutants/AA-1.test":  "./rule TestRule\n",
	"testdata/mutants/AA-2.patch": patch("return 1", "return 2"),
	"testdata/mutants/AA-2.test":  "./rule TestBlind\n",
	"testdata/mutants/AA-3.patch": patch("return 1", "return \"\""),
	"testdata/mutants/AA-3.test":  "./rule TestRule\n",
	"testdata/mutants/AA-4.patch": patch("return 7", "return 2"),
	"testdata/mutants/AA-4.test":  "./rule TestRule\n",
	"testdata/mutants/AA-5.patch": patch("return 1", "return 2"),
	"testdata/mutants/AA-5.test":  "./rule TestNone\n",
	"testdata/mutants/AA-6.patch": patch("return 1", "return 2"),
	"testdata/mutants/AA-6.test":  "./rule TestRed\n",
}

func patch(from, to string) string {
	line := "func Rule() int { return 1 }"
	return "--- a/rule/rule.go\n+++ b/rule/rule.go\n@@ -1,3 +1,3 @@\n package rule\n \n-" +
		strings.Replace(line, "return 1", from, 1) + "\n+" + strings.Replace(line, "return 1", to, 1) + "\n"
}

func TestJudge(t *testing.T) {
	root := t.TempDir()
	for name, text := range sample {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", root).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	all, err := load(root)
	if err != nil {
		t.Fatal(err)
	}
	c, err := newCopy(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	defer c.remove()
	got := map[string]string{}
	for _, m := range all {
		got[m.id] = judge(t.Context(), c, m).word
	}
	want := map[string]string{
		"AA-1": "killed", "AA-2": "survived", "AA-3": "broken", "AA-4": "stale", "AA-5": "absent", "AA-6": "unsound",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("verdicts %v, want %v", got, want)
	}
	if text, err := os.ReadFile(filepath.Join(c.dir, "rule", "rule.go")); err != nil || string(text) != sample["rule/rule.go"] {
		t.Errorf("the copy was left as %q, %v", text, err)
	}
}

func TestGaps(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "core"), 0o755); err != nil {
		t.Fatal(err)
	}
	table := "| AA-1 M | one |\n| AA-2 M | two |\n| AA-3 | three |\n"
	if err := os.WriteFile(filepath.Join(root, "core", "REQUIREMENTS.md"), []byte(table), 0o644); err != nil {
		t.Fatal(err)
	}
	// The comment is put together here, so that the search of the tree does not find it in this file.
	if err := os.WriteFile(filepath.Join(root, "core", "a_test.go"), []byte("// "+"req: AA-2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := gaps(root, []mutant{{id: "AA-1"}})
	want := []string{
		"AA-1     missing   no test names it",
		"AA-2     missing   no patch under testdata/mutants",
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("gaps = %q, %v, want %q", got, err, want)
	}
}
