package doctor

import (
	"context"
	"os"
	"runtime"
	"strings"
	"time"

	"holdfast/core/logfile"
	"holdfast/core/profile"
	"holdfast/core/transport"
)

// A Status says how a check went.
type Status string

// The three ways.
const (
	OK   Status = "ok"
	Warn Status = "warn"
	Fail Status = "fail"
)

// A Finding is what one check found.
type Finding struct {
	Check  string `json:"check"`
	Status Status `json:"status"`
	// Found is what there is; Do what to do, "" when nothing.
	Found string `json:"found"`
	Do    string `json:"do"`
}

// Options say what to look at. What is left zero is taken from the system.
type Options struct {
	Flags profile.Flags
	// ConfigPath is the settings file.
	ConfigPath string
	// Version is our own, for the server.
	Version string
	OS      string
	Env     func(string) string
	Dial    func(ctx context.Context, t transport.Target, o transport.Options) (transport.Conn, error)
	// CodexVersion asks a program for its version.
	CodexVersion func(ctx context.Context, native string) (string, error)
	OnPath       func(name string) bool
	FontDirs     []string
	LogDir       string
	Home         string
	// Patience is how long a file or folder may take to answer.
	Patience time.Duration
}

func (o Options) complete() Options {
	if o.OS == "" {
		o.OS = runtime.GOOS
	}
	if o.Env == nil {
		o.Env = os.Getenv
	}
	if o.Dial == nil {
		o.Dial = transport.Dial
	}
	if o.CodexVersion == nil {
		o.CodexVersion = transport.ProgramVersion
	}
	if o.OnPath == nil {
		o.OnPath = transport.OnPath
	}
	if o.Patience == 0 {
		o.Patience = 10 * time.Second
	}
	if o.Home == "" {
		o.Home, _ = os.UserHomeDir() // "" is told of by what needs it
	}
	if o.FontDirs == nil {
		o.FontDirs = fontDirs(o)
	}
	return o
}

// A doctor collects findings.
type doctor struct {
	Options
	file     profile.File
	target   profile.Resolved
	resolved bool
	// version is the server's if it answered, else the program's.
	version string
	found   []Finding
}

func (d *doctor) say(check string, s Status, found, do string) {
	d.found = append(d.found, Finding{Check: check, Status: s, Found: found, Do: do})
}

// Run makes every check, in order.
func Run(ctx context.Context, o Options) []Finding {
	d := &doctor{Options: o.complete()}
	quick := d.Patience
	d.within(ctx, quick, "config", (*doctor).config)
	if d.resolved {
		d.within(ctx, answerLimit, "codex", func(d *doctor) { d.codex(ctx) })
		d.within(ctx, quick, "codex-home", (*doctor).codexHome)
		d.within(ctx, quick, "token", (*doctor).token)
		d.within(ctx, answerLimit+endLimit, "endpoint", func(d *doctor) { d.endpoint(ctx) })
		d.contract()
		d.within(ctx, quick, "sandbox", (*doctor).sandbox)
	}
	d.within(ctx, answerLimit, "display", func(d *doctor) { d.display(ctx) })
	d.within(ctx, quick, "fonts", (*doctor).fonts)
	d.within(ctx, quick, "dbus", (*doctor).dbus)
	d.within(ctx, quick, "log", (*doctor).log)
	return d.found
}

// within makes one check and leaves it behind when it does not end in time, or
// when nobody wants to know any more: nothing ends the reading of a pipe that
// nobody writes to, or of a network folder that is gone.
func (d *doctor) within(ctx context.Context, limit time.Duration, name string, check func(*doctor)) {
	ended := func() { d.say(name, Fail, "this was ended before it was known"+d.lookedAt(name), "run it again") }
	if ctx.Err() != nil {
		ended()
		return
	}
	own := *d
	own.found = nil
	done := make(chan struct{})
	go func() {
		defer close(done)
		check(&own)
	}()
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case <-done:
		own.found = append(d.found, own.found...)
		*d = own
	case <-limited.Done():
		if ctx.Err() != nil {
			ended()
			return
		}
		d.say(name, Fail, "what this looks at did not answer in "+limit.String()+d.lookedAt(name), "see that it is an ordinary file or folder, on a disk that answers")
	}
}

// lookedAt names what a check looks at, where that is one thing.
func (d *doctor) lookedAt(name string) string {
	path := map[string]string{
		"config": d.ConfigPath, "codex": d.target.Transport.Codex, "codex-home": d.target.Transport.CodexHome,
		"token": d.target.Transport.TokenFile, "log": d.LogDir,
	}[name]
	if path == "" {
		return ""
	}
	return ": " + path
}

// Failed reports whether any check failed.
func Failed(fs []Finding) bool {
	for _, f := range fs {
		if f.Status == Fail {
			return true
		}
	}
	return false
}

// config reads the settings and lays the flags over them.
func (d *doctor) config() {
	path := d.ConfigPath
	if path == "" {
		var err error
		if path, err = profile.Path(); err != nil {
			d.say("config", Warn, err.Error(), "set HOME or XDG_CONFIG_HOME, so that settings can be kept")
		}
	}
	file, err := profile.Load(path)
	if err != nil && path != "" {
		d.say("config", Fail, strings.ReplaceAll(err.Error(), "\n", "; "), "repair the file, or move it away: it is never written over while it is broken")
		return
	}
	if d.target, err = d.Flags.Apply(file); err != nil {
		d.say("config", Fail, err.Error(), "correct the flag, or the profile in "+path)
		return
	}
	d.file, d.resolved = file, true
	switch _, statErr := os.Stat(path); {
	case path == "":
	case statErr != nil:
		d.say("config", OK, path+" does not exist: the defaults hold", "")
	case d.target.Profile.Name == "":
		d.say("config", OK, path+" was read; no profile of it is used", "")
	default:
		d.say("config", OK, path+" was read; profile "+d.target.Profile.Name, "")
	}
}

// log checks the folder for logs.
func (d *doctor) log() {
	dir := d.LogDir
	if dir == "" {
		var err error
		if dir, err = logfile.Dir(); err != nil {
			d.say("log", Warn, err.Error(), "set HOME: there is no log without it")
			return
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		d.say("log", Warn, "the folder "+dir+" cannot be made: "+reason(err), "make it, or free its disk: Holdfast runs without a log")
		return
	}
	if err := tryWriting(dir); err != nil {
		d.say("log", Warn, "nothing can be written in "+dir+": "+reason(err), "free its disk or its permissions: Holdfast runs without a log")
		return
	}
	d.say("log", OK, dir+" can be written", "")
}
