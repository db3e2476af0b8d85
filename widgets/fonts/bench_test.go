package fonts

import (
	"bytes"
	"testing"

	"github.com/go-text/typesetting/font"
)

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := font.ParseTTF(bytes.NewReader(japanese)); err != nil {
			b.Fatal(err)
		}
	}
}
