package start

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"holdfast/core/profile"
	"holdfast/core/session"
)

// What a look at a profile finds: nothing while it says the same, whatever else
// the file says; then an edit, each its own, a profile or a file that is gone
// or broken, and a token file that is gone.
//
// req: REC-9
func TestWhatHasChangedOfATarget(t *testing.T) {
	dir := t.TempDir()
	settings, token := filepath.Join(dir, "config.toml"), filepath.Join(dir, "token")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	one := "[[profiles]]\nname = \"one\"\nconnect = \"ws://127.0.0.1:1\"\ntoken_file = \"" + token + "\"\n"
	two := "[[profiles]]\nname = \"two\"\nconnect = \"stdio\"\n"
	write(token, "a")
	write(settings, one+two)
	file, err := profile.Load(settings)
	if err != nil {
		t.Fatal(err)
	}
	flags := profile.Flags{Profile: "one", Cwd: dir}
	cfg, err := Config(flags, file, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := cfg.Profiles("two")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name        string
		text, token string // "" removes the file
		first, two  string // what each target's Why begins with
	}{
		{"nothing", one + two, "a", "", ""},
		{"the order, a theme and the token's content", "theme = \"dark\"\n" + two + one, "b", "", ""},
		{"the endpoint", strings.Replace(one, ":1", ":2", 1) + two, "a", `the profile "one" was edited`, ""},
		{"the roots", one + two + "roots = [{ local = \"/l\", server = \"/s\" }]\n", "a", "", `the profile "two" was edited`},
		{"a profile is deleted", two, "a", `the profile "one" is not in `, ""},
		{"the file is broken", "x", "a", "the settings in ", "the settings in "},
		{"the token file is gone", one + two, "", "the token file ", ""},
	} {
		write(settings, tc.text)
		if write(token, tc.token); tc.token == "" {
			if err := os.Remove(token); err != nil {
				t.Fatal(err)
			}
		}
		for want, target := range map[*string]session.Target{&tc.first: cfg.Target, &tc.two: chosen} {
			if got := cfg.CheckTarget(target).Why; got != *want && (*want == "" || !strings.HasPrefix(got, *want)) {
				t.Errorf("%s: %s: %q, want %q", tc.name, target.Profile, got, *want)
			}
		}
	}
	write(token, "a")
	write(settings, strings.Replace(one, ":1", ":2", 1))
	first := cfg.CheckTarget(cfg.Target)
	write(settings, strings.Replace(one, ":1", ":3", 1))
	if again := cfg.CheckTarget(cfg.Target); first.Rev == again.Rev || first.Why != again.Why {
		t.Errorf("two edits are %+v and %+v", first, again)
	}
	if err := os.Remove(settings); err != nil {
		t.Fatal(err)
	}
	if got := cfg.CheckTarget(session.Target{}); got != (session.Change{}) {
		t.Errorf("flags alone: %+v", got)
	}
}
