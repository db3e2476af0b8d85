package ui

import (
	"testing"

	"holdfast/core/words"
)

// The window in each language, wide and narrow: it says its words, and nothing
// that can have the keyboard is cut off.
func TestEachLanguage(t *testing.T) {
	t.Cleanup(func() { _ = words.Use(words.English) })
	for l, want := range map[words.Language][]string{
		words.English: {"Send", "Menu"}, words.Japanese: {"送信", "メニュー"}, words.Chinese: {"发送", "菜单"},
	} {
		if err := words.Use(l); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"live", "approval", "manual", "drawer", "profile", "queue", "keys"} {
			for _, width := range []float32{1200, 320} {
				t.Run(string(l)+" "+name, func(t *testing.T) {
					d := newDesk(t, width, 740)
					scenes()[name](d)
					d.wantInside(width)
					if name == "live" {
						wantList(t, "labels", []string{d.w.comp.main.Label(), d.w.head.menu.Label()}, want)
					}
				})
			}
		}
	}
}
