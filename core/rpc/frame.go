package rpc

import (
	"context"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"holdfast/core/protocol"
)

// encodeOptions: what is not UTF-8 leaves as U+FFFD, and equal values as equal
// bytes.
var encodeOptions = json.JoinOptions(jsontext.AllowInvalidUTF8(true), json.Deterministic(true))

// marshal encodes params. They are never left out (trap 2), and null only for
// the method whose type writes null, since its schema wants that.
func marshal(p any) (jsontext.Value, error) {
	if p == nil {
		return jsontext.Value("{}"), nil
	}
	return json.Marshal(p, encodeOptions)
}

func requestFrame(id int64, method string, params jsontext.Value) []byte {
	b := make([]byte, 0, len(params)+len(method)+48)
	b = append(b, `{"id":`...)
	b = strconv.AppendInt(b, id, 10)
	b = append(b, ',')
	return appendBody(b, method, params)
}

func appendBody(b []byte, method string, params jsontext.Value) []byte {
	b = append(b, `"method":`...)
	b, _ = jsontext.AppendQuote(b, method) // the error tells of replaced bytes only
	b = append(b, `,"params":`...)
	b = append(b, params...)
	return append(b, '}')
}

// Reply answers a server request by its own ID, of whatever type (trap 2). It
// does not wait: nil means that the answer is on its way, ErrNotBegun that
// nothing of it left.
func (c *Conn) Reply(ctx context.Context, id protocol.RequestID, result any) error {
	v, err := json.Marshal(result, encodeOptions)
	if err != nil {
		return failure(ErrNotBegun, "reply", err)
	}
	return c.answer(ctx, id, "result", v)
}

// Refuse answers a server request with an error, as Reply does.
func (c *Conn) Refuse(ctx context.Context, id protocol.RequestID, code int, message string) error {
	v, err := json.Marshal(struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}{code, message}, encodeOptions)
	if err != nil {
		return failure(ErrNotBegun, "refuse", err)
	}
	return c.answer(ctx, id, "error", v)
}

func (c *Conn) answer(ctx context.Context, id protocol.RequestID, member string, v jsontext.Value) error {
	raw, err := json.Marshal(id)
	if err != nil {
		return failure(ErrNotBegun, "reply", err)
	}
	b := make([]byte, 0, len(v)+len(raw)+24)
	b = append(b, `{"id":`...)
	b = append(b, raw...)
	b = append(b, `,"`...)
	b = append(b, member...)
	b = append(b, `":`...)
	b = append(b, v...)
	return c.put(ctx, "reply", append(b, '}'))
}

// Notify sends a notification, as Reply does.
func (c *Conn) Notify(ctx context.Context, method string, params any) error {
	v, err := marshal(params)
	if err != nil {
		return failure(ErrNotBegun, method, err)
	}
	return c.put(ctx, method, appendBody([]byte{'{'}, method, v))
}
