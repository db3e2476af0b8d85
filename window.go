package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"runtime"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"holdfast/core/command"
	"holdfast/core/demo"
	"holdfast/core/diagnostics"
	"holdfast/core/doctor"
	"holdfast/core/logfile"
	"holdfast/core/profile"
	"holdfast/core/safetext"
	"holdfast/core/session"
	"holdfast/core/singleinstance"
	"holdfast/core/start"
	"holdfast/core/transport"
	"holdfast/core/words"
	"holdfast/ui"
	"holdfast/widgets/text"
)

// options are what the command line says about the window.
type options struct {
	flags     profile.Flags
	demo      bool
	theme     string
	language  string
	size      fyne.Size
	stateFile string
}

// parse reads the command line. ok is false when the program should end with
// status.
func parse(args []string, errs io.Writer) (o options, status int, ok bool) {
	if len(args) > 0 && args[0] == "demo" {
		o.demo, args = true, args[1:]
	}
	fs := flag.NewFlagSet("holdfast", flag.ContinueOnError)
	fs.SetOutput(errs)
	fs.Usage = func() {
		_, _ = fmt.Fprintln(errs, "usage: holdfast [demo] [flags]      the window, on your Codex or on a demonstration")
		_, _ = fmt.Fprintln(errs, "       holdfast drive|doctor|version  without a window")
		fs.PrintDefaults()
	}
	o.flags.Register(fs)
	size := "1200x800"
	fs.StringVar(&o.theme, "theme", "", "`theme` of this start: system, light, dark or high-contrast")
	fs.StringVar(&o.language, "language", "", "`language` of this start: system, en, ja or zh")
	fs.StringVar(&size, "size", size, "`WIDTHxHEIGHT` of the window")
	fs.StringVar(&o.stateFile, "state-file", "", "`file` that says what the window shows (for tests)")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return o, 0, false
		}
		return o, 2, false
	}
	err := o.check(fs, size)
	if err != nil {
		_, _ = fmt.Fprintln(errs, "holdfast:", err)
		return o, 2, false
	}
	return o, 0, true
}

func (o *options) check(fs *flag.FlagSet, size string) error {
	if fs.NArg() > 0 {
		return fmt.Errorf("%q is no command; there are demo, drive, doctor and version", fs.Arg(0))
	}
	var w, h int
	if n, err := fmt.Sscanf(size, "%dx%d", &w, &h); n != 2 || err != nil || w < 320 || h < 320 || w > 10000 || h > 10000 {
		return fmt.Errorf("--size %q: give it as 1200x800, from 320x320 on", size)
	}
	o.size = fyne.NewSize(float32(w), float32(h))
	if _, known := themeOf(o.theme); o.theme != "" && !known {
		return fmt.Errorf("--theme %q: there are system, light, dark and high-contrast", o.theme)
	}
	if o.language != "" && !slices.Contains(words.Languages(), words.Language(o.language)) {
		return fmt.Errorf("--language %q: there are system, en, ja and zh", o.language)
	}
	return nil
}

// speak makes the language the one of this start, else of the settings, else of
// the system, before anything is said.
func (o options) speak(set words.Language) error {
	l := set
	if o.language != "" {
		l = words.Language(o.language)
	}
	if l == words.System {
		l = words.FromLocale(locale)
	}
	if err := words.Use(l); err != nil {
		return fmt.Errorf("choose the language: %w", err)
	}
	return nil
}

// locale is the environment's word for the locale, where the system has it there.
func locale(name string) string {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return lang.SystemLocale().String()
	}
	return os.Getenv(name)
}

// parts are what the window is put together from.
type parts struct {
	o      options
	file   profile.File
	config session.Config
	log    *slog.Logger
	ends   []func()
	ctx    context.Context //nolint:containedctx // the program's, for what a key starts
}

// prepare reads the settings and makes the session's configuration.
func prepare(ctx context.Context, o options) (*parts, error) {
	command.NoCoreDumps()
	p := &parts{ctx: ctx, o: o, log: slog.New(slog.DiscardHandler)}
	if dir, err := logfile.Dir(); err == nil {
		l := logfile.Open(dir, slog.LevelInfo)
		p.log = l.Logger
		p.ends = append(p.ends, func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			defer cancel()
			_ = l.Close(ctx) // a disk that hangs must not hold the window
		})
	}
	path, err := profile.Path()
	if err != nil {
		return nil, fmt.Errorf("find the settings: %w", err)
	}
	if p.file, err = profile.Load(path); err != nil {
		return nil, fmt.Errorf("read the settings: %w", err)
	}
	if err = o.speak(p.file.Settings.Language); err != nil {
		return nil, err
	}
	if p.config, err = start.Config(o.flags, p.file, command.Version, p.log); err != nil {
		return nil, fmt.Errorf("read the settings: %w", err)
	}
	if o.demo {
		if err := p.startDemo(ctx); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// startDemo connects to a demonstration instead.
func (p *parts) startDemo(ctx context.Context) error {
	d, err := demo.Start(ctx, demo.Options{Codex: p.o.flags.Codex, Log: p.log})
	if err != nil {
		return fmt.Errorf("start the demo: %w", err)
	}
	p.ends = append(p.ends, func() {
		if err := d.Stop(); err != nil {
			p.log.Warn("the demo did not end well", "error", err)
		}
	})
	if p.config.Thread == "" {
		p.config.Thread = d.First // it says what there is to try
	}
	p.config.Target = session.Target{Transport: d.Target, Experimental: true, SharedFiles: true, Cwd: d.Cwd, Roots: []session.Root{{Local: d.Cwd, Server: d.Cwd}}}
	return nil
}

// note logs what went wrong, if something did.
func (p *parts) note(what string, err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		p.log.Warn(what, "error", err)
	}
}

