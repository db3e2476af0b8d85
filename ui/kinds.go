package ui

import (
	"fmt"
	"strings"

	"holdfast/core/protocol"
	"holdfast/core/safetext"
	"holdfast/core/words"
	"holdfast/widgets/transcript"
)

// bodyRows shows an item. Every kind has its form: none may be missing, and
// none may break the view.
func bodyRows(it protocol.Item) []*transcript.Row {
	switch b := it.Body.(type) {
	case protocol.UserMessage:
		return one(userRow(it, b))
	case protocol.AgentMessage:
		return one(&transcript.Row{Form: transcript.Agent, Who: safetext.Trusted("Codex"), When: when(it), Body: docs(safetext.Markdown(b.Text))})
	case protocol.Plan:
		return one(&transcript.Row{Form: transcript.Agent, Who: safetext.Trusted("Plan"), When: when(it), Body: docs(safetext.Markdown(b.Text))})
	case protocol.Reasoning:
		return one(reasoningRow(b))
	case protocol.CommandExecution:
		return one(commandRow(b))
	case protocol.FileChange:
		return fileRows(b)
	case protocol.ToolCall:
		return one(toolRow(b))
	case protocol.CollabCall:
		return one(fold(line("Sub-agents: %s · %s", b.Tool, words.N(len(b.Receivers), "1 agent", "%d agents")), b.Status, safetext.Markdown(b.Prompt)))
	case protocol.SubAgent:
		return one(mark(line("Sub-agent %s · %s", b.Kind, b.Path)))
	case protocol.WebSearch:
		return one(fold(safetext.Join(" · ", safetext.Trusted("Searched the web"), safetext.MakeLine(b.Query)), "", safetext.Plain(b.Action)))
	case protocol.ImageView:
		return one(mark(line("Looked at the image %s", b.Path)))
	case protocol.ImageGeneration:
		return one(imageRow(b))
	case protocol.Review:
		return one(reviewRow(b))
	case protocol.Compaction:
		return one(mark(safetext.Trusted("The context before this was summarized.")))
	case protocol.Sleep:
		return one(mark(line("Waited %s", duration(b.DurationMs))))
	case protocol.HookPrompt:
		return one(fold(safetext.Trusted("Text from a hook"), "", safetext.Plain(strings.Join(b.Fragments, "\n"))))
	case protocol.FunctionOutput:
		return one(fold(line("Output of %s", b.Name), "", safetext.ANSI(b.Output)))
	case protocol.UnknownItem:
		return one(fold(line("An item this version does not know: %s", it.Type), "", safetext.Plain(b.Summary)))
	}
	return one(fold(line("An item this version does not know: %s", it.Type), "", safetext.Doc{}))
}

func one(r *transcript.Row) []*transcript.Row { return []*transcript.Row{r} }

func docs(d safetext.Doc) []safetext.Doc {
	if d.Empty() {
		return nil
	}
	return []safetext.Doc{d}
}

func mark(head safetext.Line) *transcript.Row {
	return &transcript.Row{Form: transcript.Mark, Head: head}
}

// fold is a quiet row: a dim head with a body behind it.
func fold(head safetext.Line, status string, body safetext.Doc) *transcript.Row {
	return &transcript.Row{
		Form: transcript.Quiet, Head: head, Body: docs(body),
		Verdict: statusWords(status), Running: status == "inProgress",
	}
}

// statusWords say how something ended, where it is not plain.
func statusWords(status string) []transcript.Word {
	switch status {
	case "failed":
		return []transcript.Word{{Text: safetext.Trusted("failed"), Tone: transcript.Bad}}
	case "declined":
		return []transcript.Word{{Text: safetext.Trusted("declined"), Tone: transcript.Bad}}
	case "inProgress":
		return []transcript.Word{{Text: safetext.Trusted("running"), Tone: transcript.Dim}}
	}
	return nil
}

func userRow(it protocol.Item, m protocol.UserMessage) *transcript.Row {
	row := &transcript.Row{Form: transcript.User, Who: safetext.Trusted("You"), When: when(it)}
	for _, in := range m.Content {
		switch in.Type {
		case "text":
			row.Body = append(row.Body, docs(safetext.Plain(in.Text))...)
		case "image", "audio":
			row.Body = append(row.Body, safetext.Plain("["+partWord(in.Type)+"]"))
		default:
			name := in.Name
			if name == "" {
				name = in.Path
			}
			row.Body = append(row.Body, safetext.Plain(fmt.Sprintf("[%s: %s]", partWord(in.Type), name)))
		}
	}
	return row
}

func partWord(kind string) string {
	switch kind {
	case "image", "localImage":
		return words.T("image")
	case "audio", "localAudio":
		return words.T("audio")
	}
	return kind
}

