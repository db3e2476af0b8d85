package realserver

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Target is the version that the product is made for, Regression the oldest
// one it supports, and Newest the newest one it is known to start with.
const (
	Target     = "0.159.1"
	Regression = "0.155.1"
	Newest     = "0.171.0"
)

// Versions are the versions that every test against a real server runs with.
func Versions() []string { return []string{Target, Regression} }

// ErrNotInstalled says that a pinned command line is missing.
var ErrNotInstalled = errors.New("not installed: run `make tools`")

// Find returns the native binary of a pinned version: the launcher that npm
// puts before it would be one more process to stop.
func Find(version string) (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, ".tools", "codex", version)
	pattern := filepath.Join(dir, "node_modules", "@openai", "codex-"+platform(), "vendor", "*", "bin", "codex*")
	found, err := filepath.Glob(pattern)
	if err != nil {
		return "", fmt.Errorf("look for codex %s: %w", version, err)
	}
	for _, path := range found {
		if name := filepath.Base(path); name == "codex" || name == "codex.exe" {
			return path, nil
		}
	}
	return "", fmt.Errorf("codex %s in %s: %w", version, dir, ErrNotInstalled)
}

// Root is the folder of the repository: the nearest one above the working
// folder that holds go.mod.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the repository: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("find the repository: no go.mod above the working folder")
		}
		dir = parent
	}
}

// platform is the name that the npm packages use.
func platform() string {
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	name := map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}[runtime.GOOS]
	return name + "-" + arch
}
