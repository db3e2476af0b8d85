package history

import (
	"reflect"
	"strings"
	"unicode/utf8"

	"holdfast/core/protocol"
	"holdfast/core/words"
)

// How much of a text that streams is kept whole: of a message, and of anything
// else (ruling 9). Past that it keeps three quarters of it from the beginning
// and, below a mark, the rest from the end.
const (
	wholeMessage = 1 << 20
	wholeField   = 128 << 10
	markRoom     = 64 // for the mark, out of the end's share
)

// A stream is a text that grows. Appending copies only what is appended, and
// never writes what String gave out before.
type stream struct {
	whole int // how much is kept before anything is left out
	head  strings.Builder
	end   []byte // the newest bytes once the head is closed
	total int64  // the true length
	cut   bool
}

func newStream(whole int, s string) *stream {
	x := &stream{whole: whole}
	x.append(s, int64(len(s)))
	return x
}

// endMost is how much of the end is kept.
func (x *stream) endMost() int { return x.whole/4 - markRoom }

// append adds s, whose true length is size where it came shortened.
func (x *stream) append(s string, size int64) {
	x.total += max(size, int64(len(s)))
	if size > int64(len(s)) && !x.cut {
		x.close("")
	}
	if !x.cut {
		if x.head.Len()+len(s) <= x.whole {
			x.head.WriteString(s)
			return
		}
		s = x.close(s)
	}
	most := x.endMost()
	if len(s) >= most {
		x.end = append(x.end[:0], s[len(s)-most:]...)
		return
	}
	if len(x.end)+len(s) > 2*most {
		x.end = append(x.end[:0], x.end[len(x.end)-most:]...)
	}
	x.end = append(x.end, s...)
}

// skip counts text that is not kept.
func (x *stream) skip(size int64) {
	if !x.cut {
		x.close("")
	}
	x.total += size
}

// close ends the head, since not everything can be kept any more, and gives
// what of the text so far and s follows it.
func (x *stream) close(s string) string {
	x.cut = true
	all := x.head.String() + s
	n := runeEnd(all, x.whole-x.whole/4)
	x.head = strings.Builder{}
	x.head.WriteString(all[:n])
	return all[n:]
}

// last gives what is kept of the end.
func (x *stream) last() []byte {
	b := x.end
	if most := x.endMost(); len(b) > most {
		b = b[len(b)-most:]
		for len(b) > 0 && !utf8.RuneStart(b[0]) {
			b = b[1:]
		}
	}
	return b
}

// kept is how many bytes of the text String gives at most.
func (x *stream) kept() int64 {
	if !x.cut {
		return int64(x.head.Len())
	}
	return int64(x.head.Len() + min(len(x.end), x.endMost()) + markRoom)
}

// String gives what is kept. It copies only if the text was cut.
func (x *stream) String() string {
	if !x.cut {
		return x.head.String()
	}
	return x.head.String() + "\n" + words.T("… shortened here: %d bytes in all …", x.total) + "\n" + string(x.last())
}

// runeEnd gives the largest rune boundary of s that is at most n.
func runeEnd(s string, n int) int {
	if n >= len(s) {
		return len(s)
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// textBytes counts the text that b holds, folded parts too.
func textBytes(b protocol.ItemBody) (n int64) {
	if m, ok := b.(protocol.AgentMessage); ok { // most of a stream is these
		return int64(len(m.Text) + len(m.Phase))
	}
	if b != nil {
		eachString(reflect.ValueOf(b), func(v reflect.Value) { n += int64(v.Len()) })
	}
	return n
}

// eachString visits every string in v, whatever the kind of item: a kind added
// later is counted without being named here.
func eachString(v reflect.Value, f func(reflect.Value)) {
	switch v.Kind() { //nolint:exhaustive // item bodies hold nothing else with text
	case reflect.String:
		f(v)
	case reflect.Struct:
		for i := range v.NumField() {
			eachString(v.Field(i), f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachString(v.Index(i), f)
		}
	}
}

// squeeze shortens an item that alone keeps more than most bytes: each of its
// texts to an equal share. The item given is not written.
func squeeze(it protocol.Item, most int64) protocol.Item {
	size := textBytes(it.Body)
	if size <= most {
		return it
	}
	c := reflect.New(reflect.TypeOf(it.Body)).Elem()
	c.Set(deepCopy(reflect.ValueOf(it.Body)))
	texts := 0
	eachString(c, func(v reflect.Value) {
		if v.Len() > 0 {
			texts++
		}
	})
	share := int(most) / texts
	eachString(c, func(v reflect.Value) {
		s := v.String()
		v.SetString(strings.Clone(s[:runeEnd(s, share)]))
	})
	if body, ok := c.Interface().(protocol.ItemBody); ok {
		it.Body = body
	}
	it.Bytes = max(it.Bytes, size)
	it.Cuts = append(append([]protocol.Cut(nil), it.Cuts...), protocol.Cut{Field: "item", Bytes: it.Bytes})
	return it
}

// deepCopy copies v so that its strings can be set.
func deepCopy(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	switch v.Kind() { //nolint:exhaustive // as in eachString
	case reflect.Struct:
		for i := range c.NumField() {
			c.Field(i).Set(deepCopy(v.Field(i)))
		}
	case reflect.Slice:
		if !v.IsNil() {
			c.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		}
		for i := range v.Len() {
			c.Index(i).Set(deepCopy(v.Index(i)))
		}
	}
	return c
}
