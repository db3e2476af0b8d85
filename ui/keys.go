package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/words"
	"holdfast/widgets"
)

// A command is something the keyboard can do. Everything that says a key, and
// everything that listens to one, reads this table.
type command struct {
	id    string
	label words.Key
	// key with mod is how it is reached; a key without modifier is one that no
	// text needs.
	key fyne.KeyName
	mod fyne.KeyModifier
	// action must be allowed by the status; "" needs no permission.
	action session.Action
	// free commands only show something: they need no permission either.
	free bool
	// when, unless nil, says whether the command can run, and why not.
	when func(*Window) (ok bool, why safetext.Line)
	// inDialog commands also work while a dialog is open.
	inDialog bool
	// spoken commands are not run by the table but by the widget with the
	// keyboard; they are here to be listed.
	spoken bool
	run    func(*Window)
}

const (
	ctrl      = fyne.KeyModifierShortcutDefault
	shiftCtrl = fyne.KeyModifierShortcutDefault | fyne.KeyModifierShift
	alt       = fyne.KeyModifierAlt
)

// commands is the one table of keys. Each action that a status can offer has
// its entry (UI-2).
func commands() []command {
	return slices.Concat(sessionCommands(), threadCommands(), transcriptCommands(), windowCommands())
}

func sessionCommands() []command {
	return []command{
		{id: "reconnect", label: "Reconnect", key: fyne.KeyR, mod: shiftCtrl, action: session.ActReconnect, run: (*Window).reconnect},
		{id: "cancel", label: "Cancel", key: fyne.KeyX, mod: shiftCtrl, action: session.ActCancel, run: intent(session.Cancel{})},
		{id: "confirm", label: "Confirm", key: fyne.KeyY, mod: shiftCtrl, action: session.ActConfirm, run: intent(session.Confirm{})},
		{id: "profile", label: "Connection details", key: fyne.KeyP, mod: shiftCtrl, action: session.ActProfile, free: true, run: (*Window).openConnection},
		{id: "profiles", label: "Profiles", key: fyne.KeyG, mod: ctrl, run: (*Window).openProfiles},
		{id: "signIn", label: "Sign in", key: fyne.KeyI, mod: shiftCtrl, action: session.ActSignIn, run: (*Window).openSignIn},
		{id: "signOut", label: "Sign out", key: fyne.KeyS, mod: shiftCtrl, action: session.ActSignOut, run: (*Window).openSignOut},
		{id: "select", label: "Choose a conversation", key: fyne.Key1, mod: alt, action: session.ActSelect, run: (*Window).focusList},
		{id: "new", label: "New conversation", key: fyne.KeyN, mod: ctrl, action: session.ActNew, run: (*Window).openNew},
		{id: "threads", label: "Reload the list", key: fyne.KeyF5, mod: ctrl, action: session.ActThreads, run: (*Window).reloadThreads},
		{id: "filter", label: "Filter conversations", key: fyne.KeyP, mod: ctrl, run: (*Window).focusFilter},
		{id: "archived", label: "Archived or current", key: fyne.KeyB, mod: shiftCtrl, action: session.ActThreads, run: (*Window).toggleArchived},
		{id: "restore", label: "Restore draft", key: fyne.KeyF3, action: session.ActRestore, run: (*Window).restoreDraft},
		{id: "discard", label: "Discard draft…", key: fyne.KeyF8, action: session.ActDiscard, run: (*Window).discardDraft},
		{id: "drafts", label: "Read the unsent drafts", key: fyne.KeyF4, run: (*Window).openDrafts},
		{id: "copyDrafts", label: "Copy all unsent text", key: fyne.KeyC, mod: shiftCtrl, run: (*Window).copyDrafts},
		{id: "operations", label: "Operations", key: fyne.KeyG, mod: shiftCtrl, run: (*Window).openOperations},
	}
}

