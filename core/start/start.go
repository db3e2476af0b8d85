package start

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"

	"github.com/google/uuid"

	"holdfast/core/profile"
	"holdfast/core/session"
	"holdfast/core/transport"
)

// Product is the name that servers and people are told.
const Product = "Holdfast"

// Config makes a session's configuration. Publish is left to the surface.
func Config(f profile.Flags, file profile.File, version string, log *slog.Logger) (session.Config, error) {
	r, err := f.Apply(file)
	if err != nil {
		return session.Config{}, fmt.Errorf("read the settings: %w", err)
	}
	o := transport.Options{Scale: r.Scale, Log: log}
	return session.Config{
		Target: Target(r),
		Thread: r.Thread,
		Scale:  r.Scale,
		Log:    log,
		Profiles: func(name string) (session.Target, error) {
			// Read anew: the file may have been edited since the start.
			now, err := profile.Load(file.Path)
			if err != nil {
				return session.Target{}, fmt.Errorf("read the profiles: %w", err)
			}
			r, err := f.Choose(now, name)
			if err != nil {
				return session.Target{}, fmt.Errorf("use profile %q: %w", name, err)
			}
			return Target(r), nil
		},
		Dial: func(ctx context.Context, t transport.Target) (transport.Conn, error) {
			return transport.Dial(ctx, t, o) //nolint:wrapcheck // already a classified error
		},
		ReadImage:   ReadImage,
		CheckTarget: checker(f, file.Path),
		NewID:       uuid.NewString,
		Jitter:      rand.Float64,
		Product:     Product,
		Version:     version,
	}, nil
}

// Target is what a resolved profile comes to.
func Target(r profile.Resolved) session.Target {
	t := session.Target{
		Transport: r.Transport, Profile: r.Profile.Name, Experimental: r.Profile.ExperimentalAPI,
		SharedFiles: r.SharedFiles, Cwd: r.Cwd,
	}
	for _, x := range r.Profile.Roots {
		// Images are looked for by where they really are.
		if real, err := filepath.EvalSymlinks(x.Local); err == nil {
			x.Local = real
		}
		t.Roots = append(t.Roots, session.Root(x))
	}
	return t
}
