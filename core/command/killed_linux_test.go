package command_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/seed"
)

// Holdfast is killed in a turn, while the model speaks and while a command of
// the turn runs: nothing of that home is left alive, and a server that starts
// then has the turn as interrupted and completed, which a server that was
// killed itself would not have written down (ruling 41).
func TestAKilledHoldfastEndsItsTurn(t *testing.T) {
	for _, version := range realserver.Versions() {
		t.Run(version+"/the model speaks", func(t *testing.T) {
			t.Parallel()
			h := realserver.New(t, version, fakemodel.Config{})
			h.Model.Enqueue(fakemodel.Answer(fakemodel.Text{Text: "working"}, fakemodel.Gate{Name: "never"}))
			killInATurn(t, h, func(*program) {
				if err := h.Model.AwaitGate(h.Context(), "never"); err != nil {
					t.Fatal(err)
				}
			})
		})
		t.Run(version+"/a command runs", func(t *testing.T) {
			t.Parallel()
			h := realserver.New(t, version, fakemodel.Config{})
			h.Model.Enqueue(fakemodel.Answer(seed.Command("echo $$ > begun; exec sleep 4321", "to see")))
			killInATurn(t, h, func(p *program) {
				p.until(`"requests":[{"id":"r1"`)
				p.send(`{"do":"answer","request":"r1","decision":"accept"}`)
				await(t, h, "the command", func() bool {
					data, err := os.ReadFile(filepath.Join(h.Work, "begun"))
					return err == nil && len(data) > 0
				})
			})
		})
	}
}

// killInATurn begins a turn, lets it get to where it runs, kills the program and
// looks at what is left.
func killInATurn(t *testing.T, h *realserver.Home, runs func(*program)) {
	t.Helper()
	p := run(t, h, []string{"drive", "--codex", h.Codex, "--codex-home", h.Dir, "--cwd", h.Work})
	p.until(`"state":"awaiting-selection"`)
	p.does(`{"do":"new"}`)
	p.does(`{"do":"draft","text":"go on for long"}`)
	p.does(`{"do":"send"}`)
	runs(p)
	thread := regexp.MustCompile(`"thread":\{"id":"([^"]+)"`).FindStringSubmatch(p.all())[1]
	if len(aliveIn(t, h.Dir)) < 2 { // itself and the server
		t.Fatalf("the search finds no server: %q", aliveIn(t, h.Dir))
	}
	kill(t, p.pid)
	p.ends(-1)
	await(t, h, "the end of all processes", func() bool { return len(aliveIn(t, h.Dir)) == 0 })
	var turns struct {
		Data []struct {
			Status      string
			CompletedAt *int64
		}
	}
	c := h.ListenWS().Client(seed.Quiet)
	params := map[string]any{"threadId": thread, "limit": 5, "sortDirection": "desc"}
	if err := c.CallInto(h.Context(), "thread/turns/list", params, &turns); err != nil {
		t.Fatal(err)
	}
	if len(turns.Data) != 1 || turns.Data[0].Status != "interrupted" || turns.Data[0].CompletedAt == nil {
		t.Errorf("turns %+v, want one that is interrupted and completed", turns.Data)
	}
}

// await asks until it holds.
func await(t *testing.T, h *realserver.Home, what string, holds func() bool) {
	t.Helper()
	ctx := h.Context()
	for !holds() {
		if ctx.Err() != nil {
			t.Fatalf("waited in vain for %s: %q", what, aliveIn(t, h.Dir))
		}
		pause, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
		<-pause.Done()
		cancel()
	}
}

// aliveIn lists the processes that have that CODEX_HOME. One that has ended and
// was not waited for has no environment any more.
func aliveIn(t *testing.T, home string) (alive []string) {
	t.Helper()
	envs, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil || len(envs) == 0 {
		t.Fatalf("no processes: %v", err)
	}
	for _, env := range envs {
		data, err := os.ReadFile(env)
		if err != nil || !bytes.Contains(append(data, 0), []byte("CODEX_HOME="+home+"\x00")) {
			continue // it ended meanwhile, is not ours to see, or is another's
		}
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(env), "cmdline"))
		alive = append(alive, fmt.Sprintf("%s %q", filepath.Dir(env), line))
	}
	return alive
}
