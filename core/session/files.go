package session

import (
	"path/filepath"

	"holdfast/core/protocol"
	"holdfast/core/words"
)

// A File is a file or folder of the conversation's folder, by its path there.
type File struct {
	Path   string
	Folder bool
}

// maxFiles is how many are offered; the server gives the best 50.
const maxFiles = 50

// oneSearch makes the server drop the search before, which nobody waits for any
// more.
const oneSearch = "mention"

// findFiles asks the server for files of the conversation's folder. What would
// lead out of it is left out (ruling 36).
func (l *loop) findFiles(in FindFiles, done func(Result)) {
	switch {
	case !l.rec.Connected():
		l.finish(done, refuse("not-connected", words.T("There is no connection. Nothing was sent.")))
		return
	case l.view == nil:
		l.finish(done, refuse("no-selection", words.T("No conversation is selected.")))
		return
	case l.view.info.Cwd == "":
		l.finish(done, refuse("no-folder", words.T("The folder of the conversation is not known.")))
		return
	}
	var ended *Result
	p := protocol.FuzzyFileSearchParams{Query: in.Query, Roots: []string{l.view.info.Cwd}, CancellationToken: oneSearch}
	look(l, l.fence.Current(), protocol.FuzzyFileSearch, p, func(_ *loop, r protocol.FuzzyFileSearchResult, err error) {
		x := ok()
		if err != nil {
			x = refuse("read-failed", words.T("The files could not be searched. %s", textOf(err)))
		} else {
			in.To(inside(r.Files))
		}
		ended = &x
	})
	l.wait(waiter{done: done, viewBound: true, connBound: true, settled: func() (bool, Result) {
		if ended == nil {
			return false, Result{}
		}
		return true, *ended
	}})
}

// inside keeps the paths that stay in the folder they were found in.
func inside(found []protocol.FoundFile) []File {
	var out []File
	for _, f := range found {
		if filepath.IsLocal(f.Path) && len(out) < maxFiles {
			out = append(out, File{Path: f.Path, Folder: f.MatchType == "directory"})
		}
	}
	return out
}
