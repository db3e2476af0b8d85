package text

import (
	"image"
	"image/color"
	"image/draw"
	"math"
)

// A Pen says how text is drawn; Size is in px and Color is opaque.
type Pen struct {
	Style Style
	Size  float32
	Color color.RGBA
}

// A Canvas is the part of an image that is drawn on; the corner of Img must be
// (0, 0), and Clip must lie in it.
type Canvas struct {
	Img  *image.RGBA
	Clip image.Rectangle
}

// Draw draws simple text with its baseline at y and returns where the pen ends.
func (f *Fonts) Draw(c Canvas, p Pen, s string, x float32, y int) float32 {
	for _, r := range s {
		e := f.entry(p.Style, r)
		if r != ' ' && r != '\u00a0' && r != '\u3000' {
			f.stamp(c, Glyph{face: e.face, gid: e.gid}, p, x, y)
		}
		x += e.adv * p.Size
	}
	return x
}

// DrawShaped draws the glyphs of one shaped piece of text.
func (f *Fonts) DrawShaped(c Canvas, p Pen, gs []Glyph, x float32, y int) float32 {
	for _, g := range gs {
		f.stamp(c, g, p, x+g.dx, y-int(math.Round(float64(g.dy))))
		x += g.Advance
	}
	return x
}

func (f *Fonts) stamp(c Canvas, g Glyph, p Pen, x float32, y int) {
	q := int(math.Floor(float64(x)*subSteps + 0.5))
	sub := uint8(q & (subSteps - 1))
	m := f.mask(g.face, g.gid, p.Size, sub)
	left, top := q>>2+m.x, y+m.y
	r := image.Rect(left, top, left+m.w, top+m.h).Intersect(c.Clip)
	if r.Empty() {
		return
	}
	at := image.Pt(r.Min.X-left, r.Min.Y-top)
	if m.color != nil {
		draw.Draw(c.Img, r, m.color, at, draw.Over)
		return
	}
	for yy := r.Min.Y; yy < r.Max.Y; yy++ {
		o := (at.Y+yy-r.Min.Y)*m.w + at.X
		d := yy*c.Img.Stride + r.Min.X*4
		blend(c.Img.Pix[d:d+r.Dx()*4], m.cover[o:o+r.Dx()], p.Color)
	}
}

// blend lays a colour over one row of opaque pixels.
func blend(row, cover []uint8, c color.RGBA) {
	for i, a := range cover {
		if a == 0 {
			continue
		}
		p := row[i*4 : i*4+4 : i*4+4]
		if a == 255 {
			p[0], p[1], p[2], p[3] = c.R, c.G, c.B, 255
			continue
		}
		in, out := uint32(a), uint32(255-a)
		p[0] = uint8((uint32(p[0])*out + uint32(c.R)*in + 127) / 255)
		p[1] = uint8((uint32(p[1])*out + uint32(c.G)*in + 127) / 255)
		p[2] = uint8((uint32(p[2])*out + uint32(c.B)*in + 127) / 255)
		p[3] = 255
	}
}
