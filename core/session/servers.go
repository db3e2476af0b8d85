package session

import (
	"slices"

	"holdfast/core/protocol"
	"holdfast/core/words"
)

// maxServers is how many MCP servers are listed.
const maxServers = 200

// listServers asks for the MCP servers, page by page.
func (l *loop) listServers(in ListServers, done func(Result)) {
	if !l.rec.Connected() {
		l.finish(done, refuse("not-connected", words.T("There is no connection. Nothing was read.")))
		return
	}
	var ended *Result
	l.readServers("", &trail{}, nil, func(found []MCPServer, x Result) {
		if x.OK {
			in.To(found)
		}
		ended = &x
	})
	l.wait(waiter{done: done, connBound: true, settled: func() (bool, Result) {
		if ended == nil {
			return false, Result{}
		}
		return true, *ended
	}})
}

func (l *loop) readServers(cursor string, walked *trail, sofar []MCPServer, then func([]MCPServer, Result)) {
	p := protocol.McpServerStatusListParams{Cursor: cursor, Limit: 50}
	if j := l.joined[l.shown()]; j != nil && !j.lost {
		p.ThreadID = j.id // of a conversation that the server has not loaded it knows nothing
	}
	look(l, l.link.stamp(), protocol.McpServerStatusList, p, func(l *loop, r protocol.McpServerStatusListResult, err error) {
		if err != nil {
			then(nil, refuse("read-failed", words.T("The MCP servers could not be read. %s", textOf(err))))
			return
		}
		found := slices.Clone(sofar)
		for _, s := range r.Data {
			if len(found) < maxServers {
				found = append(found, MCPServer{Name: s.Name, Auth: s.Auth, Tools: s.Tools, ToolCount: s.ToolCount, Problem: l.secrets.mask(s.ToolsError)})
			}
		}
		next, _ := walked.next(cursor, r.NextCursor)
		if next != nil && len(found) < maxServers && walked.pages() < maxServers {
			l.readServers(*next, walked, found, then)
			return
		}
		then(found, ok())
	})
}
