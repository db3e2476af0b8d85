package drive

import (
	"github.com/go-json-experiment/json/jsontext"

	"holdfast/core/history"
	"holdfast/core/session"
)

// The sections as DRIVE.md names their fields. What the window alone needs is
// not among them.
type (
	server struct {
		Version   string `json:"version"`
		Endpoint  string `json:"endpoint"`
		PID       int    `json:"pid"`
		Platform  string `json:"platform"`
		Confirmed bool   `json:"confirmed"`
	}
	generations struct {
		Owner      uint64 `json:"owner"`
		Connection uint64 `json:"connection"`
		View       uint64 `json:"view"`
	}
	account struct {
		SignedIn bool   `json:"signedIn"`
		Kind     string `json:"kind"`
		Needed   bool   `json:"needed"`
	}
	threadRow struct {
		ID        string `json:"id"`
		Title     string `json:"title"`
		Cwd       string `json:"cwd"`
		Status    string `json:"status"`
		Mode      string `json:"mode"`
		RecencyAt int64  `json:"recencyAt"`
		Parent    string `json:"parent"`
		Joined    bool   `json:"joined"`
		Asks      bool   `json:"asks"`
	}
	thread struct {
		ID         string  `json:"id"`
		Joined     bool    `json:"joined"`
		Live       bool    `json:"live"`
		Mode       string  `json:"mode"`
		Status     string  `json:"status"`
		Turn       string  `json:"turn"`
		TurnStatus string  `json:"turnStatus"`
		ReadAt     *string `json:"readAt"`
		Access     string  `json:"access,omitzero"`
		Tokens     *tokens `json:"tokens"`
		Problem    string  `json:"problem,omitzero"`
	}
	tokens struct {
		Total  int64 `json:"total"`
		Window int64 `json:"window"`
	}
	row struct {
		Turn  string  `json:"turn"`
		Item  string  `json:"item"`
		Kind  string  `json:"kind"`
		Rev   uint64  `json:"rev"`
		Text  *string `json:"text,omitzero"`
		Bytes int64   `json:"bytes"`
		State string  `json:"state"`
		Cut   string  `json:"cut"`
	}
	rowEvent struct {
		Event string `json:"event"`
		Cmd   int    `json:"cmd"`
		row
		// Rest is what follows the 64 KiB of a snapshot.
		Rest string `json:"rest"`
		of   *history.Row
	}
	composer struct {
		Text        string   `json:"text"`
		Blocks      []string `json:"blocks"`
		Images      []string `json:"images"`
		Skill       string   `json:"skill"`
		Model       string   `json:"model"`
		Effort      string   `json:"effort"`
		Tier        string   `json:"tier"`
		Personality string   `json:"personality"`
		Access      string   `json:"access,omitzero"`
		Problem     string   `json:"problem"`
	}
	draft struct {
		ID          string   `json:"id"`
		Thread      string   `json:"thread"`
		Title       string   `json:"title"`
		At          *string  `json:"at"`
		Text        string   `json:"text"`
		Blocks      []string `json:"blocks"`
		Images      []string `json:"images"`
		Skill       string   `json:"skill"`
		Model       string   `json:"model"`
		Effort      string   `json:"effort"`
		Tier        string   `json:"tier"`
		Personality string   `json:"personality"`
	}
	operation struct {
		ID     string  `json:"id"`
		Kind   string  `json:"kind"`
		Thread string  `json:"thread"`
		State  string  `json:"state"`
		Proof  string  `json:"proof"`
		Seen   bool    `json:"seen"`
		Text   string  `json:"text"`
		At     *string `json:"at"`
	}
	request struct {
		ID        string     `json:"id"`
		Thread    string     `json:"thread"`
		Turn      string     `json:"turn"`
		Item      string     `json:"item"`
		Kind      string     `json:"kind"`
		Text      string     `json:"text"`
		Reason    string     `json:"reason"`
		Cwd       string     `json:"cwd"`
		Diff      string     `json:"diff"`
		Questions []question `json:"questions"`
		Decisions []decision `json:"decisions"`
		Live      bool       `json:"live"`
	}
	question struct {
		ID       string   `json:"id"`
		Header   string   `json:"header"`
		Text     string   `json:"text"`
		Kind     string   `json:"kind"`
		Options  []option `json:"options"`
		Required bool     `json:"required"`
		Secret   bool     `json:"secret"`
	}
	option struct {
		Value string `json:"value"`
		Label string `json:"label"`
		Text  string `json:"text"`
	}
	decision struct {
		Name string `json:"name"`
		Text string `json:"text"`
	}
	queue struct {
		Entries []entry `json:"entries"`
		Paused  bool    `json:"paused"`
		Rule    string  `json:"rule"`
	}
	entry struct {
		ID   string `json:"id"`
		Text string `json:"text"`
	}
	attachments struct {
		Rows  []attachment `json:"rows"`
		Stale string       `json:"stale"`
	}
	attachment struct {
		Type      string `json:"type"`
		Identity  string `json:"identity"`
		ID        string `json:"id"`
		Reason    string `json:"reason"`
		CreatedAt int64  `json:"createdAt"`
		Bytes     int64  `json:"bytes"`
	}
	notice struct {
		ID   string  `json:"id"`
		Code string  `json:"code"`
		Text string  `json:"text"`
		At   *string `json:"at"`
	}
)