func reasoningRow(r protocol.Reasoning) *transcript.Row {
	head := safetext.Trusted("Thinking")
	for _, s := range r.Summary {
		first, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
		if first = strings.Trim(strings.ReplaceAll(first, "**", ""), "*# "); first != "" {
			head = safetext.MakeLine(first)
			break
		}
	}
	text := strings.Join(append(append([]string{}, r.Summary...), r.Content...), "\n\n")
	return fold(head, "", safetext.Markdown(text))
}

func commandRow(c protocol.CommandExecution) *transcript.Row {
	row := &transcript.Row{
		Form: transcript.Command, Head: safetext.MakeLine(c.Command),
		Body: docs(safetext.ANSI(c.Output)), Running: c.Status == "inProgress",
	}
	switch {
	case c.Status == "declined":
		row.Verdict = append(row.Verdict, transcript.Word{Text: safetext.Trusted("declined"), Tone: transcript.Warn})
	case c.ExitCode != nil && *c.ExitCode == 0:
		row.Verdict = append(row.Verdict, transcript.Word{Text: safetext.Trusted("ok"), Tone: transcript.Good})
	case c.ExitCode != nil:
		row.Verdict = append(row.Verdict, transcript.Word{Text: line("exit %d", *c.ExitCode), Tone: transcript.Bad})
	default:
		row.Verdict = statusWords(c.Status)
	}
	if c.DurationMs != nil {
		row.Verdict = append(row.Verdict, transcript.Word{Text: safetext.MakeLine(duration(*c.DurationMs))})
	}
	return row
}

// fileRows is one fold for each file. A patch without files still shows.
func fileRows(f protocol.FileChange) []*transcript.Row {
	if len(f.Changes) == 0 {
		return one(fold(safetext.Trusted("File change"), f.Status, safetext.Doc{}))
	}
	var out []*transcript.Row
	for _, u := range f.Changes {
		diff := safetext.Diff(u.Kind, u.Diff)
		row := &transcript.Row{Form: transcript.FileChange, Head: fileHead(u), Body: docs(diff), Running: f.Status == "inProgress"}
		row.Verdict = statusWords(f.Status)
		if diff.Added() > 0 {
			row.Verdict = append(row.Verdict, transcript.Word{Text: line("+%d", diff.Added()), Tone: transcript.Good})
		}
		if diff.Removed() > 0 {
			row.Verdict = append(row.Verdict, transcript.Word{Text: line("−%d", diff.Removed()), Tone: transcript.Bad})
		}
		out = append(out, row)
	}
	return out
}

func fileHead(u protocol.FileUpdate) safetext.Line {
	head := safetext.MakeLine(u.Path)
	switch {
	case u.MovedTo != "":
		return safetext.Join(" → ", head, safetext.MakeLine(u.MovedTo))
	case u.Kind == "add":
		return safetext.Join(" · ", head, safetext.Trusted("new"))
	case u.Kind == "delete":
		return safetext.Join(" · ", head, safetext.Trusted("deleted"))
	}
	return head
}

func toolRow(c protocol.ToolCall) *transcript.Row {
	row := fold(safetext.Join(" · ", safetext.MakeLine(c.Server), safetext.MakeLine(c.Tool)), c.Status, safetext.Doc{})
	if c.Arguments != "" {
		row.Body = append(row.Body, docs(safetext.Code("json", c.Arguments))...)
	}
	if c.Result != "" {
		row.Body = append(row.Body, docs(safetext.Code("", c.Result))...)
	}
	if c.Error != "" {
		row.Body = append(row.Body, docs(safetext.Plain(c.Error))...)
		row.Notes = append(row.Notes, transcript.Note{Text: safetext.MakeLine(c.Error), Tone: transcript.Bad})
	}
	if c.DurationMs != nil {
		row.Verdict = append(row.Verdict, transcript.Word{Text: safetext.MakeLine(duration(*c.DurationMs))})
	}
	return row
}

func imageRow(g protocol.ImageGeneration) *transcript.Row {
	head := safetext.Trusted("Made an image")
	if g.SavedPath != "" {
		head = line("Made an image: %s", g.SavedPath)
	}
	row := fold(head, g.Status, safetext.Plain(g.Prompt))
	if g.Bytes > 0 {
		row.Verdict = append(row.Verdict, transcript.Word{Text: safetext.MakeLine(bytesWord(g.Bytes))})
	}
	return row
}

func reviewRow(r protocol.Review) *transcript.Row {
	if r.Entered {
		return mark(safetext.Join(" ", safetext.Trusted("A review began."), safetext.MakeLine(r.Text)))
	}
	return &transcript.Row{Form: transcript.Agent, Who: safetext.Trusted("Review"), Body: docs(safetext.Markdown(r.Text))}
}
