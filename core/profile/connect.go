package profile

import (
	"strings"

	"github.com/kballard/go-shellquote"

	"holdfast/core/transport"
	"holdfast/core/words"
)

// A Connect says how an app-server is reached.
type Connect struct {
	Kind transport.Kind
	// Argv is the program and its arguments, for a command.
	Argv []string
	// URL is ws:// or wss://.
	URL string
	// Path is a unix socket's.
	Path string
}

// String is the form that ParseConnect takes.
func (c Connect) String() string {
	switch c.Kind {
	case transport.Command:
		return "cmd:" + shellquote.Join(c.Argv...)
	case transport.WebSocket:
		return c.URL
	case transport.Unix:
		return "unix://" + c.Path
	case transport.Stdio:
	}
	return "stdio"
}

// Word is the kind of a connection in a word: stdio, websocket, unix or command.
func (c Connect) Word() string {
	switch c.Kind {
	case transport.Command:
		return "command"
	case transport.WebSocket:
		return "websocket"
	case transport.Unix:
		return "unix"
	case transport.Stdio:
	}
	return "stdio"
}

var errConnect = words.Error("a connection is one of stdio, ws://HOST:PORT, wss://HOST, unix:///PATH, cmd:PROGRAM ARGUMENTS")

// ParseConnect reads the value of --connect: stdio, ws://…, wss://…, unix://…,
// or cmd:… in shell words (no shell is run).
func ParseConnect(s string) (Connect, error) {
	scheme, rest, _ := strings.Cut(s, ":")
	switch strings.ToLower(scheme) {
	case "stdio":
		if s == "stdio" || s == "stdio:" || s == "stdio://" {
			return Connect{Kind: transport.Stdio}, nil
		}
	case "ws", "wss":
		if err := transport.CheckURL(s); err != nil {
			return Connect{}, err
		}
		return Connect{Kind: transport.WebSocket, URL: s}, nil
	case "unix":
		if path := strings.TrimPrefix(rest, "//"); path != "" {
			return Connect{Kind: transport.Unix, Path: path}, nil
		}
		return Connect{}, words.Error("this connection names no socket: write unix:///PATH")
	case "cmd":
		argv, err := shellquote.Split(rest)
		if err != nil {
			return Connect{}, words.Error("this command has a quote or backslash that is not finished")
		}
		return command(argv)
	}
	return Connect{}, errConnect
}

// command makes a Connect of a program and its arguments.
func command(argv []string) (Connect, error) {
	if len(argv) == 0 || argv[0] == "" {
		return Connect{}, words.Error("this command names no program")
	}
	return Connect{Kind: transport.Command, Argv: argv}, nil
}
