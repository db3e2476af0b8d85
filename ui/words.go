package ui

import (
	"path"
	"strings"
	"time"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/words"
)

// line makes a line of words that hold something from outside, in the language
// in use.
func line(format string, args ...any) safetext.Line {
	return safetext.MakeLine(words.T(format, args...))
}

// lines makes a line of each line of s, at most limit, and says what is left.
func lines(s string, limit int) []safetext.Line {
	parts := strings.Split(strings.TrimRight(s, "\n"), "\n")
	var out []safetext.Line
	for i, p := range parts {
		if i == limit {
			out = append(out, line("and %d more lines", len(parts)-limit))
			break
		}
		out = append(out, safetext.MakeLine(p))
	}
	return out
}

// folder is the last part of a path, of either kind of separator.
func folder(cwd string) string {
	cwd = strings.TrimRight(strings.ReplaceAll(cwd, `\`, "/"), "/")
	if cwd == "" {
		return ""
	}
	return path.Base(cwd)
}

// ago says how long ago something was, shortly.
func ago(now time.Time, unix int64) string {
	if unix <= 0 {
		return ""
	}
	t := time.Unix(unix, 0)
	d := now.Sub(t)
	switch {
	case d < time.Minute:
		return words.T("now")
	case d < time.Hour:
		return words.T("%d min", int(d.Minutes()))
	case d < 24*time.Hour:
		return words.T("%d h", int(d.Hours()))
	case d < 48*time.Hour:
		return words.T("yesterday")
	case d < 7*24*time.Hour:
		return words.Weekday(t)
	case t.Year() == now.Year():
		return words.Date(t, "2 Jan")
	}
	return words.Date(t, "2 Jan 2006")
}

func clock(t time.Time) string { return t.Format("15:04") }

// bytesWord is a size for people.
func bytesWord(n int64) string {
	switch {
	case n < 1000:
		return words.N(int(n), "1 byte", "%d bytes")
	case n < 1000_000:
		return words.T("%.1f KB", float64(n)/1000)
	}
	return words.T("%.1f MB", float64(n)/1000_000)
}

// duration is a length of time for people.
func duration(ms int64) string {
	switch d := time.Duration(ms) * time.Millisecond; {
	case d < time.Second:
		return words.T("%d ms", ms)
	case d < time.Minute:
		return words.T("%.1f s", d.Seconds())
	default:
		return words.T("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
}

// accessWord is the access as it is shown everywhere.
func accessWord(a session.Access) safetext.Line {
	switch a {
	case session.AccessReadOnly:
		return safetext.Trusted("read-only")
	case session.AccessWorkspace:
		return safetext.Trusted("workspace")
	case session.AccessFull:
		return safetext.Trusted("full access")
	case session.AccessUnknown:
	}
	return safetext.Trusted("access: server's default")
}

// title is a conversation's name, or that it has none.
func title(s string) safetext.Line {
	if strings.TrimSpace(s) == "" {
		return safetext.Trusted("Untitled conversation")
	}
	return safetext.MakeLine(s)
}
