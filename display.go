package main

import (
	"context"
	"net"
	"os"
	"runtime"
	"strings"
)

// hasDisplay says whether the toolkit could open a window at all: without a
// display it ends the program with a trace of its own.
func hasDisplay(ctx context.Context) bool {
	switch runtime.GOOS {
	case "windows", "darwin":
		return true
	}
	if d := os.Getenv("DISPLAY"); d != "" {
		return answers(ctx, d)
	}
	return os.Getenv("WAYLAND_DISPLAY") != ""
}

// answers says whether a local X server listens. One over the network is left
// to the toolkit.
func answers(ctx context.Context, display string) bool {
	host, number, ok := strings.Cut(display, ":")
	number, _, _ = strings.Cut(number, ".")
	if !ok || host != "" && host != "unix" {
		return true
	}
	socket := "/tmp/.X11-unix/X" + number
	for _, path := range []string{socket, "@" + socket} {
		if c, err := (&net.Dialer{}).DialContext(ctx, "unix", path); err == nil {
			_ = c.Close() // it answered; nothing was said
			return true
		}
	}
	return false
}
