package attachments

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"holdfast/core/protocol"
)

// fullPage is a page of 50 attachments, each with the largest payload, as it
// comes from the server.
func fullPage(n int, next string) []byte {
	payload := `{"text":"` + strings.Repeat("x", 65_536-11) + `"}`
	var b bytes.Buffer
	b.WriteString(`{"data":[`)
	for i := n; i < n+pageLimit; i++ {
		if i > n {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":"a%d","attachmentType":"note","identityKey":"k%d","payload":%s,"createdAt":7}`, i, i, payload)
	}
	fmt.Fprintf(&b, `],"nextCursor":%s}`, next)
	return b.Bytes()
}

// A full list, 100 attachments of 64 KiB: from the bytes of its two pages to
// what is shown.
func BenchmarkFullList(b *testing.B) {
	pages := [][]byte{fullPage(0, `"c1"`), fullPage(pageLimit, "null")}
	b.ReportAllocs()
	for b.Loop() {
		l := New(thread)
		fs := l.Refresh()
		for _, page := range pages {
			var r protocol.ThreadAttachmentListResult
			if err := json.UnmarshalDecode(protocol.NewDecoder(bytes.NewReader(page)), &r); err != nil {
				b.Fatal(err)
			}
			fs = l.Got(fs[0], r)
		}
		if v := l.View(); len(v.Rows) != MaxRows || v.Stale != "" {
			b.Fatalf("%d rows, stale %q", len(v.Rows), v.Stale)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms")
}
