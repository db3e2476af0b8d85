package main

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

func status(code int) func(*server, http.ResponseWriter, *http.Request) bool {
	return func(_ *server, w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
		w.WriteHeader(code)
		_, _ = fmt.Fprint(w, "body of \x1b[31m an error")
		return true
	}
}

func version(agent string) *testCase {
	return &testCase{
		name: "version " + agent[:min(12, len(agent))], noDraft: true, tour: offline,
		change: func(_ *link, r request, v any) any {
			if r.Method == "initialize" {
				v.(obj)["userAgent"] = agent
			}
			return v
		},
	}
}

// offline expects that no connection is made, and types all the same.
func offline(t *trial) {
	t.settled()
	t.do(`{"do":"draft","text":"` + typed + `"}`)
	t.do(`{"do":"select","thread":"` + threadIDs[0] + `"}`)
	t.do(`{"do":"reconnect"}`)
	if t.word() != "manual-reconnect" && t.word() != "sign-in" && t.word() != "confirmation" {
		t.wrong("it says %s", t.word())
	}
	if !t.kept() {
		t.wrong("what was typed is nowhere")
	}
}

// linkCases are about the connection itself.
func linkCases() []*testCase {
	var all []*testCase
	for _, code := range []int{200, 302, 400, 401, 403, 404, 426, 500, 502, 503} {
		all = append(all, &testCase{name: fmt.Sprintf("http %d", code), http: status(code), tour: offline})
	}
	all = append(all,
		&testCase{name: "port closed", target: "ws://127.0.0.1:1", tour: offline},
		&testCase{name: "no such socket", target: "unix:///tmp/no/such/socket", tour: offline},
		&testCase{name: "socket path of 108 bytes", target: "unix:///tmp/" + strings.Repeat("s", 103), tour: offline},
		&testCase{name: "no codex", target: "stdio", args: []string{"--codex", "/no/such/codex"}, tour: offline},
		&testCase{name: "codex is a folder", target: "stdio", args: []string{"--codex", "/tmp"}, tour: offline},
		&testCase{name: "command ends", target: "cmd:true", tour: offline},
		&testCase{name: "command fails", target: "cmd:false", tour: offline},
		&testCase{name: "command says garbage", target: "cmd:sh -c 'yes garbage | head -c 300000000'", tour: offline},
		&testCase{name: "command is silent", target: "cmd:sleep 1000", tour: offline},
		&testCase{name: "command is cat", target: "cmd:cat", tour: offline},
		&testCase{name: "command says zeros", target: "cmd:head -c 700000000 /dev/zero", tour: offline},
		&testCase{name: "command floods stderr", target: "cmd:sh -c 'head -c 300000000 /dev/zero >&2'", tour: offline},
		version("holdfast/0.100.0 (x)"), version("holdfast/garbage"), version(""),
		version("a/"+strings.Repeat("9", 400)+".1.1"), version("a/0.159.1"+strings.Repeat("-x", 1<<20)),
		&testCase{name: "accepts and never answers", on: func(*link, request) bool { return true }, tour: offline},
		&testCase{name: "handshake never answered", http: func(_ *server, _ http.ResponseWriter, r *http.Request) bool {
			<-r.Context().Done()
			return true
		}, tour: offline},
		&testCase{name: "handshake of endless headers", http: endless, tour: offline},
		&testCase{name: "one byte a second", http: trickle, tour: offline},
		&testCase{name: "close frame at once", connected: func(l *link) {
			_ = l.w.(*wsWire).c.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(1011, "go \x1b[31maway"), time.Now().Add(time.Second))
			l.w.close()
		}, tour: offline},
		&testCase{name: "newer version", change: func(_ *link, r request, v any) any {
			if r.Method == "initialize" {
				v.(obj)["userAgent"] = "x/99.0.0"
			}
			return v
		}},
	)
	return all
}

func endless(_ *server, w http.ResponseWriter, _ *http.Request) bool {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return true
	}
	defer func() { _ = c.Close() }()
	_, _ = c.Write([]byte("HTTP/1.1 101 Switching Protocols\r\n"))
	line := []byte("X-Header: " + strings.Repeat("y", 1<<16) + "\r\n")
	for range 10_000 {
		if _, err := c.Write(line); err != nil {
			return true
		}
	}
	return true
}

// trickle shakes hands and then says one byte of an endless frame a second.
func trickle(_ *server, w http.ResponseWriter, r *http.Request) bool {
	c, err := new(websocket.Upgrader).Upgrade(w, r, nil)
	if err != nil {
		return true
	}
	raw := c.UnderlyingConn()
	defer func() { _ = raw.Close() }()
	_, _ = raw.Write([]byte{0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0})
	for {
		if _, err := raw.Write([]byte("{")); err != nil {
			return true
		}
		time.Sleep(time.Second)
	}
}
