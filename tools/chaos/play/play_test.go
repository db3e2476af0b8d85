package play

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"holdfast/core/realserver"
	"holdfast/tools/chaos/fault"
)

var (
	seeds   = flag.String("seeds", "1..10", "the runs to make")
	version = flag.String("codex", "", "the version of the app-server, both when empty")
	out     = flag.String("out", "", "the folder for results")
)

func TestMain(m *testing.M) {
	flag.Parse()
	if fault.MaybeRelay(ctxOfMain()) {
		return
	}
	// The runs wait more than they work.
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// Random users, random faults, real servers: nothing is lost, nothing is sent
// twice, nothing false is said.
func TestRuns(t *testing.T) {
	var from, to uint64
	if _, err := fmt.Sscanf(*seeds, "%d..%d", &from, &to); err != nil {
		t.Fatalf("-seeds %q: %v", *seeds, err)
	}
	versions := realserver.Versions()
	if *version != "" {
		versions = []string{*version}
	}
	before := survey()
	t.Run("all", func(t *testing.T) {
		for seed := from; seed <= to; seed++ {
			for _, v := range versions {
				p := PlanFor(seed, v)
				t.Run(fmt.Sprintf("%s/%s/%d", v, p.Kind, seed), func(t *testing.T) {
					if *out == "" {
						t.Parallel() // then what is left shows only when all have ended
						p.Steps = 25
					}
					one(t, p)
				})
			}
		}
	})
	for _, w := range before.left() {
		t.Error(w)
	}
}

// one makes a run and reports it.
func one(t *testing.T, p Plan) {
	before := survey()
	var x Result
	t.Run("run", func(t *testing.T) { x = Play(t, p) })
	if x.Version == "" {
		x = Result{Seed: p.Seed, Version: p.Version, Kind: p.Kind, Timing: p.Timing, Wrong: []string{"the run did not get to its end"}}
	}
	if *out != "" {
		x.Wrong = append(x.Wrong, before.left()...)
		save(t, x)
	}
	for _, w := range x.Wrong {
		t.Errorf("seed %d, codex %s, %s: %s", p.Seed, p.Version, p.Kind, w)
	}
}

// save appends the result to the runs, and keeps the record of a bad one.
func save(t *testing.T, x Result) {
	raw, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(*out, "runs.jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(append(raw, '\n')); err != nil {
		t.Fatal(err)
	}
	if len(x.Wrong) > 0 {
		name := filepath.Join(*out, fmt.Sprintf("wrong-%s-%d.txt", x.Version, x.Seed))
		if err := os.WriteFile(name, []byte(x.Wire), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
