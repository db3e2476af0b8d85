package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"holdfast/core/safetext"
)

// Exit codes of Main.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// Main is the command `doctor`: args are what follows the word. It returns the
// exit code: 0 when nothing failed, 1 when something did, 2 for wrong flags.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o Options
	set := flag.NewFlagSet("doctor", flag.ContinueOnError)
	set.SetOutput(stderr)
	o.Flags.Register(set)
	asJSON := set.Bool("json", false, "write one JSON array")
	if err := set.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return exitOK
		}
		return exitUsage
	}
	if set.NArg() > 0 {
		return report(stderr, fmt.Errorf("doctor takes no argument such as %q", set.Arg(0)), exitUsage)
	}
	findings := Run(ctx, o)
	write := writeLines
	if *asJSON {
		write = writeJSON
	}
	if err := write(stdout, findings); err != nil {
		return report(stderr, err, exitFailed)
	}
	if Failed(findings) {
		return exitFailed
	}
	return exitOK
}

// report tells of an error; nobody can be told when that fails, too.
func report(w io.Writer, err error, code int) int {
	_, _ = fmt.Fprintln(w, "holdfast:", err)
	return code
}

// writeLines writes one line for each finding, fit for a terminal whatever
// servers and files said.
func writeLines(w io.Writer, fs []Finding) error {
	var b strings.Builder
	for _, f := range fs {
		fmt.Fprintf(&b, "%-4s  %-10s  %s", f.Status, f.Check, line(f.Found))
		if f.Do != "" {
			b.WriteString(". To do: " + line(f.Do))
		}
		b.WriteByte('\n')
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write the findings: %w", err)
	}
	return nil
}

func line(s string) string { return safetext.MakeLine(s).String() }

func writeJSON(w io.Writer, fs []Finding) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if err := e.Encode(fs); err != nil {
		return fmt.Errorf("write the findings: %w", err)
	}
	return nil
}
