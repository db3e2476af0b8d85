package session

import (
	"cmp"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"holdfast/core/protocol"
	"holdfast/core/rpc"
	"holdfast/core/safetext"
	"holdfast/core/transport"
)

// Bounds of the secrets that are remembered. One shorter than minSecret cannot
// be told from other words, and masking it would hide nothing.
const (
	maxSecrets = 64
	minSecret  = 4
)

// secrets are what was typed or read as a secret: remembered, in memory only, so
// that it can be masked wherever the server's words about it come back (HIS-9,
// ruling 34). What is no such thing is masked where it has the form of one.
type secrets struct {
	mu    sync.Mutex
	forms []string // longest first
	kept  [][]string
}

// add remembers one, in the forms in which it is quoted.
func (s *secrets) add(secret string) {
	secret = strings.TrimSpace(secret)
	if len(secret) < minSecret {
		return
	}
	inQuotes := strconv.Quote(secret)
	forms := []string{secret, inQuotes[1 : len(inQuotes)-1], url.QueryEscape(secret), url.PathEscape(secret)}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = append(slices.DeleteFunc(s.kept, func(k []string) bool { return k[0] == secret }), forms)
	s.kept = s.kept[max(len(s.kept)-maxSecrets, 0):]
	s.forms = slices.Concat(s.kept...)
	slices.SortFunc(s.forms, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	s.forms = slices.Compact(s.forms)
}

// mask gives the server's words without any secret.
func (s *secrets) mask(text string) string {
	s.mu.Lock()
	forms := s.forms
	s.mu.Unlock()
	for _, f := range forms {
		text = strings.ReplaceAll(text, f, safetext.Masked)
	}
	return safetext.Redact(text)
}

// A veiled error is a refusal whose words hold a secret: what it means is read
// from the error, and shown is what people see.
type veiled struct {
	error
	shown string
}

func (v veiled) Unwrap() error { return v.error }

// veil hides what a refusal quotes.
func (s *secrets) veil(err error) error {
	refused, is := errors.AsType[*rpc.ServerError](err)
	if !is {
		return err
	}
	if shown := s.mask(refused.Message); shown != refused.Message {
		return veiled{err, shown}
	}
	return err
}

// wordsOf are the server's words of a refusal, fit to be shown.
func wordsOf(err error, refused *rpc.ServerError) string {
	if v, is := errors.AsType[veiled](err); is {
		return quote(v.shown)
	}
	return quote(refused.Message)
}

// classify is a failure of a link without what its last words gave away.
func (s *secrets) classify(err error) *transport.Error {
	e := *transport.Classify(err)
	e.Text = s.mask(e.Text)
	return &e
}

// turn is a turn whose error gives nothing away.
func (s *secrets) turn(t protocol.Turn) protocol.Turn {
	if t.Error != nil {
		e := s.turnError(*t.Error)
		t.Error = &e
	}
	return t
}

func (s *secrets) turnError(e protocol.TurnError) protocol.TurnError {
	e.Message, e.Details = s.mask(e.Message), s.mask(e.Details)
	return e
}

// event is a notification whose errors give nothing away. What is said in the
// conversation itself is shown as it is.
func (s *secrets) event(n protocol.Notification) protocol.Notification {
	switch n := n.(type) {
	case protocol.TurnStarted:
		n.Turn = s.turn(n.Turn)
		return n
	case protocol.TurnCompleted:
		n.Turn = s.turn(n.Turn)
		return n
	case protocol.TurnErrored:
		n.Error = s.turnError(n.Error)
		return n
	default: // quotes nothing of what was asked
		return n
	}
}

// turns are those of a page.
func (s *secrets) turns(all []protocol.Turn) []protocol.Turn {
	out := slices.Clone(all)
	for i := range out {
		out[i] = s.turn(out[i])
	}
	return out
}

// typed remembers the secret answers to a request.
func (s *secrets) typed(qs []Question, answers map[string][]string) {
	for _, q := range qs {
		if q.Secret {
			for _, a := range answers[q.ID] {
				s.add(a)
			}
		}
	}
}
