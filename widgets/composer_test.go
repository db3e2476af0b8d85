package widgets

import (
	"math/rand/v2"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// What is typed stands where the cursor is and in the order of the keys, also
// where a row is full, and Backspace takes back the last of it: against the text
// itself, at random widths and places.
func TestWhatIsTypedStandsInOrder(t *testing.T) {
	for seed := uint64(6); seed < 18; seed++ {
		rnd := rand.New(rand.NewPCG(seed, 1))
		c := NewComposer(say("m"))
		show(t, c, 150+float32(rnd.IntN(300)), 200)
		key := func(k fyne.KeyName) { c.TypedKey(&fyne.KeyEvent{Name: k}) }
		var want []rune
		at := 0
		put := func(s string) {
			want = append(want[:at:at], append([]rune(s), want[at:]...)...)
			at += len([]rune(s))
		}
		for step := range 300 {
			switch n := rnd.IntN(60); {
			case n < 1: // elsewhere
				for range rnd.IntN(6) {
					key([]fyne.KeyName{fyne.KeyUp, fyne.KeyDown, fyne.KeyLeft, fyne.KeyRight, fyne.KeyHome}[rnd.IntN(5)])
				}
				if endsLine(c.Text, c.CursorTextOffset()) {
					key(fyne.KeyHome) // a place before a space that is not shown is none
				}
				at = c.CursorTextOffset()
			case n < 3:
				key(fyne.KeyPageDown)
				at = len(want)
			case n < 6:
				if at > 0 {
					key(fyne.KeyBackspace)
					want = append(want[:at-1:at-1], want[at:]...)
					at--
				}
			case n < 8:
				key(fyne.KeyReturn)
				put("\n")
			case n < 9:
				clip := test.NewClipboard()
				clip.SetContent(" pasted 日 ")
				c.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clip})
				put(" pasted 日 ")
			case n < 25:
				c.TypedRune(' ')
				put(" ")
			default:
				r := []rune("abcdefghijklmnopqé日")[rnd.IntN(19)]
				c.TypedRune(r)
				put(string(r))
			}
			if c.Text != string(want) {
				t.Fatalf("seed %d, step %d, at %d:\n got %q\nwant %q", seed, step, at, c.Text, string(want))
			}
		}
	}
}
