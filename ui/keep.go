package ui

import (
	"bytes"
	"errors"
	"sync"
	"unicode/utf8"
)

var errNotWanted = errors.New("the text is not wanted any more")

// A keeper takes a text as it comes and keeps a stretch of it, so that what is
// held does not grow with the text (ruling 9).
type keeper struct {
	from, most int64 // which stretch
	// grew is told now and then that more has come; it must not wait.
	grew func()

	mu    sync.Mutex
	kept  []byte
	total int64 // bytes that came
	told  int64 // of total, when grew was told last
	off   bool
}

// tellEvery is how much comes before grew is told again.
const tellEvery = 512 << 10

// Write implements io.Writer.
func (k *keeper) Write(b []byte) (int, error) {
	k.mu.Lock()
	if k.off {
		k.mu.Unlock()
		return 0, errNotWanted
	}
	if start := max(k.from-k.total, 0); start < int64(len(b)) {
		room := k.most - int64(len(k.kept))
		k.kept = append(k.kept, b[start:min(int64(len(b)), start+room)]...)
	}
	k.total += int64(len(b))
	tell := k.grew != nil && (k.told == 0 || k.total-k.told >= tellEvery)
	if tell {
		k.told = k.total
	}
	k.mu.Unlock()
	if tell {
		k.grew()
	}
	return len(b), nil
}

// stop makes every later Write fail, which ends the reading.
func (k *keeper) stop() {
	k.mu.Lock()
	k.off = true
	k.mu.Unlock()
}

// size is how much came so far.
func (k *keeper) size() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.total
}

// whole is the text, if all of it is kept.
func (k *keeper) whole() (string, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return string(k.kept), k.from == 0 && k.total == int64(len(k.kept))
}

// part gives the part of the text that begins at at, most bytes at the most: up
// to the end of its last line if that is not far, else of its last rune.
func (k *keeper) part(at int64, most int) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	i := at - k.from
	if i < 0 || i >= int64(len(k.kept)) {
		return ""
	}
	b := k.kept[i:]
	if len(b) > most {
		b = b[:most]
		if n := bytes.LastIndexByte(b, '\n'); n >= most/2 {
			b = b[:n+1]
		} else if n := lastRune(b); n > 0 {
			b = b[:n]
		}
	}
	return string(b)
}

// lastRune is where a rune begins that b cuts off, its length if none.
func lastRune(b []byte) int {
	for i := len(b) - 1; i >= max(len(b)-utf8.UTFMax, 0); i-- {
		if utf8.RuneStart(b[i]) {
			if utf8.FullRune(b[i:]) {
				return len(b)
			}
			return i
		}
	}
	return len(b)
}
