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

// An Image is a file that was read, and where it really is.
type Image struct {
	Data []byte
	Path string
}

// A Change is how a target is no longer what it was when it was resolved: its
// token file is gone, its profile was edited (ruling 29). The zero Change says
// that it is the same.
type Change struct {
	// Why is for people.
	Why string
	// Rev tells two edits of one profile apart.
	Rev string
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
	ReadImage func(path string, max int64) (Image, error)
	// CheckTarget compares a target with what it is now (REC-9). It may read
	// files; nil means that it never changes.
	CheckTarget func(Target) Change
	Log         *slog.Logger
	// Wall is the wall clock, for noticing that the machine slept; nil is
	// time.Now.
	Wall func() time.Time
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

func (c *Config) wall() time.Time {
	if c.Wall != nil {
		return c.Wall().Round(0)
	}
	return time.Now().Round(0) // without its monotonic part
}

func (c *Config) scaled(d time.Duration) time.Duration { return d / time.Duration(max(c.Scale, 1)) }
