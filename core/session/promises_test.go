package session

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// promises is what the recovery has to keep, and the scenarios that play each.
// The last, how the window shows it in three themes and by keyboard alone, is
// the matrix of tools/e2e.
var promises = []struct {
	says   string
	played []string
}{
	{"many signals of one loss are one episode, and nothing that hangs is waited for", []string{"single-flight", "hanging"}},
	{"a link whose process ended is retired and replaced", []string{"stale-link"}},
	{"only what is temporary is tried again, five times and within its deadlines", []string{"attempts", "hanging", "terminal", "cancel", "owner"}},
	{"a recovery reads the list and leaves the selection to the user", []string{"selection"}},
	{"the old draft stays apart, and nothing crosses over to another owner", []string{"draft", "owner"}},
	{"a join is asked for, and one that fails keeps everything", []string{"join"}},
	{"what is uncertain is never sent again, and resolved by proof alone", []string{"uncertain"}},
	{"the newest comes first, merged by identity, within bounds", []string{"history"}},
	{"attachments are read to their end, and never made up", []string{"attachments"}},
	{"every error is said and leaves something to do", []string{"errors"}},
}

// Each promise has a scenario, and each scenario a promise.
func TestEveryPromiseIsPlayed(t *testing.T) {
	files, err := filepath.Glob("testdata/scenarios/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	var have, named []string
	for _, f := range files {
		have = append(have, strings.TrimSuffix(filepath.Base(f), ".txt"))
	}
	for _, p := range promises {
		if len(p.played) == 0 {
			t.Errorf("nothing plays that %s", p.says)
		}
		named = append(named, p.played...)
	}
	slices.Sort(have)
	slices.Sort(named)
	if named = slices.Compact(named); !slices.Equal(have, named) {
		t.Errorf("the scenarios are %q, the promises name %q", have, named)
	}
}
