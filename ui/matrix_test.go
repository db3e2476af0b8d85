package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"holdfast/widgets/theme"
)

// Each state of a recovery in each theme, switched live, in a narrow window:
// everything that can have the keyboard is whole, inside the window, and on the
// round that Tab makes. The pictures of it come from TestCapture, those of the
// real window from the end-to-end matrix.
//
// req: UI-1
func TestRecoveryInEachThemeNarrow(t *testing.T) {
	for name, scene := range recoveryScenes() {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, 360, 740)
			scene(d)
			grounds := map[any]bool{theme.Current().BG: true}
			for range 2 {
				d.press(fyne.KeyT, shiftCtrl)
				grounds[theme.Current().BG] = true
				d.wantInside(360)
			}
			wantEqual(t, "grounds of three themes", len(grounds), 3)
			if d.dialog() == "" {
				wantList(t, "Tab", d.tour(), names(d.w.order()))
			}
		})
	}
}

// wantInside checks that nothing that can have the keyboard is cut off at a side.
func (d *desk) wantInside(width float32) {
	d.t.Helper()
	for _, f := range d.w.order() {
		o, ok := f.(fyne.CanvasObject)
		if !ok {
			continue
		}
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
		if at.X < 0 || at.X+o.Size().Width > width+0.5 || o.Size().Width < 20 || o.Size().Height < 16 {
			d.t.Errorf("%s is at %v with %v in %s", names([]fyne.Focusable{f}), at, o.Size(), d.w.settings.Theme)
		}
	}
}
