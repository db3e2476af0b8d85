package diagnostics

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"holdfast/core/doctor"
	"holdfast/core/logfile"
)

// A bundle holds what helps, and none of the marked strings: they stand for
// tokens, drafts, messages, arguments and addresses' queries, wherever one could
// come from.
func TestABundleHoldsNoSecret(t *testing.T) {
	home := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(home, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	token := write("token", "MARK-TOKEN")
	config := write("config.toml", `
theme = "dark"
[[profiles]]
name = "MARK-NAME"
connect = "wss://example.org/MARK-PATH?key=MARK-QUERY"
token_file = "`+token+`"
[[profiles]]
name = "b"
connect = ["/opt/ssh", "--password", "MARK-ARGUMENT"]
codex_home = "/MARK-FOLDER"
roots = [{ local = "/MARK-LOCAL", server = "/MARK-SERVER" }]
`)
	write(logfile.Name, `half of a line MARK-HALF"}
{"time":"T1","level":"DEBUG","msg":"stderr","line":"MARK-STDERR"}
{"time":"T2","level":"ERROR","msg":"unexpected","error":"refused: Authorization: Bearer MARK-BEARER-0123456789abcdef","text":"MARK-TEXT","draft":"MARK-DRAFT"}
not json MARK-JUNK
{"time":"T3","level":"WARN","msg":"dropped a frame","kind":"unknown ID","method":"turn/start"}
`)
	var b bytes.Buffer
	err := Write(&b, Source{
		Facts:      []Fact{{"Holdfast", "0.1.0"}, {"Folder", filepath.Join(home, "x")}},
		ConfigPath: config, LogDir: home, Home: home,
		Doctor: func() []doctor.Finding {
			return []doctor.Finding{{Check: "token", Status: doctor.OK, Found: token + " was read"}, {Check: "endpoint", Status: doctor.Fail, Found: "token=MARK-DOCTOR-0123456789abcdef0123456789", Do: "look"}}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		got[f.Name] = string(text)
		if strings.Contains(string(text), "MARK-") || strings.Contains(string(text), home) {
			t.Errorf("%s holds what it must not:\n%s", f.Name, text)
		}
	}
	for name, want := range map[string][]string{
		"about.txt":    {"Holdfast: 0.1.0\nFolder: ~/x\n"},
		"settings.txt": {"theme: dark\n", "profile 1: wss://example.org\n", "token file: true", "profile 2: command ssh with 2 arguments\n", "roots: 1"},
		"doctor.txt":   {"ok    token", "fail  endpoint"},
		"log.txt":      {`"msg":"stderr"`, `"msg":"unexpected"`, `"method":"turn/start"`},
	} {
		for _, w := range want {
			if !strings.Contains(got[name], w) {
				t.Errorf("%s lacks %q:\n%s", name, w, got[name])
			}
		}
	}
}

// What is missing or broken is said, and quoted nowhere.
func TestABundleOfNothing(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(config, []byte("secret = MARK"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := Source{ConfigPath: config, LogDir: dir}
	if got := s.settings() + s.log(); got != "The settings cannot be read.\nThere is no log.\n" {
		t.Errorf("it says %q", got)
	}
}
