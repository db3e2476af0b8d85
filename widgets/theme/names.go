package theme

import (
	"image/color"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
)

// The colour names that Fyne does not have; see Tokens for what each is.
const (
	ColorBG       fyne.ThemeColorName = "holdfast.bg"
	ColorPanel    fyne.ThemeColorName = "holdfast.panel"
	ColorRaised   fyne.ThemeColorName = "holdfast.raised"
	ColorInk      fyne.ThemeColorName = "holdfast.ink"
	ColorDim      fyne.ThemeColorName = "holdfast.dim"
	ColorLine     fyne.ThemeColorName = "holdfast.line"
	ColorEdge     fyne.ThemeColorName = "holdfast.edge"
	ColorAccent   fyne.ThemeColorName = "holdfast.accent"
	ColorOnAccent fyne.ThemeColorName = "holdfast.on-accent"
	ColorFocus    fyne.ThemeColorName = "holdfast.focus"
	ColorUser     fyne.ThemeColorName = "holdfast.user"
	ColorCode     fyne.ThemeColorName = "holdfast.code"
	ColorWarn     fyne.ThemeColorName = "holdfast.warn"
	ColorWarnBG   fyne.ThemeColorName = "holdfast.warn-bg"
	ColorErr      fyne.ThemeColorName = "holdfast.err"
	ColorErrBG    fyne.ThemeColorName = "holdfast.err-bg"
	ColorOK       fyne.ThemeColorName = "holdfast.ok"
	ColorAdded    fyne.ThemeColorName = "holdfast.added"
	ColorRemoved  fyne.ThemeColorName = "holdfast.removed"
)

// The size names that Fyne does not have.
const (
	SizeSmall  fyne.ThemeSizeName = "holdfast.small"  // 12: hints, times, verdicts
	SizeCode   fyne.ThemeSizeName = "holdfast.code"   // 13: code, commands
	SizeTitle  fyne.ThemeSizeName = "holdfast.title"  // 15, set bold
	SizeButton fyne.ThemeSizeName = "holdfast.button" // 14: words on buttons
	SizeBorder fyne.ThemeSizeName = "holdfast.border" // edges of controls
)

// The space steps, in Fyne units.
const (
	Space4  float32 = 4
	Space8  float32 = 8
	Space12 float32 = 12
	Space16 float32 = 16
	Space24 float32 = 24
)

// Corners, the focus ring and the reading column, in Fyne units.
const (
	CornerControl float32 = 6
	CornerCard    float32 = 8
	RingWidth     float32 = 3
	RingGap       float32 = 2
	ColumnWidth   float32 = 720
	NarrowWidth   float32 = 560 // below it the window is narrow
)

// Type sizes and line heights before the text scale, in Fyne units.
const (
	BodyText  float32 = 15
	BodyLine  float32 = 22
	SmallText float32 = 12
	SmallLine float32 = 18
	CodeText  float32 = 13
	CodeLine  float32 = 20
)

var typeSizes = map[fyne.ThemeSizeName]float32{
	base.SizeNameText:           BodyText,
	base.SizeNameHeadingText:    20,
	base.SizeNameSubHeadingText: BodyText,
	base.SizeNameCaptionText:    SmallText,
	SizeSmall:                   SmallText,
	SizeCode:                    CodeText,
	SizeTitle:                   BodyText,
	SizeButton:                  14,
	base.SizeNameInlineIcon:     18,
}

var sizes = map[fyne.ThemeSizeName]float32{
	base.SizeNamePadding:         Space4,
	base.SizeNameInnerPadding:    Space8,
	base.SizeNameLineSpacing:     Space4,
	base.SizeNameInputRadius:     CornerControl,
	base.SizeNameSelectionRadius: CornerControl,
	base.SizeNameScrollBar:       12,
	base.SizeNameScrollBarSmall:  6,
	base.SizeNameScrollBarRadius: 3,
}

// shadow is the veil behind a dialog, the same in all themes.
var shadow = color.NRGBA{A: 0x80}

