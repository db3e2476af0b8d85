package ui

import "sync/atomic"

// A Poster hands the newest value to the window's goroutine. However often
// Publish is called, at most one post is waiting, and what it applies is the
// newest (UI-3).
type Poster[T any] struct {
	do     func(func())
	apply  func(*T)
	latest atomic.Pointer[T]
	queued atomic.Bool
}

// NewPoster makes a Poster that runs apply through do.
func NewPoster[T any](do func(func()), apply func(*T)) *Poster[T] {
	return &Poster[T]{do: do, apply: apply}
}

// Publish may be called from any goroutine.
func (p *Poster[T]) Publish(v *T) {
	p.latest.Store(v)
	if !p.queued.CompareAndSwap(false, true) {
		return
	}
	p.do(func() {
		p.queued.Store(false) // before Load: a later Publish must queue again
		p.apply(p.latest.Load())
	})
}

// A Preparer works on the newest value off the window's goroutine, one at a
// time, and skips those that were replaced meanwhile.
type preparer[T any] struct {
	run    func(func())
	work   func(*T)
	latest atomic.Pointer[T]
	busy   atomic.Bool
}

func (p *preparer[T]) put(v *T) {
	p.latest.Store(v)
	if p.busy.CompareAndSwap(false, true) {
		p.run(p.loop)
	}
}

func (p *preparer[T]) loop() {
	for {
		for v := p.latest.Swap(nil); v != nil; v = p.latest.Swap(nil) {
			p.work(v)
		}
		p.busy.Store(false)
		// A value that came between the last look and the flag starts anew.
		if p.latest.Load() == nil || !p.busy.CompareAndSwap(false, true) {
			return
		}
	}
}
