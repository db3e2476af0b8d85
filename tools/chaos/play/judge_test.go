package play

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"holdfast/core/realserver"
	"holdfast/core/transport"
)

// The judge must see what it is there for: each of these products is broken on
// purpose, and each is found out.
func TestTheJudgeFindsABrokenProduct(t *testing.T) {
	for _, tc := range []struct {
		name string
		plan Plan
		want string
	}{
		{name: "nothing is broken"},
		{"it sends a turn again", Plan{Break: twice(func(b []byte) []byte { return b })}, "was written again"},
		{"it sends a turn again under a new ID", Plan{Break: twice(freshID)}, "turn/start was written 2 times for 1 commands"},
		{"it loses what was typed", Plan{Lie: replacing(`"recoveryDrafts":\[\{.*?\}\]`, `"recoveryDrafts":[]`)}, "is nowhere"},
		{"it says that what it sent was not sent", Plan{Lie: replacing(`("kind":"turn/start","thread":"[^"]*","state":)"\w+"`, `$1"NotSent"`)}, "were written, 0 operations say so"},
		{"it says that what was answered is unknown", Plan{Lie: replacing(`("kind":"turn/start","thread":"[^"]*","state":)"\w+"`, `$1"OutcomeUnknown"`)}, "are unknown"},
		{"it says that what had no answer was confirmed", Plan{Break: deaf("turn/start"), Lie: replacing(`("kind":"turn/start","thread":"[^"]*","state":)"\w+","proof":"[^"]*"`, `$1"Confirmed","proof":"by answer"`)}, "are confirmed by answer"},
		{"it offers nothing", Plan{Lie: replacing(`"actions":\[.*?\]`, `"actions":[]`)}, "offers no action"},
		{"it invents a state", Plan{Lie: replacing(`"state":"ready"`, `"state":"live"`)}, "there is no state"},
		{"it forgets a command", Plan{Lie: replacing(`"event":"done","cmd":2`, `"event":"done","cmd":1002`)}, "command 2 (draft) was never done"},
		{"it answers a command twice", Plan{Lie: replacing(`"event":"done","cmd":2`, `"event":"done","cmd":1`)}, "command 1 is done twice"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := tc.plan
			p.Seed, p.Version, p.Kind, p.Timing, p.patience = 1, realserver.Target, "ws", 10, 2*time.Second
			r := start(t, p)
			r.tell("new", object{"cwd": r.world.home.Work})
			r.settle(2 * time.Second)
			r.tell("draft", object{"text": r.marker()})
			r.tell("send", nil)
			r.until(2*time.Second, func() bool {
				v := r.watch.View()
				return v.Thread != nil && v.Thread.TurnStatus == "completed" && !r.open()
			})
			r.tell("draft", object{"text": r.marker()})
			got := strings.Join(r.finish().Wrong, "\n")
			if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
				t.Errorf("found %q, want %q", got, tc.want)
			}
		})
	}
}

// replacing changes what drive says.
func replacing(pattern, with string) func([]byte) []byte {
	re := regexp.MustCompile(pattern)
	return func(line []byte) []byte { return re.ReplaceAll(line, []byte(with)) }
}

// A resender writes each turn/start twice.
type resender struct {
	transport.Conn
	change func([]byte) []byte
}

func twice(change func([]byte) []byte) func(transport.Conn) transport.Conn {
	return func(c transport.Conn) transport.Conn { return resender{c, change} }
}

func (r resender) Write(ctx context.Context, frame []byte) error {
	if bytes.Contains(frame, []byte(`"turn/start"`)) {
		if err := r.Conn.Write(ctx, r.change(frame)); err != nil {
			return err
		}
	}
	return r.Conn.Write(ctx, frame)
}

var clientID = regexp.MustCompile(`"clientUserMessageId":"[^"]*"`)

func freshID(frame []byte) []byte {
	return clientID.ReplaceAll(frame, []byte(`"clientUserMessageId":"another"`))
}

// A deafener swallows the requests of a method.
type deafener struct {
	transport.Conn
	method string
}

func deaf(method string) func(transport.Conn) transport.Conn {
	return func(c transport.Conn) transport.Conn { return deafener{c, method} }
}

func (d deafener) Write(ctx context.Context, frame []byte) error {
	if bytes.Contains(frame, []byte(`"`+d.method+`"`)) {
		return nil
	}
	return d.Conn.Write(ctx, frame)
}
