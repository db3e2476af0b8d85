package licences

import (
	_ "embed" // of the list
	"strings"
)

//go:embed licences.txt
var list string

// Mark begins the head of one licence in the list.
const Mark = "\n==== "

// A Licence is that of one module or font.
type Licence struct {
	Name, Version, Kind, Text string
}

// All are the licences, by name.
func All() []Licence {
	var out []Licence
	for _, part := range strings.Split("\n"+list, Mark)[1:] {
		head, text, _ := strings.Cut(part, "\n")
		fields := strings.Split(head, " | ")
		for len(fields) < 3 {
			fields = append(fields, "")
		}
		out = append(out, Licence{fields[0], fields[1], fields[2], strings.TrimSpace(text)})
	}
	return out
}
