package ui

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/words"
	"holdfast/widgets"
)

// draftBar shows the recovery draft that is offered next, with what can be done
// about it now. It never puts one into the message by itself (DRF-4).
type draftBar struct {
	w       *Window
	bar     *widgets.Banner
	offered string // what the buttons were made for
}

func newDraftBar(w *Window) *draftBar {
	b := &draftBar{w: w, bar: widgets.NewBanner()}
	b.bar.Hide()
	return b
}

// A draftView is what the bar shows for one snapshot.
type draftView struct {
	lead, text safetext.Line
	commands   []string
}

// inTurn gives the drafts as they are offered: those of the open conversation
// first, then the newest first.
func inTurn(s *session.Snapshot) []*session.Draft {
	out := slices.Clone(s.Drafts.Rows)
	slices.Reverse(out)
	if t := s.Thread; t != nil {
		slices.SortStableFunc(out, func(a, b *session.Draft) int {
			switch {
			case (a.Thread == t.ID) == (b.Thread == t.ID):
				return 0
			case a.Thread == t.ID:
				return -1
			}
			return 1
		})
	}
	return out
}

// draftsOf decides what the bar says; ok is false when there is no draft.
func draftsOf(s *session.Snapshot) (v draftView, ok bool) {
	rows := inTurn(s)
	if len(rows) == 0 {
		return v, false
	}
	d := rows[0]
	v.lead = safetext.Trusted("An unsent draft is kept apart from the message.")
	if len(rows) > 1 {
		v.lead = line("%d unsent drafts are kept apart from the message.", len(rows))
	}
	may := s.Status.Allows
	switch {
	case s.Status.Code == "internal-error":
		v.commands = append(v.commands, "copyDrafts")
	case may(session.ActRestore):
		v.commands = append(v.commands, "restore")
	case may(session.ActConfirm) && s.Status.State != session.Confirmation:
		v.commands = append(v.commands, "confirm")
	}
	if connected(s) {
		v.text = safetext.Join(" · ", quote(d), about(d))
		if missing := missingForRestore(s); missing != "" {
			v.text = safetext.Join(" · ", v.text, line("To restore it, %s.", missing))
		}
		if !may(session.ActConfirm) {
			v.commands = append(v.commands, "discard")
		}
	} else {
		// The banner above has the word; the draft can be read all the same.
		v.lead, v.text = safetext.Trusted("Kept:"), quote(d)
		if len(rows) > 1 {
			v.lead = line("Kept, %d drafts:", len(rows))
		}
	}
	v.commands = append(v.commands, "drafts")
	return v, true
}

// missingForRestore says what has to come first, "" when nothing has (DRF-4).
func missingForRestore(s *session.Snapshot) string {
	switch confirm := s.Status.Allows(session.ActConfirm); {
	case confirm && s.Thread == nil:
		return words.T("confirm the connection (%s) and choose a conversation", connectionWords(s))
	case confirm:
		return words.T("confirm the connection (%s)", connectionWords(s))
	case s.Thread == nil:
		return words.T("choose a conversation")
	}
	return ""
}

// connectionWords say which server and account a confirmation is about.
func connectionWords(s *session.Snapshot) string {
	out := []string{s.Server.Endpoint}
	if s.Server.Profile != "" {
		out = append(out, words.T("profile %s", s.Server.Profile))
	}
	switch a := s.Account; {
	case a.Email != "":
		out = append(out, a.Email)
	case a.Known && !a.SignedIn:
		out = append(out, words.T("not signed in"))
	}
	return strings.Join(out, ", ")
}

// quoteLength is how much of a draft its line shows, in characters.
const quoteLength = 60

// quote is the beginning of a draft.
func quote(d *session.Draft) safetext.Line {
	text := d.Text
	if strings.TrimSpace(text) == "" && len(d.Blocks) > 0 {
		text = d.Blocks[0]
	}
	return quoted(text)
}

// quoted is the beginning of a text.
func quoted(text string) safetext.Line {
	text = strings.Join(strings.Fields(text[:min(len(text), 5*quoteLength)]), " ")
	if text == "" {
		return safetext.Trusted("(no text)")
	}
	if utf8.RuneCountInString(text) > quoteLength {
		return line("“%s…”", strings.TrimSpace(string([]rune(text)[:quoteLength])))
	}
	return line("“%s”", strings.ToValidUTF8(text, ""))
}

