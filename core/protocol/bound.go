package protocol

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// Bounds of what is kept per thread, model, skill and account: many of them are
// kept at once, and none needs more than can be shown.
const (
	// maxIdentity is how long an ID may be. A longer one is none: two that are
	// cut could be the same.
	maxIdentity = 1 << 10
	// maxTitle is for names, maxPath for paths, maxNote for a description or a
	// reason, maxWord for a word of the protocol.
	maxTitle = 1 << 10
	maxPath  = 4 << 10
	maxNote  = 4 << 10
	maxWord  = 256
	// maxWords is how many words a list of them keeps.
	maxWords = 64
)

var errLongID = errors.New("an ID of more than 1,024 bytes")

// usable reports whether an ID tells something apart.
func usable(id string) bool { return id != "" && len(id) <= maxIdentity }

// identity is why an ID cannot be used, nil if it can.
func identity(id string) error {
	switch {
	case id == "":
		return errNoID
	case !usable(id):
		return errLongID
	}
	return nil
}

// cutAt shortens each text to at most that many bytes, the mark … at its end
// included.
func cutAt(most int, texts ...*string) {
	const mark = "…"
	for _, t := range texts {
		s := *t
		if len(s) <= most {
			continue
		}
		n := most - len(mark)
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		*t = s[:n] + mark // a copy: the long one is let go
	}
}

// cutWords bounds a list of words.
func cutWords(list []string) []string {
	list = list[:min(len(list), maxWords):min(len(list), maxWords)]
	for i := range list {
		cutAt(maxWord, &list[i])
	}
	return list
}

func (t *Thread) bound() {
	cutAt(maxTitle, &t.Name, &t.GitInfo.Branch, &t.ParentThreadID, &t.ForkedFromID)
	cutAt(maxPath, &t.Cwd, &t.Path)
	cutAt(maxWord, &t.HistoryMode, (*string)(&t.Source), &t.Model, &t.ReasoningEffort, &t.ModelProvider)
	if len(t.Preview) > maxTitle { // its first line is shown
		if s := strings.TrimSpace(t.Preview); s != "" {
			t.Preview = s
		}
		cutAt(maxTitle, &t.Preview)
	}
}

func (n *ThreadNameUpdated) bound() { cutAt(maxTitle, &n.Name) }

func (m *Model) bound() {
	cutAt(maxTitle, &m.ID, &m.Model, &m.DisplayName)
	cutAt(maxNote, &m.Description)
	cutAt(maxWord, &m.DefaultEffort, &m.DefaultTier)
	m.InputModalities = cutWords(m.InputModalities)
	m.Efforts = m.Efforts[:min(len(m.Efforts), maxWords)]
	for i := range m.Efforts {
		cutAt(maxWord, &m.Efforts[i].Name, &m.Efforts[i].Description)
	}
	m.Tiers = m.Tiers[:min(len(m.Tiers), maxWords)]
	for i := range m.Tiers {
		cutAt(maxWord, &m.Tiers[i].ID, &m.Tiers[i].Name, &m.Tiers[i].Description)
	}
}

func (s *Skill) bound() {
	cutAt(maxTitle, &s.Name)
	cutAt(maxNote, &s.Description)
	cutAt(maxPath, &s.Path)
	cutAt(maxWord, &s.Scope)
}

func (a *Account) bound() {
	cutAt(maxWord, &a.Type, &a.PlanType)
	cutAt(maxTitle, &a.Email)
}

func (e *TurnError) bound() {
	cutAt(maxNote, &e.Message, &e.Details)
	cutAt(maxWord, &e.Info.Kind)
}

func (s *Settings) bound() {
	cutAt(maxPath, &s.Cwd)
	cutAt(maxWord, &s.ModelProvider, &s.Effort, &s.ServiceTier, &s.Personality)
	cutAt(maxTitle, &s.Model)
}
