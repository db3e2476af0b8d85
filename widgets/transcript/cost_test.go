package transcript

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"holdfast/core/safetext"
)

// corpus is 1,000 rows of about 16 MiB: prose, code, giant outputs, CJK, emoji,
// right-to-left text, unbroken lines.
var corpus = sync.OnceValue(makeCorpus)

func makeCorpus() []*Row {
	prose := strings.Repeat("The quick brown fox jumps over the lazy dog and **then some**, with `code` in it. ", 60)
	code := "```go\n" + strings.Repeat("func step(ctx context.Context, gen uint64) error { return nil } // a comment\n", 60) + "```"
	texts := []string{
		prose, prose + "\n\n" + code, strings.Repeat("日本語の文章を折り返して表示する。", 150),
		strings.Repeat("Status: ✅ done 👍🏽 and more. ", 60), strings.Repeat("هذا نص عربي طويل English 123 ", 60), tableMD,
	}
	out := strings.Repeat("ok  \tholdfast/core/session\t0.123s\t[no tests to run] and a long line of words after it\n", 3000)
	rows := make([]*Row, 1000)
	bytes := 0
	for i := range rows {
		key := fmt.Sprint("k", i)
		switch {
		case i%23 == 0:
			rows[i] = &Row{Key: key, Form: Command, Open: true, Head: say("go test ./..."), Body: []safetext.Doc{safetext.ANSI(out)}}
			bytes += len(out)
		case i%97 == 0:
			rows[i] = &Row{Key: key, Form: Command, Open: true, Head: say("cat"), Body: []safetext.Doc{safetext.Plain(strings.Repeat("x", 256<<10))}}
			bytes += 256 << 10
		default:
			s := texts[i%len(texts)]
			rows[i] = message([]Form{User, Agent}[i%2], key, s)
			bytes += len(s)
		}
	}
	for i := 1; bytes < 16<<20; i += 23 {
		s := strings.Repeat(prose, 30)
		rows[i] = message(Agent, rows[i].Key, s)
		bytes += len(s)
	}
	return rows
}

// A frame costs what is visible, not what is there: the counts are bounds on
// work, which do not depend on how fast the machine is.
func TestOnlyWhatIsVisibleIsLaidOut(t *testing.T) {
	s := newStage(t, 760, 760)
	s.SetRows(corpus())
	s.shot()
	if s.layouts > 40 {
		t.Errorf("the first frame laid out %d parts", s.layouts)
	}
	for _, step := range []struct {
		name string
		most int
		do   func()
	}{
		{"wheel", 6, func() { s.ScrollBy(25) }},
		{"page", 40, func() { s.ScrollBy(680) }},
		{"jump", 60, func() { s.dragBar((s.thumb().y + 397) % 700) }},
	} {
		for range 50 {
			before := s.layouts
			step.do()
			s.shot()
			if got := s.layouts - before; got > step.most {
				t.Fatalf("%s: one frame laid out %d parts, want at most %d", step.name, got, step.most)
			}
		}
	}
	if s.held > mostHeld+60 {
		t.Errorf("%d layouts are held, want about %d", s.held, mostHeld)
	}
}

func TestStreamingLaysOutOnePart(t *testing.T) {
	s := newStage(t, 760, 760)
	text := strings.Repeat("words that stream in, one after another. ", 8000)
	s.SetRows([]*Row{message(Agent, "s", text)})
	s.shot()
	for i := range 20 {
		before := s.layouts
		text += "and more "
		r := message(Agent, "s", text)
		r.Version = uint64(i + 2)
		s.SetRows([]*Row{r})
		s.shot()
		if got := s.layouts - before; got > 2 {
			t.Fatalf("delta %d: %d parts laid out, want at most 2", i, got)
		}
	}
}

func TestFrameAllocatesLittle(t *testing.T) {
	s := newStage(t, 760, 760)
	s.SetRows(corpus())
	s.draw(760, 760)
	var before, after runtime.MemStats
	const frames = 50
	runtime.ReadMemStats(&before)
	allocs := testing.AllocsPerRun(frames, func() {
		s.ScrollBy(3)
		s.draw(760, 760)
	})
	runtime.ReadMemStats(&after)
	bytes := (after.TotalAlloc - before.TotalAlloc) / (frames + 1)
	if allocs > 2000 || bytes > 300<<10 {
		t.Errorf("a frame makes %v allocations of %d bytes together, want at most 2000 and 307200", allocs, bytes)
	}
}

func BenchmarkFrame(b *testing.B) {
	s := newStage(b, 760, 760)
	s.SetRows(corpus())
	s.draw(760, 760)
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"still", func() {}},
		{"wheel", func() { s.ScrollBy(25) }},
		{"page", func() { s.ScrollBy(680) }},
		{"jump", func() { s.dragBar((s.thumb().y + 397) % 700) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			s.ScrollToEnd()
			b.ReportAllocs()
			start := cpu()
			for b.Loop() {
				if c.do(); s.place.i == 0 {
					s.ScrollToEnd()
				}
				s.draw(760, 760)
			}
			b.ReportMetric(float64((cpu()-start).Microseconds())/1000/float64(b.N), "cpu-ms/op")
		})
	}
}

func BenchmarkSetRows(b *testing.B) {
	rows := corpus()
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			s := newStage(b, 760, 760)
			s.SetRows(rows)
			s.draw(760, 760)
		}
	})
	b.Run("prepend100", func(b *testing.B) {
		s := newStage(b, 760, 760)
		s.SetRows(rows[100:])
		s.draw(760, 760)
		for i := 0; b.Loop(); i++ {
			s.SetRows(rows[100*(i%2):])
		}
	})
	b.Run("stream280KB", func(b *testing.B) {
		s := newStage(b, 760, 760)
		text := strings.Repeat("words that stream in, one after another. ", 7000)
		docs := [2]*Row{message(Agent, "s", text), message(Agent, "s", text+" more")}
		for i := uint64(0); b.Loop(); i++ {
			r := *docs[i%2]
			r.Version = i
			s.SetRows([]*Row{&r})
			s.draw(760, 760)
		}
	})
	b.Run("resize", func(b *testing.B) {
		s := newStage(b, 760, 760)
		s.SetRows(rows)
		for i := 0; b.Loop(); i++ {
			s.draw(700+i%50, 760)
		}
	})
}
