package session

import (
	"context"
	"encoding/base64"
	"net/http"
	"path/filepath"
	"slices"
	"strings"

	"holdfast/core/ledger"
	"holdfast/core/protocol"
	"holdfast/core/recovery"
	"holdfast/core/words"
)

// Bounds of what a message may carry.
const (
	maxImage   = 10 << 20  // one image (ruling 36)
	maxMessage = 15 << 20  // all images of a message: a frame breaks at 17 MiB
	maxText    = 1_048_576 // characters of one text input
)

// A submission is one Send, Steer or Enqueue from the key press to the wire.
type submission struct {
	thread  string
	want    Intent // which of them
	turn    string // the running turn, of a steer
	content recovery.Content
	choices Composer
	input   []protocol.UserInput
}

// submit checks the composer, reads its images off the loop, and dispatches.
// Until dispatch the content stays in the composer, visible.
func (l *loop) submit(want Intent, done func(Result)) {
	j := l.joined[l.view.thread]
	c := *l.board.at(l.view.thread)
	s := &submission{
		thread: l.view.thread, want: want, turn: j.turn, choices: c,
		content: contentOf(&c),
	}
	if s.content.Empty() {
		l.finish(done, refuse("empty", words.T("There is nothing to send.")))
		return
	}
	if l.beingRead(&c) {
		l.later = append(l.later, func() { l.goOn(s, done, func() { l.submit(want, done) }) })
		l.hold(s, done)
		return
	}
	if field, why := l.invalid(s); why != "" {
		l.board.problem(s.thread, field+": "+why)
		l.finish(done, refuse("invalid-"+field, why))
		return
	}
	if len(s.content.Images) == 0 {
		l.dispatch(s, done)
		return
	}
	l.readThenDispatch(s, done)
}

// readThenDispatch reads the images off the loop. Whoever waits is answered by
// what follows, or hears that the view was replaced meanwhile.
func (l *loop) readThenDispatch(s *submission, done func(Result)) {
	at, read := l.fence.Current(), l.cfg.ReadImage
	shared, roots := l.target.SharedFiles, l.target.Roots
	ctx, cancel := context.WithTimeout(l.ctx, l.cfg.scaled(patience))
	if read != nil {
		read = patientRead(ctx, read)
	}
	l.wg.Go(func() {
		defer cancel()
		inputs, bad := readImages(s.content.Images, shared, roots, read)
		l.post(at, func(l *loop) {
			l.goOn(s, done, func() {
				if bad != "" {
					l.board.problem(s.thread, words.T("images: %s", bad))
					l.finish(done, refuse("invalid-images", bad))
					return
				}
				s.input = inputs
				l.dispatch(s, done)
			})
		})
	})
	l.hold(s, done)
}

// hold lets who wants to know how a message ended wait for what is read before
// it can leave. A replaced view ends the wait.
func (l *loop) hold(s *submission, done func(Result)) {
	l.wait(waiter{done: done, viewBound: true, reading: s, settled: func() (bool, Result) { return false, Result{} }})
}

// goOn goes on with a message that was held, if it is still wanted and the same.
func (l *loop) goOn(s *submission, done func(Result), next func()) {
	held := len(l.waiters)
	l.waiters = slices.DeleteFunc(l.waiters, func(w waiter) bool { return w.reading == s })
	now := l.board.at(s.thread)
	switch why := l.mayNot(s.want); {
	case len(l.waiters) == held: // its view was replaced, and that was said
	case now.Text != s.content.Text || !slices.Equal(now.Images, s.content.Images):
		l.finish(done, refuse("changed", words.T("The message changed while what it needs was read. Send again.")))
	case why != nil:
		l.finish(done, *why)
	default:
		next()
	}
}

// invalid checks the fields against the live catalogues, before anything
// leaves: the server validates little (trap 17).
func (l *loop) invalid(s *submission) (field, why string) {
	for _, t := range append([]string{s.content.Text}, s.content.Blocks...) {
		if n := len([]rune(t)); n > maxText {
			return "text", words.T("it has %d characters; the server takes at most %d", n, maxText)
		}
	}
	if k := s.choices.Skill; k != "" && (l.skillsOf != l.fence.Current() || l.skill(k) == nil) {
		return "skill", words.T("%q is not among the skills of this folder now", k)
	}
	return l.invalidModel(s)
}

// invalidModel checks the choices of the next turn against the models of this
// connection. The conversation's own model is taken also where no catalogue has
// it.
func (l *loop) invalidModel(s *submission) (field, why string) {
	own := or(l.joined[s.thread].model, l.view.info.Model)
	m := or(s.choices.Model, own)
	var models []Model
	if l.modelsOf == l.link.stamp() {
		models = l.catalog.Models
	}
	i := slices.IndexFunc(models, func(x Model) bool { return x.ID == m })
	switch e, t := s.choices.Effort, s.choices.Tier; {
	case len(models) == 0 && m != own:
		return "model", words.T("%q cannot be checked: the server's catalogue was not read", m)
	case len(models) == 0 && e != "":
		return "effort", words.T("%q cannot be checked: the server's catalogue was not read", e)
	case len(models) == 0 && t != "":
		return "tier", words.T("%q cannot be checked: the server's catalogue was not read", t)
	case i < 0 && m != own:
		return "model", words.T("%q is not in the server's catalogue now", m)
	case i < 0: // no catalogue says what it offers
	case e != "" && !slices.Contains(models[i].Efforts, e):
		return "effort", words.T("%s does not offer %q", models[i].Name, e)
	case t != "" && !slices.Contains(models[i].Tiers, t):
		return "tier", words.T("%s does not offer %q", models[i].Name, t)
	}
	return "", ""
}

