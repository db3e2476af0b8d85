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
		more func(r *run)
	}{
		{name: "nothing is broken"},
		{name: "nothing is broken with an account", plan: Plan{Account: true}, more: signsOutAndIn},
		{name: "nothing is broken by a profile", more: changesProfile},
		{name: "nothing is broken by a deletion", more: deletes},
		{name: "it sends a turn again", plan: Plan{Break: twice("turn/start", same)}, want: "was written again"},
		{name: "it sends a turn again under a new ID", plan: Plan{Break: twice("turn/start", freshID)}, want: "turn/start was written 2 times for 1 commands"},
		{name: "it loses what was typed", plan: Plan{Lie: replacing(`"recoveryDrafts":\[\{.*?\}\]`, `"recoveryDrafts":[]`)}, want: "is nowhere"},
		{name: "it says that what it sent was not sent", plan: Plan{Lie: replacing(`("kind":"turn/start","thread":"[^"]*","state":)"\w+"`, `$1"NotSent"`)}, want: "were written, 0 operations say so"},
		{name: "it says that what was answered is unknown", plan: Plan{Lie: replacing(`("kind":"turn/start","thread":"[^"]*","state":)"\w+"`, `$1"OutcomeUnknown"`)}, want: "are unknown"},
		{name: "it says that what had no answer was confirmed", plan: Plan{Break: deaf("turn/start"), Lie: replacing(`("kind":"turn/start","thread":"[^"]*","state":)"\w+","proof":"[^"]*"`, `$1"Confirmed","proof":"by answer"`)}, want: "are confirmed by answer"},
		{name: "it offers nothing", plan: Plan{Lie: replacing(`"actions":\[.*?\]`, `"actions":[]`)}, want: "offers no action"},
		{name: "it invents a state", plan: Plan{Lie: replacing(`"state":"ready"`, `"state":"live"`)}, want: "there is no state"},
		{name: "it forgets a command", plan: Plan{Lie: replacing(`"event":"done","cmd":2`, `"event":"done","cmd":1002`)}, want: "command 2 (draft) was never done"},
		{name: "it answers a command twice", plan: Plan{Lie: replacing(`"event":"done","cmd":2`, `"event":"done","cmd":1`)}, want: "command 1 is done twice"},
		{name: "it deletes again", plan: Plan{Break: twice("thread/delete", same)}, want: "thread/delete was written 2 times for 1 commands", more: deletes},
		{name: "it shows what is deleted", plan: Plan{Lie: undying()}, want: "is deleted, and is in the list", more: deletes},
		{name: "it loses what was typed into what is deleted", plan: Plan{Lie: replacing(`MARK-1-2-end`, `gone`)}, want: "MARK-1-2-end, typed by command 4, is nowhere", more: deletes},
		{name: "it signs in again", plan: Plan{Account: true, Break: twice("account/login/start", same)}, want: "account/login/start was written 4 times for 2 commands", more: signsOutAndIn},
		{name: "it signs out again", plan: Plan{Account: true, Break: twice("account/logout", same)}, want: "account/logout was written 2 times for 1 commands", more: signsOutAndIn},
		{name: "it says that a sign-out that had no answer was done", plan: Plan{Account: true, Break: deaf("account/logout"), Lie: replacing(`("kind":"account/logout","thread":"","state":)"\w+","proof":"[^"]*"`, `$1"Confirmed","proof":"by answer"`)}, want: "are confirmed by answer", more: signsOutAndIn},
		{name: "it shows a key", plan: Plan{Account: true, Lie: replacing(`"signedIn":true`, `"signedIn":true,"key":"sk-chaos-secret-1"`)}, want: "a secret is shown", more: signsOutAndIn},
		{name: "it writes where it was before a profile", plan: Plan{Break: haunting}, want: "was written to connection 1 after command", more: changesProfile},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := tc.plan
			p.Seed, p.Version, p.Kind, p.Timing, p.patience = 1, realserver.Target, "ws", 10, 10*time.Second
			r := start(t, p)
			if p.Account {
				r.signIn()
				r.until(10*time.Second, func() bool { return r.watch.View().State == "awaiting-selection" })
			}
			r.tell("new", object{"cwd": r.world.home.Work})
			r.settle(10 * time.Second)
			r.tell("draft", object{"text": r.marker()})
			r.tell("send", nil)
			r.until(10*time.Second, func() bool {
				v := r.watch.View()
				return v.Thread != nil && v.Thread.TurnStatus == "completed" && !r.open()
			})
			if tc.more != nil {
				tc.more(r)
			}
			r.tell("draft", object{"text": r.marker()})
			got := strings.Join(r.finish().Wrong, "\n")
			if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
				t.Errorf("found %q, want %q", got, tc.want)
			}
		})
	}
}

// signsOutAndIn is a user with an account who leaves it and comes back.
func signsOutAndIn(r *run) {
	r.tell("signOut", nil)
	r.until(10*time.Second, func() bool { return r.watch.View().State == "sign-in" })
	r.signIn()
	r.until(10*time.Second, func() bool { return r.watch.View().State == "awaiting-selection" })
}

// changesProfile goes away and comes back.
func changesProfile(r *run) {
	for _, name := range []string{plain, usual} {
		r.apply(name)
		r.until(10*time.Second, func() bool { return !r.open() })
	}
	r.until(time.Second, func() bool { return false })
}

// deletes is a user who types into a conversation that is deleted then, and goes
// on in another one.
func deletes(r *run) {
	r.tell("draft", object{"text": r.marker()})
	r.tell("delete", object{"thread": r.watch.View().Thread.ID})
	r.settle(10 * time.Second)
	r.tell("new", object{"cwd": r.world.home.Work})
	r.settle(10 * time.Second)
}

// replacing changes what drive says.
func replacing(pattern, with string) func([]byte) []byte {
	re := regexp.MustCompile(pattern)
	return func(line []byte) []byte { return re.ReplaceAll(line, []byte(with)) }
}

// A resender writes each request of a method twice.
type resender struct {
	transport.Conn
	method string
	change func([]byte) []byte
}

func same(b []byte) []byte { return b }

func twice(method string, change func([]byte) []byte) func(transport.Conn) transport.Conn {
	return func(c transport.Conn) transport.Conn { return resender{c, method, change} }
}

func (r resender) Write(ctx context.Context, frame []byte) error {
	if bytes.Contains(frame, []byte(`"`+r.method+`"`)) {
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

var shownThread = regexp.MustCompile(`"thread":\{"id":"([^"]+)"`)

// undying lists the first conversation for ever.
func undying() func([]byte) []byte {
	first := ""
	return func(line []byte) []byte {
		if m := shownThread.FindSubmatch(line); m != nil && first == "" {
			first = string(m[1])
		}
		dead := []byte(`"threads":[{"id":"` + first + `"}`)
		line = bytes.ReplaceAll(line, []byte(`"threads":[]`), append(bytes.Clone(dead), ']'))
		return bytes.ReplaceAll(line, []byte(`"threads":[{"id":`), append(dead, `,{"id":`...))
	}
}

// A ghost writes once more after its end.
type ghost struct{ transport.Conn }

func haunting(c transport.Conn) transport.Conn { return ghost{c} }

func (g ghost) Close() error {
	time.AfterFunc(600*time.Millisecond, func() {
		_ = g.Write(context.Background(), []byte(`{"method":"initialized"}`)) // it cannot arrive
	})
	return g.Conn.Close() //nolint:wrapcheck // the connection's own
}
