package start

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"

	"holdfast/core/profile"
	"holdfast/core/session"
	"holdfast/core/words"
)

// checker gives what finds that a target has changed: its token file is gone
// (new content of that is no change, ruling 29), or its profile says something
// else now, or nothing any more (REC-9). What flags alone decide stays.
func checker(f profile.Flags, settings string) func(session.Target) session.Change {
	return func(t session.Target) session.Change {
		if path := t.Transport.TokenFile; path != "" {
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				return session.Change{Why: words.T("the token file %s is gone", path)}
			}
		}
		if t.Profile == "" {
			return session.Change{}
		}
		now, err := profile.Load(settings)
		if err != nil {
			return session.Change{Why: words.T("the settings in %s cannot be read any more", settings), Rev: err.Error()}
		}
		if _, err := now.Find(t.Profile); err != nil {
			return session.Change{Why: words.T("the profile %q is not in %s any more", t.Profile, settings)}
		}
		found, same := compare(f, now, t)
		if same {
			return session.Change{}
		}
		return session.Change{Why: words.T("the profile %q was edited", t.Profile), Rev: fmt.Sprint(found)}
	}
}

// compare resolves the target's profile anew: as at the start, with the flags,
// or as it was chosen since.
func compare(f profile.Flags, now profile.File, t session.Target) (found session.Target, same bool) {
	if r, err := f.Apply(now); err == nil && reflect.DeepEqual(Target(r), t) {
		return t, true
	}
	r, err := f.Choose(now, t.Profile)
	if err != nil {
		return session.Target{}, false
	}
	found = Target(r)
	return found, reflect.DeepEqual(found, t)
}
