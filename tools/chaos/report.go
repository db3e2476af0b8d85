package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A result is what one run came to; package play writes it.
type result struct {
	Seed       uint64         `json:"seed"`
	Version    string         `json:"version"`
	Kind       string         `json:"kind"`
	Timing     int            `json:"timing"`
	Faults     map[string]int `json:"faults"`
	Commands   int            `json:"commands"`
	Sent       int            `json:"sent"`
	Asked      int            `json:"asked"`
	States     map[string]int `json:"states"`
	Ends       map[string]int `json:"ends"`
	Wrong      []string       `json:"wrong"`
	Recoveries []float64      `json:"recoveriesMs"`
}

// recoveryFile holds what the benchmark of the recovery printed.
const recoveryFile = "recovery.txt"

// key names a run: made again, it replaces the one before.
func (r result) key() string { return fmt.Sprintf("%s/%d", r.Version, r.Seed) }

// writeReport makes report.md of all runs that were kept, and returns how many
// of them were wrong.
func writeReport(dir string) (bad int, err error) {
	all, err := kept(filepath.Join(dir, "runs.jsonl"))
	if err != nil {
		return 0, err
	}
	for _, r := range all {
		if len(r.Wrong) > 0 {
			bad++
		}
	}
	measured, err := os.ReadFile(filepath.Join(dir, recoveryFile))
	if err != nil {
		return bad, fmt.Errorf("read the measure: %w", err)
	}
	text := render(all, measured)
	if err := os.WriteFile(filepath.Join(dir, "report.md"), []byte(text), 0o644); err != nil {
		return bad, fmt.Errorf("write the report: %w", err)
	}
	fmt.Fprint(os.Stdout, text)
	return bad, nil
}

// kept reads the runs, the newest of each seed, ordered.
func kept(path string) ([]result, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the runs: %w", err)
	}
	by := map[string]result{}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var r result
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("read a run: %w", err)
		}
		by[r.key()] = r
	}
	out := slices.Collect(maps.Values(by))
	slices.SortFunc(out, func(a, b result) int {
		if c := strings.Compare(a.Version, b.Version); c != 0 {
			return c
		}
		return int(a.Seed) - int(b.Seed)
	})
	return out, lines.Err()
}

// render words the report.
func render(all []result, measured []byte) string {
	var b strings.Builder
	b.WriteString("# Fault runs\n\n| codex | runs | at timing 1 | wrong | commands | messages sent | model requests | faults |\n|---|---|---|---|---|---|---|---|\n")
	faults, states, ends := map[string]int{}, map[string]int{}, map[string]int{}
	var slow []float64
	for _, v := range versionsOf(all) {
		var runs, real, wrong, commands, sent, asked, hit int
		for _, r := range all {
			if r.Version != v {
				continue
			}
			runs++
			if r.Timing == 1 {
				real++
			}
			if len(r.Wrong) > 0 {
				wrong++
			}
			commands, sent, asked = commands+r.Commands, sent+r.Sent, asked+r.Asked
			for _, n := range r.Faults {
				hit += n
			}
			add(faults, r.Faults)
			add(states, r.States)
			add(ends, r.Ends)
			slow = append(slow, r.Recoveries...)
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d |\n", v, runs, real, wrong, commands, sent, asked, hit)
	}
	list(&b, "Faults by kind", faults)
	list(&b, "Operations by their last state", states)
	list(&b, "Commands by their end", ends)
	b.WriteString("\n## Recovery from a dropped socket\n\n" + recovery(measured) + "\n\nIn the runs: ")
	if slices.Sort(slow); len(slow) > 0 {
		fmt.Fprintf(&b, "%d recoveries, median %.0f ms, slowest %.0f ms (with whatever other fault came after the drop).\n", len(slow), slow[len(slow)/2], slow[len(slow)-1])
	} else {
		b.WriteString("none.\n")
	}
	b.WriteString("\n## Wrong\n\n")
	none := true
	for _, r := range all {
		for _, w := range r.Wrong {
			none = false
			first, _, _ := strings.Cut(w, "\n")
			fmt.Fprintf(&b, "- seed %d, codex %s, %s: %s\n", r.Seed, r.Version, r.Kind, first)
		}
	}
	if none {
		b.WriteString("Nothing.\n")
	}
	return b.String()
}

func add(to, from map[string]int) {
	for name, n := range from {
		to[name] += n
	}
}

func list(b *strings.Builder, title string, of map[string]int) {
	fmt.Fprintf(b, "\n## %s\n\n", title)
	for _, name := range slices.Sorted(maps.Keys(of)) {
		fmt.Fprintf(b, "- %s: %d\n", name, of[name])
	}
}

// recovery words the benchmark's line: the median with a live server, beside a
// bare dial and initialize of the same server in the same run.
func recovery(measured []byte) string {
	value := map[string]string{}
	for line := range strings.Lines(string(measured)) {
		f := strings.Fields(line)
		for i := 2; strings.HasPrefix(line, "Benchmark") && i+1 < len(f); i += 2 {
			value[f[i+1]] = f[i]
		}
	}
	return fmt.Sprintf("A live server, alone: median %s ms, a bare dial and initialize %s ms, overhead %s ms (bound 150).",
		value["recovery-ms"], value["bare-ms"], value["ms"])
}

func versionsOf(all []result) []string {
	var out []string
	for _, r := range all {
		if !slices.Contains(out, r.Version) {
			out = append(out, r.Version)
		}
	}
	return out
}
