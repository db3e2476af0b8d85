package protocol

import (
	"regexp"
	"strings"
)

// Codes of server errors. Nearly every refusal is invalidRequest: which one it
// is, only the method and the words say (trap 3).
const (
	codeInvalidRequest = -32600
	codeNotSupported   = -32601
	codeOverloaded     = -32001
)

// A refusalText is how servers word one refusal. The texts were the same in
// every version tried, 0.155.1, 0.159.1 and 0.171.0, where the method exists.
type refusalText struct {
	code    int64
	methods []string // none: any
	text    *regexp.Regexp
}

const anyID = `[^\s:]+`

func exact(code int64, pattern string, methods ...string) refusalText {
	return refusalText{code, methods, regexp.MustCompile(`(?s)\A` + pattern + `\z`)}
}

func (t refusalText) is(method string, code int64, message string) bool {
	if code != t.code || !t.text.MatchString(message) {
		return false
	}
	for _, m := range t.methods {
		if m == method {
			return true
		}
	}
	return len(t.methods) == 0
}

var (
	notMaterialized = exact(codeInvalidRequest, `thread `+anyID+` is not materialized yet; .*`, "thread/turns/list", "thread/read")
	itemsUnsupp     = exact(codeNotSupported, `thread/items/list is not supported yet`, "thread/items/list")
	activeWriter    = exact(codeInvalidRequest, `thread `+anyID+` already has an active writer`, "thread/resume", "thread/fork", "turn/start")
	archived        = exact(codeInvalidRequest, `session `+anyID+" is archived\\. Run `codex unarchive "+anyID+"` to unarchive it first\\.", "thread/resume", "thread/fork")
	noRollout       = exact(codeInvalidRequest, `no (archived )?rollout found for thread id `+anyID)
	noActiveTurn    = exact(codeInvalidRequest, `no active turn to (steer|interrupt)`, "turn/steer", "turn/interrupt")
	wrongTurn       = exact(codeInvalidRequest, "expected active turn id `?.*`? but found `?.*`?", "turn/steer", "turn/interrupt")
	threadNotFound  = exact(codeInvalidRequest, `thread not (found|loaded): `+anyID)
	experimental    = exact(codeInvalidRequest, `\S+ requires experimentalApi capability`)
	unknownMethod   = exact(codeInvalidRequest, "Invalid request: unknown variant `.*`, expected one of .*")
	badCursor       = exact(codeInvalidRequest, `invalid cursor: .*`)
	overloaded      = exact(codeOverloaded, `Server overloaded; retry later\.`)
)

// The functions below name a refusal by its exact text. A text they do not
// know is a plain failure: every one of them is false for it.

// IsOverloadText reports the refusal of a full server: nothing was carried out.
// The answer must hold no data besides (ruling 3).
func IsOverloadText(code int64, message string) bool {
	return overloaded.is("", code, message)
}

// IsNotMaterialized reports that a thread has nothing yet: no turn was sent
// (ruling 15).
func IsNotMaterialized(method string, code int64, message string) bool {
	return notMaterialized.is(method, code, message)
}

// IsItemsUnsupported reports that this thread has no item pages: it is legacy,
// ephemeral, unknown or has no turn. It is never about the server (ruling 6).
func IsItemsUnsupported(method string, code int64, message string) bool {
	return itemsUnsupp.is(method, code, message)
}

// IsActiveWriter reports that another server process has the thread (ruling 11).
func IsActiveWriter(method string, code int64, message string) bool {
	return activeWriter.is(method, code, message)
}

// IsArchived reports that the thread must be unarchived first.
func IsArchived(method string, code int64, message string) bool {
	return archived.is(method, code, message)
}

// IsNoRollout reports that the server has no such thread on its disk.
func IsNoRollout(method string, code int64, message string) bool {
	return noRollout.is(method, code, message)
}

// IsNoActiveTurn reports that there is no turn to steer or interrupt.
func IsNoActiveTurn(method string, code int64, message string) bool {
	return noActiveTurn.is(method, code, message)
}

// IsWrongTurn reports that another turn runs than the one named.
func IsWrongTurn(method string, code int64, message string) bool {
	return wrongTurn.is(method, code, message)
}

// IsNotFound reports that the server has no such thread, or has not loaded it.
func IsNotFound(method string, code int64, message string) bool {
	return threadNotFound.is(method, code, message)
}

// NeedsExperimental reports that the method or field is for connections with
// experimentalApi only.
func NeedsExperimental(method string, code int64, message string) bool {
	return experimental.is(method, code, message)
}

// IsUnknownMethod reports that the server does not know the method. It says so
// with the code and words of a bad parameter, too: the variant must be the
// method itself.
func IsUnknownMethod(method string, code int64, message string) bool {
	return unknownMethod.is(method, code, message) && strings.Contains(message, "`"+method+"`, expected")
}

// IsBadCursor reports that the server does not take the cursor.
func IsBadCursor(method string, code int64, message string) bool {
	return badCursor.is(method, code, message)
}
