package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/words"
	"holdfast/widgets"
)

// A stateLook is how one state shows in the banner. The actions are offered in
// this order, the safe one first, as far as the core allows them now.
type stateLook struct {
	lead    words.Key
	tone    widgets.Tone
	actions []session.Action
	// quiet states show a banner only when there is something to say.
	quiet bool
}

// states is the one table of the eight states.
var states = map[session.State]stateLook{
	session.Reconnecting: {
		lead: "Reconnecting…", tone: widgets.Warning,
		actions: []session.Action{session.ActCancel},
	},
	session.Synchronizing: {
		lead:    "Reading…",
		actions: []session.Action{session.ActCancel}, quiet: true,
	},
	session.AwaitingSelection: {
		lead:    "Connected.",
		actions: []session.Action{session.ActSelect, session.ActNew},
	},
	session.Ready: {
		lead: "Ready.", quiet: true,
		actions: []session.Action{session.ActJoin, session.ActSignIn},
	},
	session.HistoryRefresh: {
		lead: "Not up to date.", tone: widgets.Warning,
		actions: []session.Action{session.ActRefresh},
	},
	session.ManualReconnect: {
		lead: "Not connected.", tone: widgets.Failure,
		actions: []session.Action{session.ActReconnect, session.ActProfile},
	},
	session.SignInRequired: {
		lead: "Sign-in required.", tone: widgets.Failure,
		actions: []session.Action{session.ActSignIn, session.ActReconnect, session.ActProfile},
	},
	session.Confirmation: {
		lead: "Please confirm the server.", tone: widgets.Warning,
		actions: []session.Action{session.ActConfirm, session.ActReconnect, session.ActProfile},
	},
}

// A bannerView is what the banner shows for one snapshot.
type bannerView struct {
	show       bool
	tone       widgets.Tone
	lead, text safetext.Line
	actions    []session.Action
}

// bannerOf decides what the banner says.
func bannerOf(s *session.Snapshot) bannerView {
	look := states[s.Status.State]
	v := bannerView{
		show: !look.quiet, tone: look.tone, lead: safetext.Own(look.lead),
		text: safetext.MakeLine(afterLead(s.Status.Text, look.lead.String())),
	}
	if s.Status.State == session.Reconnecting && s.Generations.Connection == 0 {
		v.lead, v.text, v.tone = safetext.MakeLine(s.Status.Text), safetext.Line{}, widgets.Calm
	}
	switch {
	case s.Status.State == session.Ready:
		readyBanner(s, &v)
	case s.Status.Code == "internal-error":
		v.lead, v.text = safetext.Trusted("Holdfast has stopped."), safetext.MakeLine(s.Status.Text)
	case s.Status.State == session.AwaitingSelection && kept(s):
		v.text = safetext.Trusted("What you see is from before this connection. Choose a conversation to go on.")
	}
	v.actions = bannerActions(s, look, v.show)
	v.show = v.show || len(v.actions) > 0 && s.Status.Allows(session.ActConfirm)
	return v
}

// afterLead is what a status says beyond the words its banner begins with.
func afterLead(text, lead string) string {
	rest, ok := strings.CutPrefix(text, strings.TrimRight(lead, ".…。"))
	if !ok {
		return text
	}
	rest = strings.TrimLeft(rest, ".:… 。：")
	r, n := utf8.DecodeRuneInString(rest)
	if n == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + rest[n:]
}

// readyBanner says what is wrong although the window is ready.
func readyBanner(s *session.Snapshot, v *bannerView) {
	t := s.Thread
	switch {
	case s.Status.Code == "not-answering":
		v.show, v.tone, v.lead = true, widgets.Warning, safetext.Trusted("Codex is not answering.")
		v.text = safetext.Trusted("Wait, or restart it: that interrupts the running turn.")
	case t != nil && t.JoinProblem != "" && !t.Joined:
		v.show, v.tone = true, widgets.Warning
		v.lead, v.text = safetext.Trusted("Not joined."), safetext.MakeLine(t.JoinProblem)
	case s.History != nil && s.History.Stale != "":
		v.show, v.tone = true, widgets.Warning
		v.lead, v.text = safetext.Trusted("Not up to date."), staleWords(s.History.Stale)
	case s.Account != nil && s.Account.Needed && !s.Account.SignedIn:
		v.show, v.tone = true, widgets.Warning
		v.lead = safetext.Trusted("Signed out.")
		v.text = safetext.Trusted("Reading works. Sign in to send messages.")
	}
}

// staleWords is why the rows may not be complete, as a sentence.
func staleWords(why string) safetext.Line {
	switch why {
	case words.T("changed since read"):
		return safetext.Trusted("It has changed since it was read. Refresh reads it again.")
	case words.T("the connection was lost"):
		return safetext.Trusted("The connection was lost. Refresh reads it again.")
	}
	return line("It may not be complete: %s.", strings.TrimRight(words.Key(why).String(), ".。"))
}

// bannerActions are the state's actions that are allowed now. Confirm is
// offered wherever the core offers it, with the draft if one waits for it;
// Refresh wherever the rows are stale.
func bannerActions(s *session.Snapshot, look stateLook, shown bool) []session.Action {
	var out []session.Action
	want := look.actions
	switch {
	case s.Status.State == session.Ready:
		want = readyActions(s, shown)
	case s.Status.State == session.AwaitingSelection && len(s.Drafts.Rows) > 0:
		want = []session.Action{session.ActSelect} // a draft's bar needs the room
	}
	for _, a := range want {
		if s.Status.Allows(a) {
			out = append(out, a)
		}
	}
	if s.Status.State != session.Confirmation && s.Status.Allows(session.ActConfirm) && len(s.Drafts.Rows) == 0 {
		out = append(out, session.ActConfirm)
	}
	return out
}

func readyActions(s *session.Snapshot, shown bool) []session.Action {
	switch {
	case !shown:
		return nil
	case s.Status.Code == "not-answering":
		return []session.Action{session.ActReconnect}
	case s.Thread != nil && s.Thread.JoinProblem != "" && !s.Thread.Joined:
		if fix := s.Thread.JoinFix; fix != "" {
			return []session.Action{fix, session.ActJoin}
		}
		return []session.Action{session.ActJoin, session.ActRefresh}
	case s.History != nil && s.History.Stale != "" && len(s.History.Rows) == 0:
		return []session.Action{session.ActJoin, session.ActRefresh} // only joining brings back what is not listed
	case s.History != nil && s.History.Stale != "":
		return []session.Action{session.ActRefresh}
	}
	return []session.Action{session.ActSignIn}
}
