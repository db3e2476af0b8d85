package realserver

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"holdfast/core/fakemodel"
)

// A Home is a CODEX_HOME of one test with a scripted model of its own.
type Home struct {
	Version string
	// Codex is the native binary, Dir the CODEX_HOME, Work an empty folder to
	// work in.
	Codex, Dir, Work string
	Model            *fakemodel.Server

	t testing.TB
}

// New makes a home. The model and the folders are gone when the test ends.
func New(t testing.TB, version string, c fakemodel.Config) *Home {
	t.Helper()
	codex, err := Find(version)
	if err != nil {
		t.Fatal(err)
	}
	model, err := fakemodel.Listen(context.WithoutCancel(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(model.Close)
	top := t.TempDir()
	h := &Home{
		Version: version, Codex: codex, Model: model, t: t,
		Dir: filepath.Join(top, "home"), Work: filepath.Join(top, "work"),
	}
	for _, dir := range []string{h.Dir, h.Work} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	h.Configure(c)
	return h
}

// Configure writes the config.toml anew. A server reads it at its start.
func (h *Home) Configure(c fakemodel.Config) {
	h.t.Helper()
	path := filepath.Join(h.Dir, "config.toml")
	if err := os.WriteFile(path, []byte(c.TOML(h.Model.URL())), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// Env is the environment of a server of this home.
func (h *Home) Env() []string { return Env(h.Dir, filepath.Dir(h.Dir)) }

// Env is the whole environment of a server with that CODEX_HOME: without
// proxies, keys and settings of the user's own Codex.
func Env(codexHome, home string) []string {
	var env []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		name = strings.ToUpper(name)
		if strings.HasSuffix(name, "_PROXY") || strings.HasPrefix(name, "CODEX") || name == "OPENAI_API_KEY" || name == "HOME" {
			continue
		}
		env = append(env, kv)
	}
	return append(env, "CODEX_HOME="+codexHome, "HOME="+home, "RUST_LOG=warn")
}

// Deadline bounds every wait of the kit; nothing waits for it that works.
const Deadline = 60 * time.Second

// Context is the test's context with the kit's deadline.
func (h *Home) Context() context.Context {
	ctx, cancel := context.WithTimeout(h.t.Context(), Deadline)
	h.t.Cleanup(cancel)
	return ctx
}
