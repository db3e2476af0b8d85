package main

import (
	"fmt"
	"os"

	"holdfast/tools/internal/require"
)

func main() {
	table, err := require.Read(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "reqs:", err)
		os.Exit(1)
	}
	named, err := require.Named(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "reqs:", err)
		os.Exit(1)
	}
	type sum struct{ named, rows int }
	var areas []string
	sums := map[string]*sum{}
	for _, row := range table {
		s := sums[row.Area()]
		if s == nil {
			s = &sum{}
			sums[row.Area()] = s
			areas = append(areas, row.Area())
		}
		s.rows++
		s.named += min(1, len(named[row.ID]))
	}
	for _, area := range areas {
		fmt.Printf("%s: %d of %d named by a test\n", area, sums[area].named, sums[area].rows)
	}
	for _, row := range table {
		if len(named[row.ID]) == 0 {
			fmt.Printf("  %-7s %s\n", row.ID, row.Text)
		}
	}
}
