package play

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"holdfast/core/drive"
	"holdfast/core/seed"
	"holdfast/tools/chaos/judge"
)

// A Result is what one run came to.
type Result struct {
	Seed     uint64         `json:"seed"`
	Version  string         `json:"version"`
	Kind     string         `json:"kind"`
	Timing   int            `json:"timing"`
	Faults   map[string]int `json:"faults"`
	Commands int            `json:"commands"`
	Sent     int            `json:"sent"` // messages on the wire
	Asked    int            `json:"asked"`
	// Ends counts the commands by name and end.
	Ends map[string]int `json:"ends,omitempty"`
	// States counts the operations by their last state.
	States map[string]int `json:"states,omitempty"`
	Wrong  []string       `json:"wrong,omitempty"`
	// Recoveries are the times from a dropped socket to a usable connection.
	Recoveries []float64 `json:"recoveriesMs,omitempty"`
	Ms         int64     `json:"ms"`
	// Tail is the end of the wire's record, when something was wrong.
	Wire string `json:"-"`
}

// A run is one user at one surface.
type run struct {
	t     testing.TB
	plan  Plan
	began time.Time
	world *world
	watch *judge.Watch

	in    io.WriteCloser
	ended chan error
	stop  context.CancelFunc
	hold  chan time.Duration // the reader of the output pauses

	lines  int
	marks  int
	keys   int
	deeds  []judge.Deed
	given  map[string]bool
	laters []later
	// applied is the profile that was asked for last.
	applied string
	// lurking, if set, makes a trap at a step of the next command.
	lurking *rand.Rand

	dropped    time.Time // the newest dropped socket of a live server
	recoveries []float64
}

// Play makes one run. Everything it started is gone when t ends.
func Play(t *testing.T, p Plan) Result {
	t.Helper()
	r := start(t, p)
	for i := range p.Steps {
		r.step(rand.New(rand.NewPCG(p.Seed, uint64(100+i))))
	}
	return r.finish()
}

// start makes a world and a surface that is connected to it.
func start(t testing.TB, p Plan) *run {
	r := &run{
		t: t, plan: p, began: time.Now(), world: newWorld(t, p), watch: judge.NewWatch(),
		given: map[string]bool{}, hold: make(chan time.Duration, 16),
	}
	r.begin()
	r.until(patience, func() bool {
		v := r.watch.View()
		return v.State == "awaiting-selection" || v.Offers("signIn")
	})
	return r
}

// finish ends the run in order and judges it.
func (r *run) finish() Result {
	wrong := r.end()
	e := judge.Evidence{
		Wire: r.world.wire, Watch: r.watch, Deeds: r.deeds, Gone: r.given, Final: r.watch.View(), FinalAt: time.Now(),
	}
	wrong = append(wrong, r.quit()...)
	e.Deeds = r.deeds
	e.Transcript = r.world.transcript()
	for _, q := range r.world.home.Model.Requests() {
		e.Asked = append(e.Asked, q.Body)
	}
	return r.result(append(wrong, judge.Judge(e)...), len(e.Asked))
}

func (r *run) result(wrong []string, asked int) Result {
	p := r.plan
	x := Result{
		Seed: p.Seed, Version: p.Version, Kind: p.Kind, Timing: p.Timing, Faults: r.world.faults, Commands: len(r.deeds),
		Asked: asked, States: map[string]int{}, Ends: map[string]int{}, Wrong: wrong, Recoveries: r.recoveries, Ms: time.Since(r.began).Milliseconds(),
	}
	for _, f := range r.world.wire.Frames() {
		if f.Out && (f.Method == "turn/start" || f.Method == "turn/steer" || f.Method == "thread/queue/add") {
			x.Sent++
		}
	}
	for _, d := range r.deeds {
		end, _ := r.watch.Done(d.N)
		if end.OK {
			end.Code = "ok"
		}
		x.Ends[d.Do+" "+end.Code]++
	}
	for _, o := range r.watch.View().Operations {
		x.States[o.State]++
	}
	if len(wrong) > 0 {
		var b bytes.Buffer
		r.world.wire.Dump(&b)
		for _, d := range r.deeds {
			end, _ := r.watch.Done(d.N)
			fmt.Fprintf(&b, "%s command %d %s %s %q: %v %s %s\n", d.At.Format("05.000"), d.N, d.Do, d.Op, d.Text, end.OK, end.Code, end.At.Format("05.000"))
		}
		for _, m := range r.watch.Moments() {
			fmt.Fprintf(&b, "%s state %s\n", m.At.Format("05.000"), m.State)
		}
		final, _ := json.Marshal(r.watch.View())
		fmt.Fprintf(&b, "final %s\n", final)
		x.Wire = b.String()
	}
	return x
}

