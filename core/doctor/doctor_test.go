package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"holdfast/core/internal/fakeserver"
	"holdfast/core/profile"
	"holdfast/core/realserver"
	"holdfast/core/transport"
)

// healthy are options under which every check is fine; the server is scripted.
func healthy(t *testing.T) (Options, *fakeserver.Server) {
	t.Helper()
	srv := fakeserver.New(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	fonts := filepath.Join(dir, "fonts")
	run := filepath.Join(dir, "run")
	for _, d := range []string{fonts, run} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []string{filepath.Join(fonts, "NotoSansCJK-Regular.ttc"), filepath.Join(run, "bus")} {
		if err := os.WriteFile(f, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{"DISPLAY": "host:1", "XDG_RUNTIME_DIR": run}
	return Options{
		Flags:      profile.Flags{Codex: self, CodexHome: dir},
		ConfigPath: filepath.Join(dir, "config.toml"),
		OS:         "linux",
		Env:        func(k string) string { return env[k] },
		Dial: func(context.Context, transport.Target, transport.Options) (transport.Conn, error) {
			return srv.Dial()
		},
		CodexVersion: func(context.Context, string) (string, error) { return "0.159.1", nil },
		OnPath:       func(string) bool { return true },
		FontDirs:     []string{fonts},
		LogDir:       filepath.Join(dir, "logs"),
		Home:         dir,
	}, srv
}

func byCheck(fs []Finding) map[string]Finding {
	m := map[string]Finding{}
	for _, f := range fs {
		m[f.Check] = f
	}
	return m
}

func TestEverythingFine(t *testing.T) {
	o, srv := healthy(t)
	got := Run(t.Context(), o)
	var checks []string
	for _, f := range got {
		checks = append(checks, f.Check)
		if f.Status != OK || f.Found == "" || f.Do != "" {
			t.Errorf("%+v", f)
		}
	}
	want := []string{"config", "codex", "codex-home", "endpoint", "contract", "sandbox", "display", "fonts", "d-bus", "log"}
	if !reflect.DeepEqual(checks, want) {
		t.Errorf("checks %v, want %v", checks, want)
	}
	if !srv.Link().Closed() {
		t.Error("the link was left open")
	}
	if left, err := filepath.Glob(filepath.Join(o.Home, ".holdfast*")); err != nil || len(left) > 0 {
		t.Errorf("files left behind: %v, %v", left, err)
	}
}

// Each thing that can be wrong is found, and says what to do.
func TestWhatIsWrong(t *testing.T) {
	tests := []struct {
		name   string
		change func(t *testing.T, o *Options, srv *fakeserver.Server)
		want   Finding // Found and Do are parts of what is said
	}{
		{
			"no codex", func(_ *testing.T, o *Options, _ *fakeserver.Server) { o.Flags.Codex = filepath.Join(o.Home, "codex") },
			Finding{"codex", Fail, "there is no codex program at", "install Codex"},
		},
		{"a program that does not run", func(_ *testing.T, o *Options, _ *fakeserver.Server) {
			o.CodexVersion = func(context.Context, string) (string, error) { return "", errors.New("x --version does not run") }
		}, Finding{"codex", Fail, "does not run", "install Codex again"}},
		{"too old", agent("holdfast/0.155.0 (x)"), Finding{"contract", Fail, "Codex 0.155.0 is too old; Holdfast needs 0.155.1", "install Codex 0.159.1"}},
		{"the oldest", agent("holdfast/0.155.1 (x)"), Finding{"contract", OK, "Codex 0.155.1;", ""}},
		{"the newest known", agent("holdfast/0.171.0 (x)"), Finding{"contract", OK, "Codex 0.171.0;", ""}},
		{"newer", agent("holdfast/0.171.1 (x)"), Finding{"contract", Warn, "Codex 0.171.1 is newer", "newer Holdfast"}},
		{"no version", agent("holdfast"), Finding{"endpoint", Fail, "does not say which version", "Codex app-server"}},
		{"port closed", refuse(transport.Unavailable, "nobody listens there"), Finding{"endpoint", Fail, "nobody listens there", "start the server"}},
		{"401", refuse(transport.Auth, "the server refuses the token"), Finding{"endpoint", Fail, "the server refuses the token", "--token-file"}},
		{
			"initialize refused", func(_ *testing.T, _ *Options, srv *fakeserver.Server) {
				srv.Fail("initialize", -32600, "no such client, Bearer s3cret")
			},
			Finding{"endpoint", Fail, "refuses initialize: no such client, Bearer [secret]", "Codex app-server"},
		},
		{
			"CODEX_HOME missing", func(_ *testing.T, o *Options, _ *fakeserver.Server) {
				o.Flags.CodexHome = filepath.Join(o.Home, "gone")
			},
			Finding{"codex-home", Fail, "gone does not exist", "mkdir -p"},
		},
		{"CODEX_HOME of the environment missing", func(_ *testing.T, o *Options, _ *fakeserver.Server) {
			o.Flags.CodexHome = ""
			o.Env = func(k string) string { return map[string]string{"CODEX_HOME": "/nowhere/at/all"}[k] }
		}, Finding{"codex-home", Fail, "/nowhere/at/all does not exist", "mkdir -p"}},
		{
			"default CODEX_HOME not made yet", func(_ *testing.T, o *Options, _ *fakeserver.Server) { o.Flags.CodexHome = "" },
			Finding{"codex-home", OK, ".codex does not exist yet", ""},
		},
		{
			"CODEX_HOME is a file", func(_ *testing.T, o *Options, _ *fakeserver.Server) { o.Flags.CodexHome = o.Flags.Codex },
			Finding{"codex-home", Fail, "is no folder", "--codex-home"},
		},
		{
			"CODEX_HOME read-only", func(t *testing.T, o *Options, _ *fakeserver.Server) { o.Flags.CodexHome = readOnly(t) },
			Finding{"codex-home", Fail, "nothing can be written in", "make it writable"},
		},
		{
			"no home at all", func(t *testing.T, o *Options, _ *fakeserver.Server) {
				t.Setenv("HOME", "")
				o.Flags.CodexHome, o.Home = "", ""
			},
			Finding{"codex-home", Fail, "neither CODEX_HOME nor a home folder", "set CODEX_HOME"},
		},
		{"broken TOML", func(t *testing.T, o *Options, _ *fakeserver.Server) {
			if err := os.WriteFile(o.ConfigPath, []byte("\ntheme = 5\nx = 1"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, Finding{"config", Fail, "config.toml:2: theme must be a string, in quotes; ", "repair the file"}},
		{
			"bad flag", func(_ *testing.T, o *Options, _ *fakeserver.Server) { o.Flags.Connect = "ws://example.org" },
			Finding{"config", Fail, "ws://example.org is not encrypted", "correct the flag"},
		},
		{
			"no display", func(_ *testing.T, o *Options, _ *fakeserver.Server) { o.Env = func(string) string { return "" } },
			Finding{"display", Warn, "there is no display", "make demo"},
		},
		{"Wayland alone", func(_ *testing.T, o *Options, _ *fakeserver.Server) {
			o.Env = func(k string) string { return map[string]string{"WAYLAND_DISPLAY": "wayland-0"}[k] }
		}, Finding{"display", Warn, "no X11", "XWayland"}},
		{"nobody at the display", func(_ *testing.T, o *Options, _ *fakeserver.Server) {
			o.Env = func(k string) string { return map[string]string{"DISPLAY": ":59999.0"}[k] }
		}, Finding{"display", Warn, "no X server answers", "correct DISPLAY"}},
		{
			"no fonts", func(t *testing.T, o *Options, _ *fakeserver.Server) {
				o.FontDirs = []string{t.TempDir(), "/nowhere/at/all"}
			},
			Finding{"fonts", Warn, "the bundled fonts only", "fonts-noto-cjk"},
		},
		{"no CJK fonts", func(t *testing.T, o *Options, _ *fakeserver.Server) {
			o.FontDirs = []string{t.TempDir()}
			if err := os.WriteFile(filepath.Join(o.FontDirs[0], "NotoSans.ttf"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, Finding{"fonts", Warn, "none known to have Chinese", "fonts-noto-cjk"}},
		{
			"no D-Bus", func(_ *testing.T, o *Options, _ *fakeserver.Server) { o.Env = func(string) string { return "" } },
			Finding{"d-bus", Warn, "there is no session bus", "choose a theme"},
		},
		{
			"no bubblewrap", func(_ *testing.T, o *Options, _ *fakeserver.Server) { o.OnPath = func(string) bool { return false } },
			Finding{"sandbox", Warn, "bubblewrap is not on PATH", "apt install bubblewrap"},
		},
		{
			"log folder in the way", func(_ *testing.T, o *Options, _ *fakeserver.Server) { o.LogDir = filepath.Join(o.Flags.Codex, "logs") },
			Finding{"log", Warn, "cannot be made", "without a log"},
		},
		{
			"log folder read-only", func(t *testing.T, o *Options, _ *fakeserver.Server) { o.LogDir = readOnly(t) },
			Finding{"log", Warn, "nothing can be written in", "without a log"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, srv := healthy(t)
			tt.change(t, &o, srv)
			all := Run(t.Context(), o)
			got := byCheck(all)[tt.want.Check]
			if got.Status != tt.want.Status || !strings.Contains(got.Found, tt.want.Found) || !strings.Contains(got.Do, tt.want.Do) || (got.Do == "") != (got.Status == OK) {
				t.Errorf("got\n%+v\nwant\n%+v", got, tt.want)
			}
			if Failed(all) != (tt.want.Status == Fail) {
				t.Errorf("Failed() is %v for\n%+v", Failed(all), all)
			}
		})
	}
}

func agent(ua string) func(*testing.T, *Options, *fakeserver.Server) {
	return func(_ *testing.T, _ *Options, srv *fakeserver.Server) {
		srv.Answer("initialize", map[string]string{"userAgent": ua, "codexHome": "/h"})
	}
}

func refuse(k transport.FailKind, text string) func(*testing.T, *Options, *fakeserver.Server) {
	return func(_ *testing.T, o *Options, _ *fakeserver.Server) {
		o.Dial = func(context.Context, transport.Target, transport.Options) (transport.Conn, error) {
			return nil, &transport.Error{Kind: k, Text: text}
		}
	}
}

// readOnly is a folder that nobody can write, root included.
func readOnly(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		return "/proc/self" // a mode means nothing to root
	}
	return dir
}

func TestTokenFile(t *testing.T) {
	dir := t.TempDir()
	tests := []struct {
		name, text string
		mode       os.FileMode
		want       Finding
	}{
		{"fine", "s3cret\n", 0o600, Finding{"token", OK, "is there and yours alone", ""}},
		{"open", "s3cret", 0o644, Finding{"token", Warn, "is open to others (mode 0644)", "chmod 600"}},
		{"empty", " \n", 0o600, Finding{"token", Fail, "is empty", "put the token in it"}},
		{"missing", "", 0, Finding{"token", Fail, "cannot be read: no such file", "--token-file"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, _ := healthy(t)
			path := filepath.Join(dir, tt.name)
			if tt.mode != 0 {
				if err := os.WriteFile(path, []byte(tt.text), tt.mode); err != nil {
					t.Fatal(err)
				}
			}
			o.Flags = profile.Flags{Connect: "ws://127.0.0.1:1", TokenFile: path}
			all := byCheck(Run(t.Context(), o))
			got := all["token"]
			if got.Status != tt.want.Status || !strings.Contains(got.Found, tt.want.Found) || !strings.Contains(got.Do, tt.want.Do) {
				t.Errorf("got\n%+v\nwant\n%+v", got, tt.want)
			}
			if strings.Contains(got.Found+got.Do, "s3cret") {
				t.Errorf("the token is shown: %+v", got)
			}
			for _, none := range []string{"codex-home", "sandbox"} {
				if f, ok := all[none]; ok {
					t.Errorf("a remote server: %+v", f)
				}
			}
		})
	}
}

// A server that says nothing is said to be silent, not that we closed the link.
func TestAServerThatSaysNothing(t *testing.T) {
	o, srv := healthy(t)
	srv.Mute(true)
	d := &doctor{Options: o.complete()}
	conn, err := srv.Dial()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err = d.greet(ctx, conn)
	d.unreachable(err)
	if got := d.found[0]; got.Status != Fail || !strings.Contains(got.Found, "no answer in time") || strings.Contains(got.Found, "by us") {
		t.Errorf("got %+v", got)
	}
}

func TestDisplayThatAnswers(t *testing.T) {
	dir := t.TempDir()
	var lc net.ListenConfig
	l, err := lc.Listen(t.Context(), "unix", filepath.Join(dir, "X7"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	for _, name := range []string{":7", ":7.0", "unix:7.1", "elsewhere:0"} {
		if err := reachX(t.Context(), dir, name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := reachX(t.Context(), dir, ":8"); err == nil {
		t.Error("a server answers where there is none")
	}
}

// The command's lines and exit codes.
func TestCommand(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	var out, errs bytes.Buffer
	args := []string{"--connect", "unix://" + filepath.Join(t.TempDir(), "none.sock")}
	if code := Main(t.Context(), args, &out, &errs); code != 1 || errs.Len() > 0 {
		t.Errorf("exit code %d, stderr %q", code, errs.String())
	}
	if want := "\nfail  endpoint    "; !strings.Contains(out.String(), want) || !strings.Contains(out.String(), ". To do: start the server") {
		t.Errorf("no line %q in\n%s", want, out.String())
	}
	for l := range strings.Lines(out.String()) {
		if f := strings.Fields(l); len(f) < 3 || f[0] != "ok" && f[0] != "warn" && f[0] != "fail" {
			t.Errorf("a line of another form: %q", l)
		}
	}
	out.Reset()
	if code := Main(t.Context(), append(args, "--json"), &out, &errs); code != 1 {
		t.Errorf("exit code %d with --json", code)
	}
	var fs []Finding
	if err := json.Unmarshal(out.Bytes(), &fs); err != nil || byCheck(fs)["endpoint"].Status != Fail {
		t.Errorf("%v, %+v", err, fs)
	}
	for _, bad := range [][]string{{"--nonsense"}, {"extra"}} {
		errs.Reset()
		if code := Main(t.Context(), bad, &out, &errs); code != 2 || errs.Len() == 0 {
			t.Errorf("%v: exit code %d, stderr %q", bad, code, errs.String())
		}
	}
}

// What others said is made fit for a terminal.
func TestLinesAreSafe(t *testing.T) {
	var out bytes.Buffer
	err := writeLines(&out, []Finding{{"endpoint", Fail, "a\x1b[31m\nb", "c\u202e"}})
	if want := "fail  endpoint    a\ufffd[31m b. To do: c\ufffd\n"; err != nil || out.String() != want {
		t.Errorf("%q, %v, want %q", out.String(), err, want)
	}
}

// The real server is started, greeted, and gone.
func TestRealCodex(t *testing.T) {
	for _, version := range realserver.Versions() {
		t.Run(version, func(t *testing.T) {
			codex, err := realserver.Find(version)
			if err != nil {
				t.Fatal(err)
			}
			o, _ := healthy(t)
			o.Dial, o.CodexVersion = nil, nil
			o.Flags.Codex = codex
			all := Run(t.Context(), o)
			got := byCheck(all)
			if Failed(all) || !strings.HasPrefix(got["codex"].Found, version+" at ") || !strings.Contains(got["endpoint"].Found, "Codex "+version) {
				t.Errorf("%+v", all)
			}
		})
	}
}
