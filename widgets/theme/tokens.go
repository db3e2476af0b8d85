package theme

import "image/color"

// Tokens are the named colours of one theme, with the width of its edges.
type Tokens struct {
	BG, Panel, Raised    color.NRGBA // the three grounds
	Ink, Dim             color.NRGBA // text, and text that steps back
	Line, Edge           color.NRGBA // decoration; edges of controls
	Accent, OnAccent     color.NRGBA // what acts, links; text on it
	Focus                color.NRGBA // the focus ring
	User, Code           color.NRGBA // grounds of user messages and of code
	Warn, WarnBG         color.NRGBA
	Err, ErrBG           color.NRGBA
	OK                   color.NRGBA
	Added, Removed       color.NRGBA // grounds of diff lines
	Selection            color.NRGBA // ground of selected text
	Found                color.NRGBA // ground of text that was looked for
	Hover, Pressed       color.NRGBA // grounds of a control under the pointer
	Keyword, String      color.NRGBA // code
	Comment, Number, Fun color.NRGBA // code
	Blue, Magenta        color.NRGBA // terminal output, the rest of it is above
	Border               float32     // width of edges, in Fyne units
}

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255}
}

var light = Tokens{
	BG: rgb(0xfbfbf9), Panel: rgb(0xf3f3ef), Raised: rgb(0xffffff),
	Ink: rgb(0x1d1f21), Dim: rgb(0x494d52),
	Line: rgb(0xd9d9d2), Edge: rgb(0x83878a),
	Accent: rgb(0x0a5565), OnAccent: rgb(0xffffff), Focus: rgb(0x0a5565),
	User: rgb(0xeef3f3), Code: rgb(0xf1f1ec),
	Warn: rgb(0x6b4a00), WarnBG: rgb(0xfdf3d7),
	Err: rgb(0x8f1d1d), ErrBG: rgb(0xfbe9e7), OK: rgb(0x1f5a34),
	Added: rgb(0xe6f3e8), Removed: rgb(0xfae7e6),
	Selection: rgb(0xcfe3e8), Found: rgb(0xffe28a), Hover: rgb(0xebebe5), Pressed: rgb(0xdcdcd4),
	Keyword: rgb(0x6a2a86), String: rgb(0x1b5430), Comment: rgb(0x494d52),
	Number: rgb(0x7a3500), Fun: rgb(0x0b5466),
	Blue: rgb(0x1b438a), Magenta: rgb(0x6a2a86),
	Border: 1,
}

var dark = Tokens{
	BG: rgb(0x15171a), Panel: rgb(0x1b1e22), Raised: rgb(0x22262b),
	Ink: rgb(0xe8e8e4), Dim: rgb(0xb0b6bd),
	Line: rgb(0x363b42), Edge: rgb(0x737b85),
	Accent: rgb(0x7cc4d2), OnAccent: rgb(0x08262d), Focus: rgb(0x7cc4d2),
	User: rgb(0x1f282b), Code: rgb(0x101215),
	Warn: rgb(0xf0cf7d), WarnBG: rgb(0x2e2715),
	Err: rgb(0xf5a9a3), ErrBG: rgb(0x331c1b), OK: rgb(0x93d2a7),
	Added: rgb(0x15291c), Removed: rgb(0x321b1b),
	Selection: rgb(0x1d4450), Found: rgb(0x54450f), Hover: rgb(0x252a30), Pressed: rgb(0x353b43),
	Keyword: rgb(0xd3b5f0), String: rgb(0x93d2a7), Comment: rgb(0xb0b6bd),
	Number: rgb(0xf0b98f), Fun: rgb(0x8fd0dd),
	Blue: rgb(0xa3c2ff), Magenta: rgb(0xd3b5f0),
	Border: 1,
}

var highContrast = Tokens{
	BG: rgb(0x000000), Panel: rgb(0x000000), Raised: rgb(0x000000),
	Ink: rgb(0xffffff), Dim: rgb(0xffffff),
	Line: rgb(0xffffff), Edge: rgb(0xffffff),
	Accent: rgb(0xffe45c), OnAccent: rgb(0x000000), Focus: rgb(0x6fe8ff),
	User: rgb(0x000000), Code: rgb(0x000000),
	Warn: rgb(0xffe45c), WarnBG: rgb(0x000000),
	Err: rgb(0xff9d96), ErrBG: rgb(0x000000), OK: rgb(0x8dff9f),
	Added: rgb(0x002b0a), Removed: rgb(0x3a0000),
	Selection: rgb(0x00356b), Found: rgb(0x5c4600), Hover: rgb(0x1f1f1f), Pressed: rgb(0x333333),
	Keyword: rgb(0x6fe8ff), String: rgb(0x8dff9f), Comment: rgb(0xffffff),
	Number: rgb(0xffe45c), Fun: rgb(0xffffff),
	Blue: rgb(0x9cc4ff), Magenta: rgb(0xffb0ff),
	Border: 2,
}
