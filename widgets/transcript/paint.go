package transcript

import (
	"image/color"

	"holdfast/core/safetext"
	"holdfast/widgets/theme"
)

// A paint names a colour in a layout; the palette of the moment says which.
type paint uint8

const (
	inkPaint paint = iota
	dimPaint
	whoPaint // names over messages: ink, or dim while stale
	accentPaint
	okPaint
	errPaint
	warnPaint
	keywordPaint
	stringPaint
	commentPaint
	numberPaint
	funPaint
	bluePaint
	magentaPaint
	linePaint
	edgePaint
	focusPaint
	bgPaint
	panelPaint
	userPaint
	codePaint
	errBGPaint
	addedPaint
	removedPaint
	selectionPaint
	foundPaint
	onAccentPaint
	paints
)

type palette [paints]color.RGBA

func newPalette(k *theme.Tokens, stale bool) *palette {
	p := &palette{}
	for to, from := range [paints]color.NRGBA{
		inkPaint: k.Ink, dimPaint: k.Dim, whoPaint: k.Ink, accentPaint: k.Accent,
		okPaint: k.OK, errPaint: k.Err, warnPaint: k.Warn,
		keywordPaint: k.Keyword, stringPaint: k.String, commentPaint: k.Comment,
		numberPaint: k.Number, funPaint: k.Fun, bluePaint: k.Blue, magentaPaint: k.Magenta,
		linePaint: k.Line, edgePaint: k.Edge, focusPaint: k.Focus,
		bgPaint: k.BG, panelPaint: k.Panel, userPaint: k.User, codePaint: k.Code,
		errBGPaint: k.ErrBG, addedPaint: k.Added, removedPaint: k.Removed, selectionPaint: k.Selection,
		foundPaint: k.Found, onAccentPaint: k.OnAccent,
	} {
		p[to] = color.RGBA{R: from.R, G: from.G, B: from.B, A: 255}
	}
	if stale {
		p[whoPaint] = p[dimPaint]
	}
	return p
}

// classPaints are the colours of spans; Normal is the paint around it.
var classPaints = map[safetext.Class]paint{
	safetext.Muted: dimPaint, safetext.Link: accentPaint, safetext.CodeText: inkPaint,
	safetext.Keyword: keywordPaint, safetext.String: stringPaint, safetext.Comment: commentPaint,
	safetext.Number: numberPaint, safetext.Func: funPaint,
	// Signs and tinted grounds mark changed lines, not the colour of the text.
	safetext.Added: inkPaint, safetext.Removed: inkPaint, safetext.Hunk: dimPaint,
	safetext.AnsiBlack: inkPaint, safetext.AnsiRed: errPaint, safetext.AnsiGreen: okPaint,
	safetext.AnsiYellow: warnPaint, safetext.AnsiBlue: bluePaint, safetext.AnsiMagenta: magentaPaint,
	safetext.AnsiCyan: accentPaint, safetext.AnsiWhite: inkPaint,
}

func tonePaint(t Tone) paint {
	switch t {
	case Dim:
		return dimPaint
	case Plain:
		return inkPaint
	case Good:
		return okPaint
	case Bad:
		return errPaint
	case Warn:
		return warnPaint
	}
	return inkPaint
}
