package ui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"holdfast/core/history"
	"holdfast/core/protocol"
	"holdfast/core/session"
)

// cutRow is a command whose output the window shortened.
func cutRow(state history.RowState, size int64) *history.Row {
	r := row("u1", "c1", 1, protocol.CommandExecution{Command: "cat log", Output: "short", Status: "completed", ExitCode: number(0)})
	r.Item.Type, r.State, r.Cut, r.Bytes = "commandExecution", state, history.CutLocal, size
	return r
}

// viewing opens the viewer of a cut row, by keyboard alone.
func viewing(t *testing.T, size int64) *desk {
	t.Helper()
	d := newDesk(t, 1200, 800)
	d.show(with(joined, func(s *session.Snapshot) {
		s.History = &history.View{Rows: []*history.Row{cutRow(history.Final, size)}}
	}))
	d.c.Capture() // rows have a place once they were drawn
	d.core.names()
	d.press(fyne.Key2, fyne.KeyModifierAlt)
	d.press(fyne.KeyHome, 0)
	d.press(fyne.KeyReturn, 0) // opens the fold
	d.press(fyne.KeyReturn, 0) // and does what its note offers
	wantEqual(t, "dialog", d.dialog(), "whole row")
	return d
}

// give answers the newest read with a text, in pieces, and its end.
func (d *desk) give(text string, r session.Result) error {
	d.t.Helper()
	n := len(d.core.asked) - 1
	in, ok := d.core.asked[n].(session.Whole)
	if !ok {
		d.t.Fatalf("asked is %T", d.core.asked[n])
	}
	var err error
	for len(text) > 0 && err == nil {
		m := min(len(text), 30_000)
		_, err = in.To.Write([]byte(text[:m]))
		text = text[m:]
		d.drain()
	}
	d.core.done[n](r)
	d.drain()
	return err
}

func (d *desk) pressButton(name string) {
	d.t.Helper()
	for range 20 {
		if d.focus() == name {
			d.press(fyne.KeyReturn, 0)
			return
		}
		d.press(fyne.KeyTab, 0)
	}
	d.t.Fatalf("no button %q: the keyboard is at %q", name, d.focus())
}

// numbered is a text of that many lines of 16 bytes.
func numbered(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "line %010d\n", i)
	}
	return b.String()
}

var fine = session.Result{OK: true}

