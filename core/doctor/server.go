package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"holdfast/core/protocol"
	"holdfast/core/rpc"
	"holdfast/core/safetext"
	"holdfast/core/transport"
)

// answerLimit bounds how long the endpoint may take.
const answerLimit = 30 * time.Second

// endLimit is how long a link may take to end after that, a child included.
const endLimit = 15 * time.Second

const installCodex = "install Codex (npm install -g @openai/codex), or name the program with --codex"

func (d *doctor) stdio() bool { return d.target.Transport.Kind == transport.Stdio }

// codex finds the program and asks it for its version.
func (d *doctor) codex(ctx context.Context) {
	if !d.stdio() {
		d.say("codex", OK, "no program is needed here: the connection is "+d.target.Transport.String(), "")
		return
	}
	path, err := transport.Find(d.target.Transport.Codex)
	if err != nil {
		d.say("codex", Fail, err.Error(), installCodex)
		return
	}
	native, err := transport.NativeBinary(path)
	if err != nil {
		d.say("codex", Fail, err.Error(), installCodex)
		return
	}
	v, err := d.CodexVersion(ctx, native)
	if err != nil {
		d.say("codex", Fail, err.Error(), "check that the file may be run, or install Codex again")
		return
	}
	d.version = v
	d.say("codex", OK, fmt.Sprintf("%s at %s", v, native), "")
}

// contract compares the version with those this build knows.
func (d *doctor) contract() {
	known := fmt.Sprintf("needs %s, made for %s, tried with %s", protocol.Minimum, protocol.Target, protocol.NewestKnown)
	if d.version == "" {
		d.say("contract", Warn, "no server said its version; Holdfast "+known, "see the lines codex and endpoint")
		return
	}
	v, ok := protocol.ParseVersion(d.version)
	switch {
	case !ok:
		d.say("contract", Fail, fmt.Sprintf("%q is no version that can be read; Holdfast %s", d.version, known), "install Codex "+protocol.Target.String())
	case v.Less(protocol.Minimum):
		d.say("contract", Fail, fmt.Sprintf("Codex %s is too old; Holdfast %s", v, known), "install Codex "+protocol.Target.String()+" or newer")
	case protocol.NewestKnown.Less(v):
		d.say("contract", Warn, fmt.Sprintf("Codex %s is newer than what Holdfast knows; it %s", v, known), "it should work; if something is missing, look for a newer Holdfast")
	default:
		d.say("contract", OK, fmt.Sprintf("Codex %s; Holdfast %s", v, known), "")
	}
}

// codexHome checks the folder that a server of ours keeps its state in.
func (d *doctor) codexHome() {
	if !d.stdio() {
		return
	}
	dir, named := d.target.Transport.CodexHome, true
	if dir == "" {
		dir = d.Env("CODEX_HOME")
	}
	if dir == "" {
		if d.Home == "" {
			d.say("codex-home", Fail, "there is neither CODEX_HOME nor a home folder", "set CODEX_HOME to a folder of yours")
			return
		}
		dir, named = filepath.Join(d.Home, ".codex"), false
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		d.say("codex-home", OK, dir+" does not exist yet: Codex makes it", "")
	case errors.Is(err, fs.ErrNotExist):
		d.say("codex-home", Fail, dir+" does not exist, and Codex does not start without it", "make the folder: mkdir -p "+dir)
	case err != nil:
		d.say("codex-home", Fail, dir+" cannot be looked at: "+reason(err), "give yourself access to it, or name another with --codex-home")
	case !info.IsDir():
		d.say("codex-home", Fail, dir+" is no folder", "name a folder with --codex-home or CODEX_HOME")
	default:
		if err := tryWriting(dir); err != nil {
			d.say("codex-home", Fail, "nothing can be written in "+dir+": "+reason(err), "make it writable, or name another with --codex-home")
			return
		}
		d.say("codex-home", OK, dir+" can be written", "")
	}
}

// token checks the token file, and never says what is in it.
func (d *doctor) token() {
	path := d.target.Transport.TokenFile
	if path == "" {
		if k := d.target.Transport.Kind; k == transport.WebSocket {
			d.say("token", OK, "no token file is named", "")
		}
		return
	}
	info, err := os.Stat(path)
	if err != nil {
		d.say("token", Fail, path+" cannot be read: "+reason(err), "put the token there, or name its file with --token-file")
		return
	}
	data, err := os.ReadFile(path)
	switch {
	case err != nil:
		d.say("token", Fail, path+" cannot be read: "+reason(err), "make it readable for you: chmod 600 "+path)
	case strings.TrimSpace(string(data)) == "":
		d.say("token", Fail, path+" is empty", "put the token in it")
	case d.OS != "windows" && info.Mode().Perm()&0o077 != 0:
		d.say("token", Warn, fmt.Sprintf("%s is open to others (mode %04o)", path, info.Mode().Perm()), "keep it to yourself: chmod 600 "+path)
	default:
		d.say("token", OK, path+" is there and yours alone", "")
	}
}