// about says what goes along with a draft's text, and where it was written.
func about(d *session.Draft) safetext.Line {
	var parts []safetext.Line
	if n := len(d.Images); n > 0 {
		parts = append(parts, safetext.MakeLine(words.N(n, "1 image", "%d images")))
	}
	if n := len(d.Blocks); n > 0 {
		parts = append(parts, safetext.MakeLine(words.N(n, "1 block of text", "%d blocks of text")))
	}
	if d.Skill != "" {
		parts = append(parts, line("skill %s", d.Skill))
	}
	choices := slices.DeleteFunc([]string{d.Model, d.Effort, d.Tier, d.Personality}, func(s string) bool { return s == "" })
	if len(choices) > 0 {
		parts = append(parts, line("%s", strings.Join(choices, ", ")))
	}
	if d.Thread == "" {
		parts = append(parts, safetext.Trusted("written while no conversation was open"))
	} else {
		parts = append(parts, line("in %s", title(d.Title)))
	}
	return safetext.Join(" · ", parts...)
}

func (b *draftBar) show(s *session.Snapshot) {
	v, ok := draftsOf(s)
	setVisible(b.bar, ok)
	if !ok {
		b.offered = ""
		b.bar.SetActions()
		return
	}
	b.bar.Set(widgets.Warning, v.lead, v.text)
	offered := fmt.Sprint(len(s.Drafts.Rows), v.commands)
	if offered == b.offered {
		return
	}
	b.offered = offered
	var buttons []*widgets.Button
	for i, id := range v.commands {
		kind := widgets.Plain
		if i == 0 && id != "drafts" && id != "discard" {
			kind = widgets.Primary
		}
		buttons = append(buttons, b.w.commandButton(id, draftLabel(id, len(s.Drafts.Rows)), kind))
	}
	b.bar.SetActions(buttons...)
}

// draftLabel is a button's label where the command's own does not fit.
func draftLabel(id string, n int) string {
	switch {
	case id == "copyDrafts" && n > 1:
		return words.T("Copy drafts")
	case id == "copyDrafts":
		return words.T("Copy draft")
	case id == "discard":
		return words.T("Discard…")
	case id == "drafts" && n > 1:
		return words.T("All %d…", n)
	case id == "drafts":
		return words.T("Read…")
	}
	return ""
}

// firstDraft is the draft that the bar offers, or nil, which is then said.
func (w *Window) firstDraft() *session.Draft {
	rows := inTurn(w.snap)
	if len(rows) == 0 {
		w.say(w.noDraft())
		return nil
	}
	return rows[0]
}

func (w *Window) restoreDraft() {
	if d := w.firstDraft(); d != nil {
		w.restore(d)
	}
}

// restore puts a draft into the message of the open conversation. Sending it is
// an action of its own (DRF-5).
func (w *Window) restore(d *session.Draft) {
	w.putIn(func(mode string) session.Intent { return session.Restore{Draft: d.ID, Mode: mode} })
}

// putIn asks for text to be put into the message, and where if that is not
// empty: neither text may overwrite the other.
func (w *Window) putIn(in func(mode string) session.Intent) {
	at := w.snap.At
	var ask func(mode string)
	ask = func(mode string) {
		w.core.Do(at, in(mode), func(r session.Result) {
			w.opts.Do(func() {
				switch {
				case r.OK:
					w.focusComposer()
				case r.Code == "composer-not-empty" && mode == "":
					w.openWhere(ask)
				default:
					w.say(refusal(in(mode), r))
				}
			})
		})
	}
	ask("")
}

// openWhere asks where text goes.
func (w *Window) openWhere(put func(mode string)) {
	var m *widgets.Modal
	button := func(label words.Key, name, mode string) *widgets.Button {
		return closer(safetext.Own(label), name, widgets.Plain, &m, func() { put(mode) })
	}
	cancel := closer(safetext.Trusted("Cancel"), "cancel", widgets.Plain, &m, nil)
	m = widgets.NewModal("where", safetext.Trusted("The message is not empty"), []fyne.CanvasObject{
		para(safetext.Trusted("Where does the restored text go?")),
	}, cancel, button("Put before", "before", "before"), button("Put after", "after", "after"), button("Replace", "replace", "replace"))
	w.dialog(m, cancel)
}

func (w *Window) discardDraft() {
	if d := w.firstDraft(); d != nil {
		w.discard(d)
	}
}

