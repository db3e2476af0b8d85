package realserver

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Memory is one line of a process's status on Linux, in KiB: "VmRSS" is what it
// holds now, "VmHWM" the most that it ever held.
func Memory(pid int, name string) (kib int, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, fmt.Errorf("read a process's status: %w", err)
	}
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			kib, err = strconv.Atoi(strings.Fields(value)[0])
			if err != nil {
				return 0, fmt.Errorf("read %s: %w", name, err)
			}
			return kib, nil
		}
	}
	return 0, fmt.Errorf("no %s in a process's status", name)
}
