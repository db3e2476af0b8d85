package measure

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"holdfast/core/realserver"
)

// patience bounds every wait; nothing that works comes near it.
const patience = 60 * time.Second

// driven is a drive process: the sections of its newest snapshot, and its events as they come.
type driven struct {
	b      *testing.B
	cmd    *exec.Cmd
	in     io.WriteCloser
	events chan map[string]json.RawMessage
	now    map[string]json.RawMessage
	dones  int
}

// program is the path of a built program.
func program(b *testing.B, name string) string {
	b.Helper()
	root, err := realserver.Root()
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(root, "bin", name)
	if _, err := os.Stat(path); err != nil {
		b.Fatalf("not built: run `make build`: %v", err)
	}
	return path
}

// command prepares a program that sees none of the user's own files. It is ended in order, after the measure.
func command(b *testing.B, name string, args ...string) *exec.Cmd {
	b.Helper()
	home := b.TempDir()
	cmd := exec.CommandContext(context.WithoutCancel(b.Context()), program(b, name), args...)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home,
		"XDG_CACHE_HOME="+home, "CODEX_HOME="+filepath.Join(home, "codex"))
	cmd.Stderr = os.Stderr
	return cmd
}

// drive starts the program without a window on a server.
func drive(b *testing.B, url string) *driven {
	b.Helper()
	d := &driven{b: b, events: make(chan map[string]json.RawMessage, 1024), now: map[string]json.RawMessage{}}
	d.cmd = command(b, "holdfast-headless", "drive", "--connect", url)
	in, err := d.cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := d.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	d.in = in
	b.Cleanup(func() {
		_ = in.Close() // the end of input quits in order
		for range d.events {
		}
		if err := d.cmd.Wait(); err != nil {
			b.Errorf("drive ended with %v", err)
		}
	})
	go d.read(out)
	return d
}

// read hands on the events that are JSON objects, until the output ends.
func (d *driven) read(out io.Reader) {
	defer close(d.events)
	lines := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var e map[string]json.RawMessage
		if json.Unmarshal(line, &e) == nil {
			d.events <- e
		}
	}
}

// send writes one command.
func (d *driven) send(line string) {
	d.b.Helper()
	if _, err := io.WriteString(d.in, line+"\n"); err != nil {
		d.b.Fatal(err)
	}
}

// until folds snapshots in until want holds. A refused command ends the measure.
func (d *driven) until(want func() bool) {
	d.b.Helper()
	over := time.After(patience)
	for !want() {
		select {
		case e, ok := <-d.events:
			if !ok {
				d.b.Fatalf("drive ended early; last state %s", d.now["state"])
			}
			switch text(e["event"]) {
			case "snapshot":
				for name, section := range e {
					d.now[name] = section
				}
			case "done":
				if string(e["ok"]) != "true" {
					d.b.Fatalf("a command failed: %s %s", e["code"], e["error"])
				}
				d.dones++
			}
		case <-over:
			d.b.Fatalf("waited in vain; last state %s %s", d.now["state"], d.now["text"])
		}
	}
}

// state is the word for the state.
func (d *driven) state() string { return text(d.now["state"]) }

// rows is how many rows the transcript has.
func (d *driven) rows() int {
	var rows []json.RawMessage
	if d.now["rows"] != nil {
		if err := json.Unmarshal(d.now["rows"], &rows); err != nil {
			d.b.Fatal(err)
		}
	}
	return len(rows)
}

// thread is the id of the listed conversation with that title.
func (d *driven) thread(title string) string {
	d.b.Helper()
	var threads []struct{ ID, Title string }
	if err := json.Unmarshal(d.now["threads"], &threads); err != nil {
		d.b.Fatal(err)
	}
	for _, th := range threads {
		if th.Title == title {
			return th.ID
		}
	}
	d.b.Fatalf("no conversation %q among %d", title, len(threads))
	return ""
}

// text is a JSON string's value, "" for anything else.
func text(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s) // what is no string has no text
	return s
}
