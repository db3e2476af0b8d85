package words

import (
	"embed"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// A Language is one that the window speaks.
type Language string

// The languages; System leaves the choice to the locale.
const (
	System   Language = "system"
	English  Language = "en"
	Japanese Language = "ja"
	Chinese  Language = "zh" // in its simplified form
)

// Languages are all there are to choose from.
func Languages() []Language { return []Language{System, English, Japanese, Chinese} }

//go:embed ja.toml zh.toml
var files embed.FS

// A catalogue is one language and its words; a nil one is English.
type catalogue struct {
	language Language
	words    map[string]string
}

var current atomic.Pointer[catalogue]

// Use makes a language the one in use; System is English, see FromLocale.
func Use(l Language) error {
	if l != Japanese && l != Chinese {
		current.Store(nil)
		return nil
	}
	words, err := load(l)
	if err != nil {
		return err
	}
	current.Store(&catalogue{l, words})
	return nil
}

func load(l Language) (map[string]string, error) {
	data, err := files.ReadFile(string(l) + ".toml")
	if err != nil {
		return nil, fmt.Errorf("read the words of %s: %w", l, err)
	}
	var words map[string]string
	if err := toml.Unmarshal(data, &words); err != nil {
		return nil, fmt.Errorf("read the words of %s: %w", l, err)
	}
	return words, nil
}

// In is the language in use.
func In() Language {
	if c := current.Load(); c != nil {
		return c.language
	}
	return English
}

// T is a text in the language in use, with args put in as fmt does.
func T(key string, args ...any) string {
	text := key
	if c := current.Load(); c != nil {
		if t, ok := c.words[key]; ok {
			text = t
		}
	}
	if len(args) == 0 && !strings.Contains(text, "%%") {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// N counts things: one for exactly one in English, many for everything else.
// Many holds the number; other languages need no more than it.
func N(n int, one, many string) string {
	if n == 1 && current.Load() == nil {
		return one
	}
	return T(many, n)
}

// A Key is a text of ours that is said later, in a table of such texts.
type Key string

// String is the text in the language in use.
func (k Key) String() string { return T(string(k)) }

// With is the text with args put in.
func (k Key) With(args ...any) string { return T(string(k), args...) }

// An Error is an error whose text is one of ours; equal ones are the same error.
type Error string

// Error implements error, in the language in use.
func (e Error) Error() string { return T(string(e)) }

// Date is a day as people write it; layout is English, as time.Format takes it.
func Date(t time.Time, layout string) string {
	return t.Format(T(layout))
}

// Weekday is the short name of t's day.
func Weekday(t time.Time) string { return weekdays[t.Weekday()].String() }

var weekdays = [...]Key{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"}

// Han is the language whose forms Han characters are shown in: the one in use,
// else the locale's, else Japanese.
func Han() Language {
	if l := In(); l != English {
		return l
	}
	if FromLocale(os.Getenv) == Chinese {
		return Chinese
	}
	return Japanese
}

// FromLocale is the language of the system's locale; English where it is none of
// ours. env is os.Getenv.
func FromLocale(env func(string) string) Language {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		locale := env(name)
		if locale == "" {
			continue // an empty one counts as not set
		}
		tag := strings.ToLower(strings.ReplaceAll(locale, "-", "_"))
		tag, _, _ = strings.Cut(tag, ".")
		tag, _, _ = strings.Cut(tag, "@")
		switch language, _, _ := strings.Cut(tag, "_"); language {
		case "ja":
			return Japanese
		case "zh":
			return Chinese
		}
		return English
	}
	return English
}
