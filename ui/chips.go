package ui

import (
	"path/filepath"

	"fyne.io/fyne/v2"

	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/widgets"
)

// chips are what goes along with the message: model, effort, access, speed,
// skill, images and blocks of long text.
type chips struct {
	c      *composer
	box    *fyne.Container
	model  *widgets.Button
	effort *widgets.Button
	access *widgets.Button
	tier   *widgets.Button
	skill  *widgets.Button
	image  *widgets.Button
	// images and blocks are as given to the core last.
	images, blocks []string
	from           *session.Composer
	// waiting counts what the core was given and has not taken yet: until then
	// its snapshots are older than what is shown.
	waiting int
}

func newChips(c *composer) *chips {
	h := &chips{c: c}
	chip := func(name string, run func()) *widgets.Button {
		b := widgets.NewButton(safetext.MakeLine(name), widgets.Chip, run)
		b.Name = name
		return b
	}
	h.model = chip("model", c.w.pickModel)
	h.effort = chip("effort", c.w.pickEffort)
	h.access = chip("access", c.w.pickAccess)
	h.tier = chip("speed", c.w.pickTier)
	h.skill = chip("skill", c.w.pickSkill)
	h.image = chip("image", c.w.openImage)
	h.box = widgets.NewFlow(0)
	h.rebuild()
	return h
}

// rebuild puts the removable chips behind the fixed ones.
func (h *chips) rebuild() {
	h.box.Objects = []fyne.CanvasObject{h.model, h.effort, h.access, h.tier, h.skill, h.image}
	for i, p := range h.images {
		h.add(line("%s  ×", filepath.Base(p)), line("Remove the image %s", filepath.Base(p)), func() {
			h.setImages(without(h.images, i))
		})
	}
	for i, b := range h.blocks {
		h.add(line("text, %s  ×", bytesWord(int64(len(b)))), line("Remove the block of %s", bytesWord(int64(len(b)))), func() {
			h.setBlocks(without(h.blocks, i))
		})
	}
	h.box.Refresh()
}

func (h *chips) add(label, question safetext.Line, remove func()) {
	b := widgets.NewButton(label, widgets.Chip, func() { h.c.w.confirm("remove", question, safetext.Trusted("Remove"), remove) })
	b.Name = "attached"
	h.box.Add(b)
}

func without(list []string, i int) []string {
	out := append([]string{}, list[:i]...)
	return append(out, list[i+1:]...)
}

func (h *chips) setImages(list []string) {
	h.images = list
	h.give(session.SetDraft{Images: &list})
}

func (h *chips) setBlocks(list []string) {
	h.blocks = list
	h.give(session.SetDraft{Blocks: &list})
}

// give tells the core, by the name of the conversation.
func (h *chips) give(in session.SetDraft) {
	w, thread, rev := h.c.w, h.c.thread, h.c.rev
	in.Thread, in.Rev = &thread, &rev
	h.waiting++
	w.core.Do(w.snap.At, in, func(r session.Result) {
		w.opts.Do(func() {
			h.waiting--
			h.from = nil
			h.show(w.snap)
			if !r.OK {
				w.say(line("Not attached. %s", r.Error))
				return
			}
			w.settle()
		})
	})
	h.rebuild()
	w.settle()
}

func (h *chips) addBlock(text string) { h.setBlocks(append(append([]string{}, h.blocks...), text)) }

func (c *composer) addBlock(text string) {
	c.chips.addBlock(text)
	c.w.say(line("The pasted text (%s) is attached as a block.", bytesWord(int64(len(text)))))
}

func (h *chips) width() float32 { return widgets.NaturalWidth(0, h.box.Objects...) }

func (h *chips) show(s *session.Snapshot) {
	m := s.Composer
	setVisible(h.box, m != nil)
	if m == nil {
		return
	}
	if m != h.from && (h.waiting == 0 || h.from != nil && m.Thread != h.from.Thread) {
		h.from, h.images, h.blocks = m, m.Images, m.Blocks
		h.rebuild()
	}
	_, model := chosenModel(s)
	setVisible(h.effort, m.Effort != "" || model != nil && len(model.Efforts) > 0)
	setVisible(h.tier, m.Tier != "" || model != nil && len(model.Tiers) > 0)
	setVisible(h.skill, m.Skill != "" || s.Catalog != nil && len(s.Catalog.Skills) > 0)
	h.access.SetWarn(m.Access == session.AccessFull)
	h.fit()
}

// fit labels the chips: what was chosen, else what the chip is for, said
// shortly where there is little room.
func (h *chips) fit() {
	s := h.c.w.snap
	m := s.Composer
	if m == nil {
		return
	}
	short := h.c.w.shell.narrow
	label := func(value, long, brief safetext.Line) safetext.Line {
		switch {
		case !value.Empty():
			return value
		case short:
			return brief
		}
		return long
	}
	name, _ := chosenModel(s)
	h.model.SetLabel(label(name, safetext.Trusted("model: default"), safetext.Trusted("model")))
	h.effort.SetLabel(label(safetext.MakeLine(m.Effort), safetext.Trusted("effort: default"), safetext.Trusted("effort")))
	h.tier.SetLabel(label(safetext.MakeLine(m.Tier), safetext.Trusted("speed: default"), safetext.Trusted("speed")))
	h.skill.SetLabel(orElse(safetext.MakeLine(m.Skill), safetext.Trusted("+ skill")))
	h.image.SetLabel(safetext.Trusted("+ image"))
	h.access.SetLabel(label(accessChip(m.Access), safetext.Trusted("access: unchanged"), safetext.Trusted("access")))
}

func orElse(l, other safetext.Line) safetext.Line {
	if l.Empty() {
		return other
	}
	return l
}

// accessChip says what the next turn may do, where that was chosen.
func accessChip(a session.Access) safetext.Line {
	if a == session.AccessUnknown {
		return safetext.Line{}
	}
	return safetext.Join(" ", safetext.Trusted("next turn:"), accessWord(a))
}

// chosenModel is the composer's model as the catalogue knows it: its name, and
// the entry whose efforts and tiers can be chosen.
func chosenModel(s *session.Snapshot) (safetext.Line, *session.Model) {
	id := s.Composer.Model
	if id == "" && s.Thread != nil {
		id = s.Thread.Model
	}
	if s.Catalog != nil {
		for i, m := range s.Catalog.Models {
			if m.ID == id || id == "" && m.Default {
				return safetext.MakeLine(m.Name), &s.Catalog.Models[i]
			}
		}
	}
	return safetext.MakeLine(id), nil
}
