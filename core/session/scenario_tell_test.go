package session

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"holdfast/core/protocol"
)

// since is the time since the verb began, as far as people care.
func (s *scenario) since(t time.Time) string {
	return t.Sub(s.began).Round(10 * time.Millisecond).String()
}

// stateNow tells of a state as soon as it shows.
func (s *scenario) stateNow() {
	now := s.now()
	old := s.told.Status
	if old != nil && old.State == now.Status.State && old.Attempt == now.Status.Attempt {
		return
	}
	line := now.Status.State.String()
	if now.Status.State == Reconnecting || now.Status.Attempt > 0 {
		line += fmt.Sprintf(", attempt %d", now.Status.Attempt)
	}
	s.say("state %s", line)
	s.told.Status = now.Status
}

// tell says what is different from what was told before.
func (s *scenario) tell() {
	now, old := s.now(), s.told
	s.stateNow()
	if now.Status.Text != s.text {
		s.say("says %q", now.Status.Text)
		s.text = now.Status.Text
	}
	if offers := fmt.Sprint(now.Status.Actions); offers != s.offered {
		s.say("offers %s", offers)
		s.offered = offers
	}
	s.effects()
	s.told = *now
	s.ledger(&old, now)
	s.drafts(&old, now)
	if old.Server == nil || old.Server.Confirmed != now.Server.Confirmed {
		s.say("confirmed %v", now.Server.Confirmed)
	}
	if o, n := joinOf(&old), joinOf(now); o != n {
		s.say("join %s", n)
	}
	if o, n := rowsOf(&old), rowsOf(now); o != n {
		s.say("rows %s", n)
	}
	if o, n := attachedTo(&old), attachedTo(now); o != n {
		s.say("attachments %s", n)
	}
	s.cards(&old, now)
}

// effects are the attempts to connect and the frames that left.
func (s *scenario) effects() {
	s.dialling.Lock()
	dials := s.dials
	s.dials = nil
	s.dialling.Unlock()
	for _, at := range dials {
		s.say("dials at %s", s.since(at))
	}
	if l := s.srv.Link(); len(s.links) == 0 || s.links[len(s.links)-1] != l {
		s.links = append(s.links, l)
	}
	all := s.srv.Requests()
	var methods []string
	for _, q := range all[s.sent:] {
		m := q.Method
		if m == "" {
			m = "an answer"
		}
		methods = append(methods, m)
	}
	s.sent = len(all)
	if len(methods) > 0 {
		s.say("sends %s", strings.Join(methods, ", "))
	}
}

func (s *scenario) ledger(old, now *Snapshot) {
	was := map[string]Operation{}
	if old.Operations != nil {
		for _, o := range old.Operations.Rows {
			was[o.ID] = *o
		}
	}
	for _, o := range now.Operations.Rows {
		if p, known := was[o.ID]; !known || p.State != o.State || p.Proof != o.Proof || p.Seen != o.Seen {
			line := fmt.Sprintf("%s %s %s", o.ID, o.Kind, o.State)
			if o.Proof != "" {
				line += ", " + o.Proof
			}
			if o.Seen {
				line += ", seen"
			}
			if o.Text != "" {
				line += fmt.Sprintf(" %q", o.Text)
			}
			s.say("%s", line)
		}
		delete(was, o.ID)
	}
	for id := range was {
		s.say("%s is not listed any more", id)
	}
}

func (s *scenario) drafts(old, now *Snapshot) {
	was := map[string]bool{}
	if old.Drafts != nil {
		for _, d := range old.Drafts.Rows {
			was[d.ID] = true
		}
	}
	for _, d := range now.Drafts.Rows {
		if !was[d.ID] {
			s.say("draft %s of %q: %q", d.ID, d.Thread, d.Text)
		}
		delete(was, d.ID)
	}
	for id := range was {
		s.say("draft %s is gone", id)
	}
	if old.Composer == nil && now.Composer.Text != "" || old.Composer != nil && old.Composer.Text != now.Composer.Text {
		s.say("composer %q", now.Composer.Text)
	}
}

func (s *scenario) cards(old, now *Snapshot) {
	was := map[string]Request{}
	if old.Requests != nil {
		for _, c := range old.Requests.Cards {
			was[c.ID] = *c
		}
	}
	for _, c := range now.Requests.Cards {
		if p, known := was[c.ID]; !known || p.Live != c.Live || p.Answered != c.Answered {
			s.say("request %s: live %v, answered %v", c.ID, c.Live, c.Answered)
		}
		delete(was, c.ID)
	}
	for id := range was {
		s.say("request %s is closed", id)
	}
}

// joinOf is why the last join failed, and what helps.
func joinOf(s *Snapshot) string {
	if s.Thread == nil || s.Thread.JoinProblem == "" {
		return "possible"
	}
	line := strconv.Quote(s.Thread.JoinProblem)
	if s.Thread.JoinFix != "" {
		line += ", helped by " + string(s.Thread.JoinFix)
	}
	return line
}

func rowsOf(s *Snapshot) string {
	if s.History == nil {
		return "none"
	}
	var out []string
	for _, r := range s.History.Rows {
		out = append(out, strconv.Quote(protocol.PlainText(r.Item)))
	}
	line := "[" + strings.Join(out, " ") + "]"
	if s.History.Stale != "" {
		line += ", stale: " + s.History.Stale
	}
	return line
}

func attachedTo(s *Snapshot) string {
	if s.Attachments == nil {
		return "none"
	}
	var out []string
	for _, a := range s.Attachments.Rows {
		line := a.ID
		if a.Reason != "" {
			line += " (" + a.Reason + ")"
		}
		out = append(out, line)
	}
	line := "[" + strings.Join(out, ", ") + "]"
	if s.Attachments.Stale != "" {
		line += ", stale: " + s.Attachments.Stale
	}
	return line
}
