package session

import (
	"slices"

	"holdfast/core/protocol"
)

// maxModelPages bounds the walk over the catalogue.
const maxModelPages = 10

// readCatalog reads the models the composer offers.
func (l *loop) readCatalog() { l.readModels("", nil) }

func (l *loop) readModels(cursor string, sofar []Model) {
	p := protocol.ModelListParams{Cursor: cursor, Limit: 100}
	ask(l, l.link.stamp(), protocol.ModelList, p, func(l *loop, r protocol.ModelListResult, err error) {
		c := *l.catalog
		if err != nil {
			c.Problem = "The models could not be read. " + textOf(err)
			l.catalog = &c
			return
		}
		all := slices.Clone(sofar)
		for _, m := range r.Data {
			if !m.Hidden {
				all = append(all, modelOf(m))
			}
		}
		if next := r.NextCursor; next != nil && *next != "" && *next != cursor && len(all) < 100*maxModelPages {
			l.readModels(*next, all)
			return
		}
		c.Models, c.Problem = all, ""
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
	p := protocol.SkillsListParams{Cwds: []string{v.info.Cwd}}
	ask(l, l.fence.Current(), protocol.SkillsList, p, func(l *loop, r protocol.SkillsListResult, err error) {
		if err != nil {
			return // the picker stays as it was
		}
		c := *l.catalog
		c.Skills = nil
		for _, e := range r.Data {
			for _, s := range e.Skills {
				if s.Enabled {
					c.Skills = append(c.Skills, Skill{Name: s.Name, Description: s.Description, Path: s.Path})
				}
			}
		}
		l.catalog = &c
	})
}
