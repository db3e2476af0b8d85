package protocol

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// A Version is a server version. A pre-release tail is kept for showing and
// does not count in comparisons.
type Version struct {
	Major, Minor, Patch int
	Tail                string
}

// The versions this build knows.
var (
	// Minimum is the oldest version that is not refused.
	Minimum = Version{0, 155, 1, ""}
	// Regression is the older of the two pinned versions.
	Regression = Version{0, 155, 1, ""}
	// Target is the version this build is made for.
	Target = Version{0, 159, 1, ""}
	// NewestKnown is the newest version this build was tried with.
	NewestKnown = Version{0, 171, 0, ""}
)

// maxTail is the longest tail of a version: it is shown in many places.
const maxTail = 64

// ParseVersion reads x.y.z with an optional tail after - or +.
func ParseVersion(s string) (Version, bool) {
	core, tail := s, ""
	if i := strings.IndexAny(s, "-+"); i >= 0 {
		core, tail = s[:i], s[i:]
	}
	parts := strings.Split(core, ".")
	if len(parts) != 3 || len(tail) > maxTail {
		return Version{}, false
	}
	var n [3]int
	for i, p := range parts {
		v, err := strconv.ParseUint(p, 10, 31)
		if err != nil {
			return Version{}, false
		}
		n[i] = int(v)
	}
	return Version{n[0], n[1], n[2], tail}, true
}

// String gives the version as it was read.
func (v Version) String() string {
	return fmt.Sprintf("%d.%d.%d%s", v.Major, v.Minor, v.Patch, v.Tail)
}

// Compare orders versions by their three numbers: -1, 0 or +1.
func (v Version) Compare(w Version) int {
	return cmp.Or(cmp.Compare(v.Major, w.Major), cmp.Compare(v.Minor, w.Minor), cmp.Compare(v.Patch, w.Patch))
}

// Less reports whether v is older than w.
func (v Version) Less(w Version) bool { return v.Compare(w) < 0 }

// ServerVersion finds the server's version in the userAgent of the initialize
// answer, NAME/VERSION (…) …, the only place that tells it. NAME is that of a
// shared server's first client, and may hold a slash or a space itself.
func ServerVersion(userAgent string) (version string, ok bool) {
	for rest := userAgent; ; {
		i := strings.IndexByte(rest, '/')
		if i < 0 {
			return "", false
		}
		rest = rest[i+1:]
		word := rest
		if j := strings.IndexAny(rest, " \t("); j >= 0 {
			word = rest[:j]
		}
		if _, ok := ParseVersion(word); ok {
			return word, true
		}
	}
}