func serverOf(s *session.Server) server {
	return server{s.Version, s.Endpoint, s.PID, s.Platform, s.Confirmed}
}

func generationsOf(g session.Generations) generations { return generations(g) }

func accountOf(a *session.Account) account { return account{a.SignedIn, a.Kind, a.Needed} }

func threadRowOf(r *session.ThreadRow) jsontext.Value {
	return raw(threadRow{r.ID, r.Title, r.Cwd, r.Status, r.Mode, r.RecencyAt, r.Parent, r.Joined, r.Asks})
}

func threadOf(t *session.Thread) *thread {
	if t == nil {
		return nil
	}
	out := &thread{
		ID: t.ID, Joined: t.Joined, Live: t.Live, Mode: t.Mode, Status: t.Status, Turn: t.Turn, TurnStatus: t.TurnStatus,
		ReadAt: when(t.ReadAt), Access: string(t.Access), Problem: t.JoinProblem,
	}
	if t.Tokens != nil {
		out.Tokens = &tokens{t.Tokens.Total, t.Tokens.Window}
	}
	return out
}

func rowOf(r *history.Row) row {
	x := row{Turn: r.Key.Turn, Item: r.Key.Item, Kind: r.Item.Type, Bytes: r.Bytes, State: "partial", Cut: "none"}
	if r.State == history.Final {
		x.State = "final"
	}
	switch r.Cut {
	case history.CutLocal:
		x.Cut = "local"
	case history.CutServer:
		x.Cut = "server"
	case history.CutNone:
	}
	return x
}

func composerOf(c *session.Composer) *composer {
	if c == nil {
		return nil
	}
	return &composer{c.Text, c.Blocks, c.Images, c.Skill, c.Model, c.Effort, c.Tier, c.Personality, string(c.Access), c.Problem}
}

func draftsOf(d *session.Drafts) []draft {
	out := []draft{}
	for _, x := range d.Rows {
		out = append(out, draft{x.ID, x.Thread, x.Title, when(x.At), x.Text, x.Blocks, x.Images, x.Skill, x.Model, x.Effort, x.Tier, x.Personality})
	}
	return out
}

func operationOf(x *session.Operation) jsontext.Value {
	return raw(operation{x.ID, x.Kind, x.Thread, x.State, x.Proof, x.Seen, x.Text, when(x.At)})
}

func requestsOf(r *session.Requests) []request {
	out := []request{}
	for _, x := range r.Cards {
		c := request{
			ID: x.ID, Thread: x.Thread, Turn: x.Turn, Item: x.Item, Kind: x.Kind, Text: x.Text, Reason: x.Reason, Cwd: x.Cwd,
			Diff: x.Diff, Live: x.Live && !x.Answered, Questions: []question{}, Decisions: []decision{},
		}
		for _, q := range x.Questions {
			y := question{q.ID, q.Header, q.Text, q.Kind, []option{}, q.Required, q.Secret}
			for _, o := range q.Options {
				y.Options = append(y.Options, option(o))
			}
			c.Questions = append(c.Questions, y)
		}
		for _, d := range x.Decisions {
			c.Decisions = append(c.Decisions, decision(d))
		}
		out = append(out, c)
	}
	return out
}

func queueOf(q *session.Queue) queue {
	out := queue{Entries: []entry{}}
	if q == nil {
		return out
	}
	out.Paused, out.Rule = q.Paused, q.Rule
	for _, e := range q.Entries {
		out.Entries = append(out.Entries, entry{ID: e.ID, Text: e.Text})
	}
	return out
}

func attachmentsOf(a *session.Attachments) attachments {
	out := attachments{Rows: []attachment{}}
	if a == nil {
		return out
	}
	out.Stale = a.Stale
	for _, r := range a.Rows {
		out.Rows = append(out.Rows, attachment{r.Type, r.Identity, r.ID, r.Reason, r.CreatedAt, r.Bytes})
	}
	return out
}

func noticesOf(n *session.Notices) []notice {
	out := []notice{}
	for _, x := range n.Rows {
		out = append(out, notice{x.ID, x.Code, x.Text, when(x.At)})
	}
	return out
}
