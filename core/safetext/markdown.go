package safetext

import (
	"bytes"
	"strconv"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// markdown is set up once, when it is first needed; it is safe for concurrent use.
var markdown = sync.OnceValue(newParser)

// Markdown makes a Doc of Markdown text. HTML is shown as it is written and
// never rendered, an image as its words, and a link together with its target.
func Markdown(s string) Doc {
	w := walker{parser: markdown()}
	for _, p := range pieces(clean(w.clip(s))) {
		if w.full {
			w.doc.cut += int64(len(p.text))
			continue
		}
		w.piece(p)
	}
	return w.finish()
}

// A walker turns syntax trees into blocks.
type walker struct {
	builder
	parser parser.Parser
	src    []byte
	hard   bool // the next block goes on from the last one
	scrub  scrubber
	urls   map[string]string // targets of this piece, "" when not safe
	ink    ink
}

// A place is where a block stands.
type place struct {
	depth, quote int
	marker       string
}

func (w *walker) piece(p piece) {
	w.src, w.hard, w.urls = []byte(p.text), p.hard, map[string]string{}
	w.blocks(w.parser.Parse(text.NewReader(w.src)), place{})
}

// emit adds a block at a place.
func (w *walker) emit(x Block, at *place) {
	x.Depth, x.Quote = at.depth, at.quote
	if at.marker != "" {
		x.Marker, at.marker = at.marker, ""
		if x.Kind == Paragraph {
			x.Kind = ListItem
		}
	}
	if n := len(w.doc.blocks); w.hard && n > 0 {
		x.Continued = w.doc.blocks[n-1].Kind == x.Kind && x.Marker == ""
	}
	w.hard = false
	w.add(x)
}

// blocks walks the children of a container.
func (w *walker) blocks(n ast.Node, at place) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.scrub = scrubber{}
		switch x := c.(type) {
		case *ast.Heading:
			w.emit(Block{Kind: Heading, Level: x.Level, Spans: w.spans(x, Span{Bold: true})}, &at)
		case *ast.Paragraph, *ast.TextBlock:
			w.paragraph(c, &at)
		case *ast.Blockquote:
			w.blocks(x, place{depth: at.depth, quote: at.quote + 1})
		case *ast.List:
			w.list(x, at)
		case *ast.FencedCodeBlock:
			w.code(string(x.Language(w.src)), w.lines(x), &at)
		case *ast.CodeBlock:
			w.code("", w.lines(x), &at)
		case *ast.HTMLBlock:
			w.html(x, &at)
		case *verbatim:
			w.emit(Block{Spans: []Span{{Text: w.text(strings.TrimSpace(w.lines(x)))}}}, &at)
		case *ast.ThematicBreak:
			w.emit(Block{Kind: Rule}, &at)
		case *east.Table:
			w.table(x, &at)
		default:
			w.blocks(c, at)
		}
	}
}

func (w *walker) paragraph(n ast.Node, at *place) {
	x := Block{}
	if box, ok := n.FirstChild().(*east.TaskCheckBox); ok {
		x.Task = OpenTask
		if box.IsChecked {
			x.Task = DoneTask
		}
	}
	x.Spans = w.spans(n, Span{})
	if len(x.Spans) > 0 || at.marker != "" {
		w.emit(x, at)
	}
}

func (w *walker) list(l *ast.List, at place) {
	number := l.Start
	for c := l.FirstChild(); c != nil; c = c.NextSibling() {
		item := place{depth: at.depth + 1, quote: at.quote, marker: "•"}
		if l.IsOrdered() {
			item.marker = strconv.Itoa(number) + "."
			number++
		}
		if c.FirstChild() == nil {
			w.emit(Block{Kind: ListItem}, &item)
			continue
		}
		w.blocks(c, item)
	}
}

func (w *walker) code(lang, s string, at *place) {
	lines := w.ink.lines(lang, s)
	if at.marker != "" { // a list item that begins with code
		w.emit(Block{Kind: ListItem}, at)
	}
	x := Block{Lang: MakeLineMax(lang, 40).String(), Depth: at.depth, Quote: at.quote}
	if n := len(w.doc.blocks); w.hard && n > 0 {
		x.Continued = w.doc.blocks[n-1].Kind == CodeBlock
	}
	w.hard = false
	w.codeLines(x, lines)
}

// html shows a block of HTML as it is written.
func (w *walker) html(n *ast.HTMLBlock, at *place) {
	s := w.lines(n)
	if n.HasClosure() {
		s += string(n.ClosureLine.Value(w.src))
	}
	if s = strings.TrimSpace(w.text(s)); s != "" {
		w.emit(Block{Spans: []Span{{Text: s, Class: Muted}}}, at)
	}
}

func (w *walker) table(t *east.Table, at *place) {
	x := Block{Kind: Table}
	for _, a := range t.Alignments {
		switch a {
		case east.AlignCenter:
			x.Align = append(x.Align, AlignCenter)
		case east.AlignRight:
			x.Align = append(x.Align, AlignEnd)
		case east.AlignLeft, east.AlignNone:
			x.Align = append(x.Align, AlignStart)
		}
	}
	for r := t.FirstChild(); r != nil; r = r.NextSibling() {
		var row [][]Span
		_, head := r.(*east.TableHeader)
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			w.scrub = scrubber{}
			row = append(row, w.spans(c, Span{Bold: head}))
		}
		for len(row) > 0 && len(row[len(row)-1]) == 0 {
			row = row[:len(row)-1]
		}
		x.Rows = append(x.Rows, row)
	}
	if at.marker != "" {
		w.emit(Block{Kind: ListItem}, at)
	}
	w.emit(x, at)
}

// lines returns the source of a block, without escapes and entities resolved:
// code has none.
func (w *walker) lines(n ast.Node) string {
	var b bytes.Buffer
	for i := range n.Lines().Len() {
		l := n.Lines().At(i)
		b.Write(l.Value(w.src))
	}
	return b.String()
}

// text makes the text of one span harmless; marks are counted across the spans
// of a block.
func (w *walker) text(s string) string {
	return strings.ReplaceAll(w.scrub.flow(s), "\t", " ")
}
