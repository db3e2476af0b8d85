// Package stamp says which generation a piece of data belongs to, and is the
// only place that compares generations.
//
// Generations nest: an owner (account, endpoint, profile revision, roots) has
// connections, a connection has views (a selected conversation). A [Stamp] is
// a path through that nesting, as deep as the data depends on. A [Fence] holds
// the current path and opens a [Stamped] value only while the value's whole
// path is still current, so stale data cannot be applied: it cannot be read
// (REC-4).
//
// # Decisions
//
// 2026-11-30: all levels draw from one counter. Instead of a counter a level,
// because a value that is never issued twice can never come back by accident.
package stamp

import "fmt"

// A Gen numbers one generation. A fence never issues the same Gen twice, on
// any level. Zero is no generation.
type Gen uint64

// A Stamp names an owner, a connection of that owner, and a view of that
// connection. Levels the data does not depend on are zero. The zero Stamp
// belongs to nothing and is never accepted.
type Stamp struct{ owner, conn, view Gen }

// String gives the path in the form o1.c2.v3, for logs.
func (s Stamp) String() string { return fmt.Sprintf("o%d.c%d.v%d", s.owner, s.conn, s.view) }

// Owner returns the owner generation, for display and as part of a row's key
// (ruling 7). Nothing outside this package compares it with another.
func (s Stamp) Owner() Gen { return s.owner }

// Conn returns the connection generation, for display.
func (s Stamp) Conn() Gen { return s.conn }

// View returns the view generation, for display.
func (s Stamp) View() Gen { return s.view }

// OwnerOnly returns the stamp of s's owner: it stays current over connections
// and views of that owner.
func (s Stamp) OwnerOnly() Stamp { return Stamp{owner: s.owner} }

// ConnOnly returns the stamp of s's connection: it stays current over views.
func (s Stamp) ConnOnly() Stamp { return Stamp{owner: s.owner, conn: s.conn} }

// A Fence issues stamps and judges them. It is not safe for concurrent use:
// one goroutine owns it. The zero Fence accepts nothing until NextOwner.
type Fence struct {
	cur  Stamp
	last Gen
}

func (f *Fence) next() Gen { f.last++; return f.last }

// NextOwner retires everything and starts a new owner.
func (f *Fence) NextOwner() Stamp { f.cur = Stamp{owner: f.next()}; return f.cur }

// NextConn retires the connection and its views and starts a new connection.
func (f *Fence) NextConn() Stamp {
	f.cur = Stamp{owner: f.cur.owner, conn: f.next()}
	return f.cur
}

// NextOwnerKeepConn retires the owner, but lets its connection go on under the
// new one with a new generation: the link is the same, everything read over it
// belongs to somebody who may be someone else (REC-9).
func (f *Fence) NextOwnerKeepConn() Stamp {
	f.cur = Stamp{owner: f.next(), conn: f.next()}
	return f.cur
}

// NextView retires the view and starts a new one.
func (f *Fence) NextView() Stamp { f.cur.view = f.next(); return f.cur }

// Current returns the current path.
func (f *Fence) Current() Stamp { return f.cur }

// Accepts reports whether s is the current path or a prefix of it.
func (f *Fence) Accepts(s Stamp) bool {
	return s.owner != 0 && s.owner == f.cur.owner &&
		(s.conn == 0 || s.conn == f.cur.conn) &&
		(s.view == 0 || s.view == f.cur.view)
}

// A Stamped value must pass a fence before anyone can read it.
type Stamped[T any] struct {
	at Stamp
	v  T
}

// At stamps v.
func At[T any](s Stamp, v T) Stamped[T] { return Stamped[T]{at: s, v: v} }

// Open returns the value if f accepts its stamp, else the zero value and
// false. There is no other way to the value.
func (x Stamped[T]) Open(f *Fence) (T, bool) {
	if !f.Accepts(x.at) {
		var zero T
		return zero, false
	}
	return x.v, true
}
