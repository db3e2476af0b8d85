package play

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"holdfast/core/fakemodel"
	"holdfast/core/seed"
)

// A model answers by chance: quickly, slowly, with commands and patches that
// ask, with failures.
type model struct {
	mu  sync.Mutex
	rng *rand.Rand
	n   int
}

func newModel(seed uint64) *model { return &model{rng: rand.New(rand.NewPCG(seed, 11))} }

func (m *model) answer(r fakemodel.Request) fakemodel.Script {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.n++
	ms := func(n int) time.Duration { return time.Duration(m.rng.IntN(n)) * time.Millisecond }
	say := fakemodel.Text{Text: fmt.Sprintf("answer %d of several words and more", m.n), Delay: ms(25)}
	if r.Asked() == "" {
		return fakemodel.Answer(say) // after a tool call
	}
	switch k := m.rng.IntN(20); {
	case k < 7:
		return fakemodel.Answer(say)
	case k < 10:
		return fakemodel.Answer(say, fakemodel.Pause{For: ms(1200)}, fakemodel.Text{Text: "and the end", Delay: ms(20)})
	case k < 14:
		return fakemodel.Answer(say, seed.Command("echo hello", "to see it"))
	case k < 16:
		return fakemodel.Answer(seed.Patch(fmt.Sprintf("*** Add File: note-%d.txt\n+a line\n", m.n)))
	case k < 17:
		return fakemodel.Answer(fakemodel.Reasoning{Text: "thinking about it", Delay: ms(10)}, say)
	case k < 18:
		return fakemodel.Answer(say, fakemodel.Cut{})
	case k < 19:
		return fakemodel.Answer(fakemodel.Status{Code: 500, Body: `{"error":{"message":"no"}}`})
	}
	return fakemodel.Answer(say, fakemodel.Pause{For: 3 * time.Second}, say)
}
