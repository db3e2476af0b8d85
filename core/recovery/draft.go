package recovery

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"holdfast/core/stamp"
)

// Content is what a composer holds and a recovery draft keeps (DRF-1). Secrets,
// grants and answers have no field to be copied into (DRF-3).
type Content struct {
	Text        string
	Blocks      []string
	Images      []string // descriptors: local paths, not data
	Skill       string
	Model       string
	Effort      string
	Tier        string
	Personality string
}

// Empty reports whether there is nothing in it that somebody typed or chose to
// send; choices of model and so on alone are nothing to send.
func (c Content) Empty() bool {
	return strings.TrimSpace(c.Text) == "" && len(c.Blocks) == 0 && len(c.Images) == 0 && c.Skill == ""
}

// Size is how many bytes of text it holds.
func (c Content) Size() int {
	n := len(c.Text)
	for _, b := range c.Blocks {
		n += len(b)
	}
	return n
}

// A Draft is a composer frozen at a loss. It is immutable and lives in memory
// only (DRF-2).
type Draft struct {
	ID     string
	Thread string // "" when nothing was selected
	Title  string
	At     time.Time
	Owner  stamp.Stamp // whose composer it was
	Content
}

// Drafts holds the frozen drafts, oldest first. One goroutine owns it.
type Drafts struct {
	rows []*Draft
	next int
}

// Freeze keeps a composer's content as one more draft; it never merges or
// overwrites (ruling 30). Empty content freezes to nothing.
func (d *Drafts) Freeze(x Draft) {
	if x.Empty() {
		return
	}
	d.next++
	x.ID = fmt.Sprintf("d%d", d.next)
	x.Blocks, x.Images = slices.Clone(x.Blocks), slices.Clone(x.Images)
	d.rows = append(d.rows, &x)
}

// Late takes text that was typed into a composer that was frozen meanwhile. The
// newest draft of the same conversation is replaced by it if it only continues
// that; else it is one more. It gives the draft's ID and the text it continues.
func (d *Drafts) Late(x Draft) (id, from string) {
	old := d.Newest(x.Thread)
	if old != nil && Continues(x.Text, old.Text) && begins(x.Blocks, old.Blocks) && begins(x.Images, old.Images) {
		d.Rewrite(old.ID, x.Content)
		return old.ID, old.Text
	}
	if x.Empty() {
		return "", ""
	}
	d.Freeze(x)
	return d.rows[len(d.rows)-1].ID, ""
}

// Newest is the newest draft of a conversation, or nil.
func (d *Drafts) Newest(thread string) *Draft {
	for _, x := range slices.Backward(d.rows) {
		if x.Thread == thread {
			return x
		}
	}
	return nil
}

// Rewrite puts other content into a draft that Late gave: one surface goes on
// typing there. Empty content drops it.
func (d *Drafts) Rewrite(id string, x Content) {
	if x.Empty() {
		d.Drop(id)
		return
	}
	for i, old := range d.rows {
		if old.ID == id {
			c := *old
			c.Content = x
			c.Blocks, c.Images = slices.Clone(x.Blocks), slices.Clone(x.Images)
			d.rows[i] = &c
		}
	}
}

// Continues reports whether text is from with more typed into it at one place:
// nothing of from is lost when text takes its place.
func Continues(text, from string) bool {
	if len(text) < len(from) {
		return false
	}
	start := 0
	for start < len(from) && text[start] == from[start] {
		start++
	}
	return strings.HasSuffix(text, from[start:])
}

// begins reports whether list begins with first.
func begins(list, first []string) bool {
	return len(list) >= len(first) && slices.Equal(list[:len(first)], first)
}

// Rows gives the drafts, oldest first.
func (d *Drafts) Rows() []*Draft { return slices.Clone(d.rows) }

// Get finds a draft.
func (d *Drafts) Get(id string) (*Draft, bool) {
	i := slices.IndexFunc(d.rows, func(x *Draft) bool { return x.ID == id })
	if i < 0 {
		return nil, false
	}
	return d.rows[i], true
}

// Drop forgets a draft: it was restored, which consumes it (DRF-5), or
// discarded.
func (d *Drafts) Drop(id string) {
	d.rows = slices.DeleteFunc(d.rows, func(x *Draft) bool { return x.ID == id })
}

// OfOther reports whether a draft is of another owner than s.
func (d *Drafts) OfOther(s stamp.Stamp) bool {
	return slices.ContainsFunc(d.rows, func(x *Draft) bool { return x.Owner != s.OwnerOnly() })
}

// Size is how many bytes of text the drafts hold.
func (d *Drafts) Size() int {
	n := 0
	for _, x := range d.rows {
		n += x.Size()
	}
	return n
}

// A Mode is where restored content goes when the composer is not empty.
type Mode string

// The modes. The zero value asks: it is refused unless the composer is empty.
const (
	ModeAsk     Mode = ""
	ModeBefore  Mode = "before"
	ModeAfter   Mode = "after"
	ModeReplace Mode = "replace"
)

// Restore puts from into a composer that holds into. ok is false when the mode
// does not say where: then nothing changes.
func Restore(from, into Content, m Mode) (out Content, ok bool) {
	if into.Empty() {
		return choices(from, into), true
	}
	switch m {
	case ModeReplace:
		return choices(from, into), true
	case ModeBefore:
		return joined(from, into, choices(from, into)), true
	case ModeAfter:
		return joined(into, from, choices(into, from)), true
	case ModeAsk:
	}
	return into, false
}

// Without takes first away from the front of c, where Restore put it. ok is
// false, and c stays whole, when c does not begin with it any more.
func Without(c, first Content) (rest Content, ok bool) {
	if first.Empty() || !begins(c.Blocks, first.Blocks) || !begins(c.Images, first.Images) {
		return c, false
	}
	text, found := strings.CutPrefix(c.Text, first.Text)
	if found && first.Text != "" && text != "" {
		text, found = strings.CutPrefix(text, "\n")
	}
	if !found {
		return c, false
	}
	c.Text = text
	c.Blocks, c.Images = c.Blocks[len(first.Blocks):], c.Images[len(first.Images):]
	if c.Skill == first.Skill {
		c.Skill = ""
	}
	return c, true
}

// choices takes a's content, and b's choices where a made none.
func choices(a, b Content) Content {
	for _, p := range []struct{ to, from *string }{
		{&a.Model, &b.Model}, {&a.Effort, &b.Effort}, {&a.Tier, &b.Tier}, {&a.Personality, &b.Personality},
	} {
		if *p.to == "" {
			*p.to = *p.from
		}
	}
	return a
}

func joined(first, second, c Content) Content {
	switch {
	case first.Text == "":
		c.Text = second.Text
	case second.Text == "":
		c.Text = first.Text
	default:
		c.Text = first.Text + "\n" + second.Text
	}
	c.Blocks = slices.Concat(first.Blocks, second.Blocks)
	c.Images = slices.Concat(first.Images, second.Images)
	if c.Skill = first.Skill; c.Skill == "" {
		c.Skill = second.Skill
	}
	return c
}
