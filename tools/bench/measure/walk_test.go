package measure

import (
	"fmt"
	"strings"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/seed"
)

// messages holds a conversation whose newest page of items is 100 messages of a megabyte each.
var messages = realserver.Seed{Name: "messages100", Revision: 1, Make: func(h *realserver.Home, m *seed.Maker) error {
	var steps []fakemodel.Step
	for i := range 100 {
		steps = append(steps, seed.Said(fmt.Sprint("msg_mib_", i), strings.Repeat("megabyte", 1<<17)))
	}
	_, err := m.Make(h.Context(), seed.Thread{Name: "Much text", Turns: []seed.Turn{
		{Ask: "Say a lot", Answers: []fakemodel.Script{fakemodel.Answer(steps...)}},
	}})
	return err
}}

// window is what the rows of a window may hold.
const window = 16

// BenchmarkPage100MiB reads a page of 100 items of 1 MiB: by how much that raises the peak of the process's memory, above
// the window that is then full.
func BenchmarkPage100MiB(b *testing.B) {
	home := realserver.New(b, realserver.Target, fakemodel.Config{})
	messages.Into(home)
	url := home.ListenWS().URL
	for b.Loop() {
		d := drive(b, url)
		d.until(func() bool { return d.state() == "awaiting-selection" })
		id := d.thread("Much text")
		pid := d.cmd.Process.Pid
		before := memory(b, pid, "VmRSS")
		d.send(fmt.Sprintf(`{"do":"select","thread":%q}`, id))
		d.until(func() bool { return d.state() == "ready" && d.rows() > 1 })
		b.ReportMetric(float64(memory(b, pid, "VmHWM")-before)/1024-window, "MiB")
	}
}

// BenchmarkWalk3000 walks 3,000 items to the oldest and back: by how much that raises the process's memory above what it
// was when the window became full.
func BenchmarkWalk3000(b *testing.B) {
	walk(b, realserver.Long3000, "Three thousand items", "older", "newer")
}

// giant is 500 MB.
var giant = realserver.Giant(100_000)

// BenchmarkWalk100000 walks 100,000 items of 5 KB to the oldest.
func BenchmarkWalk100000(b *testing.B) { walk(b, giant, realserver.GiantName, "older") }

func walk(b *testing.B, of realserver.Seed, title string, ends ...string) {
	home := realserver.New(b, realserver.Target, fakemodel.Config{})
	of.Into(home)
	url := home.ListenWS().URL
	for b.Loop() {
		d := drive(b, url)
		d.until(func() bool { return d.state() == "awaiting-selection" })
		pid := d.cmd.Process.Pid
		d.send(fmt.Sprintf(`{"do":"select","thread":%q}`, d.thread(title)))
		d.until(func() bool { return d.dones > 0 })
		full := 0
		for _, end := range ends {
			for string(d.now[end]) == "true" {
				done := d.dones
				d.send(fmt.Sprintf(`{"do":%q}`, end))
				d.until(func() bool { return d.dones > done })
				if d.rows() == 1000 && full == 0 {
					full = memory(b, pid, "VmHWM")
				}
			}
		}
		b.ReportMetric(float64(memory(b, pid, "VmHWM")-full)/1024, "MiB")
	}
}
