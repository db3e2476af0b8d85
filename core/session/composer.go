package session

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"holdfast/core/recovery"
	"holdfast/core/words"
)

// maxDraft bounds what all composers and recovery drafts hold together
// (DRIVE.md): beyond it a composer refuses more text; nothing is ever lost.
const maxDraft = 64 << 20

// A board holds the composers of this owner generation, one by conversation,
// and one ("") that takes text while none is selected. They live in memory
// only (DRF-2).
type board struct {
	by  map[string]*Composer
	rev uint64 // counts what the core itself did to any composer's text
	// was keeps the contents that the core replaced lately, by conversation: a
	// surface may still be typing onto one of them, and what it typed goes into
	// the composer once, however many keys were under way (Onto).
	was map[string][]earlier
	// returned is what stands in front of a composer because it came back.
	returned map[string]recovery.Content
}

func newBoard() board {
	return board{by: map[string]*Composer{}, rev: 1, was: map[string][]earlier{}, returned: map[string]recovery.Content{}}
}

// at returns the composer of a conversation.
func (b *board) at(thread string) *Composer {
	c := b.by[thread]
	if c == nil {
		c = &Composer{Thread: thread, Rev: b.rev}
		b.by[thread] = c
	}
	return c
}

// put replaces a composer; changed says that the core, not a surface, changed
// its text.
func (b *board) put(c Composer, changed bool) {
	if changed {
		if old := b.by[c.Thread]; old != nil {
			b.remember(c.Thread, earlier{rev: old.Rev, text: old.Text, images: old.Images, blocks: old.Blocks})
		}
		b.rev++
		c.Rev = b.rev
	}
	b.by[c.Thread] = &c
}

func (b *board) section(thread string) *Composer {
	c := *b.at(thread)
	c.Blocks, c.Images = slices.Clone(c.Blocks), slices.Clone(c.Images)
	return &c
}

// unsent are the composers that hold something, by conversation.
func (b *board) unsent() *Unsent {
	s := &Unsent{}
	for _, thread := range slices.Sorted(maps.Keys(b.by)) {
		if !contentOf(b.by[thread]).Empty() {
			s.Composers = append(s.Composers, b.by[thread])
		}
	}
	return s
}

// size is how many bytes all composers hold.
func (b *board) size() int {
	n := 0
	for _, c := range b.by {
		n += contentOf(c).Size()
	}
	return n
}

// clear begins anew: every composer is empty and of a new revision.
func (b *board) clear() {
	b.rev++
	b.by, b.was, b.returned = map[string]*Composer{}, map[string][]earlier{}, map[string]recovery.Content{}
}

// contentOf is what a composer holds that may be sent, frozen or restored. The
// access that was chosen is not among it: it is a grant (DRF-3).
func contentOf(c *Composer) recovery.Content {
	return recovery.Content{
		Text: c.Text, Blocks: c.Blocks, Images: c.Images, Skill: c.Skill,
		Model: c.Model, Effort: c.Effort, Tier: c.Tier, Personality: c.Personality,
	}
}

func withContent(c Composer, x recovery.Content) Composer {
	c.Text, c.Blocks, c.Images, c.Skill = x.Text, slices.Clone(x.Blocks), slices.Clone(x.Images), x.Skill
	c.Model, c.Effort, c.Tier, c.Personality = x.Model, x.Effort, x.Tier, x.Personality
	c.Problem = ""
	return c
}

