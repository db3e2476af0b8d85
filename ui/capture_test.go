package ui

import (
	"fmt"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"holdfast/core/session"
)

// scenes are the states that people look at.
func scenes() map[string]func(*desk) {
	put := func(f func(*session.Snapshot)) func(*desk) { return func(d *desk) { d.show(f) } }
	return map[string]func(*desk){
		"start":   func(*desk) {},
		"select":  put(func(*session.Snapshot) {}),
		"reading": put(reading),
		"live":    put(joined),
		"steer":   put(running),
		"manual":  put(manual),
		"approval": func(d *desk) {
			d.show(asking)
			d.now = d.now.Add(quiet)
			d.press(fyne.KeyR, fyne.KeyModifierControl)
			d.press(fyne.KeyTab, 0)
		},
		"drawer": func(d *desk) { d.show(joined); d.press(fyne.Key1, fyne.KeyModifierAlt) },
		"new":    func(d *desk) { d.show(joined); d.press(fyne.KeyN, fyne.KeyModifierControl) },
		"delete": func(d *desk) {
			d.show(joined)
			d.press(fyne.KeyD, fyne.KeyModifierControl|fyne.KeyModifierShift)
		},
		"find": func(d *desk) {
			d.show(joined)
			d.press(fyne.KeyF, ctrl)
			d.write("line")
			d.drain()
		},
		"news-end": func(d *desk) {
			d.show(longTalk)
			d.c.Capture()
			d.press(fyne.KeyUp, alt)
			d.show(answers)
			d.press(fyne.KeyEnd, alt)
			d.drain()
		},
		"row-menu": func(d *desk) {
			d.show(rowsToCopy)
			d.c.Capture()
			d.press(fyne.Key2, alt)
			d.press(fyne.KeyHome, 0)
			d.press(desktop.KeyMenu, 0)
		},
		"queue": func(d *desk) { d.show(queueing); d.press(fyne.KeyQ, shiftCtrl) },
		"mention": func(d *desk) {
			d.show(joined)
			d.press(fyne.Key3, alt)
			d.write("Compare @p")
			d.found("parser/lines.go", "parser/lines_test.go", "parser/", "docs/a long path/with spaces/and a name that does not fit into a narrow window.md")
			d.press(fyne.KeyDown, 0)
		},
		"queueing":   put(queueing),
		"queue-edit": func(d *desk) { d.show(queueing); d.press(fyne.KeyQ, shiftCtrl); d.press(fyne.KeyReturn, 0) },
		"news": func(d *desk) {
			d.show(longTalk)
			d.c.Capture()
			d.press(fyne.KeyUp, alt)
			d.press(fyne.KeyUp, alt)
			d.show(answers)
			d.drain()
		},
		"keys":                func(d *desk) { d.show(joined); d.w.openKeys() },
		"attachments":         func(d *desk) { d.show(attached(attachments())); d.w.openAttachments() },
		"attachments-counted": put(attached(attachments())),
		"attachments-stale": func(d *desk) {
			d.show(attached(&session.Attachments{Rows: attachments().Rows[:2], Stale: "it kept changing while it was read"}))
			d.w.openAttachments()
		},
		"attachments-none": func(d *desk) { d.show(attached(&session.Attachments{})); d.w.openAttachments() },
		"attachments-reading": func(d *desk) {
			d.show(attached(&session.Attachments{Loading: true, Stale: "it is being read"}))
			d.w.openAttachments()
		},
		"attachment": func(d *desk) { d.show(attached(attachments())); d.w.openAttachment(attachments().Rows[2]) },
		"about":      func(d *desk) { d.show(joined); d.press(fyne.KeyF1, ctrl) },
		"review":     func(d *desk) { d.show(joined); d.press(fyne.KeyI, ctrl); d.press(fyne.KeyDown, 0) },
		"export":     func(d *desk) { d.show(joined); d.press(fyne.KeyS, ctrl) },
		"diff": func(d *desk) {
			d.show(joined)
			d.show(func(s *session.Snapshot) {
				th := *s.Thread
				th.Diff = &session.TurnDiff{Turn: th.Turn, Text: "--- a/parser/lines.go\n+++ b/parser/lines.go\n@@ -1,2 +1,2 @@\n func split(s string) []string {\n-\treturn strings.Split(s, \"\\n\")\n+\treturn splitLines(s)\n", Bytes: 0}
				s.Thread = &th
			})
			d.press(fyne.KeyD, ctrl)
		},
		"revert": func(d *desk) {
			d.show(joined)
			d.c.Capture()
			d.press(fyne.Key2, alt)
			d.press(fyne.KeyHome, 0)
			d.press(fyne.KeyE, ctrl)
		},
		"welcome": put(func(s *session.Snapshot) {
			s.Status = &session.Status{State: session.AwaitingSelection, Text: "Connected.", Actions: []session.Action{session.ActSelect, session.ActNew}}
			s.Server = &session.Server{Version: "0.159.1", Endpoint: "codex (local)"}
		}),
		"welcome-demo": put(func(s *session.Snapshot) {
			s.Status = &session.Status{State: session.SignInRequired, Text: "Codex is not signed in.", Actions: []session.Action{session.ActSignIn, session.ActSelect}}
			s.Server, s.Account = &session.Server{Version: "0.159.1", Endpoint: "codex (local)"}, &session.Account{Known: true, Needed: true}
		}),
		"profiles": func(d *desk) {
			d.w.opts.Config = filepath.Join(d.t.TempDir(), "config.toml")
			if err := os.WriteFile(d.w.opts.Config, []byte(profilesFile), 0o600); err != nil {
				d.t.Fatal(err)
			}
			d.show(joined)
			d.press(fyne.KeyG, ctrl)
			d.drain()
		},
		"profile": func(d *desk) {
			scenes()["profiles"](d)
			d.press(fyne.KeyEnd, 0)
			d.focusIn("edit")
			d.press(fyne.KeyReturn, 0)
		},
		"profile-wrong": func(d *desk) {
			scenes()["profiles"](d)
			d.focusIn("add")
			d.press(fyne.KeyReturn, 0)
			d.focusIn("connection")
			d.press(fyne.KeyDown, 0)
			d.focusIn("address")
			d.write("ws://10.0.0.1:4500")
			d.press(fyne.KeyReturn, 0)
			d.focusIn("token_file")
		},
		"signIn": func(d *desk) { d.show(joined); d.w.openSignIn() },
		"input": func(d *desk) {
			d.show(func(s *session.Snapshot) {
				running(s)
				s.Thread.Access = session.AccessFull
				s.Requests = &session.Requests{Cards: []*session.Request{inputRequest()}}
			})
		},
		"notices": func(d *desk) {
			d.show(func(s *session.Snapshot) {
				joined(s)
				s.Notices = &session.Notices{Rows: []session.Notice{{ID: "n1", Text: "Codex 0.171.0 is newer than what this version was tested with. Everything is tried all the same."}}}
				s.Threads.Rows[1].Asks = true
			})
		},
	}
}

