package protocol

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The words for what the model may do by itself.
const (
	ReadOnly  = "read-only"
	Workspace = "workspace"
	Full      = "full"
)

// A Grant is one such word in the protocol's own terms.
type Grant struct {
	// Mode is the sandbox of thread/start, Sandbox that of turn/start.
	Mode    string
	Sandbox *Sandbox
	// Approval is the approval policy of both.
	Approval string
}

// GrantFor translates an access word. Full access asks nobody; the other two
// ask before anything leaves the sandbox. ok is false for any other word: then
// nothing is sent and the server's default holds.
func GrantFor(word string) (g Grant, ok bool) {
	switch word {
	case ReadOnly:
		return Grant{"read-only", &Sandbox{Type: "readOnly"}, "on-request"}, true
	case Workspace:
		return Grant{"workspace-write", &Sandbox{Type: "workspaceWrite"}, "on-request"}, true
	case Full:
		return Grant{"danger-full-access", &Sandbox{Type: "dangerFullAccess"}, "never"}, true
	}
	return Grant{}, false
}

// A Sandbox is the server's sandbox policy. Of its fields this build uses the
// type alone: readOnly, workspaceWrite, dangerFullAccess or externalSandbox.
type Sandbox struct {
	Type string `json:"type"`
}

// Access gives the word for a policy, "" for one that no word fits: an external
// sandbox is somebody else's to describe, and an unknown type is not guessed.
func (s Sandbox) Access() string {
	switch s.Type {
	case "readOnly":
		return ReadOnly
	case "workspaceWrite":
		return Workspace
	case "dangerFullAccess":
		return Full
	}
	return ""
}

// An Approval is the approval policy's word: untrusted, on-request, never, or
// the key of one that is an object (granular).
type Approval string

// UnmarshalJSONFrom accepts the word or the object.
func (a *Approval) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	w, err := wordOrKey(d)
	*a = Approval(w)
	return err
}

// wordOrKey reads a string, or an object's first name, as serde writes enums
// with and without content.
func wordOrKey(d *jsontext.Decoder) (string, error) {
	switch d.PeekKind() {
	case jsontext.KindBeginObject:
		v, err := d.ReadValue()
		if err != nil {
			return "", err
		}
		return firstName(v)
	default:
		var s string
		err := json.UnmarshalDecode(d, &s)
		return s, err
	}
}

func firstName(v jsontext.Value) (string, error) {
	d := decoderOf(v)
	if _, err := d.ReadToken(); err != nil {
		return "", err
	}
	t, err := d.ReadToken()
	if err != nil {
		return "", err
	}
	if t.Kind() != jsontext.KindString {
		return "", fmt.Errorf("object without a name")
	}
	return t.String(), nil
}