// apply gives a composer with the fields of a SetDraft.
func (in SetDraft) apply(c Composer) Composer {
	set(&c.Text, in.Text)
	set(&c.Skill, in.Skill)
	set(&c.Model, in.Model)
	set(&c.Effort, in.Effort)
	set(&c.Tier, in.Tier)
	set(&c.Personality, in.Personality)
	set(&c.Access, in.Access)
	set(&c.Blocks, in.Blocks)
	set(&c.Images, in.Images)
	c.Problem = ""
	return c
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// setDraft changes a composer. Text that a surface typed onto a composer that
// was frozen meanwhile becomes a recovery draft; it is never put anywhere else.
func (l *loop) setDraft(in SetDraft, done func(Result)) {
	thread := l.shown()
	if in.Thread != nil {
		thread = *in.Thread
	}
	old := *l.board.at(thread)
	if in.late(l.frozenAt, &old) {
		l.lateDraft(thread, in)
		l.finish(done, ok())
		return
	}
	late := in.Rev != nil && *in.Rev < old.Rev
	next, has := in.apply(old), earlier{}
	if late {
		next, has = l.board.onto(&old, in)
	}
	grows := contentOf(&next).Size() - contentOf(&old).Size()
	if grows > 0 && l.board.size()+l.drafts.Size()+grows > maxDraft {
		l.finish(done, refuse("drafts-full", words.T("The drafts hold 64 MiB together. This text was not taken.")))
		return
	}
	if late {
		l.board.remember(thread, has)
	}
	moved := late && !reflect.DeepEqual(contentOf(&next), contentOf(&old))
	l.board.put(next, moved)
	l.finish(done, ok())
}

// late reports that the composer which a surface typed into was frozen since:
// all were at a loss, that of no conversation at a selection.
func (in SetDraft) late(frozenAt uint64, now *Composer) bool {
	return in.Rev != nil && (*in.Rev < frozenAt || now.Thread == "" && *in.Rev < now.Rev)
}

// A lateText is the draft that takes what is typed into a frozen composer, and
// the frozen text it continues.
type lateText struct{ id, from string }

// lateDraft goes on with the draft that a composer was frozen to, for as long as
// the text continues it, and then with one more draft: one, however many keys
// were under way.
func (l *loop) lateDraft(thread string, in SetDraft) {
	c := Composer{Thread: thread}
	if was, found := l.late[thread]; found && in.Text != nil && recovery.Continues(*in.Text, was.from) {
		if x, kept := l.drafts.Get(was.id); kept {
			c = in.apply(withContent(c, x.Content))
			l.drafts.Rewrite(was.id, contentOf(&c))
			return
		}
	}
	d := recovery.Draft{Thread: thread, Title: l.titleOf(thread), At: l.now(), Owner: l.frozenOwner}
	if x := l.drafts.Newest(thread); x != nil && x.Owner == l.frozenOwner && (in.Text == nil || recovery.Continues(*in.Text, x.Text)) {
		c = withContent(c, x.Content)
	}
	c = in.apply(c)
	d.Content = contentOf(&c)
	id, from := l.drafts.Late(d)
	l.late[thread] = lateText{id, from}
}

// take moves the content out of a composer; the choices of model, effort and
// so on stay.
func (b *board) take(thread string) recovery.Content {
	c := *b.at(thread)
	x := contentOf(&c)
	c.Text, c.Blocks, c.Images, c.Skill, c.Problem = "", nil, nil, "", ""
	b.put(c, true)
	return x
}

// back puts content in front of what was typed since (DRIVE.md), and behind what
// came back before it: several messages return in the order they had.
func (b *board) back(thread string, x recovery.Content) {
	c := b.at(thread)
	first := b.returned[thread]
	rest, still := recovery.Without(contentOf(c), first)
	if !still {
		first = recovery.Content{}
	}
	front, _ := recovery.Restore(x, first, recovery.ModeAfter)
	b.returned[thread] = front
	out, _ := recovery.Restore(front, rest, recovery.ModeBefore)
	b.put(withContent(*c, out), true)
}

// problem names the field that stopped a Send.
func (b *board) problem(thread, text string) {
	c := *b.at(thread)
	c.Problem = text
	b.put(c, false)
}

// whole is a content's text as one, for the ledger.
func whole(x recovery.Content) string {
	return strings.Join(append([]string{x.Text}, x.Blocks...), "\n")
}
