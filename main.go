// Command holdfast is a desktop client for the Codex app-server: a window, and
// the commands that need none.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"

	"holdfast/core/command"
	"holdfast/core/profile"
	"holdfast/core/session"
	"holdfast/core/singleinstance"
	"holdfast/ui"
)

const appID = "dev.holdfast.client"

func main() { os.Exit(run(os.Args[1:])) }

// run runs a command that needs no window, or the window.
func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), command.Signals()...)
	defer stop()
	std := command.Std{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	if cmd, found := command.Find(args); found {
		return cmd(ctx, std)
	}
	o, status, ok := parse(args, os.Stderr)
	if !ok {
		return status
	}
	if !hasDisplay(ctx) {
		return complain(errors.New("there is no display that answers, to open a window on. `make demo` shows Holdfast without one, `holdfast drive` works without one"))
	}
	if err := window(ctx, o); err != nil {
		return complain(err)
	}
	return 0
}

func complain(err error) int {
	fmt.Fprintln(os.Stderr, "holdfast:", err)
	return 1
}

// window opens the window and stays until it is closed; then it ends the process. The parts end in order: whoever posts to
// the window, then the lock, then what prepare began. The toolkit is left as it is: its loop may wait for ever at its end,
// for a function that was queued when it took no more (v2.8.1), and nothing that it would still do is needed.
func window(ctx context.Context, o options) error {
	parts, err := prepare(ctx, o)
	if err != nil {
		return err
	}
	defer parts.close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	var w *ui.Window
	do := func(f func()) { // the one way to the window's goroutine
		fyne.Do(func() {
			if onMain() {
				f()
			}
		})
	}
	hold, err := parts.hold(ctx, func() { do(func() { w.Raise() }) })
	if errors.Is(err, singleinstance.ErrHeld) {
		fmt.Fprintln(os.Stderr, "holdfast: a window is open for this CODEX_HOME already; it was asked to come to the front.")
		return nil
	}
	parts.note("no lock for this place", err)

	parts.config.Publish = func(s *session.Snapshot) { w.Publish(s) }
	core := session.New(parts.config)
	a := app.NewWithID(appID)
	var working sync.WaitGroup // everything that posts to the window
	opts := parts.uiOptions(do, working.Go, cancel)
	opts.Now = time.Now
	w = ui.New(a, core, opts)
	w.Fyne().Resize(o.size)
	working.Go(func() { parts.note("the session ended", core.Run(ctx)) })
	if o.stateFile != "" {
		t := time.NewTicker(30 * time.Millisecond)
		defer t.Stop()
		working.Go(func() { w.WatchState(ctx, t.C) })
	}
	minute := time.NewTicker(time.Minute) // of the ages in the list
	working.Go(func() { w.WatchClock(ctx, minute.C) })
	a.Lifecycle().SetOnStarted(func() { ownSignals(ctx, cancel) })
	w.Fyne().SetOnClosed(cancel)
	go func() {
		<-ctx.Done() // a signal, or the window was closed
		await(&working)
		release(hold)
		parts.close()
		os.Exit(0)
	}()
	w.Fyne().ShowAndRun()
	select {} // its loop is over: the end comes from above
}

// atEnd is what the parts have to end in: more than a child of ours takes to be stopped (ruling 41), and less than a person
// waits. A file on a network that does not answer must not hold the program.
const atEnd = 15 * time.Second

func await(working *sync.WaitGroup) {
	ended := make(chan struct{})
	go func() {
		working.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(atEnd):
	}
}

// ownSignals takes the signals from the toolkit, which would end its loop while
// the session still posts to it. It takes them twice: the toolkit begins to
// listen on a goroutine that it has started and that may not have run yet.
func ownSignals(ctx context.Context, end func()) {
	own := command.Signals()
	sigs := make(chan os.Signal, 1)
	take := func() {
		signal.Reset(own...)
		signal.Notify(sigs, own...)
	}
	take()
	time.AfterFunc(time.Second, take)
	go func() {
		select {
		case <-sigs:
			end()
		case <-ctx.Done():
		}
	}()
}

func release(hold *singleinstance.Instance) {
	if hold != nil {
		_ = hold.Release() // the process ends, and with it the lock
	}
}

// codexHome is the CODEX_HOME of a child of ours, as the child will see it.
func codexHome(flag string) string {
	if flag != "" {
		return flag
	}
	if env := os.Getenv("CODEX_HOME"); env != "" {
		return env
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ".codex"
	}
	return home + string(os.PathSeparator) + ".codex"
}

// themes are the words for themes in settings, and those of the window.
var themes = map[profile.Theme]string{
	profile.ThemeSystem: "system", profile.ThemeLight: "light", profile.ThemeDark: "dark", profile.ThemeHighContrast: "hc",
}

// themeOf finds a theme by any of its words.
func themeOf(word string) (profile.Theme, bool) {
	switch word = strings.ToLower(word); word {
	case "contrast", "hc":
		return profile.ThemeHighContrast, true
	}
	_, ok := themes[profile.Theme(word)]
	return profile.Theme(word), ok
}
