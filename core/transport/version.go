package transport

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"time"

	"holdfast/core/words"
)

// versionLimit bounds how long a program may take to name its version.
const versionLimit = 10 * time.Second

// ProgramVersion asks a native codex program for its version, such as "0.159.1".
func ProgramVersion(ctx context.Context, native string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, versionLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, native, "--version")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		if ctx.Err() != nil {
			return "", &Error{Kind: Unresponsive, Text: words.T("%s --version did not answer", native), Err: errors.Join(ctx.Err(), err)}
		}
		return "", invalid(words.T("%s --version does not run", native), err)
	}
	fields := strings.Fields(string(out[:min(len(out), 200)]))
	if len(fields) == 0 {
		return "", invalid(words.T("%s --version says nothing", native), nil)
	}
	return fields[len(fields)-1], nil
}

// OnPath reports whether PATH has a program of a name.
func OnPath(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}
