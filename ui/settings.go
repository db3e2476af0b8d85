package ui

import (
	"holdfast/core/safetext"
	"holdfast/widgets/theme"
)

const sizeStep = 10

// applySettings makes the look what the settings say.
func (w *Window) applySettings() {
	mode, _ := theme.ParseMode(w.settings.Theme)
	if w.settings.TextSize == 0 {
		w.settings.TextSize = 100
	}
	w.app.Settings().SetTheme(theme.New(mode, float32(w.settings.TextSize)/100))
}

// change changes the settings, shows and keeps them.
func (w *Window) change(f func(*Settings)) {
	f(&w.settings)
	w.applySettings()
	w.comp.entry.EnterSends = w.settings.EnterSends
	w.show(w.snap, w.snap)
	if w.opts.SaveSettings == nil {
		return
	}
	if err := w.opts.SaveSettings(w.settings); err != nil {
		w.say(safetext.Trusted("The settings could not be saved. They hold until the window closes."))
	}
}

// nextTheme goes on to the next theme, and says which it is.
func (w *Window) nextTheme() {
	next := map[string]string{"system": "light", "": "light", "light": "dark", "dark": "hc", "hc": "system"}
	w.change(func(s *Settings) { s.Theme = next[s.Theme] })
}

func (w *Window) largerText() {
	w.change(func(s *Settings) { s.TextSize = min(s.TextSize+sizeStep, int(theme.MaxTextScale*100)) })
}

func (w *Window) smallerText() {
	w.change(func(s *Settings) { s.TextSize = max(s.TextSize-sizeStep, int(theme.MinTextScale*100)) })
}

func (w *Window) swapSendKey() {
	w.change(func(s *Settings) { s.EnterSends = !s.EnterSends })
	if w.settings.EnterSends {
		w.say(safetext.Trusted("Enter sends, Shift+Enter makes a new line."))
	} else {
		w.say(line("%s sends, Enter makes a new line.", w.keyTo("send")))
	}
}
