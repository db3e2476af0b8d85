package ui

import (
	"fmt"
	"strings"
	"testing"

	"holdfast/core/history"
	"holdfast/core/protocol"
	"holdfast/core/session"
	"holdfast/widgets/transcript"
)

// kinds holds one item of every kind.
func kinds() []protocol.ItemBody {
	return []protocol.ItemBody{
		protocol.UserMessage{Content: []protocol.UserInput{{Type: "text", Text: "hello"}, {Type: "localImage", Path: "/a.png"}, {Type: "image"}, {Type: "skill", Name: "s"}}},
		protocol.AgentMessage{Text: "# Title\n\n- a\n- b"},
		protocol.Plan{Text: "1. one"},
		protocol.Reasoning{Summary: []string{"**Thinking about it**\nmore"}},
		protocol.CommandExecution{Command: "ls", Output: "\x1b[31mred\x1b[0m", Status: "completed", ExitCode: number(0)},
		protocol.FileChange{Changes: []protocol.FileUpdate{{Path: "a.go", Kind: "add", Diff: "x"}, {Path: "b.go", Kind: "delete"}}},
		protocol.FileChange{},
		protocol.ToolCall{Server: "s", Tool: "t", Status: "failed", Arguments: `{"a":1}`, Error: "no"},
		protocol.CollabCall{Tool: "spawn", Prompt: "do"},
		protocol.SubAgent{Kind: "started", Path: "a/b"},
		protocol.WebSearch{Query: "q"},
		protocol.ImageView{Path: "/i.png"},
		protocol.ImageGeneration{Status: "completed", SavedPath: "/o.png", Bytes: 9},
		protocol.Review{Entered: true},
		protocol.Review{Text: "fine"},
		protocol.Compaction{},
		protocol.Sleep{DurationMs: 1500},
		protocol.HookPrompt{Fragments: []string{"f"}},
		protocol.FunctionOutput{Name: "n", Output: "o"},
		protocol.UnknownItem{Summary: "{}"},
		nil,
	}
}

// Every item kind shows something, safely, and none breaks the view.
func TestEveryItemKindShows(t *testing.T) {
	var rows []*history.Row
	seen := map[string]bool{}
	for i, b := range kinds() {
		rows = append(rows, row("u1", fmt.Sprint("i", i), 1, b))
		seen[fmt.Sprintf("%T", b)] = true
		made := bodyRows(rows[i].Item)
		if len(made) == 0 {
			t.Errorf("%T makes no row", b)
		}
		for _, r := range made {
			if r.Head.Empty() && len(r.Body) == 0 {
				t.Errorf("%T makes an empty row", b)
			}
		}
	}
	wantEqual(t, "kinds", len(seen), 19)
	d := newDesk(t, 1200, 800)
	d.show(with(joined, func(s *session.Snapshot) { s.History = &history.View{Rows: rows} }))
	d.c.Capture()
}

// Hostile bytes in any field stay text.
func TestHostileTextIsNeutralized(t *testing.T) {
	evil := "a\x00b\x1b[2Jc\u202ed\u0007"
	for _, r := range bodyRows(protocol.Item{Body: protocol.CommandExecution{Command: evil, Output: evil, Status: evil}}) {
		all := r.Head.String()
		for _, b := range r.Body {
			all += b.Plain()
		}
		if strings.ContainsAny(all, "\x00\x1b\u202e\u0007") {
			t.Errorf("control characters reach the row: %q", all)
		}
	}
}

func keysOf(rows []*transcript.Row) []string {
	var out []string
	for _, r := range rows {
		out = append(out, r.Key)
	}
	return out
}

// A row is made again only when it changed, and keys are those of one owner,
// connection and conversation (ruling 7).
func TestRowsAreKeptByRevision(t *testing.T) {
	s := baseSnapshot()
	joined(s)
	m := newRowMaker()
	first := m.build(s)
	again := *s
	again.History = sampleView()
	again.History.Rows = append([]*history.Row{}, s.History.Rows...)
	again.History.Rows[1] = row("u1", "i2", 2, protocol.AgentMessage{Text: "changed"})
	second := m.build(&again)
	if len(second) != len(first) {
		t.Fatalf("%d rows, want %d", len(second), len(first))
	}
	for i := range first {
		if same := first[i] == second[i]; same != (i != 1) {
			t.Errorf("row %d kept = %v, want %v", i, same, i != 1)
		}
	}
	other := again
	other.Generations.Connection++
	for i, k := range keysOf(m.build(&other)) {
		if k == second[i].Key {
			t.Errorf("row %d keeps its key over a new connection", i)
		}
	}
}

