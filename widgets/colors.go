package widgets

import (
	base "fyne.io/fyne/v2/theme"

	"holdfast/widgets/theme"
)

// The names of the theme that this package draws with.
const (
	colorInk      = theme.ColorInk
	colorBG       = theme.ColorBG
	colorDim      = theme.ColorDim
	colorRing     = theme.ColorFocus
	colorRaised   = theme.ColorRaised
	colorEdge     = theme.ColorEdge
	colorLine     = theme.ColorLine
	colorAccent   = theme.ColorAccent
	colorOnAccent = theme.ColorOnAccent
	colorHover    = base.ColorNameHover
	colorMarked   = base.ColorNameSelection
	colorPanel    = theme.ColorPanel
	colorWarn     = theme.ColorWarn
	colorErr      = theme.ColorErr
	colorCode     = theme.ColorCode
	colorAdded    = theme.ColorAdded
	colorRemoved  = theme.ColorRemoved
	colorScroll   = base.ColorNameScrollBar
	colorShadow   = base.ColorNameShadow

	sizeBody  = base.SizeNameText
	sizeSmall = theme.SizeSmall
	sizeCode  = theme.SizeCode
	sizeTitle = theme.SizeTitle
	sizeEdge  = theme.SizeBorder
)
