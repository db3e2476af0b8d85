package drive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"holdfast/core/history"
	"holdfast/core/protocol"
	"holdfast/core/save"
	"holdfast/core/session"
	"holdfast/core/stamp"
)

// Contract is the number of the contract: it changes when a field's meaning
// does (DRIVE.md, CON-1).
const Contract = 19

// Exit statuses.
const (
	ExitOK    = 0
	ExitOther = 1
	ExitFlags = 2
)

type helloEvent struct {
	Event    string `json:"event"`
	Contract int    `json:"contract"`
	Product  string `json:"product"`
	Timing   int    `json:"timing"`
}

// Run drives one session by the lines of in until quit, its end, or the end of
// ctx. cfg.Publish is set here.
func Run(ctx context.Context, cfg session.Config, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := newWriter(out)
	d := &driver{w: w, ats: map[uint64]stamp.Stamp{}}
	cfg.Publish = d.publish
	d.s = session.New(cfg)

	written := make(chan error, 1)
	go func() {
		err := w.run(helloEvent{"hello", Contract, cfg.Product + " " + cfg.Version, max(cfg.Scale, 1)})
		cancel() // nobody reads: there is no use in going on
		written <- err
	}()
	ended := make(chan error, 1)
	go func() { ended <- d.s.Run(ctx) }()
	read := make(chan error, 1)
	go func() { read <- d.read(in) }()

	var failed error
	select {
	case failed = <-read:
	case <-ctx.Done():
	}
	cancel()
	err := <-ended
	d.files.Wait()
	d.quitDone()
	w.end()
	return errors.Join(failed, err, <-written)
}

// A driver turns lines into intents and their ends into events.
type driver struct {
	s *session.Session
	w *writer

	mu   sync.Mutex
	ats  map[uint64]stamp.Stamp // the stamps of the snapshots, by seq
	old  uint64                 // the oldest seq in ats
	quit int                    // the number of the quit command, 0 if none

	files sync.WaitGroup // those that are being finished
}

// keptStamps is how many snapshots a command's "at" may reach back.
const keptStamps = 4096

func (d *driver) publish(s *session.Snapshot) {
	d.mu.Lock()
	if d.old == 0 {
		d.old = s.Seq
	}
	d.ats[s.Seq] = s.At
	for len(d.ats) > keptStamps {
		delete(d.ats, d.old)
		d.old++
	}
	d.mu.Unlock()
	d.w.publish(s)
}

// read carries out line after line; it returns at quit and at the end.
func (d *driver) read(in io.Reader) error {
	lines := newLineReader(in)
	for n := 1; ; n++ {
		line, err := lines.next()
		switch {
		case errors.Is(err, errLineTooLong):
			d.done(n, session.Result{Code: "malformed", Error: err.Error()})
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read the input: %w", err)
		}
		c, err := parse(line)
		if err != nil {
			d.done(n, session.Result{Code: "malformed", Error: "This line cannot be read: " + err.Error()})
			continue
		}
		if c.Do == "quit" {
			d.mu.Lock()
			d.quit = n
			d.mu.Unlock()
			return nil
		}
		d.command(n, c)
	}
}

func (d *driver) command(n int, c command) {
	switch c.Do {
	case "row":
		if c.File != "" {
			d.rowToFile(n, c)
			return
		}
		d.row(n, c)
		return
	case "full":
		d.w.add(fullRequest{}, doneEvent{Event: "done", Cmd: n, OK: true})
		return
	}
	in, err := c.intent()
	switch {
	case errors.Is(err, errUnknown):
		d.done(n, session.Result{Code: "unknown-command", Error: fmt.Sprintf("There is no command %q; drive --help lists them.", c.Do)})
		return
	case err != nil:
		d.done(n, session.Result{Code: "malformed", Error: "This command cannot be read: " + err.Error()})
		return
	}
	at, found := d.stampOf(c.At)
	if !found {
		d.done(n, session.Result{Code: "stale", Error: "No snapshot of that number is known any more. Nothing was done."})
		return
	}
	d.s.Do(at, in, func(r session.Result) { d.done(n, r) })
}

func (d *driver) stampOf(seq *uint64) (stamp.Stamp, bool) {
	if seq == nil {
		return stamp.Stamp{}, true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	at, found := d.ats[*seq]
	return at, found
}

func (d *driver) done(n int, r session.Result) {
	d.w.add(doneEvent{"done", n, r.OK, r.Code, r.Error})
}

// quitDone is the last event.
func (d *driver) quitDone() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.quit != 0 {
		d.w.add(doneEvent{Event: "done", Cmd: d.quit, OK: true})
	}
}

// row answers with what the window holds of a row's text.
func (d *driver) row(n int, c command) {
	r, found := find(d.w.current(), c.Turn, c.Item)
	if !found {
		d.done(n, session.Result{Code: "no-row", Error: "There is no such row in the window."})
		return
	}
	text := protocol.PlainText(r.Item)
	e := rowEvent{Event: "row", Cmd: n, row: rowOf(r), Rest: text[len(cutText(text)):], of: r}
	e.Text = &text
	d.w.add(e, doneEvent{Event: "done", Cmd: n, OK: true})
}

// rowToFile writes the whole text of a row to a new file, also what the window
// shortened, and says where it went.
func (d *driver) rowToFile(n int, c command) {
	at, known := d.stampOf(c.At)
	if !known {
		d.done(n, session.Result{Code: "stale", Error: "No snapshot of that number is known any more. Nothing was done."})
		return
	}
	f, err := save.Create(c.File)
	if err != nil {
		d.done(n, session.Result{Code: "not-written", Error: "The file was not written: " + err.Error() + "."})
		return
	}
	key := history.Key{Turn: c.Turn, Item: c.Item}
	d.s.Do(at, session.Whole{Row: key, To: f}, func(r session.Result) {
		if !r.OK {
			f.Discard()
			d.done(n, r)
			return
		}
		d.files.Go(func() { // the loop waits for no file
			if err := f.Finish(); err != nil {
				d.done(n, session.Result{Code: "not-written", Error: "The file was not written: " + err.Error() + "."})
				return
			}
			d.w.add(fileEvent{"row", n, c.Turn, c.Item, f.Path(), f.Len()}, doneEvent{Event: "done", Cmd: n, OK: true})
		})
	})
}

// A fileEvent says where a row's whole text went.
type fileEvent struct {
	Event string `json:"event"`
	Cmd   int    `json:"cmd"`
	Turn  string `json:"turn"`
	Item  string `json:"item"`
	File  string `json:"file"`
	Bytes int64  `json:"bytes"`
}