// What was sent and is not seen yet is a row at the end, with what is known.
func TestPendingOperationsShow(t *testing.T) {
	for state, want := range map[string]string{
		"InFlight": "Sending…", "OutcomeUnknown": "Sent, no answer. It may have run.",
		"Confirmed": "Accepted, not yet seen in the history.", "Rejected": "", "NotSent": "",
	} {
		s := baseSnapshot()
		joined(s)
		s.Operations = &session.Operations{Rows: []*session.Operation{
			{ID: "o1", Kind: "turn/start", Thread: "t1", State: state, Text: "hello", At: noon},
			{ID: "o2", Kind: "turn/start", Thread: "t2", State: state, Text: "elsewhere", At: noon},
			{ID: "o3", Kind: "turn/start", Thread: "t1", State: state, Text: "seen", Seen: true, At: noon},
		}}
		rows := newRowMaker().build(s)
		last := rows[len(rows)-1]
		got := ""
		if strings.HasPrefix(last.Key, operationKey) {
			got = last.Notes[0].Text.String()
		}
		wantEqual(t, state, got, want)
	}
}

// A message that was accepted and is missing is said to be so, whatever way it
// was sent, and its text is not given up without a question.
func TestMissingMessagesShow(t *testing.T) {
	for gone, want := range map[session.Gone][2]string{
		session.NoTrace:  {"Accepted, but there is no trace of it in the history.", "no trace"},
		session.NotTaken: {"Accepted, but its turn ended without it.", "not taken"},
	} {
		for _, kind := range []string{"turn/start", "turn/steer", "thread/queue/add"} {
			d := newDesk(t, 1200, 800)
			d.show(with(joined, func(s *session.Snapshot) {
				s.Operations = &session.Operations{Rows: []*session.Operation{
					{ID: "o1", Kind: kind, Thread: "t1", State: "Confirmed", Gone: gone, Text: "hello", At: noon},
					{ID: "o2", Kind: kind, Thread: "t1", State: "Confirmed", Gone: gone, Restored: true, Text: "restored", At: noon},
					{ID: "o3", Kind: "thread/queue/add", Thread: "t1", State: "Confirmed", Text: "waits", At: noon},
				}}
			}))
			rows := newRowMaker().build(d.w.snap)
			last := rows[len(rows)-2]
			wantEqual(t, kind, last.Notes[0].Text.String()+" "+last.Notes[0].Action, want[0]+" "+actionReview)
			wantEqual(t, "short", string(stateOf(d.w.snap.Operations.Rows[0]).short), want[1])
			if got := d.w.unsentIn(); len(got) != 1 || !strings.HasPrefix(got[0], "a lost message of ") {
				t.Errorf("closing asks for %q, want the one that was not restored", got)
			}
			d.w.copyDrafts()
			wantEqual(t, "copied", d.w.app.Clipboard().Content(), "hello")
		}
	}
}

func TestTurnEndsAreSaid(t *testing.T) {
	for name, tt := range map[string]struct {
		turn history.TurnInfo
		want string
		form transcript.Form
	}{
		"interrupted": {history.TurnInfo{ID: "u1", Status: "interrupted"}, "The turn was interrupted.", transcript.Mark},
		"failed":      {history.TurnInfo{ID: "u1", Status: "failed", Error: &protocol.TurnError{Message: "Out of credit."}}, "The turn failed. Out of credit.", transcript.Failure},
		"no reason":   {history.TurnInfo{ID: "u1", Status: "failed"}, "The turn failed. Send a message to go on.", transcript.Failure},
	} {
		rows := turnEnd("p", tt.turn)
		if len(rows) != 1 || rows[0].Head.String() != tt.want || rows[0].Form != tt.form {
			t.Errorf("%s: %+v, want %q", name, rows, tt.want)
		}
	}
	if rows := turnEnd("p", history.TurnInfo{Status: "completed"}); rows != nil {
		t.Errorf("a completed turn makes %+v", rows)
	}
}

func TestWordsForPeople(t *testing.T) {
	unix := func(s int64) int64 { return noon.Unix() - s }
	for at, want := range map[int64]string{
		unix(0): "now", unix(59): "now", unix(60): "1 min", unix(3599): "59 min", unix(3600): "1 h", unix(86399): "23 h",
		unix(86400): "yesterday", unix(2 * 86400): "Sat", unix(8 * 86400): "22 Nov", unix(400 * 86400): "26 Oct 2025", 0: "",
	} {
		wantEqual(t, fmt.Sprint(noon.Unix()-at), ago(noon, at), want)
	}
	for n, want := range map[int64]string{999: "999 bytes", 1000: "1.0 KB", 999_999: "1000.0 KB", 1_200_000: "1.2 MB"} {
		wantEqual(t, fmt.Sprint(n), bytesWord(n), want)
	}
	for cwd, want := range map[string]string{"/home/me/src/": "src", `C:\Users\me`: "me", "": "", "/": ""} {
		wantEqual(t, cwd, folder(cwd), want)
	}
}
