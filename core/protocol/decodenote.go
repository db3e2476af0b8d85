package protocol

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

var errIdentity = errors.New("thread, turn or item ID missing")

// DecodeNotification reads the params of a notification. emittedAtMs is the
// time the server put beside them, 0 if none. A method this build does not know
// is [Unknown] and no error.
func DecodeNotification(method string, params jsontext.Value, emittedAtMs int64) (Notification, error) {
	read, ok := notifications[method]
	if !ok {
		return Unknown{Method: method}, nil
	}
	n, err := read(orEmpty(params), emittedAtMs)
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", method, err)
	}
	return n, nil
}

// orEmpty stands in for params that a method may leave out.
func orEmpty(params jsontext.Value) jsontext.Value {
	if len(params) == 0 {
		return jsontext.Value("{}")
	}
	return params
}

// A noteReader reads the params of one method.
type noteReader func(params jsontext.Value, emittedAtMs int64) (Notification, error)

var notifications = map[string]noteReader{
	"thread/started":                    note[ThreadStarted],
	"thread/status/changed":             note[ThreadStatusChanged],
	"thread/archived":                   note[ThreadArchived],
	"thread/unarchived":                 note[ThreadUnarchived],
	"thread/deleted":                    note[ThreadDeleted],
	"thread/closed":                     note[ThreadClosed],
	"thread/reverted":                   note[ThreadReverted],
	"thread/name/updated":               note[ThreadNameUpdated],
	"thread/attachment/updated":         note[AttachmentUpdated],
	"thread/queue/changed":              note[QueueChanged],
	"thread/settings/updated":           note[SettingsUpdated],
	"thread/tokenUsage/updated":         note[TokenUsageUpdated],
	"thread/compacted":                  note[Compacted],
	"turn/started":                      note[TurnStarted],
	"turn/completed":                    note[TurnCompleted],
	"turn/diff/updated":                 readDiff,
	"turn/plan/updated":                 note[TurnPlanUpdated],
	"item/started":                      readStarted,
	"item/completed":                    readCompleted,
	"item/agentMessage/delta":           delta(DeltaMessage),
	"item/plan/delta":                   delta(DeltaPlan),
	"item/reasoning/summaryTextDelta":   delta(DeltaSummary),
	"item/reasoning/textDelta":          delta(DeltaReasoning),
	"item/commandExecution/outputDelta": delta(DeltaOutput),
	"item/fileChange/outputDelta":       delta(DeltaPatch),
	"item/reasoning/summaryPartAdded":   note[ReasoningPartAdded],
	"item/fileChange/patchUpdated":      readPatch,
	"item/mcpToolCall/progress":         note[ToolProgress],
	"serverRequest/resolved":            note[RequestResolved],
	"error":                             note[TurnErrored],
	"warning":                           note[Warning],
	"configWarning":                     note[ConfigWarning],
	"deprecationNotice":                 note[DeprecationNotice],
	"account/updated":                   note[AccountUpdated],
	"account/login/completed":           note[LoginCompleted],
	"account/rateLimits/updated":        note[RateLimitsUpdated],
	"skills/changed":                    note[SkillsChanged],
	"model/rerouted":                    note[ModelRerouted],
}

// note reads a notification by its struct tags.
func note[N Notification](params jsontext.Value, _ int64) (Notification, error) {
	var n N
	if err := json.Unmarshal(params, &n, DecodeOptions()); err != nil {
		return nil, err
	}
	if b, ok := any(&n).(interface{ bound() }); ok {
		b.bound()
	}
	if i, ok := any(n).(interface{ identified() bool }); ok && !i.identified() {
		return nil, errIdentity
	}
	return n, nil
}

func (r ThreadRef) identified() bool { return usable(r.Thread) }
func (r TurnRef) identified() bool   { return r.ThreadRef.identified() && usable(r.Turn) }
func (r ItemRef) identified() bool   { return r.TurnRef.identified() && usable(r.Item) }

// identified is true: a warning need not be about a thread.
func (Warning) identified() bool { return true }

// identified is also about the request.
func (n RequestResolved) identified() bool { return usable(n.Thread) && !n.Request.IsZero() }

// An itemNote is what the item notifications hold, read in one pass.
type itemNote struct {
	ItemRef
	item               Item
	started, completed int64
	part               int64
	text               string
	bytes              int64
	changes            []FileUpdate
	cuts               []Cut
}

// readItemNote reads params without reflection: most of a stream is deltas.
func readItemNote(params jsontext.Value) (n itemNote, err error) {
	r := newReader(decoderOf(params))
	defer r.release()
	r.object("params", func(name string) {
		switch name {
		case "threadId":
			n.Thread = r.str(name)
		case "turnId":
			n.Turn = r.str(name)
		case "itemId":
			n.Item = r.str(name)
		case "summaryIndex", "contentIndex":
			n.part = r.integer(name)
		case "startedAtMs":
			n.started = r.integer(name)
		case "completedAtMs":
			n.completed = r.integer(name)
		case "delta", "diff":
			n.text, n.bytes = r.counted(name)
		case "changes":
			n.changes = r.changes(name)
		case "item":
			r.into(&n.item)
		default:
			r.skip()
		}
	})
	n.cuts = r.cuts
	return n, r.fail()
}

func readDiff(params jsontext.Value, _ int64) (Notification, error) {
	n, err := readItemNote(params)
	if err == nil && !n.TurnRef.identified() {
		err = errIdentity
	}
	return TurnDiffUpdated{TurnRef: n.TurnRef, Diff: n.text, Bytes: n.bytes}, err
}

func readStarted(params jsontext.Value, at int64) (Notification, error) {
	n, err := readItem(params)
	n.item.setTimes(firstTime(n.started, at), 0)
	return ItemStarted{n.TurnRef, n.item}, err
}

func readCompleted(params jsontext.Value, at int64) (Notification, error) {
	n, err := readItem(params)
	n.item.setTimes(n.started, firstTime(n.completed, at))
	return ItemCompleted{n.TurnRef, n.item}, err
}

func firstTime(a, b int64) int64 {
	if a != 0 {
		return a
	}
	return b
}

func readItem(params jsontext.Value) (itemNote, error) {
	n, err := readItemNote(params)
	if err == nil && (!n.TurnRef.identified() || !usable(n.item.ID)) {
		err = errIdentity
	}
	return n, err
}

func readPatch(params jsontext.Value, _ int64) (Notification, error) {
	n, err := readItemNote(params)
	if err == nil && !n.identified() {
		err = errIdentity
	}
	return PatchUpdated{n.ItemRef, n.changes, n.cuts}, err
}

// delta reads a delta. Its kind and its place say what it may be joined with.
func delta(k DeltaKind) noteReader {
	return func(params jsontext.Value, _ int64) (Notification, error) {
		n, err := readItemNote(params)
		if err == nil && !n.identified() {
			err = errIdentity
		}
		return Delta{ItemRef: n.ItemRef, Kind: k, Part: int(n.part), Text: n.text, Bytes: n.bytes}, err
	}
}
