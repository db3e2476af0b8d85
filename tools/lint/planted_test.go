package lint

// planted is a module with violations. A line's comment names the linter that must complain about that line, and a part
// of what it says.
var planted = map[string]string{
	"go.mod": `module holdfast

go 1.26

require (
	fyne.io/fyne/v2 v2.0.0
	github.com/stretchr/testify v1.0.0
)

replace (
	fyne.io/fyne/v2 => ./stub/fyne
	github.com/stretchr/testify => ./stub/testify
)
`,
	"stub/fyne/go.mod":       "module fyne.io/fyne/v2\n",
	"stub/fyne/fyne.go":      "// Package fyne is a stub.\npackage fyne\n\n// Do posts.\nfunc Do(func()) {}\n",
	"stub/fyne/app/app.go":   "// Package app is a stub.\npackage app\n",
	"stub/testify/go.mod":    "module github.com/stretchr/testify\n",
	"stub/testify/assert.go": "// Package testify is a stub.\npackage testify\n",

	"core/rpc/rpc.go":             "// Package rpc is a stub.\npackage rpc\n",
	"core/session/session.go":     "// Package session is a stub.\npackage session\n",
	"core/transport/transport.go": "// Package transport may start processes.\npackage transport\n\nimport _ \"os/exec\"\n",

	"core/stamp/pure.go": `// Package stamp breaks the rules of pure packages.
package stamp

import (
	_ "math/rand" // depguard: randomness arrives
	_ "net"       // depguard: a machine returns effects
	_ "os"        // depguard: a machine returns effects
	_ "sync"      // depguard: needs no locks
	"time"

	_ "fyne.io/fyne/v2" // depguard: core is headless

	_ "holdfast/core/rpc"     // depguard: a machine returns effects
	_ "holdfast/core/session" // depguard: dependencies point inward
)

// Late reads the clock.
func Late() time.Time { return time.Now() } // forbidigo: pure code receives the time
`,
	"core/process.go": `// Package core starts processes.
package core

import _ "os/exec" // depguard: processes start in core/transport
`,
	"widgets/widget.go": `// Package widgets knows too much.
package widgets

import (
	_ "fyne.io/fyne/v2/app" // depguard: needs cgo and GL

	_ "holdfast/core/session" // depguard: a widget takes properties
)
`,
	"ui/ui.go": `// Package ui goes behind the session's back.
package ui

import (
	"fyne.io/fyne/v2"

	_ "holdfast/core/rpc" // depguard: post an intent
)

// Post crosses threads by itself.
func Post() { fyne.Do(nil) } // forbidigo: hands fyne.Do to the poster
`,
	"ui/ui_test.go": `package ui

import _ "github.com/stretchr/testify" // depguard: compare whole values
`,
	"core/sets/sets.go": `// Package sets breaks the rules of closed sets.
package sets

// Kind is an enumeration.
type Kind uint8

// The kinds.
const (
	One Kind = iota
	Two
)

// Name forgets a kind behind a default.
func Name(k Kind) string {
	switch k { // exhaustive: missing cases
	case One:
		return "one"
	default:
		return ""
	}
}

// Event is a closed union.
//
//sumtype:decl
type Event interface{ event() }

// Up is an event.
type Up struct{}

// Down is an event.
type Down struct{}

func (Up) event()   {}
func (Down) event() {}

// Take forgets an event.
func Take(e Event) bool {
	switch e.(type) { // gochecksumtype: exhaustiveness check failed
	case Up:
		return true
	}
	return false
}
`,
	"core/errs/errs.go": `// Package errs breaks the rules of errors and contexts.
package errs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
)

var errBroken = errors.New("broken")

// Broken is an error, which its name does not say.
type Broken struct{} // errname: should conform

func (Broken) Error() string { return "" }

type holder struct {
	ctx context.Context // containedctx: found a struct
}

// Held uses what would be unused.
func Held() any { return holder{} }

// Compare compares by value.
func Compare(err error) bool { return err == io.EOF } // errorlint: comparing with ==

// Wrap loses the cause.
func Wrap(err error) error { return fmt.Errorf("wrap: %v", err) } // errorlint: non-wrapping

// Drop drops an error.
func Drop() { os.Remove("x") } // errcheck: not checked

// Nil loses an error.
func Nil() error {
	if _, err := os.Stat("x"); err != nil {
		return nil // nilerr: returns nil
	}
	return errBroken
}

// Get has no context and leaks.
func Get() (int, error) {
	resp, err := http.Get("http://127.0.0.1") // noctx: must not be called; bodyclose: must be closed
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, nil
}

// Begin makes a context of its own.
func Begin() context.Context { return context.Background() } // forbidigo: contexts come from main

// Fat nests contexts.
func Fat(ctx context.Context) context.Context {
	for range 3 {
		ctx = context.WithValue(ctx, holder{}, 1) // fatcontext: nested context
	}
	return ctx
}
`,
	"core/shape/shape.go": `// Package shape breaks the rules of shape.
package shape

import (
	"fmt"
	"time"
)

func init() {} // gochecknoinits: don't use

func Bare() {} // revive: should have comment

// Wide takes too much.
func Wide(a, b, c, d, e, f int) int { return a + b + c + d + e + f } // revive: argument-limit

// Unused ignores its argument.
func Unused(n int) {} // revive: unused-parameter

// Say prints.
func Say() { fmt.Println("x") } // forbidigo: use slog

// Wait multiplies durations.
func Wait(d time.Duration) time.Duration { return d * time.Second } // durationcheck: Multiplication

// Make grows a filled slice.
func Make() []int {
	s := make([]int, 3)
	s = append(s, 1) // makezero: append to slice
	return s
}

// Convert converts for nothing.
func Convert(n int) int { return int(n) } // unconvert: unnecessary conversion

// Assign forgets a value.
func Assign() int {
	n := 1 // ineffassign: ineffectual
	n = 2
	return n
}

func nobody() {} // unused: is unused

// Rec` + "ieve" + ` is misspelled. // misspell: is a misspelling
func Rec` + "ieve" + `() {}

var x = 1 //nolint

// Same compares a thing with itself.
func Same() bool { return x == x } // staticcheck: identical expressions
`,
	"core/bare/bare.go": "package bare // revive: should have a package comment\n",
	"core/format/format.go": `// Package format is not formatted.
package format

func f() {

	_ = 0 // gofumpt
}

var _ = f
`,
}
