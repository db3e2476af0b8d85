package fakemodel

import (
	"encoding/json"
	"time"
)

// A Script is the whole answer to one request. It ends with
// response.completed unless a step ends it otherwise.
type Script struct {
	// Match restricts a queued script to requests whose body contains it.
	Match string
	// Keep leaves a queued script in the queue after use.
	Keep  bool
	Steps []Step
	// Usage is what the response claims to have cost; nil means a small default.
	Usage *Usage
}

// Usage is the token count that a response reports.
type Usage struct{ Input, Cached, Output, Reasoning int64 }

// Answer makes a script of steps.
func Answer(steps ...Step) Script { return Script{Steps: steps} }

// Say makes a script that says one text.
func Say(text string) Script { return Answer(Text{Text: text}) }

// A Step is one action of a script. The set is closed.
//
//sumtype:decl
type Step interface{ step() }

type (
	// Text is an assistant message, streamed in deltas: word by word, or by
	// Chunk bytes when that is positive, with Delay before each.
	Text struct {
		Text  string
		Chunk int
		Delay time.Duration
	}
	// Reasoning is a reasoning item with one summary part.
	Reasoning struct {
		Text  string
		Chunk int
		Delay time.Duration
	}
	// Call is a function call. Arguments is encoded as JSON; a string or a
	// json.RawMessage is taken as it is.
	Call struct {
		Name, Namespace, ID string
		Arguments           any
	}
	// CustomCall is a call of a free-form tool.
	CustomCall struct{ Name, ID, Input string }
	// RawItem is sent as a finished output item.
	RawItem struct{ JSON json.RawMessage }
	// RawEvent is sent as an event of the type it names.
	RawEvent struct{ JSON json.RawMessage }
	// Pause waits. Tests use a Gate instead.
	Pause struct{ For time.Duration }
	// Gate waits until Server.Open of its name.
	Gate struct{ Name string }
	// Hang never goes on; only the client or Close ends it.
	Hang struct{}
	// Status answers with an HTTP status instead of a stream. It counts only
	// as the first step.
	Status struct {
		Code int
		Body string
	}
	// Failed ends with response.failed.
	Failed struct{ Code, Message string }
	// Incomplete ends with response.incomplete.
	Incomplete struct{ Reason string }
	// Cut breaks the connection in the middle of the stream.
	Cut struct{}
)

func (Text) step()       {}
func (Reasoning) step()  {}
func (Call) step()       {}
func (CustomCall) step() {}
func (RawItem) step()    {}
func (RawEvent) step()   {}
func (Pause) step()      {}
func (Gate) step()       {}
func (Hang) step()       {}
func (Status) step()     {}
func (Failed) step()     {}
func (Incomplete) step() {}
func (Cut) step()        {}
