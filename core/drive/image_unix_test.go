//go:build unix

package drive_test

import (
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"holdfast/core/internal/fakeserver"
	"holdfast/core/session"
	"holdfast/core/start"
	"holdfast/core/transport"
)

// joinable is a server with one conversation, and a session whose files are
// shared below root.
func joinable(t *testing.T, root string) (*fakeserver.Server, session.Config) {
	t.Helper()
	srv := fakeserver.New(t)
	thread := object{"id": "t1", "cwd": "/w", "status": object{"type": "idle"}, "historyMode": "paginated"}
	list := func(data ...any) object { return object{"data": append([]any{}, data...), "nextCursor": nil} }
	srv.Answer("account/read", object{"account": nil, "requiresOpenaiAuth": false})
	srv.Answer("thread/list", list(thread))
	srv.Answer("thread/read", object{"thread": thread})
	srv.Answer("thread/resume", object{"thread": thread, "model": "m"})
	for _, m := range []string{"thread/turns/list", "thread/items/list", "thread/attachment/list", "model/list", "skills/list"} {
		srv.Answer(m, list())
	}
	srv.Answer("turn/start", object{"turn": object{"id": "u1", "status": "inProgress", "items": []any{}}})
	return srv, session.Config{
		Target:    session.Target{SharedFiles: true, Roots: []session.Root{{Local: root, Server: "/srv"}}},
		Dial:      func(context.Context, transport.Target) (transport.Conn, error) { return srv.Dial() },
		ReadImage: start.ReadImage,
	}
}

// An image that was chosen and is something else by the time of the Send: the
// field is named, the text stays, and nothing is sent. One that is what it was
// goes as a path below a root, and as its content from elsewhere.
//
// req: DRF-6
func TestAnImageThatIsNotWhatItWas(t *testing.T) {
	png := []byte("\x89PNG\r\n\x1a\n and so on")
	limit := 10 << 20
	for _, tc := range []struct {
		name   string
		change func(t *testing.T, path, elsewhere string)
		says   string // "" when it is sent
		sent   string // what goes on the wire then
	}{
		{"nothing happens", func(*testing.T, string, string) {}, "", `{"type":"localImage","path":"/srv/in/a.png"}`},
		{"it grows to the limit", func(t *testing.T, path, _ string) { write(t, path, append(png, make([]byte, limit-len(png))...)) }, "", `"/srv/in/a.png"`},
		{"it grows beyond the limit", func(t *testing.T, path, _ string) { write(t, path, append(png, make([]byte, limit-len(png)+1)...)) }, "it is larger than 10 MiB", ""},
		{"it is emptied", func(t *testing.T, path, _ string) { write(t, path, nil) }, "it is empty", ""},
		{"it is deleted", func(t *testing.T, path, _ string) { remove(t, path) }, "it does not exist", ""},
		{"it is a link", func(t *testing.T, path, elsewhere string) { remove(t, path); link(t, elsewhere, path) }, "it is a link", ""},
		{"its folder is a link", func(t *testing.T, path, elsewhere string) {
			remove(t, filepath.Dir(path))
			link(t, filepath.Dir(elsewhere), filepath.Dir(path))
		}, "is not in its folder any more", ""},
		{"it is a folder", func(t *testing.T, path, _ string) {
			remove(t, path)
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, "it is not a file", ""},
		{"it is a pipe", func(t *testing.T, path, _ string) {
			remove(t, path)
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Fatal(err)
			}
		}, "it is not a file", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			root, away := filepath.Join(dir, "root"), filepath.Join(dir, "away")
			path, elsewhere := filepath.Join(root, "in", "a.png"), filepath.Join(away, "a.png")
			write(t, path, png)
			write(t, elsewhere, png)
			srv, cfg := joinable(t, root)
			s := begin(t, cfg)
			s.untilState("awaiting-selection")
			s.must(`{"do":"select","thread":"t1"}`)
			s.must(`{"do":"join"}`)
			s.run(object{"do": "draft", "text": "look", "images": []string{path}})
			tc.change(t, path, elsewhere)
			if tc.says == "" {
				s.must(`{"do":"send"}`)
				if got := string(srv.Requests("turn/start")[0].Params); !strings.Contains(got, tc.sent) {
					t.Errorf("sent %s, want %s", got, tc.sent)
				}
				s.quit()
				return
			}
			s.refused(`{"do":"send"}`, "invalid-images")
			c := s.section("composer")
			if problem, _ := c["problem"].(string); !strings.HasPrefix(problem, "images: a.png") || !strings.Contains(problem, tc.says) || c["text"] != "look" {
				t.Errorf("composer %v, want %q", c, tc.says)
			}
			if n := len(srv.Requests("turn/start")); n != 0 {
				t.Errorf("it was sent %d times", n)
			}
			s.quit()
		})
	}
	t.Run("it lies outside the roots", func(t *testing.T) {
		dir := t.TempDir()
		path := filepath.Join(dir, "away", "a.png")
		write(t, path, png)
		srv, cfg := joinable(t, filepath.Join(dir, "root"))
		s := begin(t, cfg)
		s.untilState("awaiting-selection")
		s.must(`{"do":"select","thread":"t1"}`)
		s.must(`{"do":"join"}`)
		s.run(object{"do": "draft", "text": "look", "images": []string{path}})
		s.must(`{"do":"send"}`)
		want := `{"type":"image","url":"data:image/png;base64,` + base64.StdEncoding.EncodeToString(png) + `"}`
		if got := string(srv.Requests("turn/start")[0].Params); !strings.Contains(got, want) || strings.Contains(got, "away") {
			t.Errorf("sent %s, want %s and no path", got, want)
		}
		s.quit()
	})
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}
