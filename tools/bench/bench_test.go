package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	tests := []struct {
		name   string
		values map[string][]float64 // what each run of a measure finds; the last one stays
		want   string
		missed int
	}{
		{
			name:   "the first run keeps the bound",
			values: map[string][]float64{"window_usable": {0.62}},
			want:   "window_usable 0.62 s <=0.8\n",
		},
		{
			name:   "the third run keeps the bound",
			values: map[string][]float64{"window_usable": {0.9, 0.81, 0.8}},
			want:   "window_usable 0.80 s <=0.8\n",
		},
		{
			name:   "three runs miss it and the best is shown",
			values: map[string][]float64{"window_usable": {0.9, 0.81, 0.85, 0.1}},
			want:   "window_usable 0.81 s <=0.8\nwindow_usable missed its bound in each of 3 runs\n",
			missed: 1,
		},
		{
			name:   "more is better for a rate",
			values: map[string][]float64{"decode": {99.9, 180.4}},
			want:   "decode 180 MB/s >=100\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var names []string
			for name := range tt.values {
				names = append(names, name)
			}
			run := func(_ context.Context, m measure) ([]byte, error) {
				all := tt.values[m.name]
				v := all[0]
				if len(all) > 1 {
					tt.values[m.name] = all[1:]
				}
				return fmt.Appendf(nil, "goos: linux\n%s-2 \t 1\t 123 ns/op\t %g %s\t 7 other\nPASS\n", m.bench, v, m.metric), nil
			}
			var b strings.Builder
			missed, err := report(t.Context(), &b, run, names)
			if err != nil || missed != tt.missed || b.String() != tt.want {
				t.Errorf("report = %d, %v and printed\n%s\nwant %d and\n%s", missed, err, b.String(), tt.missed, tt.want)
			}
		})
	}
}

func TestReportWithoutValue(t *testing.T) {
	run := func(context.Context, measure) ([]byte, error) { return []byte("PASS\n"), nil }
	var b strings.Builder
	if _, err := report(t.Context(), &b, run, []string{"decode"}); err == nil || b.String() != "" {
		t.Errorf("a benchmark that printed no value gave %v and %q", err, b.String())
	}
}
