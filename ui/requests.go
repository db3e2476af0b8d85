package ui

import (
	"maps"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/widgets"
)

// quiet is how long a new card takes no key (ruling 40).
const quiet = 500 * time.Millisecond

// cardArea holds the request cards of the selected conversation.
type cardArea struct {
	w      *Window
	column *fyne.Container
	scroll *container.Scroll
	cards  map[string]*widgets.Card
	models map[string]*session.Request
	seen   map[string]time.Time
	// given is what was typed into the answers that were given, kept what was
	// typed into those that cannot be given any more.
	given map[string]string
	kept  []string
}

func newCardArea(w *Window) *cardArea {
	a := &cardArea{
		w: w, column: widgets.NewPaddedColumn(8, 2, 2), cards: map[string]*widgets.Card{},
		models: map[string]*session.Request{}, seen: map[string]time.Time{}, given: map[string]string{},
	}
	a.scroll = container.NewVScroll(a.column)
	a.scroll.Hide()
	return a
}

// show keeps the card of each request as long as the request is open, wherever
// the user looks meanwhile: what is being typed into it must not be lost.
func (a *cardArea) show(s *session.Snapshot) {
	var objects []fyne.CanvasObject
	open := map[string]bool{}
	for _, r := range s.Requests.Cards {
		open[r.ID] = true
		here := showsHere(s, r)
		card := a.cards[r.ID]
		switch {
		case card == nil && !here:
			continue
		case card == nil:
			card = a.newCard(r)
			a.cards[r.ID] = card
		}
		if a.models[r.ID] != r {
			a.models[r.ID] = r
			a.mark(card, r)
		}
		if !here {
			continue
		}
		if !slices.Contains(a.column.Objects, fyne.CanvasObject(card)) {
			a.seen[r.ID] = a.w.opts.Now()
		}
		objects = append(objects, card)
	}
	for id, card := range a.cards {
		if !open[id] {
			if r := a.models[id]; !r.Answered || !r.Live {
				a.keep(id, card)
			}
			delete(a.cards, id)
			delete(a.models, id)
			delete(a.seen, id)
			delete(a.given, id)
		}
	}
	if !slices.Equal(a.column.Objects, objects) {
		a.column.Objects = objects
		a.column.Refresh()
	}
	setVisible(a.scroll, len(objects) > 0)
}

// keep keeps what was typed into an answer that cannot be given any more. It is
// no draft (DRF-3): it goes nowhere but to the clipboard, when the user says so.
func (a *cardArea) keep(id string, card *widgets.Card) {
	text := card.Typed()
	if text == "" {
		text = a.given[id]
	}
	delete(a.given, id)
	a.keepText(text)
}

// keepText keeps what was typed where it could not be given.
func (a *cardArea) keepText(text string) {
	if text == "" || slices.Contains(a.kept, text) {
		return
	}
	a.kept = append(a.kept, text)
	a.w.say(line("What you typed was not taken any more. It is kept: copy it (%s).", a.w.keyTo("copyDrafts")))
}

