package safetext

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

// req: HIS-9
func TestRedact(t *testing.T) {
	tests := []struct{ in, want string }{
		{"Authorization: Bearer abc.DEF-123", "Authorization: [secret]"},
		{"authorization:Basic dXNlcjpwdw==\r\nHost: x", "authorization:[secret]\r\nHost: x"},
		{"sent bearer  a1b2c3", "sent bearer  [secret]"},
		{"missing websocket bearer token", "missing websocket bearer token"},
		{"key sk-proj-abcDEF_123456 used", "key [secret] used"},
		{"task-force sk-1", "task-force sk-1"},
		{"ghp_abcdefghijklmnop github_pat_abcdefgh12", "[secret] [secret]"},
		{"jwt eyJhbGciOiJI.eyJzdWIi.c2ln", "jwt [secret]"},
		{"wss://me:pa55@host/x", "wss://[secret]@host/x"},
		{"https://tok@host", "https://[secret]@host"},
		{"https://host/@x", "https://host/@x"},
		{"ws://h/?token=abc&x=1&api_key=d#frag", "ws://h/?token=[secret]&x=1&api_key=[secret]#frag"},
		{"http://localhost/cb?code=abc&state=d", "http://localhost/cb?code=[secret]&state=[secret]"},
		{`{"token":"abc","n":1}`, `{"token":[secret],"n":1}`},
		{`{"apiKey": "a\"b", "password" : "c"}`, `{"apiKey": [secret], "password" : [secret]}`},
		{`{\"access_token\":\"abc\",\"n\":1}`, `{\"access_token\":[secret],\"n\":1}`},
		{`{"token":"cut off`, `{"token":[secret]`},
		{`{"token":null,"secret":""}`, `{"token":null,"secret":""}`},
		{`{"totalTokens":12,"input_tokens":3}`, `{"totalTokens":12,"input_tokens":3}`},
		{"token_file=/home/me/token", "token_file=/home/me/token"},
		{"OPENAI_API_KEY=abc123 codex", "OPENAI_API_KEY=[secret] codex"},
		{"password: hunter2, next", "password: [secret], next"},
		{"{Token:abc Name:x}", "{Token:[secret] Name:x}"},
		{"Cookie: a=b; c=d", "Cookie: [secret]"},
		{"dial tcp 127.0.0.1:80: refused", "dial tcp 127.0.0.1:80: refused"},
		{"", ""},
	}
	for _, tt := range tests {
		got := Redact(tt.in)
		if got != tt.want {
			t.Errorf("Redact(%q)\n%q, want\n%q", tt.in, got, tt.want)
		}
		if again := Redact(got); again != got {
			t.Errorf("Redact twice: %q, then %q", got, again)
		}
	}
}

type credentials struct{ user, pw string }

func (c credentials) LogValue() slog.Value {
	return slog.GroupValue(slog.String("user", c.user), slog.String("password", c.pw))
}

type plainStruct struct {
	Name, Token string
}

// Whatever is logged, no secret reaches the handler behind, and no endless text.
//
// req: HIS-9
func TestRedactor(t *testing.T) {
	var out bytes.Buffer
	next := slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})
	log := slog.New(NewRedactor(next))
	tests := []struct {
		name string
		do   func()
		want string
	}{
		{"message", func() { log.Info("got Bearer s3cret") }, `level=INFO msg="got Bearer [secret]"`},
		{"string", func() { log.Info("m", "url", "ws://h/?token=s3cret") }, `level=INFO msg=m url="ws://h/?token=[secret]"`},
		{"error", func() { log.Info("m", "err", fmt.Errorf("dial: %w", errors.New("wss://u:s3cret@h"))) }, `level=INFO msg=m err="dial: wss://[secret]@h"`},
		{"name of the attribute", func() { log.Info("m", "apiKey", "s3cret", "token", 5) }, `level=INFO msg=m apiKey=[secret] token=[secret]`},
		{"counts stay", func() { log.Info("m", "tokens", 5) }, `level=INFO msg=m tokens=5`},
		{"LogValuer", func() { log.Info("m", "who", credentials{"me", "s3cret"}) }, `level=INFO msg=m who.user=me who.password=[secret]`},
		{"struct", func() { log.Info("m", "v", plainStruct{"x", "s3cret"}) }, `level=INFO msg=m v="{Name:x Token:[secret]}"`},
		{"bytes", func() { log.Info("m", "b", []byte("s3cret")) }, `level=INFO msg=m b="[6 bytes]"`},
		{"with", func() { log.With("secret", "s3cret").Info("m") }, `level=INFO msg=m secret=[secret]`},
		{"group", func() { log.WithGroup("g").Info("m", "password", "s3cret") }, `level=INFO msg=m g.password=[secret]`},
		{"controls", func() { log.Info("m", "t", "a\x1b[31m\u202eb\nlevel=ERROR") }, "level=INFO msg=m t=\"a\ufffd[31m\ufffdb\\nlevel=ERROR\""},
		{"number", func() { log.Info("m", "n", 1, "b", true) }, `level=INFO msg=m n=1 b=true`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out.Reset()
			tt.do()
			if got := strings.TrimSuffix(out.String(), "\n"); got != tt.want {
				t.Errorf("logged\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
	out.Reset()
	log.Info("m", "long", strings.Repeat("x", 1<<20))
	if got := out.String(); len(got) > maxLogText+100 || !strings.Contains(got, "[1048576 bytes]") {
		t.Errorf("a megabyte is logged in %d bytes: …%s", len(got), got[len(got)-60:])
	}
}

func TestDeepGroupsEnd(t *testing.T) {
	a := slog.String("password", "s3cret")
	for range 2 * maxLogDepth {
		a = slog.Attr{Key: "g", Value: slog.GroupValue(a)}
	}
	if got := redactAttr(a, 0).String(); strings.Contains(got, "s3cret") {
		t.Errorf("logged %s", got)
	}
}