func inputRequest() *session.Request {
	return &session.Request{
		ID: "r2", Thread: "t1", Kind: "userInput", Method: "item/tool/requestUserInput", Live: true, At: noon,
		Questions: []session.Question{
			{ID: "q1", Header: "Which branch?", Text: "The fix can go to either.", Kind: "choice", Options: []session.Option{{Value: "main", Label: "main", Text: "Release at once"}, {Value: "next", Label: "next", Text: "With the others"}}, Other: true, Required: true},
			{ID: "q2", Header: "Token", Text: "For the push.", Secret: true},
		},
	}
}

// TestCapture draws scenes in every theme. Where HOLDFAST_SHOTS names a folder,
// it leaves pictures of all of them there, for people.
func TestCapture(t *testing.T) {
	dir, all := os.Getenv("HOLDFAST_SHOTS"), scenes()
	maps.Copy(all, recoveryScenes())
	maps.Copy(all, historyScenes())
	widths := []float32{1200, 360, 320}
	if dir == "" {
		// Nobody looks: a few show that drawing works.
		dir, widths = t.TempDir(), []float32{1200, 360}
		all = map[string]func(*desk){"approval": all["approval"], "r4-restore": all["r4-restore"], "keys": all["keys"], "find": all["find"]}
	}
	for name, scene := range all {
		for _, mode := range []string{"light", "dark", "hc"} {
			for _, width := range widths {
				t.Run(fmt.Sprintf("%s-%s-%d", name, mode, int(width)), func(t *testing.T) {
					d := newDesk(t, width, 720)
					d.w.change(func(s *Settings) { s.Theme = mode })
					scene(d)
					d.w.root.Refresh()
					path := filepath.Join(dir, fmt.Sprintf("%s-%s-%d.png", name, mode, int(width)))
					f, err := os.Create(path)
					if err != nil {
						t.Fatal(err)
					}
					if err := png.Encode(f, d.c.Capture()); err != nil {
						t.Errorf("draw %s: %v", path, err)
					}
					if err := f.Close(); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
}