// begin starts drive and its reader.
func (r *run) begin() {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	cfg := r.world.config()
	cfg.NewID = uuid.NewString
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.t.Context()))
	r.in, r.stop, r.ended = inW, cancel, make(chan error, 1)
	go func() {
		err := drive.Run(ctx, cfg, inR, outW)
		_ = outW.Close()
		_ = inR.Close()
		r.ended <- err
	}()
	read := make(chan struct{})
	go func() { defer close(read); r.read(outR) }()
	r.t.Cleanup(func() { cancel(); _ = inW.Close(); _ = outR.Close(); <-read })
}

func (r *run) read(out io.Reader) {
	defer r.watch.End()
	lines := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		select {
		case d := <-r.hold:
			pause(d)
		default:
		}
		if r.plan.Lie != nil {
			line = r.plan.Lie(line)
		}
		r.watch.Line(line)
	}
}

// stall makes the reader of the output pause.
func (r *run) stall(d time.Duration) {
	select {
	case r.hold <- d:
	default:
	}
}

// soonest is the index of what is due first.
func (r *run) soonest() int {
	at := 0
	for i, l := range r.laters {
		if l.at.Before(r.laters[at].at) {
			at = i
		}
	}
	return at
}

// due does what faults promised to do by now.
func (r *run) due() {
	for len(r.laters) > 0 {
		i := r.soonest()
		l := r.laters[i]
		if l.at.After(time.Now()) {
			return
		}
		r.laters = append(r.laters[:i], r.laters[i+1:]...)
		l.do()
	}
}

// step is a pause, perhaps a fault, and a command.
func (r *run) step(rng *rand.Rand) {
	rest := time.Duration(rng.IntN(200)) * time.Millisecond
	r.until(rest, func() bool { return false })
	r.recovered()
	switch rng.IntN(16) {
	case 0, 1:
		r.strike(rng)
	case 2, 3:
		r.world.arm(rng)
		r.laters = append(r.laters, later{time.Now().Add(time.Duration(500+rng.IntN(2500)) * time.Millisecond), r.world.mend})
	}
	r.act(rng)
}

// recovered notes how long it took to come back from a dropped socket.
func (r *run) recovered() {
	if r.dropped.IsZero() {
		return
	}
	for _, m := range r.watch.Moments() {
		if m.At.After(r.dropped) && m.State == "awaiting-selection" {
			r.recoveries = append(r.recoveries, float64(m.At.Sub(r.dropped).Microseconds())/1000)
			r.dropped = time.Time{}
			return
		}
	}
}

// patience bounds the waits for what must come. A server that was killed may
// have left a lock for which the next one waits half a minute.
const patience = 90 * time.Second

// limit bounds the waits after everything was healed: a request that hangs ends
// at its own deadline.
func (p Plan) limit() time.Duration {
	switch {
	case p.patience > 0:
		return p.patience
	case p.Timing == 1:
		return 150 * time.Second
	}
	return patience
}

// end heals everything, waits for what is open, and loses the connection once
// more, so that every text that was typed shows.
func (r *run) end() (wrong []string) {
	r.laters = nil
	r.world.heal()
	limit := r.plan.limit()
	if r.applied != usual {
		n := r.apply(usual)
		r.until(limit, func() bool { _, over := r.watch.Done(n); return over })
	}
	if !r.reconnected(limit, 0) {
		return append(wrong, "everything was healed, and it does not connect: "+r.watch.View().State+": "+r.watch.View().Text)
	}
	if !r.settle(limit) {
		for _, d := range r.deeds {
			if _, over := r.watch.Done(d.N); !over {
				wrong = append(wrong, fmt.Sprintf("command %d (%s) is not done %v after everything was healed", d.N, d.Do, limit))
			}
		}
	}
	if !r.lastLoss(limit) {
		wrong = append(wrong, "a last loss, and it does not connect: "+r.watch.View().State+": "+r.watch.View().Text)
	}
	n := r.tell("full", nil)
	r.until(patience, func() bool { _, over := r.watch.Done(n); return over })
	return wrong
}

