package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A run that is made again replaces the one before; the report names what was
// wrong with its seed.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(recoveryFile, "goos: linux\nBenchmarkRecoveryOverhead-2 \t 1\t 5 ns/op\t 3.5 bare-ms\t 66.7 ms\t 70.2 recovery-ms\nPASS\n")
	write("runs.jsonl", strings.Join([]string{
		`{"seed":2,"version":"0.159.1","kind":"ws","timing":10,"faults":{"reset":2},"sent":3,"wrong":["lost"]}`,
		`{"seed":1,"version":"0.159.1","kind":"cmd","timing":1,"faults":{"reset":1},"sent":1,"recoveriesMs":[40]}`,
		`{"seed":2,"version":"0.159.1","kind":"ws","timing":10,"faults":{"reset":1,"503":1},"sent":4,"recoveriesMs":[80,60]}`,
		`{"seed":1,"version":"0.155.1","kind":"ws","timing":10,"faults":{},"wrong":["it is nowhere\nwith more"]}`,
	}, "\n"))
	bad, err := writeReport(dir)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| 0.155.1 | 1 | 0 | 1 | 0 | 0 | 0 | 0 |\n", "| 0.159.1 | 2 | 1 | 0 | 0 | 5 | 0 | 3 |\n",
		"- reset: 2\n", "median 70.2 ms, a bare dial and initialize 3.5 ms, overhead 66.7 ms (bound 150)",
		"3 recoveries, median 60 ms, slowest 80 ms", "- seed 1, codex 0.155.1, ws: it is nowhere\n",
	} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("the report lacks %q:\n%s", want, raw)
		}
	}
	if bad != 1 || strings.Contains(string(raw), "- lost") {
		t.Errorf("%d runs are wrong, want 1:\n%s", bad, raw)
	}
}
