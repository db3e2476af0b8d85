package session

import (
	"holdfast/core/protocol"
)

// notified routes one notification. Whatever the thread, the list and the
// account see it; item and turn events go to the joined conversation they are
// of, and to the window if that one is selected.
func (l *loop) notified(n protocol.Notification) {
	l.heard()
	l.threadNotified(n)
	l.accountNotified(n)
	l.attachmentsNotified(n)
	switch n := n.(type) {
	case protocol.RequestResolved:
		l.resolved(n)
	case protocol.ConfigWarning:
		l.notices.say("config-warning", warningText(n.Summary, n.Details))
	case protocol.Warning:
		l.notices.say("warning", n.Message)
	case protocol.DeprecationNotice:
		l.notices.say("deprecation", warningText(n.Summary, n.Details))
	case protocol.QueueChanged:
		if n.Thread == l.shown() {
			l.readQueue()
		}
	case protocol.SkillsChanged:
		l.readSkills()
	default: // routed by what follows, or of no interest (trap 14)
	}
	l.joinedNotified(n)
}

// joinedNotified keeps status, running turn and items in flight of every
// joined conversation, on screen or not (DRIVE.md).
func (l *loop) joinedNotified(n protocol.Notification) {
	n = l.secrets.event(n)
	j := l.joined[n.ThreadID()]
	if j == nil {
		if v := l.view; v != nil && v.window != nil && n.ThreadID() == v.thread {
			v.window.Apply(n) // a join whose answer is on its way
		}
		return
	}
	j.window.Apply(n)
	if l.shown() != j.id {
		l.offScreen(j)
	}
	switch n := n.(type) {
	case protocol.TurnStarted:
		j.start(n.Turn.ID)
	case protocol.TurnCompleted:
		l.turnEnded(j, n.Turn)
	case protocol.ThreadStatusChanged:
		if idle(n.Status) && j.turn != "" {
			l.awaitEnd(j, j.turn)
		}
	case protocol.TokenUsageUpdated:
		j.tokens = &Tokens{Total: n.Usage.Last.Total, Window: n.Usage.Window}
	case protocol.SettingsUpdated:
		j.access, j.approval = Access(n.Settings.SandboxPolicy.Access()), string(n.Settings.ApprovalPolicy)
		j.model, j.effort, j.tier = n.Settings.Model, n.Settings.Effort, n.Settings.ServiceTier
	case protocol.ItemCompleted:
		if m, isUser := n.Item.Body.(protocol.UserMessage); isUser && m.ClientID != "" {
			l.ledger.SawClientID(j.id, m.ClientID)
		}
	case protocol.TurnDiffUpdated:
		j.diff = &TurnDiff{Turn: n.Turn, Text: n.Diff, Bytes: n.Bytes}
	case protocol.ThreadReverted:
		j.diff, j.cut = nil, true
		l.ownRevert(j.id)
	case protocol.TurnErrored:
		if n.WillRetry {
			l.notices.say("retrying", n.Error.Message)
		}
	default: // the window's alone
	}
}

func warningText(summary, details string) string {
	if details == "" || details == summary {
		return summary
	}
	return summary + " " + details
}
