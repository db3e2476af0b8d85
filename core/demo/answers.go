package demo

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"holdfast/core/fakemodel"
	"holdfast/core/seed"
)

// An answerer is the scripted model for whatever the person types. It looks
// into the folder of the conversations, so that what it proposes always fits.
type answerer struct {
	dir string
	// pace is the pause before each streamed word.
	pace time.Duration
}

// An example is something to try: a word that the model looks for, and a
// message that contains it.
type example struct {
	words   []string
	message string
	shows   string
	answer  func(answerer, fakemodel.Request) fakemodel.Script
}

// examples are looked through in order; the first with a word in the message
// answers it.
func examples() []example {
	return []example{
		{[]string{"story", "long", "stream"}, "Tell me a long story", "a long answer, word by word", answerer.story},
		{[]string{"slow", "stop"}, "Answer slowly", "an answer to stop: press Stop while it comes", answerer.slow},
		{[]string{"command", "approve", "run "}, "Run a command", "an approval: the card asks before anything runs", answerer.command},
		{[]string{"change", "diff", "edit"}, "Change a file", "a file change and its diff, to approve", answerer.change},
		{[]string{"plan", "step"}, "Make a plan", "a plan in three steps", answerer.plan},
		{[]string{"image", "picture"}, "Look at the image", "an image that the model looked at", answerer.look},
		{[]string{"ask", "question"}, "Ask me something", "a question with choices", answerer.ask},
		{[]string{"fail", "error"}, "Fail on purpose", "a turn that fails, and what is said about it", answerer.fail},
	}
}

// answer answers one request.
func (a answerer) answer(r fakemodel.Request) fakemodel.Script {
	if call, output := r.Answered(); call != "" {
		return a.after(call, output)
	}
	asked := strings.ToLower(r.Asked())
	for _, e := range examples() {
		for _, word := range e.words {
			if strings.Contains(asked, word) {
				return e.answer(a, r)
			}
		}
	}
	return fakemodel.Answer(a.say(help()))
}

// help is what the model says when it does not know what is wanted.
func help() string {
	var b strings.Builder
	b.WriteString("I am a scripted model: I run inside this demo and know a few things to show. Try one of these:\n\n")
	for _, e := range examples() {
		b.WriteString("- **" + e.message + "**: " + e.shows + "\n")
	}
	b.WriteString("\nThe server between us is a real one, so what you see is what it does.")
	return b.String()
}

func (a answerer) say(text string) fakemodel.Step {
	return fakemodel.Text{Text: text, Delay: a.pace}
}

func (a answerer) think(text string) fakemodel.Step {
	return fakemodel.Reasoning{Text: text, Delay: a.pace}
}

func (a answerer) slow(fakemodel.Request) fakemodel.Script {
	return fakemodel.Answer(fakemodel.Text{Text: strings.Repeat(story+"\n\n", 3), Delay: 8 * a.pace})
}

func (a answerer) story(fakemodel.Request) fakemodel.Script {
	return fakemodel.Answer(a.think("**A story** about the sea, then."), a.say(strings.Repeat(story+"\n\n", 3)+"The end."))
}

func (a answerer) command(fakemodel.Request) fakemodel.Script {
	return fakemodel.Answer(
		a.say("I would like to see what is in the folder."),
		call("command", seed.Command("ls -l && wc -l tides.go", "It reads the folder, outside the sandbox.")),
	)
}

func (a answerer) change(fakemodel.Request) fakemodel.Script {
	text, patch := "`High` does not check the hour. I will add that.", addCheck
	now, err := os.ReadFile(filepath.Join(a.dir, "tides.go"))
	switch {
	case err != nil:
		text, patch = "`tides.go` is gone. I write it anew.", "*** Add File: tides.go\n+package tides\n"
	case strings.Contains(string(now), "is not in the day"):
		text, patch = "`High` checks the hour already. I take that out again.", removeCheck
	}
	return fakemodel.Answer(a.say(text), call("change", seed.Patch(patch)))
}

func (a answerer) plan(fakemodel.Request) fakemodel.Script {
	return fakemodel.Answer(a.think("**Making a plan** of three steps."), a.say(steps))
}

func (a answerer) look(fakemodel.Request) fakemodel.Script {
	return fakemodel.Answer(
		a.say("Let me look at the drawing of the tides."),
		fakemodel.Call{Name: "view_image", ID: callID("look"), Arguments: map[string]string{"path": filepath.Join(a.dir, imageName)}},
	)
}

func (answerer) ask(r fakemodel.Request) fakemodel.Script {
	if _, ok := r.Offers("request_user_input"); !ok {
		return fakemodel.Say("This server does not let me ask questions here.")
	}
	return fakemodel.Answer(fakemodel.Call{Name: "request_user_input", ID: callID("ask"), Arguments: map[string]any{
		"questions": []map[string]any{{
			"id": "harbour", "header": "Harbour", "question": "Which harbour is the table for?",
			"options": []map[string]string{
				{"label": "Brest (Recommended)", "description": "The table in the folder is its own."},
				{"label": "Bristol", "description": "The tides are higher there."},
			},
		}},
	}})
}

func (a answerer) fail(fakemodel.Request) fakemodel.Script {
	return fakemodel.Answer(a.say("I begin, and then "), fakemodel.Failed{
		Code: "invalid_prompt", Message: "The scripted model failed because you asked it to.",
	})
}

// callID makes a call id that says what the call was for: unique, because a
// conversation may try the same thing twice.
func callID(what string) string {
	return "call_" + what + "_" + unique()
}

// call gives a step that calls a tool an id.
func call(what string, step fakemodel.Step) fakemodel.Step {
	if c, ok := step.(fakemodel.Call); ok {
		c.ID = callID(what)
		return c
	}
	return step
}

// after goes on when a call was answered.
func (a answerer) after(call, output string) fakemodel.Script {
	what, _, _ := strings.Cut(strings.TrimPrefix(call, "call_"), "_")
	if strings.Contains(output, "rejected") {
		return fakemodel.Answer(a.say("You declined, so nothing was done. Ask again and allow it to see the difference."))
	}
	switch what {
	case "command":
		return fakemodel.Answer(a.say("There are three files. `tides.go` is short enough to read in one go."))
	case "change":
		return fakemodel.Answer(a.say("Done. The diff above is what changed."))
	case "look":
		return fakemodel.Answer(a.say("High water is at five in the morning and at five in the afternoon, a little higher the second time."))
	case "ask":
		return fakemodel.Answer(a.say("Thank you. I will use that table."))
	}
	return fakemodel.Answer(a.say("That worked."))
}
