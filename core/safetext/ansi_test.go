package safetext

import (
	"strings"
	"testing"
)

func TestANSI(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"text", "a\nb\n", "code()|<c:a>|<c:b>"},
		{"colours", "\x1b[31mred\x1b[0m plain \x1b[1;92mbold\x1b[m", "code()|<red:red><c: plain ><b,green:bold>"},
		{"styles", "\x1b[3mi\x1b[23;9ms\x1b[29;2mf\x1b[22mx", "code()|<i,c:i><s,c:s><muted:f><c:x>"},
		{"256 colours", "\x1b[38;5;196mr\x1b[38;5;4mb\x1b[38;5;250mw\x1b[39mx", "code()|<red:r><blue:b><white:w><c:x>"},
		{"true colour", "\x1b[38;2;250;250;10my\x1b[48;2;1;2;3mz", "code()|<yellow:yz>"},
		{"colons", "\x1b[38:2::10:200:200mc", "code()|<cyan:c>"},
		{"progress", "10%\r20%\r100%\n", "code()|<c:100%>"},
		{"progress, shorter", "100%\r5%\x1b[K\n", "code()|<c:5%>"},
		{"whole line erased", "abc\x1b[2K\rd\n", "code()|<c:d>"},
		{"start erased", "abc\x1b[1Kd", "code()|<c:   d>"},
		{"backspace", "ab\bc\b\b\bx", "code()|<c:xc>"},
		{"CR LF", "a\r\nb\r\n", "code()|<c:a>|<c:b>"},
		{"tab", "a\tb\n12345678\tc", "code()|<c:a       b>|<c:12345678        c>"},
		{"cursor", "abc\x1b[2Dx\x1b[2Cy\x1b[1Gz", "code()|<c:zxc y>"},
		{"title", "\x1b]0;evil\x07a", "code()|<c:a>"},
		{"hyperlink", "\x1b]8;;https://evil.example\x1b\\text\x1b]8;;\x1b\\", "code()|<c:text>"},
		{"title without end", "\x1b]0;shown\nb", "code()|<c:0;shown>|<c:b>"},
		{"device string", "\x1bPq#1\x1b\\a\x1b_x\x1b\\b", "code()|<c:ab>"},
		{"character set", "\x1b(Ba\x1b)0b\x1b=c\x1b7d", "code()|<c:abcd>"},
		{"private mode", "\x1b[?25la\x1b[>4;1mb\x1b[?2004h", "code()|<c:ab>"},
		{"screen cleared", "a\x1b[2J\x1b[Hb\x1b[5A", "code()|<c:ab>"},
		{"8-bit introducer", "\u009b31mr", "code()|<red:r>"},
		{"cut sequence", "a\x1b[3", "code()|<c:a>"},
		{"cut escape", "a\x1b", "code()|<c:a>"},
		{"sequence that is none", "\x1b[12\x01z", "code()|<c:\ufffdz>"},
		{"huge numbers", "\x1b[99999999999999999999Ca\x1b[38;5;99999mb", "code()|<c:" + strings.Repeat(" ", 512) + "ab>"},
		{"bell and NUL", "a\x07\x00b", "code()|<c:ab>"},
		{"override", "a\u202eb", "code()|<c:a\ufffdb>"},
		{"invalid UTF-8", "a\xffb", "code()|<c:a\ufffdb>"},
		{"marks", "e\u0301x\r\u0301", "code()|<c:e\u0301x>"},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := ANSI(tt.in)
			if got := show(d); got != tt.want {
				t.Errorf("ANSI(%q)\n%s\nwant\n%s", tt.in, got, tt.want)
			}
			checkDoc(t, d)
		})
	}
}

func TestLongOutputLineIsCut(t *testing.T) {
	d := ANSI(strings.Repeat("a", 3*ChunkBytes) + "\r" + strings.Repeat("b", 10))
	for _, x := range d.Blocks() {
		if x.size() > ChunkBytes {
			t.Errorf("a block of %d bytes", x.size())
		}
	}
	checkDoc(t, d)
}