// unsent is what was typed as an answer and not given, or not taken.
func (a *cardArea) unsent() []string {
	out := slices.Clone(a.kept)
	for _, id := range slices.Sorted(maps.Keys(a.cards)) {
		if text := a.cards[id].Typed(); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// showsHere says that a request belongs to the selected conversation, or to one
// that no row of the list leads to (a sub-agent's).
func showsHere(s *session.Snapshot, r *session.Request) bool {
	if s.Thread != nil && r.Thread == s.Thread.ID || r.Thread == "" {
		return true
	}
	for _, t := range s.Threads.Rows {
		if t.ID == r.Thread {
			return false
		}
	}
	return true
}

// mark says what became of a request.
func (a *cardArea) mark(card *widgets.Card, r *session.Request) {
	switch {
	case !r.Live:
		a.keep(r.ID, card)
	case r.Answered && card.Typed() != "":
		a.given[r.ID] = card.Typed()
	}
	switch {
	case r.Answered:
		card.Answered(safetext.Trusted("Answered, waiting for the server."))
	case !r.Live:
		card.Answered(safetext.Trusted("This can no longer be answered here."))
	}
}

func (a *cardArea) focusables() []fyne.Focusable {
	if !a.scroll.Visible() {
		return nil
	}
	return widgets.Focusables(a.column)
}

func (a *cardArea) newCard(r *session.Request) *widgets.Card {
	m := cardModel(r)
	card := widgets.NewCard(m)
	id, at := r.ID, a.w.snap.At.ConnOnly()
	card.Ready = func() bool { return a.w.opts.Now().Sub(a.seen[id]) >= quiet }
	card.OnAnswer = func(choice string, inputs map[string][]string) {
		cur := a.models[id]
		if cur == nil || !cur.Live || cur.Answered {
			return
		}
		in := session.Answer{Request: id, Decision: choice, Answers: inputs}
		if choice == answerOnly {
			in.Decision = ""
		}
		card.Say(safetext.Trusted("Answering…"))
		a.w.core.Do(at, in, func(res session.Result) {
			if !res.OK {
				a.w.opts.Do(func() { card.Say(line("Not answered. %s", res.Error)); a.w.settle() })
			}
		})
		a.w.settle()
	}
	return card
}

// answerOnly is the button of a request that takes answers and no decision.
const answerOnly = "\x00answer"

func cardModel(r *session.Request) widgets.CardModel {
	m := widgets.CardModel{ID: r.ID, Name: "card", Title: cardTitle(r), Why: cardWhy(r)}
	switch r.Kind {
	case "command", "toolCall", "permissions", "unknown":
		if r.Text != "" {
			m.Codes = append(m.Codes, safetext.Code("", r.Text))
		}
	case "fileChange":
	default:
		m.Why = append(lines(r.Text, 20), m.Why...)
	}
	if r.Diff != "" {
		m.Codes = append(m.Codes, safetext.Diff("update", r.Diff))
	}
	for _, q := range r.Questions {
		m.Inputs = append(m.Inputs, cardInput(q))
	}
	m.Choices = cardChoices(r)
	return m
}

func cardTitle(r *session.Request) safetext.Line {
	switch r.Kind {
	case "command":
		return safetext.Trusted("Codex asks to run a command")
	case "fileChange":
		return safetext.Trusted("Codex asks to change files")
	case "permissions":
		return safetext.Trusted("Codex asks for more permissions")
	case "userInput":
		return safetext.Trusted("Codex asks you")
	case "elicitation":
		return safetext.Trusted("A tool asks you")
	case "toolCall":
		return safetext.Trusted("Codex asks this client to run a tool")
	}
	return line("The server asks something this version does not know: %s", r.Method)
}

// cardWhy says why and where.
func cardWhy(r *session.Request) []safetext.Line {
	var why, where safetext.Line
	if r.Reason != "" {
		why = line("Why: %s", r.Reason)
	}
	if r.Cwd != "" {
		where = line("in %s", r.Cwd)
	}
	out := []safetext.Line{safetext.Join(" · ", why, where)}
	if r.Kind == "unknown" {
		out = append(out, safetext.Trusted("Refuse tells the server that it is not supported. Another client may still answer."))
	}
	return out
}

func cardInput(q session.Question) widgets.Input {
	in := widgets.Input{
		ID: q.ID, Label: orElse(safetext.MakeLine(q.Header), safetext.MakeLine(q.ID)),
		Help: safetext.MakeLine(q.Text), Other: q.Other, Required: q.Required, Default: q.Default,
	}
	for _, o := range q.Options {
		in.Options = append(in.Options, widgets.Row{ID: o.Value, Title: safetext.MakeLine(o.Label), Sub: safetext.MakeLine(o.Text)})
	}
	switch {
	case q.Secret:
		in.Kind = widgets.SecretInput
	case q.Kind == "number":
		in.Kind = widgets.NumberInput
	case q.Kind == "integer":
		in.Kind = widgets.IntegerInput
	case q.Kind == "boolean":
		in.Kind = widgets.YesNoInput
	case q.Kind == "choice":
		in.Kind = widgets.ChoiceInput
	case q.Kind == "choices":
		in.Kind = widgets.ChoicesInput
	}
	return in
}

// ranks orders the decisions, the least far-reaching first (ruling 40); an
// amendment comes after Allow for session, Stop turn last.
var ranks = map[string]int{"decline": 0, "refuse": 0, "accept": 1, "acceptForSession": 2, "cancel": 9}

func rank(d session.Decision) int {
	if r, ok := ranks[d.Name]; ok {
		return r
	}
	return 5
}

func cardChoices(r *session.Request) []widgets.Choice {
	ds := slices.Clone(r.Decisions)
	slices.SortStableFunc(ds, func(a, b session.Decision) int { return rank(a) - rank(b) })
	var out []widgets.Choice
	for _, d := range ds {
		out = append(out, widgets.Choice{
			Name: d.Name, Text: decisionText(d), Quiet: d.Name == "cancel",
			NeedsInputs: d.Name == "accept" && len(r.Questions) > 0,
		})
	}
	if len(ds) == 0 && len(r.Questions) > 0 {
		out = append(out, widgets.Choice{Name: answerOnly, Text: safetext.Trusted("Send the answer"), NeedsInputs: true})
	}
	return out
}

func decisionText(d session.Decision) safetext.Line {
	if d.Text != "" {
		return safetext.MakeLine(d.Text)
	}
	switch d.Name {
	case "accept":
		return safetext.Trusted("Allow once")
	case "acceptForSession":
		return safetext.Trusted("Allow for session")
	case "decline":
		return safetext.Trusted("Decline")
	case "cancel":
		return safetext.Trusted("Stop turn")
	case "refuse":
		return safetext.Trusted("Refuse")
	}
	return safetext.MakeLine(d.Name)
}
