package diagnostics

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"holdfast/core/doctor"
	"holdfast/core/logfile"
	"holdfast/core/profile"
	"holdfast/core/safetext"
)

// logTail is how much of the log's end is looked at.
const logTail = 512 << 10

// A Fact is one line about the program or the server.
type Fact struct{ Name, Value string }

// A Source is where a bundle comes from.
type Source struct {
	Facts []Fact
	// ConfigPath is the settings file, LogDir the folder of the log.
	ConfigPath, LogDir string
	// Doctor looks at everything.
	Doctor func() []doctor.Finding
	// Home is the user's folder, which is written as ~.
	Home string
}

// Write writes the bundle, a zip of text files.
func Write(w io.Writer, s Source) error {
	z := zip.NewWriter(w)
	for _, part := range []struct {
		name string
		make func() string
	}{
		{"about.txt", s.about}, {"settings.txt", s.settings}, {"doctor.txt", s.doctor}, {"log.txt", s.log},
	} {
		f, err := z.Create(part.name)
		if err != nil {
			return fmt.Errorf("write the bundle: %w", err)
		}
		if _, err := io.WriteString(f, s.plain(part.make())); err != nil {
			return fmt.Errorf("write the bundle: %w", err)
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	return nil
}

// plain redacts a text once more, and takes the user's folder out.
func (s Source) plain(text string) string {
	text = safetext.Redact(text)
	if s.Home != "" && s.Home != string(filepath.Separator) {
		text = strings.ReplaceAll(text, s.Home, "~")
	}
	return text
}

func (s Source) about() string {
	var b strings.Builder
	for _, f := range s.Facts {
		fmt.Fprintf(&b, "%s: %s\n", f.Name, f.Value)
	}
	return b.String()
}

func (s Source) doctor() string {
	var b strings.Builder
	for _, f := range s.Doctor() {
		fmt.Fprintf(&b, "%-4s  %-10s  %s  %s\n", f.Status, f.Check, f.Found, f.Do)
	}
	return b.String()
}

// settings says what the file has, without what may be secret.
func (s Source) settings() string {
	f, err := profile.Load(s.ConfigPath)
	if err != nil {
		return "The settings cannot be read.\n" // an error quotes the line
	}
	var b strings.Builder
	fmt.Fprintf(&b, "theme: %s\ntext_size: %d\nsend_key: %s\nauto_load: %v\nlanguage: %s\n",
		f.Settings.Theme, f.Settings.TextSize, f.Settings.SendKey, f.Settings.AutoLoad, f.Settings.Language)
	for i, p := range f.Profiles {
		fmt.Fprintf(&b, "profile %d: %s\n", i+1, connection(p.Connect))
		fmt.Fprintf(&b, "  in use at the start: %v, files: %q, roots: %d, token file: %v, experimental_api: %v, codex: %v, codex_home: %v\n",
			f.Use == p.Name, p.Files, len(p.Roots), p.TokenFile != "", p.ExperimentalAPI, p.Codex != "", p.CodexHome != "")
	}
	return b.String()
}

// connection says how, and to which host; nothing else of it.
func connection(c profile.Connect) string {
	switch c.Word() {
	case "websocket":
		if u, err := url.Parse(c.URL); err == nil {
			return u.Scheme + "://" + u.Host
		}
	case "command":
		return fmt.Sprintf("command %s with %d arguments", filepath.Base(c.Argv[0]), len(c.Argv)-1)
	}
	return c.Word()
}

// record is what is kept of a line of the log.
type record struct {
	Time   string `json:"time"`
	Level  string `json:"level"`
	Msg    string `json:"msg"`
	Error  string `json:"error,omitempty"`
	Kind   string `json:"kind,omitempty"`
	Method string `json:"method,omitempty"`
	Stack  string `json:"stack,omitempty"`
}

func (s Source) log() string {
	data, err := tail(filepath.Join(s.LogDir, logfile.Name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "There is no log.\n"
	case err != nil:
		return "The log cannot be read.\n"
	}
	var b strings.Builder
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, logTail)
	for lines.Scan() {
		var r record
		if json.Unmarshal(lines.Bytes(), &r) != nil || r.Msg == "" {
			continue // the first line may be half of one
		}
		out, err := json.Marshal(r)
		if err == nil {
			b.Write(out)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// tail reads the end of a file.
func tail(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.NewSectionReader(f, max(info.Size()-logTail, 0), logTail))
}
