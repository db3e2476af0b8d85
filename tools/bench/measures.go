package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// measure is one figure with a bound, and the benchmark that finds it.
type measure struct {
	name, unit string
	bound      bound
	pkg, bench string
	metric     string // the unit in the benchmark's own output
	times      string // -benchtime
}

const measurePkg = "./tools/bench/measure"

// measures are all of them, in the order in which they are printed.
var measures = []measure{
	{"window_usable", "s", atMost(0.8), measurePkg, "BenchmarkWindowUsable", "s", "1x"},
	{"awaiting_selection", "s", atMost(1.5), measurePkg, "BenchmarkAwaitingSelection", "s", "1x"},
	{"open_3000", "ms", atMost(300), measurePkg, "BenchmarkOpen3000", "ms", "1x"},
	{"open_3000_requests", "requests", atMost(4), measurePkg, "BenchmarkOpen3000", "requests", "1x"},
	{"open_100000_extra", "ms", atMost(300), measurePkg, "BenchmarkOpen100000", "ms", "1x"},
	{"decode", "MB/s", atLeast(100), "./core/protocol", "BenchmarkItemsPage", "MB/s", "2s"},
	{"recovery_overhead", "ms", atMost(150), "./tools/chaos/play", "BenchmarkRecoveryOverhead", "ms", "1x"},
	{"frame_31mb", "MiB", atMost(64), measurePkg, "BenchmarkFrame31MB", "MiB", "1x"},
	{"page_100x1mib", "MiB", atMost(64), measurePkg, "BenchmarkPage100MiB", "MiB", "1x"},
	{"walk_3000", "MiB", atMost(100), measurePkg, "BenchmarkWalk3000", "MiB", "1x"},
	{"walk_100000", "MiB", atMost(100), measurePkg, "BenchmarkWalk100000", "MiB", "1x"},
	{"merge_1000", "ms", atMost(5), "./core/history", "BenchmarkMergeThousand", "ms", "50x"},
	{"delta", "us", atMost(50), "./core/history", "BenchmarkDelta/1MiB", "us", "1000x"},
	{"attachments_100", "ms", atMost(150), "./core/attachments", "BenchmarkFullList", "ms", "20x"},
	{"snapshot", "us", atMost(100), "./core/session", "BenchmarkSnapshot", "us", "1000x"},
	{"list_10000_filter", "ms", atMost(16), "./ui", "BenchmarkListFilter", "ms", "100x"},
	{"list_10000_scroll", "ms", atMost(16), "./ui", "BenchmarkListScroll", "ms", "100x"},
	{"list_10000_change", "ms", atMost(16), "./ui", "BenchmarkListChange", "ms", "100x"},
	{"find_16mib", "ms", atMost(200), "./widgets/transcript", "BenchmarkFind/all", "ms", "20x"},
	{"find_frame", "ms", atMost(16), "./widgets/transcript", "BenchmarkFind/frame", "ms", "100x"},
	{"snapshot_size", "KiB", atMost(64), "./core/session", "BenchmarkSnapshot", "KiB", "1000x"},
}

// bound is what a value must keep.
type bound struct {
	limit float64
	least bool // the limit is the least that is wanted, not the most
}

func atMost(limit float64) bound  { return bound{limit: limit} }
func atLeast(limit float64) bound { return bound{limit: limit, least: true} }

func (b bound) holds(v float64) bool { return v == b.limit || b.better(v, b.limit) }

// better reports whether v is farther on the good side than w.
func (b bound) better(v, w float64) bool {
	if b.least {
		return v > w
	}
	return v < w
}

// String is the bound as the line shows it.
func (b bound) String() string {
	sign := "<="
	if b.least {
		sign = ">="
	}
	return sign + strconv.FormatFloat(b.limit, 'f', -1, 64)
}

// format shows a value with three significant digits or more.
func format(v float64) string {
	digits := 2
	if v >= 100 || v == float64(int64(v)) {
		digits = 0
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}

// metric finds the value with that unit in the output of one benchmark.
func metric(out []byte, unit string) (float64, error) {
	for line := range bytes.Lines(out) {
		fields := strings.Fields(string(line))
		if len(fields) == 0 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		for i := 2; i+1 < len(fields); i++ {
			if fields[i+1] == unit {
				v, err := strconv.ParseFloat(fields[i], 64)
				if err != nil {
					return 0, fmt.Errorf("read the value of %s: %w", unit, err)
				}
				return v, nil
			}
		}
	}
	return 0, fmt.Errorf("the benchmark printed no value in %s", unit)
}
