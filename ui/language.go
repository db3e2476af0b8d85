package ui

import (
	"holdfast/core/safetext"
	"holdfast/core/words"
	"holdfast/widgets"
)

// languageNames are the languages as those who speak them call them.
var languageNames = map[words.Language]string{words.English: "English", words.Japanese: "日本語", words.Chinese: "简体中文"}

// pickLanguage chooses the language from the next start on.
func (w *Window) pickLanguage() {
	var rows []widgets.Row
	for _, l := range words.Languages() {
		row := widgets.Row{ID: string(l), Title: safetext.MakeLine(languageNames[l])}
		if l == words.System {
			row.Title = safetext.Trusted("As the system has it")
		}
		rows = append(rows, row)
	}
	chosen := string(w.settings.Language)
	if chosen == "" {
		chosen = string(words.System)
	}
	w.pick("language", safetext.Trusted("Language from the next start on"), rows, chosen, func(id string) {
		w.change(func(s *Settings) { s.Language = words.Language(id) })
	})
}
