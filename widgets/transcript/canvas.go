package transcript

import (
	"image"
	"image/color"
	"math"

	"holdfast/widgets/text"
)

// A brush draws plain shapes into an image whose corner is (0, 0), inside the clip.
type brush struct{ text.Canvas }

// fill paints a rectangle.
func (b *brush) fill(r image.Rectangle, c color.RGBA) {
	r = r.Intersect(b.Clip)
	if r.Empty() {
		return
	}
	first := b.row(r, r.Min.Y)
	for i := 0; i < len(first); i += 4 {
		first[i], first[i+1], first[i+2], first[i+3] = c.R, c.G, c.B, 255
	}
	for y := r.Min.Y + 1; y < r.Max.Y; y++ {
		copy(b.row(r, y), first)
	}
}

func (b *brush) row(r image.Rectangle, y int) []uint8 {
	o := y*b.Img.Stride + r.Min.X*4
	return b.Img.Pix[o : o+r.Dx()*4]
}

// dot lays a colour over one pixel by a coverage of 0 to 1.
func (b *brush) dot(x, y int, cover float64, c color.RGBA) {
	if cover <= 0 || !(image.Point{x, y}).In(b.Clip) {
		return
	}
	p := b.Img.Pix[y*b.Img.Stride+x*4:]
	a := uint32(min(cover, 1)*255 + 0.5)
	mix := func(old, in uint8) uint8 { return uint8((uint32(old)*(255-a) + uint32(in)*a + 127) / 255) }
	p[0], p[1], p[2], p[3] = mix(p[0], c.R), mix(p[1], c.G), mix(p[2], c.B), 255
}

// corner says which corners of a rectangle are round.
type corner uint8

const (
	upper corner = 1 << iota
	lower
)

// inside is how much of the pixel at (x, y) of a rectangle with round corners is
// covered.
func inside(x, y int, size image.Point, radius int, round corner) float64 {
	w, h := size.X, size.Y
	if x < 0 || y < 0 || x >= w || y >= h {
		return 0
	}
	if y < radius && round&upper == 0 || y >= h-radius && round&lower == 0 {
		return 1
	}
	dx, dy := 0.0, 0.0
	fx, fy, r := float64(x)+0.5, float64(y)+0.5, float64(radius)
	switch {
	case fx < r:
		dx = r - fx
	case fx > float64(w)-r:
		dx = fx - float64(w) + r
	}
	switch {
	case fy < r:
		dy = r - fy
	case fy > float64(h)-r:
		dy = fy - float64(h) + r
	}
	if dx == 0 || dy == 0 {
		return 1
	}
	return min(max(r-math.Hypot(dx, dy)+0.5, 0), 1)
}

// round paints a rectangle with round corners.
func (b *brush) round(r image.Rectangle, radius int, round corner, c color.RGBA) {
	radius = min(radius, r.Dx()/2, r.Dy()/2)
	if radius <= 0 {
		b.fill(r, c)
		return
	}
	b.fill(image.Rect(r.Min.X, r.Min.Y+radius, r.Max.X, r.Max.Y-radius), c)
	for _, band := range [2]image.Rectangle{
		{r.Min, image.Pt(r.Max.X, r.Min.Y+radius)}, {image.Pt(r.Min.X, r.Max.Y-radius), r.Max},
	} {
		b.fill(image.Rect(r.Min.X+radius, band.Min.Y, r.Max.X-radius, band.Max.Y), c)
		for y := max(band.Min.Y, b.Clip.Min.Y); y < min(band.Max.Y, b.Clip.Max.Y); y++ {
			for k := range radius {
				b.dot(r.Min.X+k, y, inside(k, y-r.Min.Y, r.Size(), radius, round), c)
				b.dot(r.Max.X-1-k, y, inside(r.Dx()-1-k, y-r.Min.Y, r.Size(), radius, round), c)
			}
		}
	}
}

// frame paints the inner edge of a rectangle with round corners.
func (b *brush) frame(r image.Rectangle, radius, width int, c color.RGBA) {
	radius = max(min(radius, r.Dx()/2, r.Dy()/2), width)
	b.fill(image.Rect(r.Min.X+radius, r.Min.Y, r.Max.X-radius, r.Min.Y+width), c)
	b.fill(image.Rect(r.Min.X+radius, r.Max.Y-width, r.Max.X-radius, r.Max.Y), c)
	b.fill(image.Rect(r.Min.X, r.Min.Y+radius, r.Min.X+width, r.Max.Y-radius), c)
	b.fill(image.Rect(r.Max.X-width, r.Min.Y+radius, r.Max.X, r.Max.Y-radius), c)
	outer, inner := r.Size(), r.Inset(width).Size()
	for y := range radius {
		for x := range radius {
			cover := inside(x, y, outer, radius, upper|lower) - inside(x-width, y-width, inner, radius-width, upper|lower)
			b.dot(r.Min.X+x, r.Min.Y+y, cover, c)
			b.dot(r.Max.X-1-x, r.Min.Y+y, cover, c)
			b.dot(r.Min.X+x, r.Max.Y-1-y, cover, c)
			b.dot(r.Max.X-1-x, r.Max.Y-1-y, cover, c)
		}
	}
}

// triangle paints a triangle that fills r, pointing right or down.
func (b *brush) triangle(r image.Rectangle, down bool, c color.RGBA) {
	w, h := float64(r.Dx()), float64(r.Dy())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			fx, fy := float64(x-r.Min.X)+0.5, float64(y-r.Min.Y)+0.5
			half, from := h/2*(1-fx/w), math.Abs(fy-h/2)
			if down {
				half, from = w/2*(1-fy/h), math.Abs(fx-w/2)
			}
			b.dot(x, y, min(half-from+0.5, 1), c)
		}
	}
}

// stroke paints a straight line of some width.
func (b *brush) stroke(from, to [2]float64, width float64, c color.RGBA) {
	x0, y0, x1, y1 := from[0], from[1], to[0], to[1]
	r := image.Rect(int(min(x0, x1)-width), int(min(y0, y1)-width), int(max(x0, x1)+width)+1, int(max(y0, y1)+width)+1)
	dx, dy := x1-x0, y1-y0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			px, py := float64(x)+0.5-x0, float64(y)+0.5-y0
			k := min(max((px*dx+py*dy)/(dx*dx+dy*dy), 0), 1)
			b.dot(x, y, width/2-math.Hypot(px-k*dx, py-k*dy)+0.5, c)
		}
	}
}
