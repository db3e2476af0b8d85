package session

import (
	"slices"

	"holdfast/core/protocol"
	"holdfast/core/words"
)

// Bounds of the walk over the catalogue, and of the skills of a folder.
const (
	maxModelPages = 10
	maxModels     = 1000
	maxSkills     = 1000
)

// readCatalog reads the models the composer offers.
func (l *loop) readCatalog() {
	if l.models.begin(l.link.stamp()) {
		l.readModels("", &modelWalk{})
	}
}

// A modelWalk is a reading of the models, page by page.
type modelWalk struct {
	trail trail
	all   []Model
}

func (l *loop) readModels(cursor string, w *modelWalk) {
	p := protocol.ModelListParams{Cursor: cursor, Limit: 100}
	ask(l, l.link.stamp(), protocol.ModelList, p, func(l *loop, r protocol.ModelListResult, err error) {
		c := *l.catalog
		if linkEnded(err) {
			return // its loss follows
		}
		if err != nil {
			l.models.end()
			defer l.resume()
			c.Models = nil // what an earlier connection offered is no catalogue of this one
			c.Problem = words.T("The models could not be read. %s", textOf(err))
			l.catalog = &c
			return
		}
		w.trail.unread += r.Unread
		for _, m := range r.Data {
			if !m.Hidden && len(w.all) < maxModels {
				w.all = append(w.all, modelOf(m))
			}
		}
		next, leads := w.trail.next(cursor, r.NextCursor)
		if next != nil && w.trail.pages() < maxModelPages {
			l.readModels(*next, w)
			return
		}
		l.models.end()
		defer l.resume()
		l.modelsOf = l.link.stamp()
		c.Models, c.Problem = w.all, ""
		switch {
		case !leads || next != nil:
			c.Problem = words.T("The server's list of models has no proper end. It may not be complete.")
		case w.trail.unread > 0:
			c.Problem = words.T("The list of models is not complete: %s", unreadRows(w.trail.unread))
		}
		l.catalog = &c
	})
}

func modelOf(m protocol.Model) Model {
	x := Model{
		ID: or(m.Model, m.ID), Name: m.DisplayName, Description: m.Description, Default: m.IsDefault,
		DefaultEffort: m.DefaultEffort, Personality: m.SupportsPersonality,
		Images: len(m.InputModalities) == 0 || slices.Contains(m.InputModalities, "image"),
	}
	for _, e := range m.Efforts {
		x.Efforts = append(x.Efforts, e.Name)
	}
	for _, t := range m.Tiers {
		x.Tiers = append(x.Tiers, t.ID)
	}
	return x
}

// readSkills reads the skills of the selected conversation's folder.
func (l *loop) readSkills() {
	v := l.view
	if v == nil || v.info.Cwd == "" || !l.rec.Connected() {
		return
	}
	if !l.skills.begin(l.fence.Current()) {
		return
	}
	p := protocol.SkillsListParams{Cwds: []string{v.info.Cwd}}
	ask(l, l.fence.Current(), protocol.SkillsList, p, func(l *loop, r protocol.SkillsListResult, err error) {
		if linkEnded(err) {
			return // its loss follows
		}
		if l.skills.end() {
			l.readSkills()
		}
		defer l.resume()
		if err != nil {
			return // the picker stays as it was
		}
		l.skillsOf = l.fence.Current()
		c := *l.catalog
		if c.Skills = nil; r.Unread > 0 {
			l.notices.say("skills-incomplete", words.T("The list of skills is not complete: %s", unreadRows(r.Unread)))
		}
		for _, e := range r.Data {
			for _, s := range e.Skills {
				if s.Enabled && len(c.Skills) < maxSkills {
					c.Skills = append(c.Skills, Skill{Name: s.Name, Description: s.Description, Path: s.Path})
				}
			}
		}
		l.catalog = &c
	})
}

// beingRead reports whether the catalogue that a message is checked against is
// on its way.
func (l *loop) beingRead(c *Composer) bool {
	models := c.Model != "" || c.Effort != "" || c.Tier != ""
	return models && l.models.open && l.modelsOf != l.link.stamp() ||
		c.Skill != "" && l.skills.open // also when it is read anew: it may be gone
}

// resume goes on with the messages that waited for a catalogue.
func (l *loop) resume() {
	later := l.later
	l.later = nil
	for _, f := range later {
		f()
	}
}
