package text

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"math"

	"github.com/go-text/render"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/shaping"
	"github.com/srwiley/oksvg"
	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

const (
	subSteps = 4       // glyphs stand at quarters of a pixel
	pxSteps  = 16      // sizes are kept in sixteenths of a pixel
	maxSide  = 1024    // px; a wider or higher glyph is not drawn
	maxBytes = 8 << 20 // of masks; then the cache starts anew
)

type maskKey struct {
	gid  font.GID
	size int16 // px * pxSteps
	face faceID
	sub  uint8
}

// A mask is a drawn glyph: coverage, or colours for emoji. Neither is set for a
// glyph without ink.
type mask struct {
	cover []uint8
	color *image.RGBA
	w, h  int
	x, y  int // from the pen to the top left corner
}

type rasterizer struct{ v vector.Rasterizer }

// mask draws a glyph, once for each size and quarter of a pixel.
func (f *Fonts) mask(id faceID, gid font.GID, px float32, sub uint8) *mask {
	k := maskKey{gid: gid, size: int16(px*pxSteps + 0.5), face: id, sub: sub}
	if m, ok := f.masks[k]; ok {
		return m
	}
	if f.bytes > maxBytes {
		clear(f.masks)
		f.bytes = 0
	}
	m := f.drawGlyph(id, gid, px, float32(sub)/subSteps)
	f.masks[k] = m
	f.bytes += m.w*m.h*4 + 64
	return m
}

func (f *Fonts) drawGlyph(id faceID, gid font.GID, px, dx float32) *mask {
	face := f.at(id)
	if face == nil {
		return &mask{}
	}
	switch data := face.GlyphData(gid).(type) {
	case font.GlyphOutline:
		return f.raster.outline(data, px/f.faces[id].upem, dx)
	case font.GlyphSVG:
		return drawSVG(data.Source, px)
	case font.GlyphBitmap:
		return drawBitmap(face, gid, px)
	}
	return &mask{}
}

// outline fills an outline given in font units.
func (r *rasterizer) outline(g font.GlyphOutline, scale, dx float32) *mask {
	minX, minY := float32(math.MaxFloat32), float32(math.MaxFloat32)
	maxX, maxY := -minX, -minY
	for i := range g.Segments {
		for _, p := range g.Segments[i].ArgsSlice() {
			x, y := p.X*scale+dx, -p.Y*scale
			minX, maxX = min(minX, x), max(maxX, x)
			minY, maxY = min(minY, y), max(maxY, y)
		}
	}
	if !(minX < maxX && minY < maxY) || maxX-minX > maxSide || maxY-minY > maxSide {
		return &mask{}
	}
	x0, y0 := int(math.Floor(float64(minX))), int(math.Floor(float64(minY)))
	m := &mask{x: x0, y: y0, w: int(math.Ceil(float64(maxX))) - x0, h: int(math.Ceil(float64(maxY))) - y0}
	r.v.Reset(m.w, m.h)
	dx, dy := dx-float32(x0), -float32(y0)
	at := func(p opentype.SegmentPoint) (float32, float32) { return p.X*scale + dx, dy - p.Y*scale }
	for i := range g.Segments {
		s := &g.Segments[i]
		ax, ay := at(s.Args[0])
		bx, by := at(s.Args[1])
		cx, cy := at(s.Args[2])
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			r.v.ClosePath()
			r.v.MoveTo(ax, ay)
		case opentype.SegmentOpLineTo:
			r.v.LineTo(ax, ay)
		case opentype.SegmentOpQuadTo:
			r.v.QuadTo(ax, ay, bx, by)
		case opentype.SegmentOpCubeTo:
			r.v.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	r.v.ClosePath()
	img := image.NewAlpha(image.Rect(0, 0, m.w, m.h))
	r.v.Draw(img, img.Rect, image.Opaque, image.Point{})
	m.cover = img.Pix
	return m
}

// drawSVG draws an emoji whose source covers one em. The origin of its view box
// is the pen, and the drawing stands above it.
func drawSVG(source []byte, px float32) *mask {
	icon, err := oksvg.ReadIconStream(bytes.NewReader(source))
	n := round(px)
	if err != nil || n < 1 || n > maxSide || icon.ViewBox.H <= 0 {
		return &mask{}
	}
	icon.SetTarget(icon.ViewBox.X, icon.ViewBox.Y, float64(n), float64(n))
	img := image.NewRGBA(image.Rect(0, 0, n, n))
	icon.Draw(rasterx.NewDasher(n, n, rasterx.NewScannerGV(n, n, img, img.Rect)), 1)
	return &mask{color: img, w: n, h: n, y: round(-float32(icon.ViewBox.Y/icon.ViewBox.H) * px)}
}

func round(x float32) int { return int(math.Round(float64(x))) }

// drawBitmap draws an emoji that is a picture.
func drawBitmap(face *font.Face, gid font.GID, px float32) *mask {
	n := int(px)*3 + 8
	if n > maxSide {
		return &mask{}
	}
	pen := image.Pt(n/3, n*2/3)
	img := image.NewRGBA(image.Rect(0, 0, n, n))
	scale := px / float32(face.Upem())
	fix := func(v float32) fixed.Int26_6 { return fixed.Int26_6(v * scale * 64) }
	g := shaping.Glyph{GlyphID: gid, Advance: fix(face.HorizontalAdvance(gid))}
	if e, ok := face.GlyphExtents(gid); ok {
		g.Width, g.Height, g.XBearing, g.YBearing = fix(e.Width), fix(e.Height), fix(e.XBearing), fix(e.YBearing)
	}
	r := render.Renderer{FontSize: px, PixScale: 1, Color: color.Black}
	r.DrawShapedRunAt(shaping.Output{Face: face, Size: fixed.Int26_6(px * 64), Glyphs: []shaping.Glyph{g}}, img, pen.X, pen.Y)
	ink := inkOf(img)
	if ink.Empty() {
		return &mask{}
	}
	out := image.NewRGBA(image.Rect(0, 0, ink.Dx(), ink.Dy()))
	draw.Draw(out, out.Rect, img, ink.Min, draw.Src)
	return &mask{color: out, w: ink.Dx(), h: ink.Dy(), x: ink.Min.X - pen.X, y: ink.Min.Y - pen.Y}
}

// inkOf is the smallest rectangle that holds every pixel that is not clear.
func inkOf(img *image.RGBA) image.Rectangle {
	var ink image.Rectangle
	for y := range img.Rect.Dy() {
		row := img.Pix[y*img.Stride : y*img.Stride+img.Rect.Dx()*4]
		for x := 3; x < len(row); x += 4 {
			if row[x] != 0 {
				ink = ink.Union(image.Rect(x/4, y, x/4+1, y+1))
			}
		}
	}
	return ink
}
