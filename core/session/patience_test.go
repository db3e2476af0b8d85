package session

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// An image that does not answer when it is read ends the Send with its name:
// the text is kept, and nothing was sent.
func TestAnImageThatDoesNotAnswer(t *testing.T) {
	bubble(t, func(r *rig) {
		free := make(chan struct{})
		r.configure(func(c *Config) {
			c.ReadImage = func(string, int64) (Image, error) { <-free; return Image{}, errors.New("gone") }
		})
		r.live()
		r.must(SetDraft{Text: text("look"), Images: &[]string{"/far/a.png", "/far/b.png"}})
		end := r.begin(r.now().At, Send{})
		time.Sleep(patience - time.Second)
		synctest.Wait()
		if got := end(); got != nil {
			t.Errorf("before its bound the Send ended: %+v", got)
		}
		time.Sleep(2 * time.Second)
		r.settle()
		if got := end(); got == nil || got.Code != "invalid-images" || !strings.Contains(got.Error, "a.png cannot be read: it does not answer") {
			t.Errorf("send = %+v", got)
		}
		if c := r.now().Composer; c.Text != "look" || len(c.Images) != 2 || r.count("turn/start") != 0 {
			t.Errorf("composer %+v, %d sent", c, r.count("turn/start"))
		}
		r.state(Ready)
		close(free)
	})
}

// Nothing that reads a file holds the end of the program, nor another attempt.
func TestTheEndWaitsForNoFile(t *testing.T) {
	for name, begin := range map[string]func(r *rig, free chan struct{}){
		"an image": func(r *rig, free chan struct{}) {
			r.configure(func(c *Config) {
				c.ReadImage = func(string, int64) (Image, error) { <-free; return Image{}, errors.New("gone") }
			})
			r.must(SetDraft{Images: &[]string{"/far/a.png"}})
			r.begin(r.now().At, Send{})
		},
		"a look at the target": func(r *rig, free chan struct{}) {
			r.configure(func(c *Config) { c.CheckTarget = func(Target) Change { <-free; return Change{} } })
			time.Sleep(4 * watchEvery)
		},
		"a look before an attempt": func(r *rig, free chan struct{}) {
			r.configure(func(c *Config) { c.CheckTarget = func(Target) Change { <-free; return Change{} } })
			r.srv.Link().Drop()
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.live()
				free := make(chan struct{})
				begin(r, free)
				r.settle()
				began := time.Now()
				r.end()
				if took := time.Since(began); took != 0 {
					t.Errorf("the end took %v", took)
				}
				close(free)
			})
		})
	}
}

// A target that cannot be looked at cannot be validated: that asks for a
// decision, in bounded time, and one look is under way at a time.
func TestATargetThatDoesNotAnswer(t *testing.T) {
	bubble(t, func(r *rig) {
		free, looks := make(chan struct{}), 0
		r.configure(func(c *Config) {
			c.CheckTarget = func(Target) Change {
				r.mu.Lock()
				looks++
				r.mu.Unlock()
				<-free
				return Change{}
			}
		})
		time.Sleep(10 * watchEvery)
		r.settle()
		r.mu.Lock()
		if looks != 1 {
			t.Errorf("%d looks are under way", looks)
		}
		r.mu.Unlock()
		r.srv.Link().Drop()
		time.Sleep(patience + time.Second)
		r.settle()
		r.state(Confirmation)
		close(free)
	})
}
