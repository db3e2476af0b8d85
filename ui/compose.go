package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/words"
	"holdfast/widgets"
	"holdfast/widgets/theme"
)

// composer is the message being written, with what goes along with it.
type composer struct {
	w       *Window
	box     *fyne.Container
	problem *widgets.Text
	entry   *widgets.Composer
	chips   *chips
	usage   *widgets.Text
	buttons *fyne.Container
	stop    *widgets.Button
	join    *widgets.Button
	queue   *widgets.Button // what is written
	queued  *widgets.Button // what waits
	main    *widgets.Button
	hint    *widgets.Text

	// thread says whose text the entry holds, rev which text of the core's own
	// was put in last. begun is false until the first was.
	thread string
	rev    uint64
	begun  bool
	// sent is the text the core has, as far as we know; sending says that it
	// is on its way out, so that what is typed now is kept back.
	sent    string
	sending bool
}

func newComposer(w *Window) *composer {
	c := &composer{w: w}
	small := widgets.Style{Size: theme.SizeSmall, Color: theme.ColorDim}
	c.problem = widgets.NewText(safetext.Line{}, widgets.Style{Color: theme.ColorErr, Size: theme.SizeSmall})
	c.entry = widgets.NewComposer(safetext.Trusted("Message"))
	c.entry.EnterSends = w.settings.EnterSends
	c.entry.OnChanged = c.typed
	c.entry.OnSend = c.send
	c.entry.OnLong = c.addBlock
	c.entry.OnFull = func() {
		w.say(line("The message is full (%s). Paste longer text: it is attached as a block.", bytesWord(widgets.MaxText)))
	}
	c.entry.Label = func() string { return c.main.Label() }
	c.chips = newChips(c)
	c.usage = widgets.NewText(safetext.Line{}, small)
	c.stop = widgets.NewButton(safetext.Trusted("Stop"), widgets.Plain, func() { w.run("stop") })
	c.stop.Name = "stop"
	c.join = widgets.NewButton(safetext.Trusted("Join"), widgets.Primary, func() { w.run("join") })
	c.join.Name = "join"
	c.queue = w.commandButton("enqueue", words.T("Queue"), widgets.Plain)
	c.queued = widgets.NewButton(safetext.Line{}, widgets.Quiet, func() { w.run("queue") })
	c.queued.Name = "queued"
	c.main = widgets.NewButton(safetext.Trusted("Send"), widgets.Plain, func() { c.send(); w.focusComposer() })
	c.main.Name = "send"
	c.buttons = widgets.NewTrailingFlow(0, c.usage, c.queued, c.stop, c.join, c.queue, c.main)
	c.hint = widgets.NewText(safetext.Line{}, small)
	c.box = container.New(compLayout{c}, c.problem, c.entry, c.chips.box, c.buttons, c.hint)
	return c
}

func (c *composer) show(old, s *session.Snapshot) {
	c.chips.show(s)
	if old.Composer != s.Composer {
		c.showText(s)
	}
	c.showButtons(s)
	problem := safetext.Line{}
	if s.Composer != nil {
		problem = safetext.MakeLine(s.Composer.Problem)
	}
	c.problem.Set(problem)
	setVisible(c.problem, !problem.Empty())
}

// showText puts in what the core wrote itself, and nothing else: what is being
// typed is never overwritten.
func (c *composer) showText(s *session.Snapshot) {
	m := s.Composer
	if m == nil {
		c.entry.Disable()
		return
	}
	if c.entry.Disabled() {
		c.entry.Enable()
	}
	local, same := c.entry.Text, c.begun && m.Thread == c.thread
	if same && m.Rev == c.rev && (!c.sending || m.Text == c.sent) {
		return
	}
	text := m.Text
	if same {
		text = session.Onto(m.Text, c.sent, local) // as the core does with what it gets late
	}
	c.begun, c.thread, c.rev, c.sent, c.sending = true, m.Thread, m.Rev, m.Text, false
	if !widgets.Fits(text) {
		c.entry.SetText("")
		c.push("")
		c.chips.addBlock(text)
		return
	}
	c.entry.SetText(text)
	if text != m.Text {
		c.push(text)
	}
}

