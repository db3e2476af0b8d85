package safetext

import (
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"holdfast/core/words"
)

// A run collects spans; text in the same style grows one span.
type run struct {
	spans []Span
	text  []byte // of the last span
}

// add appends a span, to the last one if the style is the same.
func (r *run) add(s Span) {
	if s.Text == "" {
		return
	}
	text := s.Text
	s.Text = ""
	if n := len(r.spans); n == 0 || r.spans[n-1] != s {
		r.end()
		r.spans = append(r.spans, s)
	}
	r.text = append(r.text, text...)
}

// end gives the last span its text.
func (r *run) end() []Span {
	if n := len(r.spans); n > 0 && len(r.text) > 0 {
		r.spans[n-1].Text = string(r.text)
		r.text = r.text[:0]
	}
	return r.spans
}

// spans returns the spans of a node's children in a style.
func (w *walker) spans(n ast.Node, style Span) []Span {
	var out run
	w.inline(n, style, &out)
	return out.end()
}

// inline appends the spans of a node's children in a style.
func (w *walker) inline(n ast.Node, style Span, out *run) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		s := style
		switch x := c.(type) {
		case *ast.Text:
			w.textNode(x, s, out)
		case *ast.String:
			s.Text = w.text(string(x.Value))
			out.add(s)
		case *ast.CodeSpan:
			s.Mono = true
			if s.Class == Normal {
				s.Class = CodeText
			}
			s.Text = w.text(w.codeSpan(x))
			out.add(s)
		case *ast.Emphasis:
			s.Bold = s.Bold || x.Level == 2
			s.Italic = s.Italic || x.Level != 2
			w.inline(x, s, out)
		case *east.Strikethrough:
			s.Strike = true
			w.inline(x, s, out)
		case *east.TaskCheckBox: // in the block's Task
		case *ast.Link:
			w.link(x, s, out)
		case *ast.AutoLink:
			w.autoLink(x, s, out)
		case *ast.Image:
			s.Text = "[" + words.T("image: %s", w.words(x)) + "]"
			s.Class = Muted
			out.add(s)
		case *ast.RawHTML:
			out.add(w.rawHTML(x, s))
		default:
			w.inline(c, s, out)
		}
	}
}

func (w *walker) textNode(x *ast.Text, s Span, out *run) {
	v := x.Segment.Value(w.src)
	if x.IsRaw() {
		s.Text = w.text(string(v))
	} else {
		s.Text = w.text(unescape(string(v)))
	}
	switch {
	case x.HardLineBreak():
		s.Text += "\n"
	case x.SoftLineBreak():
		s.Text += " "
	}
	out.add(s)
}

func (w *walker) codeSpan(x *ast.CodeSpan) string {
	var b strings.Builder
	for t := x.FirstChild(); t != nil; t = t.NextSibling() {
		if t, ok := t.(*ast.Text); ok {
			b.Write(t.Segment.Value(w.src))
		}
	}
	return strings.ReplaceAll(b.String(), "\n", " ")
}

// words is the text of an image's description, as one line.
func (w *walker) words(n ast.Node) string {
	var b strings.Builder
	for _, s := range w.spans(n, Span{}) {
		b.WriteString(s.Text)
	}
	return MakeLine(b.String()).String()
}

// rawHTML shows a tag as it is written; a line break tag breaks the line.
func (w *walker) rawHTML(x *ast.RawHTML, s Span) Span {
	var b strings.Builder
	for i := range x.Segments.Len() {
		l := x.Segments.At(i)
		b.Write(l.Value(w.src))
	}
	tag := b.String()
	switch strings.ToLower(strings.ReplaceAll(tag, " ", "")) {
	case "<br>", "<br/>":
		s.Text = "\n"
	default:
		s.Text, s.Class = w.text(tag), Muted
	}
	return s
}

// link shows a link's words and, unless they are the target themselves, the
// target: words can look like another address.
func (w *walker) link(x *ast.Link, s Span, out *run) {
	raw := unescape(string(x.Destination))
	url := w.safe(raw)
	if url != "" {
		s.URL = url
		if s.Class == Normal {
			s.Class = Link
		}
	}
	words := w.spans(x, s)
	var b strings.Builder
	for _, p := range words {
		b.WriteString(p.Text)
		out.add(p)
	}
	if w.sameTarget(b.String(), url) {
		return
	}
	note := Span{Class: Muted, URL: url}
	if url != "" {
		note.Text = " (" + shownTarget(url) + ")"
	} else {
		note.Text = w.text(" (" + MakeLineMax(raw, shownRunes).String() + ")")
	}
	out.add(note)
}

func (w *walker) autoLink(x *ast.AutoLink, s Span, out *run) {
	s.Text = w.text(string(x.Label(w.src)))
	if x.AutoLinkType == ast.AutoLinkURL {
		if s.URL = w.safe(string(x.URL(w.src))); s.URL != "" && s.Class == Normal {
			s.Class = Link
		}
	}
	out.add(s)
	if s.URL != "" && !isASCII(s.Text) { // letters can look like others
		out.add(Span{Class: Muted, URL: s.URL, Text: " (" + shownTarget(s.URL) + ")"})
	}
}

// safe is SafeURL, once per target and piece: a thousand links to one long
// target share its text.
func (w *walker) safe(raw string) string {
	if u, ok := w.urls[raw]; ok {
		return u
	}
	u, _ := SafeURL(raw)
	w.urls[raw] = u
	return u
}

// sameTarget reports whether words are the target they lead to.
func (w *walker) sameTarget(words, url string) bool {
	if words == "" || url == "" || !isASCII(words) || len(words) > maxURL {
		return false
	}
	bare := strings.TrimSuffix(url, "/")
	for _, form := range []string{words, "https://" + words, "http://" + words} {
		if u := w.safe(form); u != "" && strings.TrimSuffix(u, "/") == bare {
			return true
		}
	}
	return false
}

const (
	shownRunes = 100
	shownHost  = 60
)

// shownTarget shortens a safe URL for showing. A host keeps its end, which says
// whose it is; a path its beginning.
func shownTarget(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return MakeLineMax(url, shownRunes).String()
	}
	if scheme == "file" {
		return MakeLineMax(rest, shownRunes).String()
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	host := rest[:end]
	if len(host) > shownHost {
		host = ellipsis + host[len(host)-shownHost:]
	}
	return MakeLineMax(scheme+"://"+host+rest[end:], shownRunes).String()
}

// unescape resolves backslash escapes and entities in one pass, as the parser
// leaves both to its renderer. What comes out is untrusted again.
func unescape(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]):
			b.WriteByte(s[i+1])
			i += 2
		case c == '&':
			text, n := entity(s[i:])
			b.WriteString(text)
			i += n
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

// maxEntity is longer than the longest name of an entity.
const maxEntity = 40

// entity resolves the entity at the start of s; it returns its text and length.
func entity(s string) (string, int) {
	end := strings.IndexByte(s[:min(len(s), maxEntity)], ';')
	if end < 0 {
		return "&", 1
	}
	ref := []byte(s[:end+1])
	out := util.ResolveNumericReferences(ref)
	if string(out) == string(ref) {
		out = util.ResolveEntityNames(ref)
	}
	if string(out) == string(ref) {
		return "&", 1
	}
	if !utf8.Valid(out) {
		return string(replaced), end + 1
	}
	return string(out), end + 1
}
