package rpc

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"holdfast/core/protocol"
)

var (
	// ErrNotBegun reports that no byte of the request was handed to the
	// transport. It is made before that, never after (LED-6).
	ErrNotBegun = errors.New("not begun")
	// ErrNoAnswer reports that the request was begun and no answer came: the
	// link ended or its context did. The server may have acted on it (LED-2).
	ErrNoAnswer = errors.New("no answer")
	// ErrUnreadable reports that the server answered with a result that does not
	// decode: the request was carried out (ruling 35).
	ErrUnreadable = errors.New("unreadable answer")
	// ErrBusy reports that too much waits to be sent. It comes with ErrNotBegun.
	ErrBusy = errors.New("too many requests are waiting")
)

var (
	errEnded  = errors.New("the link has ended")
	errServed = errors.New("rpc: Serve was called before")
)

// A ServerError is the server's definitive refusal.
type ServerError struct {
	Code    int64
	Message string
	Data    jsontext.Value // nil when there was none
}

// Error names the code alone: the message is untrusted text.
func (e *ServerError) Error() string { return fmt.Sprintf("server error %d", e.Code) }

// overloadCode and overloadText are the whole overload answer; it means that
// the request was not executed. Any other -32001 is something else (ruling 3).
const (
	overloadCode = -32001
	overloadText = "Server overloaded; retry later."
)

// IsOverload reports whether err is the server's exact overload answer.
func IsOverload(err error) bool {
	e, ok := errors.AsType[*ServerError](err)
	return ok && e.Code == overloadCode && e.Message == overloadText && e.Data == nil
}

// maxMessage is how much is kept of an error's text.
const maxMessage = 8 << 10

// readError takes an error member apart as far as it goes. Whatever its form,
// the server did refuse: a part that cannot be read is left zero.
func readError(v jsontext.Value) *ServerError {
	var w struct {
		Code    jsontext.Value `json:"code"`
		Message jsontext.Value `json:"message"`
		Data    jsontext.Value `json:"data"`
	}
	e := new(ServerError)
	if json.Unmarshal(v, &w, protocol.DecodeOptions()) != nil {
		return e
	}
	e.Code, _ = strconv.ParseInt(string(w.Code), 10, 64)
	if w.Message.Kind() == jsontext.KindString {
		_ = json.Unmarshal(w.Message, &e.Message, protocol.DecodeOptions())
	}
	if len(e.Message) > maxMessage { // it was shortened with a mark before
		e.Message = strings.ToValidUTF8(e.Message[:maxMessage], "") + " …"
	}
	if w.Data.Kind() != jsontext.KindNull {
		e.Data = w.Data
	}
	return e
}

// A FaultKind says what was wrong with a frame that was dropped (ruling 35).
type FaultKind uint8

// The ways a frame can be bad.
const (
	NotObject       FaultKind = iota // not one JSON object, or one of no known form
	NotText                          // a binary frame
	UnknownID                        // an answer to a request we never made
	SecondAnswer                     // an answer to a request that had one
	BadNotification                  // a known notification that does not decode
	BadRequest                       // a known server request that does not decode
)

var faultNames = [...]string{"not an object", "not text", "unknown id", "second answer", "bad notification", "bad request"}

// String names the kind for logs and notices.
func (k FaultKind) String() string {
	if int(k) < len(faultNames) {
		return faultNames[k]
	}
	return "fault"
}

// A Fault is a frame that was dropped. The link goes on.
type Fault struct {
	Kind FaultKind
	// Method and Thread are set for a notification or server request, the thread
	// if it could be read.
	Method, Thread string
	// Err is what was wrong with it; nil says no more than Kind.
	Err error
}