func (c *composer) typed(text string) {
	if !c.sending {
		c.push(text)
	}
}

// push gives the core the text. It names the conversation and the text it was
// typed onto, so that it is kept, once, even if another conversation is
// selected or the connection was lost by now.
func (c *composer) push(text string) {
	w, thread, rev := c.w, c.thread, c.rev
	c.sent = text
	w.core.Do(w.snap.At, session.SetDraft{Thread: &thread, Rev: &rev, Text: &text}, func(r session.Result) {
		if !r.OK {
			w.opts.Do(func() { w.say(line("The text is kept in this window only. %s", r.Error)) })
		}
	})
}

// send sends or steers, as the button says.
func (c *composer) send() {
	w, s := c.w, c.w.snap
	var in session.Intent
	switch {
	case c.sending:
		return
	case c.steers(s) && s.Status.Allows(session.ActSteer):
		in = session.Steer{}
	case !c.steers(s) && s.Status.Allows(session.ActSend):
		in = session.Send{}
	default:
		w.sayNow(w.whyNotSend())
		return
	}
	c.dispatch(in)
}

// enqueue queues the message for the end of the running turn.
func (c *composer) enqueue() {
	if !c.sending {
		c.dispatch(session.Enqueue{})
		c.w.focusComposer()
	}
}

// dispatch gives the core what is seen, and then asks for it to leave.
func (c *composer) dispatch(in session.Intent) {
	w, s := c.w, c.w.snap
	if c.empty() {
		w.sayNow(safetext.Trusted("There is nothing to send yet."))
		return
	}
	if _, ok := in.(session.Send); ok {
		w.trans.ScrollToEnd() // the answer is wanted
	}
	text := c.entry.Text
	c.push(text)
	c.sending = true
	w.core.Do(s.At, in, func(r session.Result) { w.opts.Do(func() { c.sentDone(in, r) }) })
}

func (c *composer) sentDone(in session.Intent, r session.Result) {
	if !r.OK {
		c.w.say(refusal(in, r))
	}
	if c.sending {
		c.sending = false
		if c.entry.Text != c.sent {
			c.push(c.entry.Text)
		}
	}
}

func (c *composer) empty() bool {
	m := c.w.snap.Composer
	return strings.TrimSpace(c.entry.Text) == "" && len(c.chips.blocks) == 0 && (m == nil || len(m.Images)+len(m.Blocks) == 0)
}

// whole is the message with its blocks, those that the core was just given too.
func (c *composer) whole() string {
	return together(c.entry.Text, c.chips.blocks)
}

// others are the messages of the other conversations that hold something.
func (c *composer) others() []*session.Composer {
	if c.w.snap.Unsent == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(c.w.snap.Unsent.Composers), func(x *session.Composer) bool { return x.Thread == c.thread })
}

func (c *composer) steers(s *session.Snapshot) bool {
	return s.Thread != nil && (s.Thread.TurnStatus == "inProgress" || s.Status.Allows(session.ActSteer)) &&
		!s.Status.Allows(session.ActSend)
}

// whyNotSend says what has to come first.
func (w *Window) whyNotSend() safetext.Line {
	s := w.snap
	switch {
	case s.Thread == nil:
		return safetext.Trusted("Choose a conversation first. The text is kept.")
	case s.Status.State == session.Ready && !s.Thread.Joined:
		return line("Join first (%s). The text is kept.", w.keyOf(session.ActJoin))
	}
	return line("Not possible now. %s The text is kept.", s.Status.Text)
}

