package transcript

import "holdfast/core/safetext"

// A Form says how a row looks.
type Form uint8

// The forms of rows.
const (
	User       Form = iota // Who, When and Body on a tinted card
	Agent                  // Who, When and Body as plain text in the column
	Command                // a fold; Head in code, Verdict, Body is the output
	FileChange             // a fold; Head is the path, in code, Body the diff
	Quiet                  // a fold with a dim head: reasoning, tool calls, searches
	Plan                   // Head and Steps
	Failure                // Head says what is wrong, Body what to do
	Mark                   // Head alone, dim and centred
)

// Folds reports whether rows of the form open and close.
func (f Form) Folds() bool { return f == Command || f == FileChange || f == Quiet }

// A Tone says what a word or note means; the text says it too.
type Tone uint8

// The tones.
const (
	Dim Tone = iota
	Plain
	Good
	Bad
	Warn
)

// A Word is one short text at the right of a fold's head: "exit 1", "1.4 s",
// "+2", "−1".
type Word struct {
	Text safetext.Line
	Tone Tone
}

// A Note is a line of ours under a row: "shortened here · 1.2 MB", "Sent, no
// answer. It may have run."
type Note struct {
	Text safetext.Line
	Tone Tone
	// Action is handed to OnAction when the words of Do ("Show all", "Review")
	// are clicked; "" and an empty Do where there is nothing to do.
	Action string
	Do     safetext.Line
}

// A StepState says how far a step of a plan is.
type StepState uint8

// The states of a step.
const (
	Pending StepState = iota
	Doing
	Done
)

// A Step is one line of a plan's check list.
type Step struct {
	Text  safetext.Line
	State StepState
}

// A Row is one item of the transcript. It is immutable: a changed row is a new
// Row with the same Key and another Version.
type Row struct {
	// Key names the row among all that are shown; Version changes with it.
	Key     string
	Version uint64
	Form    Form
	// Who and When head a message; both may be empty.
	Who, When safetext.Line
	// Head is the line of a fold, plan, failure or mark.
	Head safetext.Line
	// Verdict stands at the right of a fold's head. Running puts a still dot
	// before it.
	Verdict []Word
	Running bool
	// Body is the text. Docs that did not change should be passed again as they
	// are: what is laid out of them is then kept.
	Body  []safetext.Doc
	Steps []Step
	// Open is whether the fold is open until the user says otherwise.
	Open bool
	// Partial puts a thin bar at the left: the row can still grow.
	Partial bool
	Notes   []Note
}
