package demo

import (
	"fmt"
	"path/filepath"

	"github.com/google/uuid"

	"holdfast/core/fakemodel"
	"holdfast/core/seed"
)

func unique() string { return uuid.NewString()[:8] }

// conversations are what the demo begins with; the last one is the newest and
// stands first in the list.
func conversations(dir string) []seed.Thread {
	turn := func(ask string, answers ...fakemodel.Script) seed.Turn { return seed.Turn{Ask: ask, Answers: answers} }
	long := seed.Long("Three hundred items", 12, 26)
	picture := filepath.Join(dir, imageName)
	return []seed.Thread{
		{Name: "Old notes", Archived: true, Turns: []seed.Turn{turn("Are these notes still needed?", fakemodel.Say("No. They can be archived."))}},
		long,
		{Name: "An older conversation", Legacy: true, Turns: []seed.Turn{
			turn("Is this conversation older?", fakemodel.Say("Yes: it is kept in the form that earlier versions of Codex used.")),
		}},
		{Name: "A turn that failed", Turns: []seed.Turn{
			turn("What is the highest tide of the year?", fakemodel.Answer(fakemodel.Failed{Code: "invalid_prompt", Message: "The tide table for next year is not printed yet."})),
		}},
		{Name: "潮の満ち引き", Turns: []seed.Turn{
			turn("満潮は何時ですか。", fakemodel.Say("満潮は午前五時と午後五時ごろです。\n\n- **午前**: 4.9 m\n- **午後**: 5.0 m\n\n潮位表は港ごとに異なりますので、ご確認ください。")),
		}},
		{Name: "The drawing of the tides", Turns: []seed.Turn{
			{Ask: "What does this show?", Images: []string{picture}, Answers: []fakemodel.Script{
				fakemodel.Answer(fakemodel.Call{Name: "view_image", ID: "call_view_seed", Arguments: map[string]string{"path": picture}}),
				fakemodel.Say("A day of tides: one bar an hour, high water twice."),
			}},
		}},
		{Name: "Check the hour", Turns: []seed.Turn{
			turn("Which functions take an hour?",
				fakemodel.Answer(fakemodel.Reasoning{Text: "**Looking for the functions.** There is one file only."},
					seed.Command("grep -n 'func ' *.go", "To list the functions.")),
				fakemodel.Say("Only `High` in `tides.go`.")),
			turn("Add a test for it.",
				fakemodel.Answer(fakemodel.Text{Text: "I add a test beside it."}, seed.Patch(newTest)),
				fakemodel.Say("`tides_test.go` checks the first and the last hour of the day.")),
		}},
		{Name: "A plan for the tides", Turns: []seed.Turn{
			{Ask: "How would you make the table safer to use?", Mode: "plan", Answers: []fakemodel.Script{fakemodel.Say(plan)}},
			{Ask: "Thank you, that is enough.", Mode: "default", Answers: []fakemodel.Script{fakemodel.Say("The plan stays here for when you want it.")}},
		}},
		{Name: "How the tide table works", Turns: []seed.Turn{
			turn("How do I read the table?", fakemodel.Say(table)),
			turn("And in code?", fakemodel.Say(code)),
		}},
		{Name: "Start here", Turns: []seed.Turn{turn("What can I try?", fakemodel.Say(welcome()))}},
	}
}

// welcome is the first thing a person sees.
func welcome() string {
	text := "This is a real Codex app-server. Only the model is scripted: it runs inside this program, " +
		"so nothing leaves your machine and no account is needed.\n\n" +
		"You are reading this conversation. **Join** it to write in it, type one of these, and send it with Ctrl+Enter:\n\n"
	for _, e := range examples() {
		text += fmt.Sprintf("- `%s`: %s\n", e.message, e.shows)
	}
	return text + "\nThe other conversations in the list show a table and code, a plan, a diff, an image, Japanese, a failed turn, " +
		"an older form of history, and three hundred items to scroll through."
}
