package demo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"holdfast/core/fakemodel"
	"holdfast/core/seed"
	"holdfast/core/transport"
)

// Options are what a demo can be told.
type Options struct {
	// Codex is the program to start; "" means the pinned one of the source
	// tree, else the one on PATH.
	Codex string
	// Dir is where the demo lives; "" means its place in the user's cache
	// folder. What is in it is removed.
	Dir string
	// Pace is the pause before each word of the scripted model; 0 means one
	// that can be read along with, a negative one means none.
	Pace time.Duration
	// Log is where the server's own words go.
	Log *slog.Logger
}

// A Demo is one that runs.
type Demo struct {
	// Target is what to connect to: a stdio server on the demo's home.
	Target transport.Target
	// First is the conversation to show first.
	First string
	// Cwd is the folder of the conversations.
	Cwd string

	model *fakemodel.Server
	lock  *flock.Flock
	dir   string
}

const readable = 30 * time.Millisecond

// ErrRunning says that another demo has the place.
var ErrRunning = errors.New("a demo is already running")

// Start makes everything ready. The scripted model runs until Stop.
func Start(ctx context.Context, o Options) (*Demo, error) {
	codex, err := findCodex(o.Codex)
	if err != nil {
		return nil, err
	}
	d := &Demo{dir: o.Dir}
	if d.dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("find a place for the demo: %w", err)
		}
		d.dir = filepath.Join(cache, "holdfast", "demo")
	}
	if err := d.prepare(ctx, codex, o); err != nil {
		return nil, errors.Join(err, d.Stop())
	}
	return d, nil
}

// Stop ends the model and removes the home. The server must be gone by then.
func (d *Demo) Stop() error {
	if d.model != nil {
		d.model.Close()
	}
	if d.lock == nil {
		return nil
	}
	err := d.clear()
	return errors.Join(err, d.lock.Unlock())
}

// places are the folders of a demo: the CODEX_HOME and the work folder.
var places = []string{"home", "notes"}

func (d *Demo) prepare(ctx context.Context, codex string, o Options) error {
	if err := d.claim(); err != nil {
		return err
	}
	home := filepath.Join(d.dir, "home")
	d.Cwd = filepath.Join(d.dir, "notes")
	d.Target = transport.Target{Kind: transport.Stdio, Codex: codex, CodexHome: home, Cwd: d.Cwd, Env: offline(d.dir)}
	model, err := fakemodel.Listen(ctx)
	if err != nil {
		return err
	}
	d.model = model
	kept, err := d.keptFor(codex)
	if err != nil {
		return err
	}
	restored, err := d.restore(kept)
	if err != nil {
		return err
	}
	if !restored {
		if err := d.make(ctx, o.Log); err != nil {
			return err
		}
		if err := d.keep(kept); err != nil {
			return err
		}
	}
	if err := d.configure(); err != nil {
		return err
	}
	model.SetAnswer(answerer{dir: d.Cwd, pace: cmp.Or(o.Pace, readable)}.answer)
	return nil
}

// make makes the folders and the conversations.
func (d *Demo) make(ctx context.Context, log *slog.Logger) error {
	for _, name := range places {
		if err := os.Mkdir(filepath.Join(d.dir, name), 0o700); err != nil {
			return fmt.Errorf("make a folder of the demo: %w", err)
		}
	}
	if err := writeFiles(d.Cwd); err != nil {
		return err
	}
	if err := d.configure(); err != nil {
		return err
	}
	return d.makeConversations(ctx, log)
}

// configure points the home at this run's model.
func (d *Demo) configure() error {
	config := fakemodel.Config{Features: []string{"default_mode_request_user_input = true"}}.TOML(d.model.URL())
	if err := os.WriteFile(filepath.Join(d.Target.CodexHome, "config.toml"), []byte(config), 0o600); err != nil {
		return fmt.Errorf("write the demo's settings: %w", err)
	}
	return nil
}

// claim takes the demo's place and empties it.
func (d *Demo) claim() error {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return fmt.Errorf("make the demo's folder: %w", err)
	}
	lock := flock.New(filepath.Join(d.dir, "lock"))
	ours, err := lock.TryLock()
	switch {
	case err != nil:
		return fmt.Errorf("lock the demo's folder: %w", err)
	case !ours:
		return fmt.Errorf("%w in %s", ErrRunning, d.dir)
	}
	d.lock = lock
	return d.clear()
}

func (d *Demo) clear() error {
	var errs []error
	for _, name := range places {
		errs = append(errs, os.RemoveAll(filepath.Join(d.dir, name)))
	}
	return errors.Join(errs...)
}

// offline is added to the server's environment: no proxy, no key, and no file
// of the user's.
func offline(home string) []string {
	env := []string{"HOME=" + home, "OPENAI_API_KEY=", "CODEX_API_KEY="}
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		env = append(env, name+"=")
	}
	return env
}

func (d *Demo) makeConversations(ctx context.Context, log *slog.Logger) error {
	link, err := transport.Dial(ctx, d.Target, transport.Options{Log: log})
	if err != nil {
		return fmt.Errorf("start the demo's server: %w", err)
	}
	client := seed.NewClient(ctx, link)
	if err := client.Init(ctx, seed.Quiet); err != nil {
		return errors.Join(fmt.Errorf("greet the demo's server: %w", err), client.Close())
	}
	maker := seed.NewMaker(client, d.model, d.Cwd)
	for _, th := range conversations(d.Cwd) {
		if d.First, err = maker.Make(ctx, th); err != nil {
			return errors.Join(fmt.Errorf("make the demo's conversation %q: %w", th.Name, err), client.Close())
		}
	}
	if err := client.Close(); err != nil {
		return fmt.Errorf("end the demo's first server: %w", err)
	}
	return nil
}

// findCodex returns the program to start.
func findCodex(flag string) (string, error) {
	if flag == "" {
		for _, from := range []func() (string, error){os.Executable, workingFile} {
			if path, err := from(); err == nil {
				if p := pinnedAbove(filepath.Dir(path)); p != "" {
					return p, nil
				}
			}
		}
	}
	return transport.Find(flag)
}

func workingFile() (string, error) { return filepath.Abs("codex") }

// pinnedAbove looks for the project's own command line in dir and above.
func pinnedAbove(dir string) string {
	for {
		p := filepath.Join(dir, ".tools", "codex", transport.Pinned, "node_modules", ".bin", "codex")
		if _, err := os.Stat(p); err == nil {
			return p
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