// colors maps every name to its token: ours, then Fyne's.
var colors = map[fyne.ThemeColorName]func(*Tokens) color.NRGBA{
	ColorBG:       func(k *Tokens) color.NRGBA { return k.BG },
	ColorPanel:    func(k *Tokens) color.NRGBA { return k.Panel },
	ColorRaised:   func(k *Tokens) color.NRGBA { return k.Raised },
	ColorInk:      func(k *Tokens) color.NRGBA { return k.Ink },
	ColorDim:      func(k *Tokens) color.NRGBA { return k.Dim },
	ColorLine:     func(k *Tokens) color.NRGBA { return k.Line },
	ColorEdge:     func(k *Tokens) color.NRGBA { return k.Edge },
	ColorAccent:   func(k *Tokens) color.NRGBA { return k.Accent },
	ColorOnAccent: func(k *Tokens) color.NRGBA { return k.OnAccent },
	ColorFocus:    func(k *Tokens) color.NRGBA { return k.Focus },
	ColorUser:     func(k *Tokens) color.NRGBA { return k.User },
	ColorCode:     func(k *Tokens) color.NRGBA { return k.Code },
	ColorWarn:     func(k *Tokens) color.NRGBA { return k.Warn },
	ColorWarnBG:   func(k *Tokens) color.NRGBA { return k.WarnBG },
	ColorErr:      func(k *Tokens) color.NRGBA { return k.Err },
	ColorErrBG:    func(k *Tokens) color.NRGBA { return k.ErrBG },
	ColorOK:       func(k *Tokens) color.NRGBA { return k.OK },
	ColorAdded:    func(k *Tokens) color.NRGBA { return k.Added },
	ColorRemoved:  func(k *Tokens) color.NRGBA { return k.Removed },

	base.ColorNameBackground:          func(k *Tokens) color.NRGBA { return k.BG },
	base.ColorNameForeground:          func(k *Tokens) color.NRGBA { return k.Ink },
	base.ColorNameButton:              func(k *Tokens) color.NRGBA { return k.Raised },
	base.ColorNameDisabledButton:      func(k *Tokens) color.NRGBA { return k.Panel },
	base.ColorNameDisabled:            func(k *Tokens) color.NRGBA { return k.Dim },
	base.ColorNamePlaceHolder:         func(k *Tokens) color.NRGBA { return k.Dim },
	base.ColorNamePrimary:             func(k *Tokens) color.NRGBA { return k.Accent },
	base.ColorNameForegroundOnPrimary: func(k *Tokens) color.NRGBA { return k.OnAccent },
	base.ColorNameHyperlink:           func(k *Tokens) color.NRGBA { return k.Accent },
	base.ColorNameInputBackground:     func(k *Tokens) color.NRGBA { return k.Raised },
	base.ColorNameInputBorder:         func(k *Tokens) color.NRGBA { return k.Edge },
	base.ColorNameFocus:               func(k *Tokens) color.NRGBA { return k.Hover },
	base.ColorNameSelection:           func(k *Tokens) color.NRGBA { return k.Selection },
	base.ColorNameHover:               func(k *Tokens) color.NRGBA { return k.Hover },
	base.ColorNamePressed:             func(k *Tokens) color.NRGBA { return k.Pressed },
	base.ColorNameError:               func(k *Tokens) color.NRGBA { return k.Err },
	base.ColorNameForegroundOnError:   func(k *Tokens) color.NRGBA { return k.ErrBG },
	base.ColorNameWarning:             func(k *Tokens) color.NRGBA { return k.Warn },
	base.ColorNameForegroundOnWarning: func(k *Tokens) color.NRGBA { return k.WarnBG },
	base.ColorNameSuccess:             func(k *Tokens) color.NRGBA { return k.OK },
	base.ColorNameForegroundOnSuccess: func(k *Tokens) color.NRGBA { return k.BG },
	base.ColorNameSeparator:           func(k *Tokens) color.NRGBA { return k.Line },
	base.ColorNameScrollBar:           func(k *Tokens) color.NRGBA { return k.Edge },
	base.ColorNameScrollBarBackground: func(k *Tokens) color.NRGBA { return k.BG },
	base.ColorNameOverlayBackground:   func(k *Tokens) color.NRGBA { return k.BG },
	base.ColorNameMenuBackground:      func(k *Tokens) color.NRGBA { return k.Raised },
	base.ColorNameHeaderBackground:    func(k *Tokens) color.NRGBA { return k.Panel },
	base.ColorNameShadow:              func(*Tokens) color.NRGBA { return shadow },
}
