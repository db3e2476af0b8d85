package export

import (
	"fmt"
	"io"
	"strings"
	"time"

	"holdfast/core/protocol"
	"holdfast/core/safetext"
)

// A Head is what stands before the messages.
type Head struct {
	Title, Folder, Model, Product string
	// At is when the conversation was exported.
	At time.Time
}

// A Writer writes one conversation. Its first error stays.
type Writer struct {
	to   io.Writer
	err  error
	turn string
	// Items is how many were written, Cut how many of them are not whole.
	Items, Cut int
}

// New begins a conversation.
func New(to io.Writer, h Head) *Writer {
	w := &Writer{to: to}
	title := oneLine(h.Title)
	if title == "" {
		title = "Conversation"
	}
	w.say("# " + title + "\n")
	for _, x := range [][2]string{{"Folder", h.Folder}, {"Model", h.Model}, {"Exported", h.At.Format("2006-01-02 15:04") + " by " + h.Product}} {
		if v := oneLine(x[1]); v != "" {
			w.say("\n" + x[0] + ": " + v + "  ")
		}
	}
	w.say("\n")
	return w
}

// Err is why the text could not be written, nil while it could.
func (w *Writer) Err() error { return w.err }

// Item writes one item of a turn.
func (w *Writer) Item(turn string, it protocol.Item) {
	if turn != w.turn {
		w.turn = turn
		w.say("\n---\n")
	}
	w.Items++
	w.body(it)
	if len(it.Cuts) > 0 {
		w.Cut++
		for _, c := range it.Cuts {
			w.say("\n" + cutText(c) + "\n")
		}
	}
}

// Note writes a remark of ours.
func (w *Writer) Note(text string) { w.say("\n> " + oneLine(text) + "\n") }

func cutText(c protocol.Cut) string {
	switch {
	case c.Server:
		return fmt.Sprintf("> The server shortened this (%s).", c.Field)
	case c.Bytes > 0:
		return fmt.Sprintf("> Shortened here: %s has %d bytes in all.", c.Field, c.Bytes)
	}
	return fmt.Sprintf("> Shortened here (%s).", c.Field)
}

func (w *Writer) say(s string) {
	if w.err == nil {
		if _, err := io.WriteString(w.to, s); err != nil {
			w.err = fmt.Errorf("write the conversation: %w", err)
		}
	}
}

func (w *Writer) body(it protocol.Item) {
	switch b := it.Body.(type) {
	case protocol.UserMessage:
		w.message("You", it, userText(b))
	case protocol.AgentMessage:
		w.message("Codex", it, b.Text)
	case protocol.Plan:
		w.message("Plan", it, b.Text)
	case protocol.Review:
		if b.Entered {
			w.mark("A review began: " + b.Text)
			return
		}
		w.message("Review", it, b.Text)
	case protocol.Reasoning:
		w.fold("Thinking", "", strings.Join(append(append([]string{}, b.Summary...), b.Content...), "\n\n"))
	case protocol.CommandExecution:
		w.command(b)
	case protocol.FileChange:
		for _, f := range b.Changes {
			w.fold("File "+f.Kind+": "+f.Path, "diff", f.Diff)
		}
	case protocol.ToolCall:
		w.fold(strings.TrimSuffix("Tool "+b.Tool+" · "+b.Server, " · "), "", strings.TrimSpace(b.Arguments+"\n"+b.Result+"\n"+b.Error))
	case protocol.Compaction:
		w.mark("The context before this was summarized.")
	default:
		w.fold(it.Type, "", protocol.PlainText(it))
	}
}

func userText(m protocol.UserMessage) string {
	var parts []string
	for _, in := range m.Content {
		switch {
		case in.Type == "text":
			parts = append(parts, in.Text)
		case in.Path != "" || in.Name != "":
			parts = append(parts, fmt.Sprintf("[%s: %s]", in.Type, oneLine(strings.TrimSpace(in.Name+" "+in.Path))))
		default:
			parts = append(parts, "["+in.Type+"]")
		}
	}
	return strings.Join(parts, "\n\n")
}

func (w *Writer) message(who string, it protocol.Item, text string) {
	head := "\n## " + who
	if ms := it.StartedAtMs; ms > 0 {
		head += " · " + time.UnixMilli(ms).UTC().Format("2006-01-02 15:04 UTC")
	}
	w.say(head + "\n\n" + safetext.Text(strings.TrimRight(text, "\n")) + "\n")
}

func (w *Writer) mark(text string) { w.say("\n*" + oneLine(text) + "*\n") }

func (w *Writer) command(c protocol.CommandExecution) {
	head := "Command"
	switch {
	case c.ExitCode != nil:
		head += fmt.Sprintf(" · exit %d", *c.ExitCode)
	case c.Status != "":
		head += " · " + oneLine(c.Status)
	}
	w.fold(head, "console", strings.TrimRight("$ "+c.Command+"\n"+safetext.ANSI(c.Output).Plain(), "\n"))
}

// fold writes what is of a machine: a head and a fence.
func (w *Writer) fold(head, language, text string) {
	w.say("\n**" + oneLine(head) + "**\n")
	if text = safetext.Text(text); strings.TrimSpace(text) == "" {
		return
	}
	fence := fenceFor(text)
	w.say("\n" + fence + language + "\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n")
}

// fenceFor is longer than any run of its sign in the text.
func fenceFor(text string) string {
	longest, run := 0, 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return strings.Repeat("`", max(3, longest+1))
}

// oneLine is a text without line breaks, made harmless.
func oneLine(s string) string { return safetext.MakeLineMax(strings.TrimSpace(s), 500).String() }
