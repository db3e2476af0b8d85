package measure

import (
	"fmt"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/seed"
)

// outputs holds a conversation whose newest page of items is one frame of 31 MB: 31 commands that wrote a megabyte each,
// which is as much as the server keeps of one.
var outputs = realserver.Seed{Name: "outputs31", Revision: 1, Make: func(h *realserver.Home, m *seed.Maker) error {
	turn := seed.Turn{Ask: "Write a lot"}
	for range 31 {
		turn.Answers = append(turn.Answers, fakemodel.Answer(seed.Command(`head -c 1100000 /dev/zero | tr '\0' x`, "a measure")))
	}
	turn.Answers = append(turn.Answers, fakemodel.Say("Written."))
	_, err := m.Make(h.Context(), seed.Thread{Name: "Much output", Turns: []seed.Turn{turn}})
	return err
}}

// BenchmarkFrame31MB reads a frame of 31 MB: by how much that raises the peak of the process's memory.
func BenchmarkFrame31MB(b *testing.B) {
	home := realserver.New(b, realserver.Target, fakemodel.Config{})
	outputs.Into(home)
	url := home.ListenWS().URL
	for b.Loop() {
		d := drive(b, url)
		d.until(func() bool { return d.state() == "awaiting-selection" })
		id := d.thread("Much output")
		pid := d.cmd.Process.Pid
		before := memory(b, pid, "VmRSS")
		d.send(fmt.Sprintf(`{"do":"select","thread":%q}`, id))
		d.until(func() bool { return d.state() == "ready" && d.rows() > 31 })
		b.ReportMetric(float64(memory(b, pid, "VmHWM")-before)/1024, "MiB")
	}
}

// memory reads a figure of a process's memory, in KiB.
func memory(b *testing.B, pid int, name string) int {
	b.Helper()
	kib, err := realserver.Memory(pid, name)
	if err != nil {
		b.Fatal(err)
	}
	return kib
}