// A row that was shortened is shown whole in parts, and what is held is bounded
// (ruling 9): what lies beyond is read again.
//
// req: HIS-6
func TestAWholeRowInParts(t *testing.T) {
	text := numbered(330_000) // 5 MB
	d := viewing(t, int64(len(text)))
	if err := d.give(text, fine); err != nil {
		t.Fatal(err)
	}
	v := d.w.viewer
	wantEqual(t, "focus", d.focus(), "code")
	wantEqual(t, "status", v.status.String(), "0 bytes to 65.5 KB of 5.3 MB")
	var got strings.Builder
	got.WriteString(v.shown())
	reads := 1
	for !v.more.Disabled() {
		d.core.names()
		v.more.Tapped(nil)
		d.drain()
		if len(d.core.asked) > 0 {
			reads++
			if err := d.give(text, fine); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(v.text.kept); n > partsKept {
			t.Fatalf("%d bytes are held", n)
		}
		got.WriteString(v.shown())
	}
	if got.String() != text || reads != 2 {
		t.Errorf("%d bytes were shown in %d reads, want %d in 2", got.Len(), reads, len(text))
	}
	for !v.prev.Disabled() {
		v.prev.Tapped(nil)
		d.drain()
		if n := len(d.core.asked); n > 0 {
			if err := d.give(text, fine); err != nil {
				t.Fatal(err)
			}
			d.core.names()
		}
	}
	if v.shown() != text[:partShown] {
		t.Errorf("the first part is %d bytes", len(v.shown()))
	}
}

func TestAWholeRowIsCopied(t *testing.T) {
	d := viewing(t, 30)
	if err := d.give("one\ttwo \x1b[31m\u202e\r\nthree", fine); err != nil {
		t.Fatal(err)
	}
	d.pressButton("copy")
	d.drain()
	if got := d.w.app.Clipboard().Content(); strings.ContainsAny(got, "\x1b\u202e\r") || !strings.HasPrefix(got, "one\ttwo ") || !strings.HasSuffix(got, "\nthree") {
		t.Errorf("copied %q", got)
	}
	if s := d.w.viewer.status.String(); !strings.HasSuffix(s, "Copied.") {
		t.Errorf("said %q", s)
	}
	d.press(fyne.KeyEscape, 0)

	d = viewing(t, 5_000_000)
	text := numbered(5_000_000 / 16)
	_ = d.give(text, fine)
	d.pressButton("copy") // more than is held: it is read once more
	_ = d.give(text, fine)
	wantEqual(t, "copied", len(d.w.app.Clipboard().Content()), len(text))
	d.pressButton("copy")
	_ = d.give("half", session.Result{Code: "lost", Error: "The connection ended. The text is not complete."})
	if s := d.w.viewer.status.String(); !strings.HasSuffix(s, "Not copied. The connection ended. The text is not complete.") {
		t.Errorf("said %q", s)
	}

	d = viewing(t, mostCopied+1)
	wantEqual(t, "copy is off", d.w.viewer.copy.Disabled(), true)
}

func TestAWholeRowIsSaved(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	d := viewing(t, 8)
	_ = d.give("the text", fine)
	save := func(name string) {
		d.pressButton("save")
		wantEqual(t, "dialog", d.dialog(), "save to a file")
		wantEqual(t, "focus", d.focus(), "file")
		if name != "" {
			d.write(filepath.Join(dir, name))
		}
		d.press(fyne.KeyReturn, 0)
		d.drain()
	}
	said := func(want string) {
		t.Helper()
		if s := d.w.viewer.status.String(); !strings.HasSuffix(s, want) {
			t.Errorf("said %q, want %q at its end", s, want)
		}
	}
	save("")
	_ = d.give("the text\x1b", fine)
	path := filepath.Join(dir, "holdfast-commandExecution-c1.txt")
	said("Saved 9 bytes to " + path + ".")
	if got, err := os.ReadFile(path); err != nil || string(got) != "the text\x1b" {
		t.Errorf("%q, %v", got, err)
	}
	save("")
	said("Not saved: the file exists already.")
	save("second.txt")
	_ = d.give("half", session.Result{Code: "lost", Error: "The connection ended."})
	said("Not saved. The connection ended.")
	if _, err := os.Stat(filepath.Join(dir, "second.txt")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a half file stays: %v", err)
	}
}

// A viewer that closes ends its reading; one that fails says why.
func TestAWholeRowEnds(t *testing.T) {
	d := viewing(t, 5_000_000)
	in := d.core.asked[len(d.core.asked)-1].(session.Whole)
	if _, err := in.To.Write([]byte("one")); err != nil {
		t.Fatal(err)
	}
	d.press(fyne.KeyEscape, 0)
	if _, err := in.To.Write([]byte("two")); !errors.Is(err, errNotWanted) {
		t.Errorf("after the end: %v", err)
	}
	wantEqual(t, "focus", d.focus(), "transcript")
	d = viewing(t, 5_000_000)
	_ = d.give("half", session.Result{Code: "not-listed", Error: "The server does not list this row now."})
	if got := d.w.viewer.status.String(); got != "The server does not list this row now." {
		t.Errorf("said %q", got)
	}
}

// Only what is finished, and what we shortened, can be had whole.
func TestWhatOffersToShowAll(t *testing.T) {
	for _, c := range []struct {
		row  *history.Row
		want string
	}{
		{cutRow(history.Final, 200_000), "shortened here · 200.0 KB/Show all"},
		{cutRow(history.Partial, 200_000), "shortened here · 200.0 KB/"},
		{
			&history.Row{Cut: history.CutLocal, State: history.Final, Bytes: 5, Item: protocol.Item{Cuts: []protocol.Cut{{}, {Server: true}}}},
			"shortened here · 5 bytes/Show allcut by the server/",
		},
		{&history.Row{Cut: history.CutServer, State: history.Final}, "cut by the server/"},
		{&history.Row{State: history.Final}, ""},
	} {
		got := ""
		for _, n := range cutNotes(c.row) {
			got += n.Text.String() + "/" + n.Do.String()
			if (n.Action == actionWhole) != !n.Do.Empty() {
				t.Errorf("%q does %q", got, n.Action)
			}
		}
		wantEqual(t, "note", got, c.want)
	}
}

// A part ends at a line, or else at a rune.
func TestParts(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"short", 10, "short"},
		{"aaaa\nbbbb\ncc", 11, "aaaa\nbbbb\n"},
		{"a\nbbbbbbbbbbbb", 10, "a\nbbbbbbbb"},
		{"aaaaaaaaé", 9, "aaaaaaaa"},
		{"aaaaaaa😀b", 11, "aaaaaaa😀"},
		{"aaaaaaa😀b", 10, "aaaaaaa"},
	} {
		k := &keeper{most: 100}
		_, _ = k.Write([]byte(c.text))
		wantEqual(t, "part", k.part(0, c.most), c.want)
	}
	k := &keeper{from: 3, most: 4}
	for _, s := range []string{"ab", "cde", "fghij"} {
		_, _ = k.Write([]byte(s))
	}
	wantEqual(t, "kept", string(k.kept), "defg")
	wantEqual(t, "total", k.size(), 10)
	wantEqual(t, "outside", k.part(1, 9)+k.part(7, 9), "")
	if _, all := k.whole(); all {
		t.Error("a stretch is no whole")
	}
}
