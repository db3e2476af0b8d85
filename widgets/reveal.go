package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// A holder is a widget that shows one other object.
type holder interface{ held() fyne.CanvasObject }

// reveal scrolls the areas that hold o so that o is seen: Fyne moves the focus
// without scrolling.
func reveal(o fyne.CanvasObject) {
	c := fyne.CurrentApp().Driver().CanvasForObject(o)
	if c == nil {
		return
	}
	root := c.Content()
	if top := c.Overlays().Top(); top != nil {
		root = top
	}
	scrollTo(root, o)
}

// scrollTo gives where o lies below the top of root, after scrolling to it.
func scrollTo(root, o fyne.CanvasObject) (float32, bool) {
	if root == o {
		return 0, true
	}
	switch r := root.(type) {
	case *container.Scroll:
		y, ok := scrollTo(r.Content, o)
		if ok {
			r.ScrollToOffset(fyne.NewPos(0, scrolled(r, y, o.Size().Height)))
		}
		return y - r.Offset.Y, ok
	case *fyne.Container:
		for _, child := range r.Objects {
			if y, ok := scrollTo(child, o); ok {
				return y + child.Position().Y, true
			}
		}
	case holder:
		y, ok := scrollTo(r.held(), o)
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
