package play

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"holdfast/core/session"
	"holdfast/core/transport"
	"holdfast/tools/chaos/judge"
)

// tokenFile is where the token is, for the server and the product alike.
func (w *world) tokenFile() string { return filepath.Join(filepath.Dir(w.home.Dir), "token") }

// newToken puts another token in the place of the one there was, by a rename as
// a rotation does. A server that runs goes on with the one it took.
func (w *world) newToken() {
	w.mu.Lock()
	w.tokens++
	w.token = fmt.Sprintf("%s-token-%d", judge.Secret, w.tokens)
	w.mu.Unlock()
	w.writeToken()
}

func (w *world) writeToken() {
	w.mu.Lock()
	token := w.token
	w.mu.Unlock()
	path := w.tokenFile()
	if err := os.WriteFile(path+".new", []byte(token+"\n"), 0o600); err != nil {
		w.t.Error(err)
		return
	}
	if err := os.Rename(path+".new", path); err != nil {
		w.t.Error(err)
	}
}

// tokenBack undoes what was done to the token file but a rotation.
func (w *world) tokenBack() {
	if w.plan.Kind == "token" {
		w.writeToken()
	}
}

// spoilToken makes the token file one that is of no use.
func (w *world) spoilToken(text string) {
	if err := os.WriteFile(w.tokenFile(), []byte(text), 0o600); err != nil {
		w.t.Error(err)
	}
}

// The profiles of a run: the one it begins with, one that asks for less at the
// same place, and one that leads nowhere.
const (
	usual   = ""
	plain   = "plain"
	nowhere = "nowhere"
)

var errNoProfile = errors.New("there is no such profile")

func (w *world) profiles(name string) (session.Target, error) {
	t := session.Target{Transport: w.target(), Profile: name, Experimental: true, SharedFiles: true, Cwd: w.home.Work}
	switch name {
	case usual:
	case plain:
		t.Experimental, t.SharedFiles = false, false
	case nowhere:
		t.Transport = transport.Target{Kind: transport.WebSocket, URL: "ws://127.0.0.1:1"}
	default:
		return session.Target{}, errNoProfile
	}
	return t, nil
}

// checkTarget looks at the token file, as the product's own check does.
func (w *world) checkTarget(t session.Target) session.Change {
	if path := t.Transport.TokenFile; path != "" {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return session.Change{Why: "the token file is gone"}
		}
	}
	return session.Change{}
}