// discard asks before a draft is forgotten.
func (w *Window) discard(d *session.Draft) {
	at := w.snap.At
	w.confirm("discard", safetext.Trusted("Discard the draft?"), safetext.Trusted("Discard"),
		func() { w.askAt(at, session.Discard{Draft: d.ID}) },
		safetext.Join(" · ", quote(d), about(d)), safetext.Trusted("It is kept nowhere else."))
}

// copyDrafts copies every text that was typed and not sent, whatever the state:
// the messages of all conversations, the drafts, what was typed as an answer, and what the server lost.
func (w *Window) copyDrafts() {
	var parts []string
	add := func(text string) {
		if strings.TrimSpace(text) != "" && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	add(w.comp.whole())
	for _, c := range w.comp.others() {
		add(together(c.Text, c.Blocks))
	}
	for _, d := range w.snap.Drafts.Rows {
		add(draftText(d))
	}
	for _, text := range w.cards.unsent() {
		add(text)
	}
	for _, o := range w.onlyHere() {
		add(o.Text)
	}
	if len(parts) == 0 {
		w.say(safetext.Trusted("There is no unsent text."))
		return
	}
	w.app.Clipboard().SetContent(strings.Join(parts, "\n\n"))
	w.say(safetext.MakeLine(words.N(len(parts), "Copied 1 unsent text.", "Copied %d unsent texts.")))
}

// draftText is a draft's text with its blocks.
func draftText(d *session.Draft) string { return together(d.Text, d.Blocks) }

// together is a text with its blocks.
func together(text string, blocks []string) string {
	parts := append([]string{text}, blocks...)
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "\n")
}

// openDrafts lists the drafts, or shows the only one.
func (w *Window) openDrafts() {
	rows := inTurn(w.snap)
	switch len(rows) {
	case 0:
		w.say(w.noDraft())
	case 1:
		w.openDraft(rows[0])
	default:
		var items []menuItem
		for _, d := range rows {
			items = append(items, menuItem{
				row: widgets.Row{ID: d.ID, Title: quote(d), Sub: about(d), Right: safetext.MakeLine(clock(d.At))},
				run: func() { w.openDraft(d) },
			})
		}
		w.menu("drafts", safetext.Trusted("Unsent drafts"), items)
	}
}

// openDraft shows all of a draft: it can be read and copied in every state.
func (w *Window) openDraft(d *session.Draft) {
	var m *widgets.Modal
	body := []fyne.CanvasObject{dim(safetext.Join(" · ", about(d), safetext.MakeLine(clock(d.At))))}
	parts := slices.DeleteFunc(append([]string{d.Text}, d.Blocks...), func(s string) bool { return s == "" })
	for _, p := range parts {
		body = append(body, shortCode(p))
	}
	if missing := missingForRestore(w.snap); missing != "" && connected(w.snap) {
		body = append(body, dim(line("To restore it, %s.", missing)))
	}
	closeIt := closer(safetext.Trusted("Close"), "cancel", widgets.Plain, &m, nil)
	buttons := []*widgets.Button{closeIt}
	if len(parts) > 0 {
		buttons = append(buttons, w.copier(&m, draftText(d)))
	}
	if w.snap.Status.Allows(session.ActDiscard) {
		buttons = append(buttons, closer(safetext.Trusted("Discard…"), "discard", widgets.Plain, &m, func() { w.discard(d) }))
	}
	if w.snap.Status.Allows(session.ActRestore) {
		buttons = append(buttons, closer(safetext.Trusted("Restore draft"), "restore", widgets.Primary, &m, func() { w.restore(d) }))
	}
	m = widgets.NewModal("draft", safetext.Trusted("Unsent draft"), body, buttons...)
	w.dialog(m, closeIt)
}

// mostShown bounds what a dialog shows of a text; Copy gives all of it.
const mostShown = 16 << 10

// shortCode shows a text, and says what is missing of it.
func shortCode(text string) fyne.CanvasObject {
	code := widgets.NewCode(safetext.Plain(strings.ToValidUTF8(text[:min(len(text), mostShown)], "")))
	code.Prose = true
	if len(text) <= mostShown {
		return code
	}
	return widgets.NewColumn(2, code,
		dim(line("Shortened here · %s. Copy gives all of it.", bytesWord(int64(len(text))))))
}

// copier is a button that copies a text and closes its dialog.
func (w *Window) copier(m **widgets.Modal, text string) *widgets.Button {
	return closer(safetext.Trusted("Copy the text"), "copy", widgets.Plain, m, func() {
		w.app.Clipboard().SetContent(text)
		w.say(safetext.Trusted("Copied."))
	})
}
