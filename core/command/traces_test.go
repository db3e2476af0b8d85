package command_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
)

// What is typed and not sent reaches no file, at no moment of its way: in the
// composer, over a kill of the server, as a recovery draft, restored, and after
// the end. What was sent is Codex's to keep, which shows that the search finds
// what is there. The process leaves no core dump behind, either.
//
// req: DRF-2
func TestWhatIsTypedReachesNoFile(t *testing.T) {
	const secret, sent = "xyzzy-typed-and-not-sent", "plugh-sent-to-codex"
	for _, version := range realserver.Versions() {
		t.Run(version, func(t *testing.T) {
			h := realserver.New(t, version, fakemodel.Config{})
			h.Model.SetDefault(fakemodel.Say("good day"))
			top := filepath.Dir(h.Dir)
			for _, name := range []string{"tmp", "own"} {
				if err := os.Mkdir(filepath.Join(top, name), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv("TMPDIR", filepath.Join(top, "tmp"))
			p := runIn(t, h, filepath.Join(top, "own"), []string{"drive", "--codex", h.Codex, "--codex-home", h.Dir, "--cwd", h.Work})
			look := func(when string) {
				t.Helper()
				if found := filesWith(t, top, secret); len(found) > 0 {
					t.Errorf("%s: what was not sent is in %q", when, found)
				}
				if runtime.GOOS == "linux" {
					onlyTheLogIsOpen(t, p.pid, filepath.Join(top, "own"))
				}
			}
			if runtime.GOOS == "linux" {
				limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", p.pid))
				if err != nil || !regexp.MustCompile(`Max core file size\s+0 `).Match(limits) {
					t.Errorf("the limits of the process are\n%s%v", limits, err)
				}
			}
			p.until(`"state":"awaiting-selection"`)
			p.does(`{"do":"new"}`)
			p.does(`{"do":"draft","text":"` + sent + `"}`)
			p.does(`{"do":"send"}`)
			p.until(`"turnStatus":"completed"`)
			thread := regexp.MustCompile(`"thread":\{"id":"([^"]+)"`).FindStringSubmatch(p.all())[1]

			p.does(`{"do":"draft","text":"` + secret + `","blocks":["` + secret + ` in a block"],"images":["/` + secret + `.png"]}`)
			look("typed")
			kill(t, p.children()[0])
			p.until(`"recoveryDrafts":[{`)
			p.until(`"state":"awaiting-selection"`)
			look("after the loss")
			p.does(`{"do":"confirm"}`)
			p.does(`{"do":"select","thread":"` + thread + `"}`)
			p.does(`{"do":"restore","draft":"d1"}`)
			if !p.said(`"composer":{"text":"` + secret) {
				t.Fatalf("it was not restored:\n%s", p.all())
			}
			look("restored")
			p.does(`{"do":"quit"}`)
			p.ends(0)
			if found := filesWith(t, top, secret); len(found) > 0 {
				t.Errorf("after the end: what was not sent is in %q", found)
			}
			if strings.Contains(p.errs.String(), secret) {
				t.Errorf("it is in what the program complained of: %s", p.errs)
			}
			if found := filesWith(t, top, sent); len(found) == 0 {
				t.Error("what was sent is in no file: the search finds nothing at all")
			}
		})
	}
}

// does sends a command and waits until it was done.
func (p *program) does(line string) {
	p.t.Helper()
	p.cmds++
	p.send(line)
	p.until(fmt.Sprintf(`"cmd":%d,"ok":true`, p.cmds))
}

func kill(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

// filesWith lists the files under top that hold a text, or have it in their name.
func filesWith(t *testing.T, top, text string) (found []string) {
	t.Helper()
	inJSON, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			return nil // a server of its own removed it meanwhile
		}
		if bytes.Contains(data, inJSON[1:len(inJSON)-1]) || strings.Contains(path, text) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// onlyTheLogIsOpen finds files that the search cannot: those that were removed
// while they are open.
func onlyTheLogIsOpen(t *testing.T, pid int, own string) {
	t.Helper()
	fds, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil || len(fds) == 0 {
		t.Fatalf("no open files of %d: %v", pid, err)
	}
	for _, fd := range fds {
		path, err := os.Readlink(fd)
		if err != nil || !filepath.IsAbs(path) || strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/sys/") || strings.HasPrefix(path, "/proc/") {
			continue
		}
		if path != filepath.Join(own, "holdfast", "holdfast.log") {
			t.Errorf("%s is open", path)
		}
	}
}
