package transport

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"holdfast/core/words"
)

// Pinned is the Codex version this build is made for; `make tools` puts it
// under .tools/codex.
const Pinned = "0.159.1"

// ErrNoCodex reports that no codex program was found anywhere.
var ErrNoCodex = errors.New("no codex program found")

// Find gives the codex program to start: the one named by flag, else the one on
// PATH, else the project's own beside the executable or in a folder above it.
// What it gives may be a launcher; see NativeBinary.
func Find(flag string) (string, error) {
	if flag != "" {
		p, err := exec.LookPath(flag)
		if err != nil && !errors.Is(err, exec.ErrDot) {
			return "", noCodexAt(flag, err)
		}
		return p, nil
	}
	if p, err := exec.LookPath("codex"); err == nil {
		return p, nil
	}
	exe, err := os.Executable()
	if err == nil {
		if p := ownTools(filepath.Dir(exe)); p != "" {
			return p, nil
		}
	}
	return "", invalid(words.T("no codex program was found on PATH: install Codex, or name the program with --codex"), ErrNoCodex)
}

// ownTools looks for the pinned CLI in dir and the folders above it.
func ownTools(dir string) string {
	for {
		p := filepath.Join(dir, ".tools", "codex", Pinned, "node_modules", ".bin", "codex")
		if _, err := os.Stat(p); err == nil {
			return p
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// NativeBinary gives the program that path stands for: itself if it is one, else
// the one that the npm launcher at path would start. Killing the launcher alone
// leaves the server running, so we never start it (trap 19). A script that is
// not that launcher, such as a package manager's wrapper, is given as it is: it
// hands over to the program by exec, and if it does not, its whole group is
// ended with it.
func NativeBinary(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", noCodexAt(path, err)
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", noCodexAt(path, err)
	}
	head, err := firstBytes(real)
	switch {
	case errors.Is(err, os.ErrPermission):
		return "", &Error{Kind: Permission, Text: words.T("the codex program at %s may not be read", path), Err: err}
	case err != nil:
		return "", invalid(words.T("the codex program at %s cannot be read", path), err)
	case native(head) && !strings.HasPrefix(filepath.Base(real), "codex"):
		return abs, nil // a program of many names: it goes by the one it is called
	case native(head):
		return real, nil
	}
	for _, root := range packageRoots(abs, real) {
		if p := vendored(root); p != "" {
			return p, nil
		}
	}
	if line, ok := strings.CutPrefix(head, "#!"); ok && !launches.MatchString(line) {
		return abs, nil
	}
	return "", invalid(words.T("%s is a launcher, and the program it starts is missing: install Codex again", path), ErrNoCodex)
}

// launches matches the first line of a script that another program runs.
var launches = regexp.MustCompile(`^[^\n]*\b(node|bun|deno)\b`)

func noCodexAt(path string, err error) *Error {
	return invalid(words.T("there is no codex program at %s", path), errors.Join(ErrNoCodex, err))
}

// firstBytes reads what tells a program from a script.
func firstBytes(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	var b [128]byte
	n, err := io.ReadFull(f, b[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", err
	}
	return string(b[:n]), nil
}

// native reports whether a file that begins so is a program: ELF, Mach-O (both
// byte orders and the universal form) or PE.
func native(head string) bool {
	for _, magic := range []string{
		"\x7fELF", "\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf", "\xce\xfa\xed\xfe", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "MZ",
	} {
		if strings.HasPrefix(head, magic) {
			return true
		}
	}
	return false
}

// packageRoots lists where the npm package of a launcher may lie: around the
// script itself, or beside a shim that only calls it (pnpm, Windows).
func packageRoots(path, real string) []string {
	roots := []string{filepath.Dir(filepath.Dir(real))}
	for _, dir := range []string{filepath.Dir(path), filepath.Dir(real)} {
		for _, rel := range []string{"../@openai/codex", "node_modules/@openai/codex", "../lib/node_modules/@openai/codex"} {
			root, err := filepath.EvalSymlinks(filepath.Join(dir, filepath.FromSlash(rel)))
			if err == nil {
				roots = append(roots, root)
			}
		}
	}
	return roots
}

// vendored gives the native program of the package at root, or nothing. It lies
// in a package for the platform beside or inside it, or (older) in it.
func vendored(root string) string {
	triple, pkg, name := platform()
	for _, vendor := range []string{
		filepath.Join(root, "node_modules", "@openai", pkg, "vendor"),
		filepath.Join(filepath.Dir(root), pkg, "vendor"),
		filepath.Join(root, "vendor"),
	} {
		for _, dir := range []string{"bin", "codex"} {
			p := filepath.Join(vendor, triple, dir, name)
			if head, err := firstBytes(p); err == nil && native(head) {
				return p
			}
		}
	}
	return ""
}

// platform names this machine as the npm packages do.
func platform() (triple, pkg, name string) {
	arch, short := "x86_64", "x64"
	if runtime.GOARCH == "arm64" {
		arch, short = "aarch64", "arm64"
	}
	switch runtime.GOOS {
	case "windows":
		return arch + "-pc-windows-msvc", "codex-win32-" + short, "codex.exe"
	case "darwin":
		return arch + "-apple-darwin", "codex-darwin-" + short, "codex"
	default:
		return arch + "-unknown-linux-musl", "codex-linux-" + short, "codex"
	}
}