func (c *composer) showButtons(s *session.Snapshot) {
	t := s.Thread
	joined := t != nil && t.Joined
	running := joined && t.TurnStatus == "inProgress"
	setVisible(c.stop, running || s.Status.Allows(session.ActStop))
	stopping := t != nil && t.Stopping
	c.stop.SetEnabled(s.Status.Allows(session.ActStop) && !stopping)
	if stopping {
		c.stop.SetLabel(safetext.Trusted("Stopping…"))
	} else {
		c.stop.SetLabel(safetext.Trusted("Stop"))
	}
	may, _ := mayEnqueue(c.w)
	setVisible(c.queue, may)
	label, n := queueLabel(s)
	c.queued.SetLabel(label)
	setVisible(c.queued, joined && n > 0)
	setVisible(c.join, t != nil && !joined)
	c.join.SetEnabled(s.Status.Allows(session.ActJoin))
	if c.steers(s) {
		c.main.SetLabel(safetext.Trusted("Steer"))
	} else {
		c.main.SetLabel(safetext.Trusted("Send"))
	}
	c.main.SetEnabled(s.Status.Allows(session.ActSend) || s.Status.Allows(session.ActSteer))
	if joined {
		c.main.SetKind(widgets.Primary)
	} else {
		c.main.SetKind(widgets.Plain)
	}
	usage := safetext.Line{}
	if t != nil && t.Tokens != nil && t.Tokens.Window > 0 {
		usage = line("%d %% context", min(t.Tokens.Total*100/t.Tokens.Window, 100))
	}
	c.usage.Set(usage)
	setVisible(c.usage, !usage.Empty())
	c.hint.Set(c.hintText(s))
}

func (c *composer) hintText(s *session.Snapshot) safetext.Line {
	parts := []string{}
	if s.Thread != nil && !s.Thread.Joined {
		parts = append(parts, words.T("%s joins", c.w.keyOf(session.ActJoin)))
	}
	key := c.w.keyOf(session.ActSend)
	if c.entry.EnterSends {
		key = "Enter"
	}
	if c.steers(s) {
		parts = append(parts, words.T("%s steers", key))
	} else {
		parts = append(parts, words.T("%s sends", key))
	}
	return safetext.MakeLine(strings.Join(append(parts, words.T("%s keys", c.w.keyTo("keys")), words.T("%s commands", c.w.keyTo("commands"))), " · "))
}

// compLayout sets the entry above the chips and buttons, in the reading column.
type compLayout struct{ c *composer }

func (compLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 60) }

const compTop = 8

func (l compLayout) rows(width float32) (in, problem, entry, chips, buttons, hint float32, beside bool) {
	c := l.c
	in = min(width-2*theme.Space12, theme.ColumnWidth)
	if c.problem.Visible() {
		problem = c.problem.HeightAt(in)
	}
	entry = c.entry.HeightAt(in)
	hint = c.hint.HeightAt(in)
	bw := widgets.NaturalWidth(0, c.buttons.Objects...)
	beside = bw+c.chips.width() <= in+2*widgets.Ring
	chips = widgets.HeightAt(c.chips.box, in+2*widgets.Ring)
	buttons = widgets.HeightAt(c.buttons, in+2*widgets.Ring)
	if beside {
		chips = max(chips, buttons)
		buttons = 0
	}
	return in, problem, entry, chips, buttons, hint, beside
}

// HeightAt implements widgets.TallLayout.
func (l compLayout) HeightAt(_ []fyne.CanvasObject, width float32) float32 {
	_, problem, entry, chips, buttons, hint, _ := l.rows(width)
	return compTop + problem + entry + chips + buttons + hint + 10
}

func (l compLayout) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	c := l.c
	in, problem, entry, chips, buttons, hint, beside := l.rows(s.Width)
	x := (s.Width - in) / 2
	y := float32(compTop)
	if c.problem.Visible() {
		place(c.problem, x, y, in, problem)
		y += problem
	}
	place(c.entry, x-widgets.Ring, y, in+2*widgets.Ring, entry)
	y += entry
	full := in + 2*widgets.Ring
	if beside {
		bw := widgets.NaturalWidth(0, c.buttons.Objects...) + 1
		h := widgets.HeightAt(c.chips.box, full-bw)
		place(c.chips.box, x-widgets.Ring, y+(chips-h)/2, full-bw, h)
		place(c.buttons, x-widgets.Ring+full-bw, y, bw, chips)
		y += chips
	} else {
		place(c.chips.box, x-widgets.Ring, y, full, chips)
		place(c.buttons, x-widgets.Ring, y+chips, full, buttons)
		y += chips + buttons
	}
	place(c.hint, x, y, in, hint)
}
