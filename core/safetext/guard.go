package safetext

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

const (
	// maxColumns bounds a table's width; a wider one stays text.
	maxColumns = 64
	// maxSpecials is how many characters of a paragraph may mean something:
	// what they cost together grows with the square of their number.
	maxSpecials = 2000
	specials    = "*_~[]`<>!&\\:@"
	maxHeading  = 1 << 10
)

// newParser builds the parser: CommonMark with tables, strike-through, task
// lists and bare web addresses, and bounds where hostile input is costly.
func newParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(short{parser.NewSetextHeadingParser(), true}, 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(shallow{parser.NewListParser()}, 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(short{parser.NewATXHeadingParser(), false}, 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(shallow{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(parser.NewHTMLBlockParser(), 900),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(),
			util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
			util.Prioritized(extension.NewStrikethroughParser(), 500),
			util.Prioritized(extension.NewLinkifyParser(
				extension.WithLinkifyAllowedProtocols([]string{"http:", "https:"})), 999),
		)...),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(),
			util.Prioritized(verbatims{}, 50),
			util.Prioritized(boundedTables{extension.NewTableParagraphTransformer()}, 200),
		)...),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
}

// shallow opens no block that is nested deeper than MaxDepth: its markers stay
// text there.
type shallow struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if k := n.Kind(); k == ast.KindBlockquote || k == ast.KindList {
			depth++
		}
	}
	if depth >= MaxDepth {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, pc)
}

// boundedTables leaves a paragraph alone whose table would be far larger than
// its text: every row is filled up to the width of the heading.
type boundedTables struct{ parser.ParagraphTransformer }

// Transform implements parser.ParagraphTransformer.
func (t boundedTables) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines, pipes, size := node.Lines(), 0, 0
	for i := range lines.Len() {
		l := lines.At(i)
		v := l.Value(reader.Source())
		pipes = max(pipes, bytes.Count(v, []byte{'|'}))
		size += len(v)
	}
	if pipes == 0 || pipes > maxColumns+1 || (pipes+1)*lines.Len() > 4*size {
		return
	}
	t.ParagraphTransformer.Transform(node, reader, pc)
}

// A verbatim is a paragraph that is shown as it is written.
type verbatim struct{ ast.BaseBlock }

var kindVerbatim = ast.NewNodeKind("Verbatim")

// Kind implements ast.Node.
func (*verbatim) Kind() ast.NodeKind { return kindVerbatim }

// IsRaw implements ast.Node: nothing looks for emphasis or links in it.
func (*verbatim) IsRaw() bool { return true }

// Dump implements ast.Node.
func (v *verbatim) Dump(source []byte, level int) { ast.DumpHelper(v, source, level, nil, nil) }

// verbatims takes paragraphs out of the parser's hands that have too many
// special characters.
type verbatims struct{}

// Transform implements parser.ParagraphTransformer.
func (verbatims) Transform(node *ast.Paragraph, reader text.Reader, _ parser.Context) {
	n, lines := 0, node.Lines()
	for i := range lines.Len() {
		l := lines.At(i)
		for _, c := range l.Value(reader.Source()) {
			if strings.IndexByte(specials, c) >= 0 {
				n++
			}
		}
	}
	if n > maxSpecials {
		v := &verbatim{}
		v.SetLines(lines)
		node.Parent().ReplaceChild(node.Parent(), node, v)
	}
}

// short opens no heading that is long; one that is underlined takes the
// paragraph above it.
type short struct {
	parser.BlockParser
	underlined bool
}

// Open implements parser.BlockParser.
func (s short) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := reader.PeekLine()
	size := len(line)
	if last := pc.LastOpenedBlock().Node; s.underlined && last != nil && last.Kind() == ast.KindParagraph {
		for i := range last.Lines().Len() {
			l := last.Lines().At(i)
			size += l.Len()
		}
	}
	if size > maxHeading {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, pc)
}
