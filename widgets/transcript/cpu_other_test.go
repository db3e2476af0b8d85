//go:build !unix

package transcript

import "time"

// cpu is not known here.
func cpu() time.Duration { return 0 }
