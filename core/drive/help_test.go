package drive

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
)

// The help lists every command that there is, and no other.
func TestTheHelpListsEveryCommand(t *testing.T) {
	var listed []string
	for _, h := range commandHelp {
		m := regexp.MustCompile(`^\{"do":"(\w+)"`).FindStringSubmatch(h[0])
		if m == nil {
			t.Fatalf("%s begins with no command", h[0])
		}
		listed = append(listed, m[1])
		line, err := json.Marshal(map[string]string{"do": m[1]})
		if err != nil {
			t.Fatal(err)
		}
		c, err := parse(line)
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
