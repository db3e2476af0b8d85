package drive

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// unhelp makes the help's examples JSON.
var unhelp = strings.NewReplacer(`:ID`, `:"x"`, `:DIR`, `:"x"`, `[PATH]`, `["x"]`, `:PATH`, `:"x"`, `:NAME`, `:"x"`)

// A field that a command does not take is refused, and never left out.
func TestACommandTakesItsOwnFieldsOnly(t *testing.T) {
	for line, want := range map[string]string{
		`{"do":"send","thread":"t2"}`:                 "send takes no thread",
		`{"do":"steer","thread":""}`:                  "steer takes no thread",
		`{"do":"stop","thread":"t2"}`:                 "stop takes no thread",
		`{"do":"queue","op":"add","thread":"t2"}`:     "queue takes no thread",
		`{"do":"join","thread":"t2"}`:                 "join takes no thread",
		`{"do":"send","text":"now"}`:                  "send takes no text",
		`{"do":"select","thread":"t2","turn":"u1"}`:   "select takes no turn",
		`{"do":"draft","thread":"t2","text":"there"}`: "",
		`{"do":"send","at":3}`:                        "",
	} {
		_, err := parse([]byte(line))
		if got := fmt.Sprint(err); got != want && (err != nil || want != "") {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// The help lists every command that there is, and no other.
func TestTheHelpListsEveryCommand(t *testing.T) {
	var listed []string
	for _, h := range commandHelp {
		m := regexp.MustCompile(`^\{"do":"(\w+)"`).FindStringSubmatch(h[0])
		if m == nil {
			t.Fatalf("%s begins with no command", h[0])
		}
		listed = append(listed, m[1])
		c, err := parse([]byte(unhelp.Replace(h[0])))
		if err != nil {
			t.Errorf("%s: %v", m[1], err)
		}
		if _, err := c.intent(); errors.Is(err, errUnknown) && !slices.Contains([]string{"row", "full", "quit"}, m[1]) {
			t.Errorf("%s is no command", m[1])
		}
	}
	var known []string
	for _, file := range []string{"command.go", "drive.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^\tcase "(\w+)":`).FindAllStringSubmatch(string(text), -1) {
			known = append(known, m[1])
		}
	}
	for _, k := range known {
		if k != "apply" && k != "edited" && !slices.Contains(listed, k) {
			t.Errorf("the help does not list %s", k)
		}
	}
	if len(known) < 25 {
		t.Errorf("only %d commands are found: %q", len(known), known)
	}
}
