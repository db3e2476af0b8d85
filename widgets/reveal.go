package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// A holder is a widget that shows one other object.
type holder interface{ held() fyne.CanvasObject }

// reveal scrolls the areas that hold o so that o is seen: Fyne moves the focus
// without scrolling.
func reveal(o fyne.CanvasObject) { revealPart(o, 0, o.Size().Height) }

// revealPart does it for a part of o.
func revealPart(o fyne.CanvasObject, y, height float32) {
	c := fyne.CurrentApp().Driver().CanvasForObject(o)
	if c == nil {
		return
	}
	root := c.Content()
	if top := c.Overlays().Top(); top != nil {
		root = top
	}
	spot{o, y, height}.scrollIn(root)
}

// A spot is a part of an object.
type spot struct {
	o         fyne.CanvasObject
	y, height float32
}

// scrollIn gives where the spot lies below the top of root, after scrolling to
// it.
func (p spot) scrollIn(root fyne.CanvasObject) (float32, bool) {
	if root == p.o {
		return p.y, true
	}
	switch r := root.(type) {
	case *container.Scroll:
		y, ok := p.scrollIn(r.Content)
		if ok {
			r.ScrollToOffset(fyne.NewPos(0, scrolled(r, y, p.height)))
		}
		return y - r.Offset.Y, ok
	case *fyne.Container:
		for _, child := range r.Objects {
			if y, ok := p.scrollIn(child); ok {
				return y + child.Position().Y, true
			}
		}
	case holder:
		y, ok := p.scrollIn(r.held())
		return y + r.held().Position().Y, ok
	}
	return 0, false
}

// scrolled is the offset of s that shows what lies at y.
func scrolled(s *container.Scroll, y, height float32) float32 {
	switch {
	case y < s.Offset.Y || height > s.Size().Height:
		return y
	case y+height > s.Offset.Y+s.Size().Height:
		return y + height - s.Size().Height
	}
	return s.Offset.Y
}
