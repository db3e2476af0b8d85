package logfile

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Name is the file's name in its folder.
const Name = "holdfast.log"

// Dir is the folder for logs: what the system keeps such state in.
func Dir() (string, error) {
	if runtime.GOOS == "windows" {
		cache, err := os.UserCacheDir() // %LocalAppData%
		if err != nil {
			return "", fmt.Errorf("find the folder for logs: %w", err)
		}
		return filepath.Join(cache, "holdfast", "logs"), nil
	}
	if state := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(state) && runtime.GOOS != "darwin" {
		return filepath.Join(state, "holdfast"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the folder for logs: %w", err)
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Logs", "holdfast"), nil
	}
	return filepath.Join(home, ".local", "state", "holdfast"), nil
}
