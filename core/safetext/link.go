package safetext

import (
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"holdfast/core/words"
)

// Why a link is not opened.
var (
	ErrLink        = words.Error("not a link that can be opened")
	ErrLinkOutside = words.Error("the file is outside the folders of this profile")
)

var lineSuffix = regexp.MustCompile(`(:\d+){1,2}$`)

// maxURL bounds a link's target.
const maxURL = 2048

// SafeURL returns the target of a link in one plain ASCII form, and whether it
// may be offered: http and https with a host and no user name, or an absolute
// file (LinkPolicy.Check decides on those when they are opened).
func SafeURL(raw string) (string, bool) {
	raw = strings.TrimSpace(raw)
	if raw == "" || len(raw) > maxURL || !utf8.ValidString(raw) || strings.IndexFunc(raw, unprintable) >= 0 {
		return "", false
	}
	if strings.HasPrefix(raw, "/") && !strings.HasPrefix(raw, "//") {
		return fileURL(raw)
	}
	u, err := url.Parse(raw)
	if err != nil || u.User != nil || u.Opaque != "" {
		return "", false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		return webURL(u)
	case "file":
		if u.Host != "" && u.Host != "localhost" || !strings.HasPrefix(u.Path, "/") || strings.IndexFunc(u.Path, unprintable) >= 0 {
			return "", false
		}
		return fileURL(u.Path)
	}
	return "", false
}

func fileURL(path string) (string, bool) {
	s := escapeRest((&url.URL{Scheme: "file", Path: path}).String())
	return s, len(s) <= maxURL
}

// webURL puts the host in its ASCII form, so that one letter cannot pass for
// another.
func webURL(u *url.URL) (string, bool) {
	host := strings.ToLower(u.Hostname())
	if !isASCII(host) {
		ascii, err := idna.Lookup.ToASCII(host)
		if err != nil {
			return "", false
		}
		host = ascii
	}
	if strings.Trim(host, ".") == "" || strings.ContainsAny(host, " \\%") {
		return "", false
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if p := u.Port(); p != "" {
		host += ":" + p
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), host
	s := escapeRest(u.String())
	return s, len(s) <= maxURL
}

// escapeRest percent-encodes what is not plain ASCII.
func escapeRest(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || c == '"' || c == '<' || c == '>' || c == '\\' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// unprintable are the runes no target may hold, not even to be encoded.
func unprintable(r rune) bool {
	return isControl(r) || isOverride(r) || isJoiner(r) || r == utf8.RuneError || r == 0x2028 || r == 0x2029 ||
		isNonCharacter(r) || unicode.Is(invisible, r)
}

// A LinkPolicy says which links may be opened.
type LinkPolicy struct {
	// Roots are the local folders whose files may be opened.
	Roots []string
}

// Check decides on a link when the user wants to open it. target is what to
// show in the question, the real one; openable is what to hand to the system.
func (p LinkPolicy) Check(raw string) (target Line, openable string, err error) {
	safe, ok := SafeURL(raw)
	if !ok {
		return MakeLine(raw), "", ErrLink
	}
	if !strings.HasPrefix(safe, "file:") {
		return MakeLineMax(safe, maxURL), safe, nil
	}
	u, err := url.Parse(safe)
	if err != nil {
		return MakeLine(raw), "", ErrLink
	}
	path, err := findFile(u.Path)
	if err != nil {
		return MakeLine(u.Path), "", fmt.Errorf("find the file of a link: %w", err)
	}
	for _, root := range p.Roots {
		if inside(root, path) {
			return MakeLineMax(path, maxURL), path, nil
		}
	}
	return MakeLine(path), "", ErrLinkOutside
}

// findFile returns the real place of a link's file. The line that often follows
// a path, as in "main.go:12", is no part of it.
func findFile(path string) (string, error) {
	path = filepath.Clean(filepath.FromSlash(path))
	if trimmed := strings.TrimLeft(path, `\/`); filepath.VolumeName(trimmed) != "" {
		path = trimmed // "/C:/x" in a URL
	}
	found, err := filepath.EvalSymlinks(path)
	if err == nil {
		return found, nil
	}
	if bare := lineSuffix.ReplaceAllString(path, ""); bare != path {
		if found, bareErr := filepath.EvalSymlinks(bare); bareErr == nil {
			return found, nil
		}
	}
	return "", err
}

// inside reports whether path, its links resolved, is root or below it.
func inside(root, path string) bool {
	real, err := filepath.EvalSymlinks(root)
	if err != nil || !filepath.IsAbs(real) {
		return false
	}
	rel, err := filepath.Rel(real, path)
	return err == nil && filepath.IsLocal(rel)
}
