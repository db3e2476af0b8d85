package seed

import (
	"encoding/json"
	"fmt"
	"strings"

	"holdfast/core/fakemodel"
)

// Command is a call that runs a command outside the sandbox, which the server
// asks about first.
func Command(cmd, why string) fakemodel.Step {
	return fakemodel.Call{Name: "exec_command", Arguments: map[string]string{
		"cmd": cmd, "sandbox_permissions": "require_escalated", "justification": why,
	}}
}

// Patch is a call that changes files; body is what stands between "Begin
// Patch" and "End Patch". The server runs apply_patch itself when it sees it
// as a command, also where the model is not offered the tool of that name.
func Patch(body string) fakemodel.Step {
	patch := "*** Begin Patch\n" + strings.TrimSuffix(body, "\n") + "\n*** End Patch\n"
	return fakemodel.Call{Name: "exec_command", Arguments: map[string]string{
		"cmd": "apply_patch <<'EOF'\n" + patch + "EOF\n",
	}}
}

// Said is a finished assistant message with no deltas. The id must not come
// twice in one turn.
func Said(id, text string) fakemodel.Step {
	raw, err := json.Marshal(map[string]any{
		"type": "message", "id": id, "role": "assistant",
		"content": []map[string]string{{"type": "output_text", "text": text}},
	})
	if err != nil {
		return fakemodel.Text{Text: text} // cannot happen: only strings
	}
	return fakemodel.RawItem{JSON: raw}
}

// Long is a conversation of turns questions with perTurn items each, the
// question among them.
func Long(name string, turns, perTurn int) Thread {
	th := Thread{Name: name}
	for i := range turns {
		var steps []fakemodel.Step
		for k := 1; k < perTurn; k++ {
			text := fmt.Sprintf("Part %d of the answer to question %d. %s", k, i+1, filler[(i+k)%len(filler)])
			steps = append(steps, Said(fmt.Sprintf("msg_long_%d_%d", i+1, k), text))
		}
		th.Turns = append(th.Turns, Turn{
			Ask:     fmt.Sprintf("Question %d", i+1),
			Answers: []fakemodel.Script{fakemodel.Answer(steps...)},
		})
	}
	return th
}

var filler = []string{
	"The build is green again after the change.",
	"The reader keeps its place while older rows come in above it, so what is being read never moves.",
	"Nothing else uses this function, and the one test that names it still passes.",
	"It opens the file, reads one line, and closes it; an empty file is not an error.",
	"Two callers pass an absolute path. The third joins it with the working folder first, which is why it worked there.",
}
