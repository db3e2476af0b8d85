package fakemodel

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// errOver says that a step has ended the response.
var errOver = errors.New("response ended")

// play answers one request and reports whether it got to the script's end.
func (s *Server) play(st *stream, sc Script) bool {
	if len(sc.Steps) > 0 {
		if status, ok := sc.Steps[0].(Status); ok {
			st.w.Header().Set("Content-Type", "application/json")
			st.w.WriteHeader(status.Code)
			_, err := st.w.Write([]byte(status.Body))
			return err == nil
		}
	}
	st.start()
	id := s.id("resp")
	if st.send("response.created", fields{"response": fields{"id": id}}) != nil {
		return false
	}
	for _, step := range sc.Steps {
		switch err := s.step(st, id, step); {
		case errors.Is(err, errOver):
			return true
		case err != nil:
			return false
		}
	}
	return st.send("response.completed", fields{"response": fields{"id": id, "usage": usage(sc.Usage)}}) == nil
}

// step plays one step. It returns errOver when the step ended the response.
func (s *Server) step(st *stream, response string, step Step) error {
	switch x := step.(type) {
	case Text:
		return s.text(st, x)
	case Reasoning:
		return s.reasoning(st, x)
	case Call:
		return s.call(st, x)
	case CustomCall:
		return s.item(st, fields{
			"type": "custom_tool_call", "id": s.id("ct"), "call_id": s.callID(x.ID),
			"name": x.Name, "input": x.Input, "status": "completed",
		})
	case RawItem:
		return s.item(st, x.JSON)
	case RawEvent:
		return rawEvent(st, x.JSON)
	case Pause:
		return st.pause(x.For)
	case Gate:
		return s.pass(st.ctx, x.Name)
	case Hang:
		<-st.ctx.Done()
		return st.ctx.Err()
	case Failed:
		return end(st, "response.failed", fields{
			"id": response, "status": "failed", "error": fields{"code": x.Code, "message": x.Message},
		})
	case Incomplete:
		return end(st, "response.incomplete", fields{
			"id": response, "status": "incomplete", "incomplete_details": fields{"reason": x.Reason},
		})
	case Cut:
		return cut(st)
	case Status:
		return errors.New("a status is possible as the first step only")
	}
	return fmt.Errorf("step %T is not known", step)
}

func end(st *stream, kind string, response fields) error {
	if err := st.send(kind, fields{"response": response}); err != nil {
		return err
	}
	return errOver
}

// cut breaks the connection without ending the chunked body.
func cut(st *stream) error {
	hj, ok := st.w.(http.Hijacker)
	if !ok {
		return errors.New("connection cannot be cut")
	}
	conn, _, err := hj.Hijack()
	if err != nil {
		return fmt.Errorf("take the connection over: %w", err)
	}
	if err := conn.Close(); err != nil {
		return fmt.Errorf("cut the connection: %w", err)
	}
	return errOver
}

func rawEvent(st *stream, raw json.RawMessage) error {
	var f fields
	if err := json.Unmarshal(raw, &f); err != nil {
		return fmt.Errorf("read a raw event: %w", err)
	}
	kind, _ := f["type"].(string)
	return st.send(kind, f)
}

// item sends an output item that is complete from the start.
func (s *Server) item(st *stream, item any) error {
	if err := st.send("response.output_item.added", fields{"output_index": 0, "item": item}); err != nil {
		return err
	}
	return st.send("response.output_item.done", fields{"output_index": 0, "item": item})
}

func (s *Server) callID(id string) string {
	if id == "" {
		return s.id("call")
	}
	return id
}

func (s *Server) call(st *stream, c Call) error {
	// The API carries the arguments as JSON text inside a string.
	args, ok := c.Arguments.(string)
	if !ok {
		raw, err := json.Marshal(c.Arguments)
		if err != nil {
			return fmt.Errorf("encode the arguments of %s: %w", c.Name, err)
		}
		args = string(raw)
	}
	item := fields{
		"type": "function_call", "id": s.id("fc"), "call_id": s.callID(c.ID),
		"name": c.Name, "arguments": args, "status": "completed",
	}
	if c.Namespace != "" {
		item["namespace"] = c.Namespace
	}
	return s.item(st, item)
}

func (s *Server) text(st *stream, x Text) error {
	id := s.id("msg")
	item := func(status string, content ...fields) fields {
		if content == nil {
			content = []fields{}
		}
		return fields{"type": "message", "id": id, "role": "assistant", "status": status, "content": content}
	}
	if err := st.send("response.output_item.added", fields{"output_index": 0, "item": item("in_progress")}); err != nil {
		return err
	}
	base := fields{"item_id": id, "output_index": 0, "content_index": 0}
	if err := st.deltas("response.output_text.delta", pieces(x.Text, x.Chunk), x.Delay, base); err != nil {
		return err
	}
	whole := fields{"type": "output_text", "text": x.Text, "annotations": []any{}}
	return st.send("response.output_item.done", fields{"output_index": 0, "item": item("completed", whole)})
}

func (s *Server) reasoning(st *stream, x Reasoning) error {
	id := s.id("rs")
	item := func(summary ...fields) fields {
		if summary == nil {
			summary = []fields{}
		}
		return fields{"type": "reasoning", "id": id, "summary": summary, "encrypted_content": "scripted"}
	}
	if err := st.send("response.output_item.added", fields{"output_index": 0, "item": item()}); err != nil {
		return err
	}
	base := fields{"item_id": id, "summary_index": 0}
	if err := st.send("response.reasoning_summary_part.added", fields{"item_id": id, "summary_index": 0}); err != nil {
		return err
	}
	if err := st.deltas("response.reasoning_summary_text.delta", pieces(x.Text, x.Chunk), x.Delay, base); err != nil {
		return err
	}
	whole := fields{"type": "summary_text", "text": x.Text}
	return st.send("response.output_item.done", fields{"output_index": 0, "item": item(whole)})
}

func usage(u *Usage) fields {
	if u == nil {
		u = &Usage{Input: 100, Output: 10}
	}
	return fields{
		"input_tokens":          u.Input,
		"input_tokens_details":  fields{"cached_tokens": u.Cached},
		"output_tokens":         u.Output,
		"output_tokens_details": fields{"reasoning_tokens": u.Reasoning},
		"total_tokens":          u.Input + u.Output,
	}
}
