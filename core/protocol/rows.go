package protocol

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// rows is the list of a page, read row by row: one that cannot be read does not
// hide the others, and is counted. What is beyond the bounds of a page is
// counted too. An item of a turn leaves a placeholder, for those that follow are
// told apart by their place (ruling 6).
type rows[T any] struct {
	list   []T
	unread int
	over   int // how many of the unread are beyond the bounds
	size   int
}

// UnmarshalJSONFrom reads a list. Null is none; anything else cannot be read.
func (p *rows[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	switch d.PeekKind() {
	case jsontext.KindNull:
		return d.SkipValue()
	case jsontext.KindBeginArray:
	default:
		return errNoData
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	p.list = []T{}
	for d.PeekKind() != jsontext.KindEndArray {
		if err := p.next(d); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

// next reads one row. Its error is that of the stream.
func (p *rows[T]) next(d *jsontext.Decoder) error {
	if len(p.list) == maxPage || p.size > maxPageBytes {
		p.unread++
		p.over++
		return d.SkipValue()
	}
	var x T
	bad, err := readOne(d, &x)
	switch {
	case err != nil:
		return err
	case bad != nil:
		p.unread++
		if u, placed := any(&x).(interface{ unreadable(at int) }); placed {
			u.unreadable(len(p.list))
			break
		}
		return nil
	}
	p.size += Size(x)
	p.list = append(p.list, x)
	return nil
}

// readOne reads one element of a list. bad says why it cannot be used; the
// stream is behind it all the same. err is the stream's own.
func readOne(d *jsontext.Decoder, x any) (bad, err error) {
	depth := d.StackDepth()
	_, before := d.StackIndex(depth)
	if bad = json.UnmarshalDecode(d, x); bad == nil {
		return nil, nil
	}
	for d.StackDepth() > depth {
		switch d.PeekKind() {
		case jsontext.KindEndObject, jsontext.KindEndArray:
			_, err = d.ReadToken()
		default:
			err = d.SkipValue()
		}
		if err != nil {
			return bad, err
		}
	}
	if _, n := d.StackIndex(depth); n == before { // it was refused at a glance
		err = d.SkipValue()
	}
	return bad, err
}
