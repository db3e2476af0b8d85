package session

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"holdfast/core/internal/fakeserver"
)

// A typer types into the shown message as the window does: on its own copy of
// the text, and onto the newest snapshot that it happened to look at.
type typer struct {
	r           *rig
	thread      string
	rev         uint64
	begun       bool
	sent, local string
	next        rune
}

func (s *typer) look() {
	m := s.r.now().Composer
	same := s.begun && m.Thread == s.thread
	if same && m.Rev == s.rev {
		return
	}
	text := m.Text
	if same {
		text = Onto(m.Text, s.sent, s.local)
	}
	s.begun, s.thread, s.rev, s.sent = true, m.Thread, m.Rev, m.Text
	if s.local != text {
		s.local = text
		s.push()
	}
}

func (s *typer) key() {
	s.local += string(s.next)
	s.next++
	s.push()
}

func (s *typer) push() {
	s.sent = s.local
	thread, rev, typed := s.thread, s.rev, s.local
	s.r.begin(s.r.now().At, SetDraft{Thread: &thread, Rev: &rev, Text: &typed})
}

// flap does one of the things that freeze what is typed, or make it late.
func (r *rig) flap(rnd *rand.Rand) {
	switch rnd.IntN(8) {
	case 0:
		r.srv.Handle("account/read", func(fakeserver.Request) (any, error) { return nil, fakeserver.Silent })
		r.srv.Link().Drop()
	case 1:
		r.srv.Answer("account/read", map[string]any{"requiresOpenaiAuth": false})
		r.begin(r.now().At, Reconnect{})
	case 2:
		r.srv.Answer("account/read", map[string]any{"account": map[string]any{"type": "chatgpt", "email": fmt.Sprint(rnd.IntN(2))}, "requiresOpenaiAuth": false})
		r.srv.Notify("account/updated", map[string]any{"authMode": "chatgpt"})
	case 3:
		r.srv.Notify("thread/closed", map[string]any{"threadId": "t1"})
	case 4:
		r.begin(r.now().At, Select{Thread: "t1"})
	default:
		r.srv.Link().Drop()
	}
}

// Every letter that is typed while the link comes and goes is in one place:
// a draft, or the message.
//
// req: DRF-1, DRF-4
func TestTypingWhileTheLinkFlaps(t *testing.T) {
	for seed := range uint64(60) {
		bubble(t, func(r *rig) {
			r.live()
			rnd := rand.New(rand.NewPCG(seed, 1))
			s := &typer{r: r, next: '一'}
			s.look()
			looks, cuts, pause := 1+rnd.IntN(9), 1+rnd.IntN(6), 1+rnd.IntN(120)
			for range 600 {
				switch n := rnd.IntN(40); {
				case n < looks:
					s.look()
				case n < looks+cuts:
					r.flap(rnd)
				default:
					s.key()
				}
				if rnd.IntN(3) > 0 {
					time.Sleep(time.Duration(rnd.IntN(pause)) * time.Millisecond)
				}
			}
			r.srv.Answer("account/read", map[string]any{"requiresOpenaiAuth": false})
			r.settle()
			s.look()
			r.settle()
			all := r.now().Composer.Text
			for _, d := range r.now().Drafts.Rows {
				all += d.Text
			}
			var wrong []string
			for c := '一'; c < s.next; c++ {
				if n := strings.Count(all, string(c)); n != 1 {
					wrong = append(wrong, fmt.Sprintf("%c %d times", c, n))
				}
			}
			if wrong != nil {
				t.Errorf("seed %d: of %d letters %v", seed, s.next-'一', wrong)
			}
		})
	}
}