// lastLoss loses the connection and waits for the next one. What is shown may
// be behind, so that there is nothing to lose yet: then it tries again.
func (r *run) lastLoss(limit time.Duration) bool {
	for range 3 {
		if !r.reconnected(limit, 0) {
			return false
		}
		conn := r.watch.View().Generations.Connection
		if r.world.proxy != nil {
			r.world.proxy.Reset()
		} else {
			r.world.signal(syscall.SIGKILL)
		}
		if r.until(3*time.Second, func() bool { return r.watch.View().Generations.Connection > conn }) {
			return r.reconnected(limit, conn)
		}
	}
	return false
}

// reconnected waits until there is a connection newer than that one, and asks
// for it where it has to be asked for.
func (r *run) reconnected(d time.Duration, than uint64) bool {
	limit := time.Now().Add(d)
	for time.Now().Before(limit) {
		r.world.alive()
		v := r.watch.View()
		settled := v.Connected() && v.State != "synchronizing"
		if settled && v.Generations.Connection > than {
			return true
		}
		if v.State == "confirmation" && v.Offers("confirm") {
			r.tell("confirm", nil)
		}
		if v.State == "sign-in" && v.Offers("signIn") {
			n := r.signIn()
			r.until(time.Until(limit), func() bool { _, over := r.watch.Done(n); return over })
			r.until(time.Second, func() bool { return r.watch.View().State != "sign-in" }) // the account is read after it
			continue
		}
		if v.State == "manual-reconnect" || (v.State == "sign-in" || v.State == "confirmation") && v.Offers("reconnect") {
			n := r.tell("reconnect", nil)
			r.until(time.Until(limit), func() bool { _, over := r.watch.Done(n); return over })
		}
		r.until(100*time.Millisecond, func() bool { return r.watch.View().Seq != v.Seq })
		pause(20 * time.Millisecond)
	}
	return false
}

// quit ends drive in order.
func (r *run) quit() (wrong []string) {
	n := r.tell("quit", nil)
	r.until(patience, r.watch.Ended)
	select {
	case err := <-r.ended:
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("drive ended with %v", err))
		}
	case <-time.After(patience):
		return append(wrong, "drive does not end")
	}
	if d, over := r.watch.Done(n); !over || !d.OK {
		wrong = append(wrong, "quit was not done")
	}
	for _, pid := range r.watch.PIDs() {
		if r.plan.Kind == "stdio" && r.world.ours(pid) {
			wrong = append(wrong, fmt.Sprintf("the app-server %d is left", pid))
		}
	}
	return wrong
}

// transcript reads every user message with a client of its own.
func (w *world) transcript() []string {
	s := w.server
	if s == nil || s.Ended() {
		s = w.listen(w.plan.Version)
	}
	c := s.Client(seed.Quiet)
	ctx := w.home.Context()
	var out []string
	for _, archived := range []bool{false, true} {
		var list struct {
			Data []struct {
				ID string `json:"id"`
			} `json:"data"`
		}
		if c.CallInto(ctx, "thread/list", map[string]any{"sortKey": "recency_at", "limit": 100, "archived": archived}, &list) != nil {
			continue
		}
		for _, th := range list.Data {
			out = append(out, items(ctx, c, th.ID)...)
		}
	}
	s.Kill()
	return out
}

// items reads the user messages of one conversation.
func items(ctx context.Context, c *seed.Client, thread string) (out []string) {
	params := map[string]any{"threadId": thread, "limit": 100}
	for {
		var page struct {
			Data []struct {
				Item struct {
					Type    string          `json:"type"`
					Content json.RawMessage `json:"content"`
				} `json:"item"`
			} `json:"data"`
			NextCursor *string `json:"nextCursor"`
		}
		if c.CallInto(ctx, "thread/items/list", params, &page) != nil {
			return out // one that was never used has none
		}
		for _, e := range page.Data {
			if e.Item.Type == "userMessage" {
				out = append(out, string(e.Item.Content))
			}
		}
		if page.NextCursor == nil {
			return out
		}
		params["cursor"] = *page.NextCursor
	}
}