func threadCommands() []command {
	return []command{
		{id: "join", label: "Join", key: fyne.KeyJ, mod: ctrl, action: session.ActJoin, run: (*Window).join},
		{id: "send", label: "Send", key: fyne.KeyReturn, mod: ctrl, action: session.ActSend, spoken: true},
		{id: "steer", label: "Steer", key: fyne.KeyReturn, mod: ctrl, action: session.ActSteer, spoken: true},
		{id: "stop", label: "Stop", key: fyne.KeyPeriod, mod: ctrl, action: session.ActStop, run: (*Window).stop},
		{id: "answer", label: "Go to the request", key: fyne.KeyR, mod: ctrl, action: session.ActAnswer, run: (*Window).focusCards},
		{id: "older", label: "Load older", key: fyne.KeyO, mod: ctrl, action: session.ActOlder, run: (*Window).loadOlder},
		{id: "newer", label: "Load newer", key: fyne.KeyO, mod: shiftCtrl, action: session.ActNewer, run: (*Window).loadNewer},
		{id: "expand", label: "Rest of the first turn", key: fyne.KeyM, mod: shiftCtrl, action: session.ActExpand, run: (*Window).expand},
		{id: "fold", label: "Fold the turn, or show it again", key: fyne.KeyU, mod: shiftCtrl, run: (*Window).foldTurn},
		{id: "refresh", label: "Refresh", key: fyne.KeyF5, action: session.ActRefresh, run: intent(session.Refresh{})},
		{id: "rename", label: "Rename", key: fyne.KeyF2, action: session.ActRename, run: selected((*Window).openRename)},
		{id: "fork", label: "Fork", key: fyne.KeyF, mod: shiftCtrl, action: session.ActFork, run: intent(session.Fork{})},
		{id: "archive", label: "Archive", key: fyne.KeyA, mod: shiftCtrl, action: session.ActArchive, run: intent(session.Archive{})},
		{id: "unarchive", label: "Unarchive", key: fyne.KeyN, mod: shiftCtrl, action: session.ActUnarchive, run: intent(session.Unarchive{})},
		{id: "delete", label: "Delete…", key: fyne.KeyD, mod: shiftCtrl, action: session.ActDelete, run: selected((*Window).openDelete)},
		{id: "compact", label: "Compact the context", key: fyne.KeyK, mod: shiftCtrl, action: session.ActCompact, run: intent(session.Compact{})},
		{id: "queue", label: "Message queue", key: fyne.KeyQ, mod: shiftCtrl, action: session.ActQueue, run: (*Window).openQueue},
		{id: "enqueue", label: "Queue the message", key: fyne.KeyReturn, mod: alt, when: mayEnqueue, run: func(w *Window) { w.comp.enqueue() }},
		{id: "retry", label: "Try the failed turn again", key: fyne.KeyU, mod: ctrl, when: mayRetry, run: intent(session.Retry{})},
		{id: "revert", label: "Edit and send again from here…", key: fyne.KeyE, mod: ctrl, when: mayRevert, run: (*Window).openRevert},
		{id: "startReview", label: "Review…", key: fyne.KeyI, mod: ctrl, when: mayTurn, run: (*Window).openReview},
		{id: "diff", label: "All changes of the turn", key: fyne.KeyD, mod: ctrl, when: mayDiff, run: (*Window).openDiff},
		{id: "servers", label: "MCP servers", key: fyne.KeyJ, mod: shiftCtrl, when: mayServers, run: (*Window).openServers},
		{id: "export", label: "Export as Markdown…", key: fyne.KeyS, mod: ctrl, when: mayExport, run: (*Window).openExport},
		{id: "attachments", label: "Attachments", key: fyne.KeyE, mod: shiftCtrl, run: (*Window).openAttachments},
	}
}

