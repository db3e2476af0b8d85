package ui

import (
	"strconv"
	"strings"

	"holdfast/core/protocol"
	"holdfast/core/safetext"
)

// markdownOf is an item as Markdown, made harmless; part is which file of a
// patch is meant. Messages are as they were written.
func markdownOf(it protocol.Item, part int) string {
	var parts []string
	switch b := it.Body.(type) {
	case protocol.CommandExecution:
		parts = []string{fenced("sh", b.Command), fenced("", safetext.ANSI(b.Output).Plain())}
	case protocol.FileChange:
		if part < len(b.Changes) {
			u := b.Changes[part]
			parts = []string{"`" + strings.ReplaceAll(u.Path, "`", "'") + "`", fenced("diff", u.Diff)}
		}
	case protocol.ToolCall:
		parts = []string{"**" + strings.TrimPrefix(b.Server+" · "+b.Tool, " · ") + "**", fenced("json", b.Arguments), fenced("", b.Result), b.Error}
	case protocol.Reasoning:
		parts = append(append(parts, b.Summary...), b.Content...)
	default:
		parts = []string{protocol.PlainText(it)}
	}
	var kept []string
	for _, p := range parts {
		if strings.TrimSpace(p) != "" {
			kept = append(kept, p)
		}
	}
	return safetext.Text(strings.Join(kept, "\n\n"))
}

// fenced is code in a fence that the code does not close; nothing for nothing.
func fenced(lang, code string) string {
	if code == "" {
		return ""
	}
	longest, run := 2, 0
	for i := range len(code) {
		if code[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	return fence + lang + "\n" + strings.TrimSuffix(code, "\n") + "\n" + fence
}

// partOf is which of an item's rows a transcript row is, as itemRows made it.
func partOf(prefix, key string) int {
	parts := strings.Split(strings.TrimPrefix(key, prefix), "\x00")
	if len(parts) < 3 {
		return 0
	}
	n, err := strconv.Atoi(parts[2])
	if err != nil {
		return 0
	}
	return n
}
