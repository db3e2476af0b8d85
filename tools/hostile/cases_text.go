package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// bombs are texts that hurt who shows them.
func bombs() map[string]string {
	var table strings.Builder
	for range 3 {
		table.WriteString(strings.Repeat("|x", 1000) + "|\n")
		if table.Len() < 2500 {
			table.WriteString(strings.Repeat("|-", 1000) + "|\n")
		}
	}
	return map[string]string{
		"controls":        "a\x00b\x07c\x1b[31md\x1b]0;title\x07e\x9bf\u0085g\u2028h\u2029i\x7fj",
		"bidi":            "\u202egnorw\u202c \u2066x\u2069 \u200f\u200e\u061c",
		"combining":       "a" + strings.Repeat("\u0301", 10_000),
		"one line of 1MB": strings.Repeat("w", 1<<20),
		"ansi":            strings.Repeat("\x1b[38;5;1m\x1b[48;2;1;2;3m", 40_000) + "\x1b[999999999;999999999H" + strings.Repeat("\x1b[", 40_000),
		"quotes":          strings.Repeat(">", 20_000) + " deep",
		"lists":           strings.Repeat("- ", 20_000) + "deep",
		"table":           table.String(),
		"emphasis":        strings.Repeat("*a_", 40_000),
		"brackets":        strings.Repeat("[", 50_000) + strings.Repeat("](", 50_000),
		"backticks":       strings.Repeat("`a``b", 40_000),
		"html":            strings.Repeat("<div><img src=http://127.0.0.1:9/x onerror=alert(1)><script>", 5000),
		"links":           "[a](javascript:alert(1)) [b](file:///etc/passwd) [c](data:text/html,x) ![i](http://127.0.0.1:9/i.png) <javascript:x> [d](vbscript:x)",
		"newlines":        strings.Repeat("\n", 200_000),
		"surrogates":      "\xed\xa0\x80 \xed\xb0\x80 \xff\xfe \xc0\x80",
		"fences":          strings.Repeat("```\n", 40_000),
		"references":      strings.Repeat("[x]: http://a\n", 30_000) + strings.Repeat("[x]", 30_000),
		"entities":        strings.Repeat("&amp;", 100_000),
		"zalgo lines":     strings.Repeat("z"+strings.Repeat("\u0336", 50)+"\n", 2000),
		"wide":            strings.Repeat("\u200b\u2060\ufeff\U000e0041", 50_000),
		"emoji":           strings.Repeat("\U0001F468\u200d", 20_000),
	}
}

// textCases put each bomb everywhere a text can be.
func textCases() []*testCase {
	var all []*testCase
	texts := bombs()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		text := texts[name]
		all = append(all, &testCase{
			name: "text: " + name,
			change: func(_ *link, r request, v any) any {
				switch r.Method {
				case "thread/list", "thread/read", "thread/resume", "model/list", "skills/list":
					return sprinkle(v, text)
				case "thread/items/list":
					v.(obj)["data"] = everyItem(text)
				case "account/read":
					v.(obj)["account"].(obj)["email"] = text
				}
				return v
			},
			during: func(l *link, thread, turn string) {
				l.note("warning", obj{"message": text})
				l.note("configWarning", obj{"summary": text, "details": text})
				l.note("thread/name/updated", obj{"threadId": thread, "threadName": text})
				l.note("error", obj{"threadId": thread, "turnId": turn, "willRetry": true, "error": obj{"message": text}})
				for i, e := range everyItem(text) {
					l.note("item/completed", obj{"threadId": thread, "turnId": turn, "item": e.(obj)["item"], "completedAtMs": i})
				}
				l.ask(0, "item/commandExecution/requestApproval", obj{"threadId": thread, "turnId": turn, "itemId": "i", "command": text, "cwd": text, "reason": text, "availableDecisions": list{"accept", text, obj{text: obj{}}}})
				l.ask(1, "item/tool/requestUserInput", obj{"threadId": thread, "turnId": turn, "itemId": "i", "questions": list{obj{"id": text, "header": text, "question": text, "options": list{obj{"label": text, "description": text}}}}})
				l.ask(2, "mcpServer/elicitation/request", obj{"threadId": thread, "serverName": text, "mode": "form", "message": text, "requestedSchema": obj{"type": "object", "properties": obj{text: obj{"type": "string", "title": text, "enum": list{text}}}}})
				l.ask(3, text, obj{"threadId": thread, "x": text})
			},
		})
	}
	return append(all, &testCase{name: "text: 5,000 item types", change: func(_ *link, r request, v any) any {
		if r.Method == "thread/items/list" {
			rows := list{}
			for i := range 100 {
				rows = append(rows, obj{"turnId": "t", "item": obj{"type": fmt.Sprint("new/", i), "id": fmt.Sprint(i), "x": obj{"y": i}}})
			}
			v.(obj)["data"] = rows
		}
		return v
	}, during: func(l *link, thread, turn string) {
		for i := range 5000 {
			l.note("item/completed", obj{"threadId": thread, "turnId": turn, "item": obj{"type": fmt.Sprint("kind", i), "id": fmt.Sprint("k", i), "text": "x"}})
		}
	}})
}

// sprinkle puts text into the fields that are shown, and leaves IDs alone.
func sprinkle(v any, text string) any {
	switch v := v.(type) {
	case obj:
		for k, x := range v {
			switch k {
			case "name", "preview", "cwd", "branch", "displayName", "description", "model", "path":
				v[k] = text
			default:
				v[k] = sprinkle(x, text)
			}
		}
	case list:
		for i := range v {
			v[i] = sprinkle(v[i], text)
		}
	}
	return v
}

// everyItem is one item of each type, all of text.
func everyItem(text string) list {
	kinds := []obj{
		{"type": "userMessage", "content": list{obj{"type": "text", "text": text}, obj{"type": "image", "url": "http://127.0.0.1:9/" + text}, obj{"type": "skill", "name": text, "path": text}}},
		{"type": "agentMessage", "text": text, "phase": text},
		{"type": "plan", "text": text},
		{"type": "reasoning", "summary": list{text}, "content": list{text}},
		{"type": "commandExecution", "command": text, "cwd": text, "status": "completed", "aggregatedOutput": text, "exitCode": 0},
		{"type": "fileChange", "status": "completed", "changes": list{obj{"path": text, "kind": obj{"type": "update", "move_path": text}, "diff": text}}},
		{"type": "mcpToolCall", "server": text, "tool": text, "status": "completed", "arguments": obj{"a": text}, "result": obj{"content": list{obj{"type": "text", "text": text}}}},
		{"type": "dynamicToolCall", "tool": text, "arguments": text},
		{"type": "collabAgentToolCall", "tool": text, "prompt": text, "receiverThreadIds": list{text}},
		{"type": "webSearch", "query": text},
		{"type": "imageView", "path": text},
		{"type": "imageGeneration", "status": text, "revisedPrompt": text, "result": text},
		{"type": "enteredReviewMode", "review": text},
		{"type": "contextCompaction"},
		{"type": text, "x": text},
	}
	out := list{}
	for i, k := range kinds {
		k["id"] = fmt.Sprint("every", i)
		out = append(out, obj{"turnId": "every", "item": k})
	}
	return out
}
