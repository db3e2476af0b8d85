package session

import (
	"context"
	"log/slog"
	"time"

	"holdfast/core/transport"
)

// A Target is what a profile and the flags come to: where to connect, and how
// files relate.
type Target struct {
	Transport transport.Target
	// Profile is the name of the profile, "" without one.
	Profile string
	// Experimental asks for experimentalApi (ruling 19).
	Experimental bool
	// SharedFiles says that client and server see the same files (ruling 36).
	SharedFiles bool
	// Roots are the folders both know, as pairs.
	Roots []Root
	// Cwd is where new conversations start when nothing else is said.
	Cwd string
}

// A Root is one folder as the client and as the server names it.
type Root struct{ Local, Server string }

// Config is what a Session is made of. Dial, NewID and Publish are required.
type Config struct {
	Target Target
	// Profiles finds another target by profile name; nil means there are none.
	Profiles func(name string) (Target, error)
	// Thread is selected at the first connection only (REC-14).
	Thread string
	Dial   func(ctx context.Context, t transport.Target) (transport.Conn, error)
	// ReadImage reads a local image of at most max bytes, at Send (ruling 36).
	ReadImage func(path string, max int64) ([]byte, error)
	Log       *slog.Logger
	// Scale divides every delay and deadline; 1 in earnest (drive --timing).
	Scale int
	// Jitter gives numbers uniform in [0,1), for the pauses between retries.
	Jitter func() float64
	// NewID makes a random UUID for each submission (ruling 1).
	NewID func() string
	// Publish takes the newest snapshot. It runs on the loop and must not wait.
	Publish func(*Snapshot)
	// Product and Version are clientInfo's name and version.
	Product, Version string
}

// publishEvery paces snapshots: at most 30 a second.
const publishEvery = 34 * time.Millisecond

func (c *Config) scaled(d time.Duration) time.Duration { return d / time.Duration(max(c.Scale, 1)) }
