package ui

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"

	"holdfast/core/session"
)

// conversations are that many, with names as people give them.
func conversations(n int) []*session.ThreadRow {
	rows := make([]*session.ThreadRow, n)
	for i := range rows {
		rows[i] = &session.ThreadRow{
			ID: fmt.Sprint("t", i), Title: fmt.Sprintf("Why does step %d of the nightly build fail?", i), Status: "idle",
			Cwd: fmt.Sprintf("/home/me/src/project-%d", i%97), Branch: "main", RecencyAt: noon.Unix() - int64(i)*600,
		}
	}
	return rows
}

// crowded is a desk with a list of 10,000, drawn.
func crowded(t testing.TB) *desk {
	d := newDesk(t, 1200, 800)
	rows := conversations(10_000)
	d.show(func(s *session.Snapshot) { s.Threads = &session.Threads{Rows: rows} })
	d.c.Capture()
	return d
}

// What the window's goroutine spends on one key in the filter, in a list of
// 10,000: the frame waits for it. Drawing is not in it.
func BenchmarkListFilter(b *testing.B) {
	d := crowded(b)
	d.c.Focus(d.w.side.filter)
	for i := 0; b.Loop(); i++ {
		d.w.side.filter.SetText("step 1234"[:1+i%9])
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms")
}

// What it spends on one turn of the wheel.
func BenchmarkListScroll(b *testing.B) {
	d := crowded(b)
	for i := 0; b.Loop(); i++ {
		d.w.side.list.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, float32(-40+80*(i/200%2)))})
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms")
}

// What it spends when one conversation of the list has changed.
func BenchmarkListChange(b *testing.B) {
	d := crowded(b)
	rows := d.snap.Threads.Rows
	for i := 0; b.Loop(); i++ {
		changed := *rows[i%50]
		changed.Status = [...]string{"active", "idle"}[i%2]
		next := append([]*session.ThreadRow(nil), rows...)
		next[i%50] = &changed
		d.show(func(s *session.Snapshot) { s.Threads = &session.Threads{Rows: next} })
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms")
}
