package safetext

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Only http, https with a host, and absolute files may be offered.
//
// req: HIS-9
func TestSafeURL(t *testing.T) {
	tests := []struct {
		in, want string
		ok       bool
	}{
		{"https://example.org/a?b=c#d", "https://example.org/a?b=c#d", true},
		{"HTTP://Example.ORG:8080", "http://example.org:8080", true},
		{"https://[::1]:80/x", "https://[::1]:80/x", true},
		{" https://example.org/ ", "https://example.org/", true},
		{"https://example.org/ä b", "https://example.org/%C3%A4%20b", true},
		{"https://example.org/?q=ä\"<>", "https://example.org/?q=%C3%A4%22%3C%3E", true},
		{"https://bücher.example/", "https://xn--bcher-kva.example/", true},
		{"/home/me/a b.go", "file:///home/me/a%20b.go", true},
		{"file:///home/me/a.go", "file:///home/me/a.go", true},
		{"file://localhost/a", "file:///a", true},
		{"https://" + strings.Repeat("a", 60) + ".example/" + strings.Repeat("b", maxURL-77), "", true},
		{"https://" + strings.Repeat("a", 60) + ".example/" + strings.Repeat("b", maxURL-76), "", false},
		{"", "", false},
		{"javascript:alert(1)", "", false},
		{"JaVaScRiPt:alert(1)", "", false},
		{"java\nscript:alert(1)", "", false},
		{"data:text/html,x", "", false},
		{"vbscript:x", "", false},
		{"mailto:a@example.org", "", false},
		{"ftp://example.org/", "", false},
		{"https:example.org", "", false},
		{"https:///x", "", false},
		{"https://./x", "", false},
		{"https://user@example.org/", "", false},
		{"https://user:pw@example.org/", "", false},
		{"https://example.org\\@evil.example/", "", false},
		{"https://exa mple.org/", "", false},
		{"https://example.org/\x00", "", false},
		{"https://example.org/\u202e", "", false},
		{"https://example.org/\u200b", "", false},
		{"https://example.org/\xff", "", false},
		{"//example.org/x", "", false},
		{"example.org", "", false},
		{"file://server/share", "", false},
		{"file:relative", "", false},
		{"file:///a%00b", "", false},
		{"file:///a%E2%80%AEb", "", false},
		{"C:\\x.exe", "", false},
	}
	for _, tt := range tests {
		got, ok := SafeURL(tt.in)
		if ok != tt.ok || tt.want != "" && got != tt.want {
			t.Errorf("SafeURL(%q) = %q, %v, want %q, %v", tt.in, got, ok, tt.want, tt.ok)
		}
		if ok {
			checkURL(t, got)
		}
	}
}

// A file is opened only inside the roots, wherever links and dots lead.
//
// req: HIS-9
func TestLinkPolicy(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root, outside := filepath.Join(dir, "root"), filepath.Join(dir, "rootless")
	for _, d := range []string{root, outside} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(d, "a b.txt"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(root, "out")
	if err := os.Symlink(outside, link); err != nil {
		t.Fatal(err)
	}
	in := filepath.Join(root, "a b.txt")
	policy := LinkPolicy{Roots: []string{"relative", filepath.Join(dir, "gone"), root}}
	tests := []struct {
		name, raw, target, open string
		err                     error
	}{
		{"web", "https://Example.org", "https://example.org", "https://example.org", nil},
		{"inside", in, in, in, nil},
		{"as a URL", "file://" + root + "/a%20b.txt", in, in, nil},
		{"with a line", in + ":12", in, in, nil},
		{"with line and column", in + ":12:3", in, in, nil},
		{"the root", root, root, root, nil},
		{"beside, same beginning", filepath.Join(outside, "a b.txt"), filepath.Join(outside, "a b.txt"), "", ErrLinkOutside},
		{"by dots", root + "/../rootless/a b.txt", filepath.Join(outside, "a b.txt"), "", ErrLinkOutside},
		{"by a symbolic link", link + "/a b.txt", filepath.Join(outside, "a b.txt"), "", ErrLinkOutside},
		{"missing", root + "/gone", root + "/gone", "", fs.ErrNotExist},
		{"script", "javascript:x", "javascript:x", "", ErrLink},
		{"override in text", "x\u202e", "x\ufffd", "", ErrLink},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			target, open, err := policy.Check(tt.raw)
			if target.String() != tt.target || open != tt.open || !errors.Is(err, tt.err) {
				t.Errorf("Check(%q) = %q, %q, %v; want %q, %q, %v", tt.raw, target, open, err, tt.target, tt.open, tt.err)
			}
		})
	}
	if _, _, err := (LinkPolicy{}).Check(in); !errors.Is(err, ErrLinkOutside) {
		t.Errorf("without roots: %v", err)
	}
}
