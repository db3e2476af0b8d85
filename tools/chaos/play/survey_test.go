package play

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

func ctxOfMain() context.Context { return context.Background() }

// A census is what a process holds: goroutines, files and children.
type census struct{ goroutines, files, children int }

func survey() census {
	c := census{goroutines: runtime.NumGoroutine(), children: len(children())}
	if fds, err := os.ReadDir("/proc/self/fd"); err == nil {
		c.files = len(fds)
	}
	return c
}

// children are the processes whose parent is this one.
func children() (pids []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	self := strconv.Itoa(os.Getpid())
	for _, path := range stats {
		raw, err := os.ReadFile(path)
		if err != nil {
			continue // it has just ended
		}
		_, rest, _ := strings.Cut(string(raw), ") ")
		f := strings.Fields(rest)
		if len(f) > 1 && f[1] == self {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// left says what is more than before, after a while.
func (c census) left() (wrong []string) {
	limit := time.Now().Add(10 * time.Second)
	for {
		now := survey()
		if now.goroutines <= c.goroutines && now.files <= c.files && now.children <= c.children {
			return nil
		}
		if time.Now().After(limit) {
			buf := make([]byte, 1<<20)
			buf = buf[:runtime.Stack(buf, true)]
			return []string{fmt.Sprintf("left after the end: %+v, before %+v\n%s", now, c, buf)}
		}
		pause(20 * time.Millisecond)
	}
}
