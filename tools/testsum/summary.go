package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// counts is how many tests ended how.
type counts struct{ Passed, Failed, Skipped int }

func (c *counts) add(d counts) {
	c.Passed += d.Passed
	c.Failed += d.Failed
	c.Skipped += d.Skipped
}

// String is the line that a person or a program looks for at the end.
func (c counts) String() string {
	return fmt.Sprintf("tests: %d passed, %d failed, %d skipped", c.Passed, c.Failed, c.Skipped)
}

// event is one line of go test -json; of a build's output too, which has an ImportPath instead of a Package.
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

// summary gathers events and prints a line whenever a package is done.
type summary struct {
	w       io.Writer
	counts  counts
	pkgs    map[string]*counts
	output  map[[2]string]*strings.Builder // by package and test, until it is known whether it is wanted
	skipped []string
}

func newSummary(w io.Writer) *summary {
	return &summary{w: w, pkgs: map[string]*counts{}, output: map[[2]string]*strings.Builder{}}
}

// read takes events until the stream ends. A line that is no event is printed as it is.
func (s *summary) read(r io.Reader) error {
	br := bufio.NewReader(r)
	for {
		line, err := br.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) == nil && e.Action != "" {
				s.take(e)
			} else {
				s.w.Write(line)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the test output: %w", err)
		}
	}
}

func (s *summary) take(e event) {
	switch e.Action {
	case "output":
		key := [2]string{e.Package, e.Test}
		if s.output[key] == nil {
			s.output[key] = &strings.Builder{}
		}
		s.output[key].WriteString(e.Output)
	case "build-output":
		io.WriteString(s.w, e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			s.donePackage(e)
		} else {
			s.doneTest(e)
		}
	}
}

func (s *summary) doneTest(e event) {
	c := s.pkgs[e.Package]
	if c == nil {
		c = &counts{}
		s.pkgs[e.Package] = c
	}
	key := [2]string{e.Package, e.Test}
	switch e.Action {
	case "pass":
		c.Passed++
	case "skip":
		c.Skipped++
		s.skipped = append(s.skipped, e.Package+" "+e.Test)
	case "fail":
		c.Failed++
		fmt.Fprintf(s.w, "--- failed: %s %s\n%s", e.Package, e.Test, s.text(key))
	}
	delete(s.output, key)
}

func (s *summary) donePackage(e event) {
	c := s.pkgs[e.Package]
	if c == nil {
		c = &counts{}
	}
	delete(s.pkgs, e.Package)
	if e.Action == "fail" {
		s.printRest(e.Package)
		if c.Failed == 0 {
			c.Failed++ // it did not build, panicked or ran out of time: that is a failure of its own
		}
	}
	delete(s.output, [2]string{e.Package, ""})
	s.counts.add(*c)
	if *c == (counts{}) {
		return
	}
	word := "ok  "
	if e.Action == "fail" {
		word = "FAIL"
	}
	fmt.Fprintf(s.w, "%s %-40s %5d passed %3d failed %3d skipped %7.1fs\n", word, e.Package, c.Passed, c.Failed, c.Skipped, e.Elapsed)
}

// printRest prints what a failed package said outside tests that ended, such as a panic's stack.
func (s *summary) printRest(pkg string) {
	for _, key := range slices.SortedFunc(maps.Keys(s.output), func(a, b [2]string) int { return strings.Compare(a[1], b[1]) }) {
		if key[0] == pkg {
			io.WriteString(s.w, s.text(key))
			delete(s.output, key)
		}
	}
}

func (s *summary) text(key [2]string) string {
	if b := s.output[key]; b != nil {
		return b.String()
	}
	return ""
}

// finish prints the skipped tests and the total.
func (s *summary) finish() {
	for _, name := range s.skipped {
		fmt.Fprintln(s.w, "skipped:", name)
	}
	fmt.Fprintln(s.w, s.counts)
}
