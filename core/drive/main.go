package drive

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"

	"holdfast/core/logfile"
	"holdfast/core/profile"
	"holdfast/core/start"
)

// Std is the standard streams of a command.
type Std struct {
	In       io.Reader
	Out, Err io.Writer
}

// Main is the drive command. It returns the exit status: 0 after quit or the
// end of input, 2 for bad flags, 1 otherwise.
func Main(ctx context.Context, args []string, version string, std Std) int {
	var f profile.Flags
	fs := flag.NewFlagSet("drive", flag.ContinueOnError)
	fs.SetOutput(std.Err)
	f.Register(fs)
	fs.Usage = func() { usage(std.Err, fs) }
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return ExitOK
		}
		return ExitFlags
	}
	if fs.NArg() > 0 {
		return complain(std.Err, ExitFlags, fmt.Errorf("%q is not a flag; drive takes commands from its input", fs.Arg(0)))
	}
	log := slog.New(slog.DiscardHandler)
	if dir, err := logfile.Dir(); err == nil {
		l := logfile.Open(dir, slog.LevelInfo)
		defer func() { _ = l.Close(context.WithoutCancel(ctx)) }()
		log = l.Logger
	}
	file, err := load()
	if err != nil {
		return complain(std.Err, ExitOther, err)
	}
	cfg, err := start.Config(f, file, version, log)
	if err != nil {
		return complain(std.Err, ExitFlags, err)
	}
	if err := Run(ctx, cfg, std.In, std.Out); err != nil {
		return complain(std.Err, ExitOther, err)
	}
	return ExitOK
}

func load() (profile.File, error) {
	path, err := profile.Path()
	if err != nil {
		return profile.File{}, fmt.Errorf("find the config folder: %w", err)
	}
	return profile.Load(path) //nolint:wrapcheck // names the file and line itself
}

func complain(w io.Writer, status int, err error) int {
	_, _ = fmt.Fprintln(w, "holdfast drive:", err)
	return status
}
