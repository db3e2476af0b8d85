package screen

import (
	"context"
	"fmt"
)

// MoveTo puts the keyboard on the conversation with that title: to the list, to its first row, and down from there. Each
// step waits for the row's place and not for its title, which says nothing when a key changed nothing yet.
func (w *Window) MoveTo(ctx context.Context, title string) error {
	if err := Press(ctx, "alt+1"); err != nil {
		return err
	}
	if _, err := w.Until(ctx, "the keyboard in the list", func(s Shown) bool { return s.Focus == "conversations" }); err != nil {
		return err
	}
	if err := Press(ctx, "Home"); err != nil {
		return err
	}
	s, err := w.Until(ctx, "the first row", func(s Shown) bool { return s.ListedAt == 0 })
	for at := 1; err == nil && s.Listed != title; at++ {
		if err = Press(ctx, "Down"); err == nil {
			s, err = w.Until(ctx, fmt.Sprintf("row %d, on the way to %q", at, title), func(s Shown) bool { return s.ListedAt == at })
		}
	}
	return err
}
