package drive_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
	"holdfast/core/session"
	"holdfast/core/transport"
)

func TestMain(m *testing.M) {
	if realserver.MaybeMCP() {
		return
	}
	os.Exit(m.Run())
}

// remote is the configuration for a server with a listener.
func remote(h *realserver.Home, srv *realserver.Server) session.Config {
	target := transport.Target{Kind: transport.WebSocket, URL: srv.URL, TokenFile: srv.TokenFile}
	if path, ok := strings.CutPrefix(srv.URL, "unix://"); ok {
		target = transport.Target{Kind: transport.Unix, Path: path}
	}
	return session.Config{Target: session.Target{Transport: target, Experimental: true, SharedFiles: true, Cwd: h.Work}}
}

// object is one command.
type object = map[string]any

// line writes a command as a line.
func line(t *testing.T, o object) string {
	t.Helper()
	raw, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// run is must for a command given as an object.
func (s *surface) run(o object) {
	s.t.Helper()
	s.must(line(s.t, o))
}

// fresh begins a conversation in the home's folder and returns its id.
func (s *surface) fresh(h *realserver.Home) string {
	s.t.Helper()
	s.run(object{"do": "new", "cwd": h.Work})
	return s.section("thread")["id"].(string)
}

// tell sends a message with the scripts that answer it.
func (s *surface) tell(h *realserver.Home, text string, answers ...fakemodel.Script) {
	s.t.Helper()
	h.Model.Enqueue(answers...)
	s.run(object{"do": "draft", "text": text})
	s.must(`{"do":"send"}`)
}

// turnEnds waits until the newest turn has that status and holds that row.
func (s *surface) turnEnds(status, row string) {
	s.t.Helper()
	s.until("a turn "+status+" with "+row, func() bool {
		return s.section("thread")["turnStatus"] == status && slices.Contains(s.said(), row)
	})
}

// asked waits for a request and returns it.
func (s *surface) asked() map[string]any {
	s.t.Helper()
	s.until("a request", func() bool { return len(s.open()) > 0 })
	return s.open()[0]
}

// open lists the requests that can be answered.
func (s *surface) open() []map[string]any {
	return slices.DeleteFunc(s.list("requests"), func(r map[string]any) bool { return r["live"] != true })
}

// names lists one field of a list.
func names(in any, field string) []string {
	var out []string
	all, _ := in.([]any)
	for _, x := range all {
		name, _ := x.(map[string]any)[field].(string)
		out = append(out, name)
	}
	return out
}

// thread finds a conversation in the list.
func (s *surface) thread(id string) map[string]any {
	for _, th := range s.list("threads") {
		if th["id"] == id {
			return th
		}
	}
	return nil
}
