package protocol

import (
	"fmt"
	"strings"
)

// PlainText is an item as plain text: a command's line, a newline and its
// output; a file change's diffs; else what the item says.
func PlainText(it Item) string {
	var b strings.Builder
	b.Grow(PlainLen(it))
	plain(it, func(s string) { b.WriteString(s) })
	return b.String()
}

// PlainLen is the length of an item's plain text.
func PlainLen(it Item) (n int) {
	plain(it, func(s string) { n += len(s) })
	return n
}

// plain emits the plain text piece by piece.
func plain(it Item, emit func(string)) {
	switch b := it.Body.(type) {
	case UserMessage:
		lines(emit, b.Content, inputText)
	case AgentMessage:
		emit(b.Text)
	case Plan:
		emit(b.Text)
	case Reasoning:
		lines(emit, append(b.Summary[:len(b.Summary):len(b.Summary)], b.Content...), same)
	case CommandExecution:
		emit(b.Command)
		emit("\n")
		emit(b.Output)
	case FileChange:
		plainChanges(b.Changes, emit)
	case ToolCall:
		plainTool(b, emit)
	case CollabCall:
		words(emit, b.Tool, strings.Join(b.Receivers, " "), b.Prompt)
	case SubAgent:
		words(emit, b.Kind, b.Path)
	case WebSearch:
		words(emit, b.Query, b.Action)
	case ImageView:
		emit(b.Path)
	case ImageGeneration:
		plainImage(b, emit)
	case Review:
		emit(b.Text)
	case Compaction:
		emit("The history before this was summarized.")
	case Sleep:
		emit(fmt.Sprintf("Waited %d ms.", b.DurationMs))
	case HookPrompt:
		lines(emit, b.Fragments, same)
	case FunctionOutput:
		words(emit, b.Name, b.Output)
	case UnknownItem:
		emit(b.Summary)
	case nil:
	}
}

// lines emits a line for each element.
func lines[T any](emit func(string), list []T, text func(T) string) {
	for i, x := range list {
		if i > 0 {
			emit("\n")
		}
		emit(text(x))
	}
}

// words emits the parts that say something, a line each.
func words(emit func(string), parts ...string) {
	first := true
	for _, p := range parts {
		if p == "" {
			continue
		}
		if !first {
			emit("\n")
		}
		emit(p)
		first = false
	}
}

func same(s string) string { return s }

// inputText is one part of a message in words.
func inputText(in UserInput) string {
	switch in.Type {
	case "image", "audio":
		if in.Bytes > 0 {
			return binary(in.Type, in.Media, in.Bytes)
		}
		return "[" + in.Type + ": " + in.URL + "]"
	case "localImage", "localAudio":
		return "[" + in.Type + ": " + in.Path + "]"
	case "skill":
		return "$" + in.Name
	case "mention":
		return "@" + in.Name
	}
	return in.Text
}

// binary stands for data that is not kept.
func binary(kind, media string, n int64) string {
	if media != "" {
		kind += " " + media
	}
	return fmt.Sprintf("[%s, %d bytes]", kind, n)
}

// plainChanges emits the diffs, each under its path.
func plainChanges(list []FileUpdate, emit func(string)) {
	for i, u := range list {
		if i > 0 {
			emit("\n")
		}
		words(emit, strings.TrimSpace(u.Kind+" "+u.Path), u.MovedTo, u.Diff)
	}
}

func plainTool(b ToolCall, emit func(string)) {
	name := b.Tool
	if b.Server != "" {
		name = b.Server + "." + b.Tool
	}
	words(emit, name, b.Arguments, b.Result, b.Error)
}

func plainImage(b ImageGeneration, emit func(string)) {
	size := ""
	if b.Bytes > 0 {
		size = binary("image", "", b.Bytes)
	}
	words(emit, b.Prompt, b.SavedPath, size)
}
