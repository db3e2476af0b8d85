package protocol

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// mixedPage is a page of small messages and of commands with 10 to 200 KB of
// output, as a coding session makes them.
func mixedPage(items int) []byte {
	rnd := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	b.WriteString(`{"data":[`)
	for i := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		if i%3 != 0 {
			fmt.Fprintf(&b, `{"turnId":"t%d","item":{"type":"agentMessage","id":"msg_%d","text":%q,"phase":null,"memoryCitation":null,"delivery":null,"questions":null},"startedAtMs":1796016104278,"completedAtMs":1796016104278}`,
				i/30, i, strings.Repeat("A short answer. ", 1+rnd.IntN(60)))
			continue
		}
		var out strings.Builder
		for n := 10_000 + rnd.IntN(190_000); out.Len() < n; {
			fmt.Fprintf(&out, "ok  \tholdfast/core/package%d\t0.%03ds\n", rnd.IntN(100), rnd.IntN(1000))
		}
		quoted, _ := json.Marshal(out.String())
		fmt.Fprintf(&b, `{"turnId":"t%d","item":{"type":"commandExecution","id":"call_%d","pluginId":null,"scriptPath":null,"command":"go test ./...","cwd":"/home/user/project","processId":"4711","source":"unifiedExecStartup","status":"completed","commandActions":[{"type":"unknown","command":"go test ./..."}],"aggregatedOutput":%s,"exitCode":0,"durationMs":1799},"startedAtMs":1796016104278,"completedAtMs":1796016104278}`, i/30, i, quoted)
	}
	b.WriteString(`],"nextCursor":"{\"requestedThreadId\":\"x\"}","backwardsCursor":null}`)
	return b.Bytes()
}

// bareReader hides the type of a reader, as a link does.
type bareReader struct{ io.Reader }

func BenchmarkItemsPage(b *testing.B) {
	page := mixedPage(100)
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	for b.Loop() {
		var r ThreadItemsListResult
		if err := json.UnmarshalDecode(NewDecoder(bareReader{bytes.NewReader(page)}), &r); err != nil || len(r.Data) != 100 {
			b.Fatal(len(r.Data), err)
		}
	}
}

func BenchmarkSmallItemsPage(b *testing.B) {
	var buf bytes.Buffer
	buf.WriteString(`{"data":[`)
	for i := range 100 {
		if i > 0 {
			buf.WriteByte(',')
		}
		fmt.Fprintf(&buf, `{"turnId":"t","item":{"type":"agentMessage","id":"msg_%d","text":%q,"phase":null},"startedAtMs":1,"completedAtMs":2}`, i, strings.Repeat("word ", 80))
	}
	buf.WriteString(`],"nextCursor":null}`)
	b.SetBytes(int64(buf.Len()))
	b.ReportAllocs()
	for b.Loop() {
		var r ThreadItemsListResult
		if err := json.UnmarshalDecode(NewDecoder(bareReader{bytes.NewReader(buf.Bytes())}), &r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDelta(b *testing.B) {
	params := []byte(`{"threadId":"0199a1b2-0000-7000-8000-000000000000","turnId":"0199a1b2-0000-7000-8000-000000000001","itemId":"msg_fake000004","delta":" part after reco"}`)
	b.SetBytes(int64(len(params)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := DecodeNotification("item/agentMessage/delta", params, 0); err != nil {
			b.Fatal(err)
		}
	}
}
