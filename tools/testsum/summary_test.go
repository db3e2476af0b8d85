package main

import (
	"strings"
	"testing"
)

func TestSummary(t *testing.T) {
	tests := []struct {
		name, in, want string
		counts         counts
	}{
		{
			name: "a package that passes is one line",
			in: `{"Action":"output","Package":"p","Test":"TestA","Output":"noise\n"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Elapsed":1.5}`,
			want: "ok   p                                            1 passed   0 failed   0 skipped     1.5s\n" +
				"tests: 1 passed, 0 failed, 0 skipped\n",
			counts: counts{Passed: 1},
		},
		{
			name: "a failure is printed in full and skips are named",
			in: `{"Action":"output","Package":"p","Test":"TestA","Output":"got 1, want 2\n"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"skip","Package":"p","Test":"TestB"}
{"Action":"fail","Package":"p","Elapsed":0.1}`,
			want: "--- failed: p TestA\ngot 1, want 2\n" +
				"FAIL p                                            0 passed   1 failed   1 skipped     0.1s\n" +
				"skipped: p TestB\ntests: 0 passed, 1 failed, 1 skipped\n",
			counts: counts{Failed: 1, Skipped: 1},
		},
		{
			name: "a package that does not build fails and shows why",
			in: `{"Action":"build-output","ImportPath":"p","Output":"p.go:1: oops\n"}
{"Action":"build-fail","ImportPath":"p"}
{"Action":"fail","Package":"p","FailedBuild":"p"}`,
			want: "p.go:1: oops\n" +
				"FAIL p                                            0 passed   1 failed   0 skipped     0.0s\n" +
				"tests: 0 passed, 1 failed, 0 skipped\n",
			counts: counts{Failed: 1},
		},
		{
			name: "a panic's stack is shown although its test never ended",
			in: `{"Action":"output","Package":"p","Test":"TestA","Output":"panic: oh\n"}
{"Action":"fail","Package":"p"}`,
			want: "panic: oh\n" +
				"FAIL p                                            0 passed   1 failed   0 skipped     0.0s\n" +
				"tests: 0 passed, 1 failed, 0 skipped\n",
			counts: counts{Failed: 1},
		},
		{
			name:   "a package without tests says nothing",
			in:     `{"Action":"skip","Package":"p"}`,
			want:   "tests: 0 passed, 0 failed, 0 skipped\n",
			counts: counts{},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			s := newSummary(&b)
			if err := s.read(strings.NewReader(tt.in)); err != nil {
				t.Fatal(err)
			}
			s.finish()
			if b.String() != tt.want {
				t.Errorf("printed\n%s\nwant\n%s", b.String(), tt.want)
			}
			if s.counts != tt.counts {
				t.Errorf("counts %+v, want %+v", s.counts, tt.counts)
			}
		})
	}
}

func TestTotal(t *testing.T) {
	name := t.TempDir() + "/tally"
	for _, c := range []counts{{Passed: 3, Skipped: 1}, {Passed: 4}} {
		if err := addTally(name, c); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	if status := printTotal(&b, name); status != 0 || b.String() != "tests: 7 passed, 0 failed, 1 skipped\n" {
		t.Errorf("status %d, printed %q", status, b.String())
	}
	if err := addTally(name, counts{Failed: 1}); err != nil {
		t.Fatal(err)
	}
	if status := printTotal(&b, name); status != 1 {
		t.Errorf("status %d after a failure, want 1", status)
	}
}
