package protocol

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A page is a page of any listing but items, whose rows are the heaviest.
type page[T any] struct {
	Data            rows[T] `json:"data"`
	NextCursor      *string `json:"nextCursor"`
	BackwardsCursor *string `json:"backwardsCursor"`
}

// UnmarshalJSONFrom reads the page row by row.
func (r *ThreadListResult) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var p page[Thread]
	err := json.UnmarshalDecode(d, &p)
	*r = ThreadListResult{p.Data.list, p.NextCursor, p.Data.unread}
	return err
}

// UnmarshalJSONFrom reads the page row by row, and notes how long it was.
func (r *ThreadTurnsListResult) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var p page[Turn]
	before := d.InputOffset()
	err := json.UnmarshalDecode(d, &p)
	*r = ThreadTurnsListResult{
		Data: p.Data.list, NextCursor: p.NextCursor, BackwardsCursor: p.BackwardsCursor,
		Bytes: d.InputOffset() - before, Over: p.Data.over > 0, Unread: p.Data.unread - p.Data.over,
	}
	for _, t := range r.Data {
		r.Unread += t.Unread
	}
	return err
}

// UnmarshalJSONFrom reads the page row by row.
func (r *ModelListResult) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var p page[Model]
	err := json.UnmarshalDecode(d, &p)
	*r = ModelListResult{p.Data.list, p.NextCursor, p.Data.unread}
	return err
}

// UnmarshalJSONFrom reads the page row by row.
func (r *QueueListResult) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var p page[QueueEntry]
	err := json.UnmarshalDecode(d, &p)
	*r = QueueListResult{p.Data.list, p.NextCursor, p.Data.unread}
	return err
}

// UnmarshalJSONFrom reads the list row by row.
func (r *SkillsListResult) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var p page[SkillsEntry]
	err := json.UnmarshalDecode(d, &p)
	*r = SkillsListResult{p.Data.list, p.Data.unread}
	for _, e := range r.Data {
		r.Unread += e.Unread
	}
	return err
}

// UnmarshalJSONFrom reads the skills one by one.
func (e *SkillsEntry) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var p struct {
		Cwd    string           `json:"cwd"`
		Skills rows[Skill]      `json:"skills"`
		Errors rows[SkillError] `json:"errors"`
	}
	err := json.UnmarshalDecode(d, &p)
	*e = SkillsEntry{p.Cwd, p.Skills.list, p.Errors.list, p.Skills.unread}
	return err
}

// UnmarshalJSONFrom bounds a model.
func (m *Model) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain Model
	if err := json.UnmarshalDecode(d, (*plain)(m)); err != nil {
		return err
	}
	if len(m.ID) > maxIdentity || len(m.Model) > maxIdentity {
		return errLongID
	}
	m.bound()
	return nil
}

// UnmarshalJSONFrom bounds a skill.
func (s *Skill) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain Skill
	err := json.UnmarshalDecode(d, (*plain)(s))
	s.bound()
	return err
}

// UnmarshalJSONFrom bounds an account.
func (a *Account) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain Account
	err := json.UnmarshalDecode(d, (*plain)(a))
	a.bound()
	return err
}

// UnmarshalJSONFrom bounds the settings.
func (s *Settings) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain Settings
	err := json.UnmarshalDecode(d, (*plain)(s))
	s.bound()
	return err
}

// Bounds of what is kept of one page of items. A window holds less, 16 MiB; what
// does not fit is asked for again, in a smaller page, and nothing of it stays
// in memory meanwhile (ruling 9).
const (
	maxPage      = 1000
	maxPageBytes = 20 << 20
)

// UnmarshalJSONFrom notes how long the page was, and keeps no more of it than
// could be of use.
func (r *ThreadItemsListResult) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain struct {
		Data            *entries `json:"data"`
		NextCursor      *string  `json:"nextCursor"`
		BackwardsCursor *string  `json:"backwardsCursor"`
	}
	before, page := d.InputOffset(), entries{list: []Entry{}}
	p := plain{Data: &page}
	err := json.UnmarshalDecode(d, &p)
	*r = ThreadItemsListResult{
		Data: page.list, NextCursor: p.NextCursor, BackwardsCursor: p.BackwardsCursor,
		Bytes: d.InputOffset() - before, Over: page.over, Unread: page.unread,
	}
	if !page.read {
		r.Data = nil
	}
	return err
}

// entries is the list of a page of items.
type entries struct {
	list       []Entry
	kept       int64
	unread     int
	read, over bool
}

// UnmarshalJSONFrom reads entries as long as they are of use.
func (p *entries) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	t, err := d.ReadToken()
	if err != nil {
		return err
	}
	if t.Kind() != jsontext.KindBeginArray {
		return errNoData
	}
	p.read = true
	for d.PeekKind() != jsontext.KindEndArray {
		if p.over = p.over || len(p.list) == maxPage || p.kept > maxPageBytes; p.over {
			p.list = []Entry{}
			if err := d.SkipValue(); err != nil {
				return err
			}
			continue
		}
		var e Entry
		bad, err := readOne(d, &e)
		if err != nil {
			return err
		}
		if bad != nil {
			p.unread++
			continue
		}
		p.kept += int64(PlainLen(e.Item))
		p.list = append(p.list, e)
	}
	_, err = d.ReadToken()
	return err
}
