package session

import (
	"slices"
	"strings"
)

// maxDraft bounds what all composers hold together (DRIVE.md): beyond it a
// composer refuses more text; it never loses what it has.
const maxDraft = 64 << 20

// A board holds the composers, one by conversation, and one ("") that takes
// text while none is selected. They live in memory only.
type board struct{ by map[string]*Composer }

func newBoard() board { return board{by: map[string]*Composer{}} }

// at returns the composer of a conversation.
func (b *board) at(thread string) *Composer {
	c := b.by[thread]
	if c == nil {
		c = &Composer{Thread: thread}
		b.by[thread] = c
	}
	return c
}

func (b *board) section(thread string) *Composer {
	c := *b.at(thread)
	c.Blocks, c.Images = slices.Clone(c.Blocks), slices.Clone(c.Images)
	return &c
}

// size is how many bytes all composers hold.
func (b *board) size() int {
	n := 0
	for _, c := range b.by {
		n += len(c.Text)
		for _, x := range c.Blocks {
			n += len(x)
		}
	}
	return n
}

// set applies a SetDraft. It reports false, and changes nothing, when the text
// would pass the bound.
func (b *board) set(thread string, in SetDraft) bool {
	c := *b.at(thread)
	put(&c.Text, in.Text)
	put(&c.Skill, in.Skill)
	put(&c.Model, in.Model)
	put(&c.Effort, in.Effort)
	put(&c.Tier, in.Tier)
	put(&c.Personality, in.Personality)
	put(&c.Access, in.Access)
	put(&c.Blocks, in.Blocks)
	put(&c.Images, in.Images)
	c.Problem = ""
	old := b.by[thread]
	before := b.size()
	b.by[thread] = &c
	if after := b.size(); after > maxDraft && after > before {
		b.by[thread] = old
		return false
	}
	return true
}

func put[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// content is what a Send takes out of a composer.
type content struct {
	text   string
	blocks []string
	images []string
	skill  string
}

func (c content) empty() bool {
	return strings.TrimSpace(c.text) == "" && len(c.blocks) == 0 && len(c.images) == 0 && c.skill == ""
}

// whole is the text as one, for the ledger.
func (c content) whole() string {
	return strings.Join(append([]string{c.text}, c.blocks...), "\n")
}

// take moves the content out of a composer; the choices of model, effort and
// so on stay.
func (b *board) take(thread string) content {
	c := *b.at(thread)
	out := content{c.Text, c.Blocks, c.Images, c.Skill}
	c.Text, c.Blocks, c.Images, c.Skill, c.Problem = "", nil, nil, "", ""
	c.Rev++
	b.by[thread] = &c
	return out
}

// back puts content in front of what was typed since (DRIVE.md).
func (b *board) back(thread string, x content) {
	c := *b.at(thread)
	switch {
	case c.Text == "":
		c.Text = x.text
	case x.text != "":
		c.Text = x.text + "\n" + c.Text
	}
	c.Blocks = append(slices.Clone(x.blocks), c.Blocks...)
	c.Images = append(slices.Clone(x.images), c.Images...)
	if c.Skill == "" {
		c.Skill = x.skill
	}
	c.Rev++
	b.by[thread] = &c
}

// problem names the field that stopped a Send.
func (b *board) problem(thread, text string) {
	c := *b.at(thread)
	c.Problem = text
	b.by[thread] = &c
}