// endpoint connects, asks for initialize, and closes.
func (d *doctor) endpoint(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	t := d.target.Transport
	conn, err := d.Dial(ctx, t, transport.Options{Scale: d.target.Scale})
	if err != nil {
		d.unreachable(err)
		return
	}
	r, err := d.greet(ctx, conn)
	if err != nil {
		d.unreachable(err)
		return
	}
	v, ok := protocol.ServerVersion(r.UserAgent)
	if !ok {
		d.say("endpoint", Fail, conn.Info().Endpoint+" answers, and does not say which version it is", "check that it is a Codex app-server")
		return
	}
	d.version = v
	d.say("endpoint", OK, fmt.Sprintf("%s answers: Codex %s, CODEX_HOME %s", conn.Info().Endpoint, v, r.CodexHome), "")
}

// greet asks for initialize, closes the link, and returns when all of it is gone.
func (d *doctor) greet(ctx context.Context, conn transport.Conn) (protocol.InitializeResult, error) {
	c := rpc.New(conn, rpc.Handler{}, rpc.Options{Scale: d.target.Scale})
	lost := make(chan error, 1)
	go func() { lost <- c.Serve() }()
	type answer struct {
		r   protocol.InitializeResult
		err error
	}
	got := make(chan answer, 1)
	rpc.Look(ctx, c, protocol.Initialize, protocol.InitializeParams{
		ClientInfo:   protocol.ClientInfo{Name: "holdfast", Title: "Holdfast doctor", Version: d.Version},
		Capabilities: protocol.Capabilities{ExperimentalAPI: d.target.Profile.ExperimentalAPI},
	}, func(r protocol.InitializeResult, err error) { got <- answer{r, err} })
	a := <-got
	closeErr := conn.Close()
	ended := <-lost
	switch cause := context.Cause(ctx); {
	case a.err != nil && cause != nil: // that it then was closed is our doing
		return a.r, fmt.Errorf("initialize: %w", cause)
	case a.err != nil:
		return a.r, errors.Join(a.err, ended, closeErr)
	}
	return a.r, nil
}

// unreachable says why, and what to do about that kind of failure.
func (d *doctor) unreachable(err error) {
	var refused *rpc.ServerError
	if errors.As(err, &refused) {
		d.say("endpoint", Fail, fmt.Sprintf("%s refuses initialize: %s", d.target.Transport, safetext.Redact(refused.Message)), "check that it is a Codex app-server, and its version")
		return
	}
	e := transport.Classify(err)
	found, where := e.Text, d.target.Transport.String()
	if !strings.Contains(found, where) {
		found = where + ": " + found
	}
	d.say("endpoint", Fail, found, adviceFor(e.Kind, d.stdio()))
}

func adviceFor(k transport.FailKind, stdio bool) string {
	switch k {
	case transport.Auth:
		return "name the file with the server's token: --token-file, or token_file in the profile"
	case transport.Unavailable:
		return "start the server, or check the address"
	case transport.ProcessExit:
		if stdio {
			return "run `codex app-server` in a terminal to see what it says; see also the line codex-home"
		}
		return "run the command in a terminal to see what it says"
	case transport.Permission:
		return "check the permissions of the program or socket"
	case transport.InvalidProfile:
		return "correct the connection in the profile or on the command line"
	case transport.ServerIdentity, transport.TargetChanged:
		return "check that this is the server you mean"
	case transport.Closed, transport.Reset, transport.Unresponsive:
		return "check that it is a Codex app-server, and whether it is busy; then try again"
	case transport.Cancelled, transport.Unknown:
	}
	return "try again"
}

// sandbox looks for the tool that Codex confines commands with (trap 20).
func (d *doctor) sandbox() {
	if d.OS != "linux" || !d.stdio() {
		return
	}
	if d.OnPath("bwrap") {
		d.say("sandbox", OK, "bubblewrap is on PATH", "")
		return
	}
	d.say("sandbox", Warn, "bubblewrap is not on PATH: Codex uses its own copy, and says so at every start", "install it: apt install bubblewrap")
}