func transcriptCommands() []command {
	return []command{
		{id: "find", label: "Find in the conversation", key: fyne.KeyF, mod: ctrl, run: (*Window).openFind},
		{id: "findNext", label: "Next match", key: fyne.KeyF3, when: finding, run: func(w *Window) { w.find.step(1) }},
		{id: "findPrevious", label: "Previous match", key: fyne.KeyF3, mod: ctrl, when: finding, run: func(w *Window) { w.find.step(-1) }},
		{id: "findClose", label: "Close the search", key: fyne.KeyEscape, when: finding, run: (*Window).closeFind},
		{id: "row", label: "Menu of the message: copy, links", key: desktop.KeyMenu, run: (*Window).openRowMenu},
		{id: "messageUp", label: "Previous message", key: fyne.KeyUp, mod: alt, run: func(w *Window) { w.trans.GoMessage(-1) }},
		{id: "messageDown", label: "Next message", key: fyne.KeyDown, mod: alt, run: func(w *Window) { w.trans.GoMessage(1) }},
		{id: "end", label: "To what is new, then to the newest", key: fyne.KeyEnd, mod: alt, run: (*Window).goEnd},
	}
}

func windowCommands() []command {
	return []command{
		{id: "list", label: "To the conversations", key: fyne.Key1, mod: alt, run: (*Window).focusList},
		{id: "transcript", label: "To the transcript", key: fyne.Key2, mod: alt, run: (*Window).focusTranscript},
		{id: "composer", label: "To the message", key: fyne.Key3, mod: alt, run: (*Window).focusComposer},
		{id: "cards", label: "To the request", key: fyne.Key4, mod: alt, run: (*Window).focusCards},
		{id: "region", label: "To the next region", key: fyne.KeyF6, run: (*Window).nextRegion},
		{id: "about", label: "About, and licences", key: fyne.KeyF1, mod: ctrl, run: (*Window).openAbout},
		{id: "diagnostics", label: "Save diagnostics…", key: fyne.KeyF1, mod: shiftCtrl, when: mayDiagnose, run: (*Window).openDiagnostics},
		{id: "commands", label: "All commands", key: fyne.KeyK, mod: ctrl, run: (*Window).openCommands},
		{id: "keys", label: "Keys", key: fyne.KeyF1, run: (*Window).openKeys},
		{id: "model", label: "Choose the model", key: fyne.KeyL, mod: shiftCtrl, run: (*Window).pickModel},
		{id: "access", label: "Choose the access", key: fyne.KeyH, mod: shiftCtrl, run: (*Window).pickAccess},
		{id: "image", label: "Add an image", key: fyne.KeyV, mod: shiftCtrl, run: (*Window).openImage},
		{id: "language", label: "Choose the language", key: fyne.KeyF9, run: (*Window).pickLanguage},
		{id: "theme", label: "Next theme", key: fyne.KeyT, mod: shiftCtrl, inDialog: true, run: (*Window).nextTheme},
		{id: "larger", label: "Larger text", key: fyne.KeyEqual, mod: ctrl, inDialog: true, run: (*Window).largerText},
		{id: "smaller", label: "Smaller text", key: fyne.KeyMinus, mod: ctrl, inDialog: true, run: (*Window).smallerText},
		{id: "sendKey", label: "Change the key that sends", key: fyne.KeyReturn, mod: shiftCtrl, run: (*Window).swapSendKey},
		{id: "notices", label: "Read the notices", key: fyne.KeyF7, run: (*Window).openNotices},
		{id: "dismiss", label: "Dismiss the notices", key: fyne.KeyW, mod: shiftCtrl, run: (*Window).dismissNotices},
		{id: "close", label: "Close the window", key: fyne.KeyQ, mod: ctrl, run: (*Window).closing},
		{id: "escape", label: "Close, or to the message", key: fyne.KeyEscape, spoken: true},
	}
}

// intent makes a command that asks the core.
func intent(in session.Intent) func(*Window) { return func(w *Window) { w.ask(in) } }

// selected makes a command about the selected conversation.
func selected(f func(*Window, target)) func(*Window) {
	return func(w *Window) {
		if t := w.snap.Thread; t != nil {
			f(w, target{at: w.snap.At, id: t.ID, title: title(t.Title)})
		}
	}
}

// commandOf is the command of an action.
func (w *Window) commandOf(a session.Action) (command, bool) {
	for _, c := range w.commands {
		if c.action == a {
			return c, true
		}
	}
	return command{}, false
}