func (l *loop) skill(name string) *Skill {
	for i := range l.catalog.Skills {
		if l.catalog.Skills[i].Name == name {
			return &l.catalog.Skills[i]
		}
	}
	return nil
}

// readImages turns paths into inputs: a localImage only when files are shared
// and it lies inside a root, else its content as a data URL (ruling 36).
func readImages(paths []string, shared bool, roots []Root, read func(string, int64) (Image, error)) ([]protocol.UserInput, string) {
	var out []protocol.UserInput
	total := 0
	for _, p := range paths {
		name := filepath.Base(p)
		if read == nil {
			return nil, words.T("%s cannot be read here", name)
		}
		img, err := read(p, maxImage)
		if err != nil {
			return nil, words.T("%s cannot be read: %s", name, err)
		}
		server, inside := mapped(img.Path, roots)
		if _, meant := mapped(p, roots); meant && !inside {
			return nil, words.T("%s is not in its folder any more: a link leads elsewhere", name)
		}
		if inside && shared {
			out = append(out, protocol.UserInput{Type: "localImage", Path: server})
			continue
		}
		mime := http.DetectContentType(img.Data)
		if !strings.HasPrefix(mime, "image/") {
			return nil, words.T("%s is not an image", name)
		}
		if total += len(img.Data); total > maxMessage {
			return nil, words.T("the images are larger than 15 MiB together")
		}
		out = append(out, protocol.UserInput{Type: "image", URL: "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(img.Data)})
	}
	return out, ""
}

// mapped gives a local path as the server names it.
func mapped(path string, roots []Root) (string, bool) {
	for _, r := range roots {
		rel, err := filepath.Rel(r.Local, path)
		if err == nil && filepath.IsLocal(rel) {
			return filepath.Join(r.Server, rel), true
		}
	}
	return "", false
}

// dispatch moves the content into an operation and sends it, once.
func (l *loop) dispatch(s *submission, done func(Result)) {
	s.content = l.board.take(s.thread)
	input := append(s.inputs(l), s.input...)
	clientID := l.cfg.NewID() // recorded before dispatch, never reused (ruling 1)
	entry := ledger.Entry{Thread: s.thread, ClientID: clientID, Text: whole(s.content), After: l.newestTurn()}
	var op string
	switch s.want.(type) {
	case Steer:
		entry.Turn, entry.After = s.turn, l.turnBefore(s.turn)
		p := protocol.TurnSteerParams{ThreadID: s.thread, ExpectedTurnID: s.turn, Input: input, ClientUserMessageID: clientID}
		op = mutate(l, protocol.TurnSteer, p, sending[protocol.TurnSteerResult]{
			entry: entry, at: l.fence.Current().OwnerOnly(),
			got: func(l *loop, _ protocol.TurnSteerResult) { l.steered(s.thread, s.turn) },
		})
	case Enqueue:
		op = l.queueAdd(entry, input)
	default:
		p := s.startParams(input, clientID)
		op = mutate(l, protocol.TurnStart, p, sending[protocol.TurnStartResult]{
			entry: entry, at: l.link.stamp(),
			turn: func(r protocol.TurnStartResult) string { return r.Turn.ID },
			got:  func(l *loop, r protocol.TurnStartResult) { l.began(s, r.Turn.ID) },
		})
	}
	// NotSent or Rejected puts the text back; Confirmed and unknown do not.
	l.mayReturn(op, s.thread, s.content)
	l.wait(waiter{done: done, op: op})
}

func (s *submission) inputs(l *loop) []protocol.UserInput {
	var in []protocol.UserInput
	for _, t := range append([]string{s.content.Text}, s.content.Blocks...) {
		if t != "" {
			in = append(in, protocol.UserInput{Type: "text", Text: t})
		}
	}
	if s.content.Skill != "" {
		if k := l.skill(s.content.Skill); k != nil {
			in = append(in, protocol.UserInput{Type: "skill", Name: k.Name, Path: k.Path})
		}
	}
	return in
}

// startParams sends only what the user chose; what is absent stays the
// conversation's own.
func (s *submission) startParams(input []protocol.UserInput, clientID string) protocol.TurnStartParams {
	p := protocol.TurnStartParams{
		ThreadID: s.thread, Input: input, ClientUserMessageID: clientID,
		Model: s.choices.Model, Effort: s.choices.Effort, ServiceTier: s.choices.Tier, Personality: s.choices.Personality,
	}
	if g, chosen := protocol.GrantFor(string(s.choices.Access)); chosen {
		p.SandboxPolicy, p.ApprovalPolicy = g.Sandbox, g.Approval
	}
	return p
}
