package protocol

// names are the field names the item and page decoders look for, so that
// reading one costs no memory.
var names = func() map[string]string {
	m := make(map[string]string)
	for _, n := range []string{
		"action", "aggregatedOutput", "agentPath", "agentThreadId", "arguments", "attachmentType",
		"changes", "clientId", "command", "commandActions", "completedAtMs", "content", "contentItems",
		"createdAt", "cwd",
		"delta", "diff", "durationMs", "error", "exitCode", "fragments", "id", "identityKey", "item", "itemId",
		"kind", "message", "move_path", "name", "output", "path", "payload", "phase", "processId", "prompt",
		"query", "receiverThreadIds", "result", "review", "revisedPrompt", "savedPath",
		"senderThreadId", "server", "source", "startedAtMs", "status", "summary", "text",
		"text_elements", "threadId", "tool", "turnId", "type", "url",
	} {
		m[n] = n
	}
	return m
}()
