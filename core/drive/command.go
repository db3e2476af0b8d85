package drive

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"holdfast/core/session"
)

// A command is one input line. Which fields count depends on Do.
type command struct {
	Do string  `json:"do"`
	At *uint64 `json:"at"`

	Thread   *string                   `json:"thread"`
	Cwd      string                    `json:"cwd"`
	Model    *string                   `json:"model"`
	Access   *string                   `json:"access"`
	Text     *string                   `json:"text"`
	Blocks   *[]string                 `json:"blocks"`
	Images   *[]string                 `json:"images"`
	Skill    *string                   `json:"skill"`
	Effort   *string                   `json:"effort"`
	Tier     *string                   `json:"tier"`
	Persona  *string                   `json:"personality"`
	Turn     string                    `json:"turn"`
	Item     string                    `json:"item"`
	More     bool                      `json:"more"`
	Search   string                    `json:"search"`
	Archived bool                      `json:"archived"`
	Name     string                    `json:"name"`
	Op       string                    `json:"op"`
	Entry    string                    `json:"entry"`
	Before   string                    `json:"before"`
	Request  string                    `json:"request"`
	Decision string                    `json:"decision"`
	Answers  map[string]jsontext.Value `json:"answers"`
	Draft    string                    `json:"draft"`
	Mode     string                    `json:"mode"`
	Action   string                    `json:"action"`
	Profile  string                    `json:"profile"`
	APIKey   string                    `json:"apiKey"`
	File     string                    `json:"file"`
}

var errNotObject = errors.New("a line is one JSON object")

// parse reads a line. A member that no command has is an error: a misspelled
// "thread" must not make a command act on another conversation.
func parse(line []byte) (command, error) {
	var c command
	if jsontext.Value(line).Kind() != '{' {
		return c, errNotObject
	}
	err := json.Unmarshal(line, &c, json.RejectUnknownMembers(true), jsontext.AllowDuplicateNames(false))
	if err != nil {
		return c, fmt.Errorf("read the line: %w", err)
	}
	return c, c.only()
}

// members are the fields of each command, but for do and at.
var members = map[string]string{
	"threads": "search archived more", "select": "thread", "new": "cwd model access",
	"draft":  "thread text blocks images skill model effort tier personality access",
	"answer": "request decision answers", "expand": "turn", "fold": "turn", "row": "turn item file",
	"rename": "thread name", "fork": "thread turn", "archive": "thread", "unarchive": "thread", "delete": "thread",
	"revert": "turn", "startReview": "name text", "queue": "op entry text before", "restore": "draft mode",
	"discard": "draft", "review": "op action mode", "profile": "action profile", "signIn": "apiKey",
}

// only refuses a field that the command does not take: a send that names a
// conversation must not go to another one.
func (c command) only() error {
	takes := append(strings.Fields(members[c.Do]), "do", "at")
	v := reflect.ValueOf(c)
	for i := range v.NumField() {
		if name := v.Type().Field(i).Tag.Get("json"); !v.Field(i).IsZero() && !slices.Contains(takes, name) {
			return fmt.Errorf("%s takes no %s", c.Do, name)
		}
	}
	return nil
}

var (
	errUnknown = errors.New("no such command")
	errAccess  = errors.New("access is read-only, workspace or full")
)