// close ends what was begun, the last first.
func (p *parts) close() {
	for i := len(p.ends) - 1; i >= 0; i-- {
		p.ends[i]()
	}
}

// hold takes the place of a local child's CODEX_HOME (ruling 38); other servers
// may have any number of windows.
func (p *parts) hold(ctx context.Context, raise func()) (*singleinstance.Instance, error) {
	t := p.config.Target.Transport
	if t.Kind != transport.Stdio {
		return nil, nil //nolint:nilnil // no place is held, and that is right
	}
	hold, err := singleinstance.Acquire(ctx, singleinstance.Dir(), codexHome(t.CodexHome), raise)
	if err != nil {
		return nil, fmt.Errorf("take the place: %w", err)
	}
	return hold, nil
}

func (p *parts) uiOptions(do, work func(func()), leave func()) ui.Options {
	s := p.file.Settings
	if t, ok := themeOf(p.o.theme); ok && p.o.theme != "" {
		s.Theme = t
	}
	var roots []string
	for _, r := range p.config.Target.Roots {
		roots = append(roots, r.Local)
	}
	return ui.Options{
		Do: do, Go: work, Fonts: text.Bundled(),
		Product: start.Product, Version: command.Version,
		Settings:     ui.Settings{Language: s.Language, Theme: themes[s.Theme], TextSize: s.TextSize, EnterSends: s.SendKey == profile.SendEnter, AutoLoad: s.AutoLoad},
		SaveSettings: p.save,
		OpenLink:     openLink,
		Links:        safetext.LinkPolicy{Roots: roots},
		StateFile:    p.o.stateFile,
		Cwd:          p.config.Target.Cwd,
		Config:       p.file.Path,
		Diagnostics:  p.diagnose,
		Broken:       func(stack []byte) { p.log.Error("the window's code panicked", "stack", string(stack)) },
		Close:        leave,
	}
}

// save keeps the window's settings.
func (p *parts) save(s ui.Settings) error {
	_, err := profile.Update(p.file.Path, func(f *profile.File) {
		for word, theme := range themes {
			if theme == s.Theme {
				f.Settings.Theme = word
			}
		}
		f.Settings.Language = s.Language
		f.Settings.TextSize, f.Settings.SendKey = s.TextSize, profile.SendCtrlEnter
		if s.EnterSends {
			f.Settings.SendKey = profile.SendEnter
		}
	})
	if err != nil {
		return fmt.Errorf("save the settings: %w", err)
	}
	return nil
}

// doctorTime is what the checks of a bundle may take.
const doctorTime = 40 * time.Second

// diagnose writes a bundle for who looks for a fault.
func (p *parts) diagnose(to io.Writer, server, state string) error {
	ctx, cancel := context.WithTimeout(p.ctx, doctorTime)
	defer cancel()
	dir, _ := logfile.Dir()     // without one there is no log, which the bundle says
	home, _ := os.UserHomeDir() // without one there is nothing to shorten
	err := diagnostics.Write(to, diagnostics.Source{
		Facts: []diagnostics.Fact{
			{Name: start.Product, Value: command.Version},
			{Name: "Server", Value: server},
			{Name: "State", Value: state},
			{Name: "Go", Value: runtime.Version()},
			{Name: "System", Value: runtime.GOOS + "/" + runtime.GOARCH},
		},
		ConfigPath: p.file.Path, LogDir: dir, Home: home,
		Doctor: func() []doctor.Finding {
			return doctor.Run(ctx, doctor.Options{Flags: p.o.flags, ConfigPath: p.file.Path, Version: command.Version})
		},
	})
	if err != nil {
		return fmt.Errorf("make the bundle: %w", err)
	}
	return nil
}

// openLink hands a target that was checked and asked for to the system.
func openLink(target string) error {
	u, err := url.Parse(target)
	if err != nil {
		return fmt.Errorf("read the link: %w", err)
	}
	if u.Scheme == "" {
		u = &url.URL{Scheme: "file", Path: target}
	}
	if err := fyne.CurrentApp().OpenURL(u); err != nil {
		return fmt.Errorf("open the link: %w", err)
	}
	return nil
}