// keyText names a command's key for people.
func (c command) keyText() string {
	var b strings.Builder
	if c.mod&ctrl != 0 {
		if ctrl == fyne.KeyModifierSuper {
			b.WriteString("Cmd+")
		} else {
			b.WriteString("Ctrl+")
		}
	}
	if c.mod&fyne.KeyModifierAlt != 0 {
		b.WriteString("Alt+")
	}
	if c.mod&fyne.KeyModifierShift != 0 {
		b.WriteString("Shift+")
	}
	switch c.key {
	case fyne.KeyReturn:
		b.WriteString("Enter")
	case fyne.KeyEqual:
		b.WriteString("+")
	case fyne.KeyEscape:
		b.WriteString("Esc")
	default:
		b.WriteString(string(c.key))
	}
	return b.String()
}

// enabled says that a command can run now.
func (w *Window) enabled(c command) bool {
	if c.when != nil {
		ok, _ := c.when(w)
		return ok
	}
	return c.action == "" || c.free || w.snap.Status.Allows(c.action)
}

// runCommand runs a command, or says why not.
func (w *Window) runCommand(c command) {
	if c.spoken || widgets.Top(w.win.Canvas()) != nil && !c.inDialog {
		return
	}
	if !w.enabled(c) {
		w.sayNow(w.whyNot(c))
		return
	}
	w.guard(func() { c.run(w) })
}

// installKeys makes the window listen. Keys without a modifier reach it only
// through the widgets, which forward what they have no use for.
func (w *Window) installKeys() {
	c := w.win.Canvas()
	for _, cmd := range w.commands {
		if !cmd.spoken && cmd.mod != 0 {
			c.AddShortcut(cmd.shortcut(), w.typedShortcut)
		}
	}
	for _, plus := range pluses {
		c.AddShortcut(&plus, w.typedShortcut)
	}
	c.SetOnTypedKey(w.typedKey)
}

func (c command) shortcut() *desktop.CustomShortcut {
	return &desktop.CustomShortcut{KeyName: c.key, Modifier: c.mod}
}

// pluses are where keyboards have their plus, beside the key of the table.
var pluses = []desktop.CustomShortcut{
	{KeyName: fyne.KeyEqual, Modifier: shiftCtrl}, {KeyName: fyne.KeyPlus, Modifier: ctrl}, {KeyName: fyne.KeyPlus, Modifier: shiftCtrl},
}

// typedShortcut runs the command of a shortcut; of two on one key, the one that
// is possible now.
func (w *Window) typedShortcut(s fyne.Shortcut) {
	if x, ok := s.(*desktop.CustomShortcut); ok && slices.Contains(pluses, *x) {
		w.run("larger")
		return
	}
	w.runFirst(func(c command) bool { return c.mod != 0 && c.shortcut().ShortcutName() == s.ShortcutName() })
}

// runFirst runs the first command that matches and is possible now; where none
// is, the last one says why.
func (w *Window) runFirst(matches func(command) bool) {
	var found *command
	for i, c := range w.commands {
		if !c.spoken && matches(c) && (found == nil || !w.enabled(*found)) {
			found = &w.commands[i]
		}
	}
	if found != nil {
		w.runCommand(*found)
	}
}

func (w *Window) typedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape {
		w.escape()
		return
	}
	w.runFirst(func(c command) bool { return c.mod == 0 && c.key == e.Name })
}

// escape closes what is open, or goes to the message.
func (w *Window) escape() {
	switch m := widgets.Top(w.win.Canvas()); {
	case m != nil:
		m.Cancel()
	case w.shell.drawer:
		w.closeDrawer()
		w.focus(w.head.open)
	case w.mention.open():
		w.mention.key(fyne.KeyEscape)
		w.focusComposer()
	case w.find.open:
		w.closeFind()
	default:
		w.focusComposer()
	}
}

// keyOf is the text of an action's key.
func (w *Window) keyOf(a session.Action) string {
	if c, ok := w.commandOf(a); ok {
		return c.keyText()
	}
	return ""
}

// keyTo is the text of a command's key.
func (w *Window) keyTo(id string) string {
	for _, c := range w.commands {
		if c.id == id {
			return c.keyText()
		}
	}
	return ""
}

func labelOf(c command) safetext.Line { return safetext.Own(c.label) }