// intent is what the command asks of the session.
func (c command) intent() (session.Intent, error) {
	thread := ""
	if c.Thread != nil {
		thread = *c.Thread
	}
	switch c.Do {
	case "select":
		return session.Select{Thread: thread}, nil
	case "new":
		a, err := access(c.Access)
		return session.NewThread{Cwd: c.Cwd, Model: deref(c.Model), Access: deref(a)}, err
	case "join":
		return session.Join{}, nil
	case "draft":
		return c.setDraft()
	case "send":
		return session.Send{}, nil
	case "steer":
		return session.Steer{}, nil
	case "stop":
		return session.Stop{}, nil
	case "older":
		return session.Older{}, nil
	case "newer":
		return session.Newer{}, nil
	case "expand":
		return session.Expand{Turn: c.Turn}, nil
	case "fold":
		return session.Fold{Turn: c.Turn}, nil
	case "refresh":
		return session.Refresh{}, nil
	case "threads":
		return session.ListThreads{More: c.More, Search: c.Search, Archived: c.Archived}, nil
	case "fork":
		return session.Fork{Thread: thread, Turn: c.Turn}, nil
	case "rename":
		return session.Rename{Thread: thread, Name: c.Name}, nil
	case "archive":
		return session.Archive{Thread: thread}, nil
	case "unarchive":
		return session.Unarchive{Thread: thread}, nil
	case "delete":
		return session.Delete{Thread: thread}, nil
	case "compact":
		return session.Compact{}, nil
	case "revert":
		return session.Revert{Turn: c.Turn}, nil
	case "retry":
		return session.Retry{}, nil
	case "startReview":
		return session.StartReview{Kind: c.Name, Value: deref(c.Text)}, nil
	}
	return c.other()
}

// other are the commands that are not about a conversation's course.
func (c command) other() (session.Intent, error) {
	switch c.Do {
	case "queue":
		if c.Op == "add" && c.Text == nil { // as send does
			return session.Enqueue{}, nil
		}
		return session.EditQueue{Op: c.Op, Entry: c.Entry, Text: deref(c.Text), Before: c.Before}, nil
	case "answer":
		answers, err := values(c.Answers)
		return session.Answer{Request: c.Request, Decision: c.Decision, Answers: answers}, err
	case "reconnect":
		return session.Reconnect{}, nil
	case "cancel":
		return session.Cancel{}, nil
	case "confirm":
		return session.Confirm{}, nil
	case "restore":
		return session.Restore{Draft: c.Draft, Mode: c.Mode}, nil
	case "discard":
		return session.Discard{Draft: c.Draft}, nil
	case "review":
		return session.Review{Op: c.Op, Action: c.Action, Mode: c.Mode}, nil
	case "attachments":
		return session.ListAttachments{}, nil
	case "profile":
		return c.profile()
	case "signIn":
		return session.SignIn{Key: session.Secret(c.APIKey)}, nil
	case "signOut":
		return session.SignOut{}, nil
	}
	return nil, errUnknown
}

var errProfile = errors.New("a profile action is apply or edited")

func (c command) profile() (session.Intent, error) {
	switch c.Action {
	case "apply":
		return session.ApplyProfile{Name: c.Profile}, nil
	case "edited":
		return session.ProfileEdited{}, nil
	}
	return nil, errProfile
}

func (c command) setDraft() (session.Intent, error) {
	a, err := access(c.Access)
	return session.SetDraft{
		Thread: c.Thread, Text: c.Text, Blocks: c.Blocks, Images: c.Images, Skill: c.Skill,
		Model: c.Model, Effort: c.Effort, Tier: c.Tier, Personality: c.Persona, Access: a,
	}, err
}

// access checks the word: a wrong one must never become "the server's default".
func access(word *string) (*session.Access, error) {
	if word == nil {
		return nil, nil //nolint:nilnil // no word: nothing is chosen
	}
	switch a := session.Access(*word); a {
	case session.AccessUnknown, session.AccessReadOnly, session.AccessWorkspace, session.AccessFull:
		return &a, nil
	}
	return nil, errAccess
}

func deref[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

var errAnswer = errors.New("an answer is a string, a number, true, false, or a list of strings")

// values makes each answer a list of texts.
func values(in map[string]jsontext.Value) (map[string][]string, error) {
	out := make(map[string][]string, len(in))
	for id, v := range in {
		v = bytes.TrimSpace(v)
		switch v.Kind() {
		case '[':
			var list []string
			if err := json.Unmarshal(v, &list); err != nil {
				return nil, errAnswer
			}
			out[id] = list
		case '"':
			var s string
			if err := json.Unmarshal(v, &s); err != nil {
				return nil, errAnswer
			}
			out[id] = []string{s}
		case '0', 't', 'f':
			out[id] = []string{string(v)}
		default:
			return nil, errAnswer
		}
	}
	return out, nil
}
