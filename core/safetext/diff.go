package safetext

import "strings"

// Diff makes a Doc of a file change: kind is add, delete or update. The text of
// an added or deleted file is its content, and its lines get the sign; that of
// an update is a unified diff, whose signs stay.
func Diff(kind, s string) Doc {
	var b builder
	lines := splitLines(clean(b.clip(s)))
	out := make([][]Span, len(lines))
	unified := kind != "add" && kind != "delete" || looksUnified(lines)
	for i, l := range lines {
		if !unified && kind == "add" {
			l = "+" + l
		} else if !unified {
			l = "-" + l
		}
		if l != "" {
			out[i] = []Span{{Text: l, Mono: true, Class: b.countSign(l, unified)}}
		}
	}
	b.codeLines(Block{Lang: "diff"}, out)
	return b.finish()
}

// looksUnified reports whether the text of an added or deleted file is a patch
// after all.
func looksUnified(lines []string) bool {
	for i, l := range lines {
		if i > 4 {
			return false
		}
		if strings.HasPrefix(l, "@@ -") {
			return true
		}
	}
	return false
}

// countSign returns the class of a diff line and counts it.
func (b *builder) countSign(l string, unified bool) Class {
	switch {
	case unified && (strings.HasPrefix(l, "+++ ") || strings.HasPrefix(l, "--- ") || strings.HasPrefix(l, "diff ")):
		return Muted
	case unified && strings.HasPrefix(l, "@@"):
		return Hunk
	case strings.HasPrefix(l, "+"):
		b.doc.added++
		return Added
	case strings.HasPrefix(l, "-"):
		b.doc.removed++
		return Removed
	}
	return CodeText
}
