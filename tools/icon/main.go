// Command icon draws the product's icon, a mooring cleat with a line made fast to it, into assets/icon.png.
//
// # Decisions
//
// 2026-11-30: the icon is drawn by a program from a few shapes, four samples to a pixel's side.
// Instead of a picture made by hand, because it is ours beyond doubt and can be drawn again at any size.
package main

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
)

func main() {
	out := flag.String("o", "assets/icon.png", "file to write")
	size := flag.Int("size", 512, "width and height in pixels")
	flag.Parse()
	if err := write(*out, *size); err != nil {
		fmt.Fprintln(os.Stderr, "icon:", err)
		os.Exit(1)
	}
}

func write(name string, size int) error {
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("create the icon: %w", err)
	}
	if err := png.Encode(f, draw(size)); err != nil {
		return fmt.Errorf("encode the icon: %w", err)
	}
	return f.Close()
}

var (
	ground = color.NRGBA{0x0b, 0x5a, 0x6b, 0xff} // the accent colour
	metal  = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	rope   = color.NRGBA{0xf2, 0xb1, 0x3c, 0xff}
)

// samples is how many points of a pixel's side are looked at.
const samples = 4

// draw renders the mark; a pixel is the mean of its samples.
func draw(size int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			var r, g, b, a int
			for i := range samples * samples {
				px := (float64(x) + (float64(i%samples)+0.5)/samples) / float64(size)
				py := (float64(y) + (float64(i/samples)+0.5)/samples) / float64(size)
				c := at(point{px, py})
				r, g, b, a = r+int(c.R)*int(c.A), g+int(c.G)*int(c.A), b+int(c.B)*int(c.A), a+int(c.A)
			}
			if a > 0 {
				img.SetNRGBA(x, y, color.NRGBA{uint8(r / a), uint8(g / a), uint8(b / a), uint8(a / samples / samples)})
			}
		}
	}
	return img
}

// point is a place in the unit square.
type point struct{ x, y float64 }

// at is the colour of the mark at a point: the ground, the cleat on it, and the line over that.
func at(p point) color.NRGBA {
	if box(p, point{0.04, 0.04}, point{0.96, 0.96}, 0.21) > 0 {
		return color.NRGBA{}
	}
	const thick, gap = 0.036, 0.024 // the gap sets the line off from the cleat
	line := eight(p)
	switch {
	case line < thick:
		return rope
	case line < thick+gap:
		return ground
	case segment(p, point{0.2, 0.4}, point{0.8, 0.4}) < 0.066, // the horns
		box(p, point{0.375, 0.4}, point{0.465, 0.72}, 0.02) < 0, // the legs
		box(p, point{0.535, 0.4}, point{0.625, 0.72}, 0.02) < 0,
		box(p, point{0.22, 0.68}, point{0.78, 0.79}, 0.055) < 0: // the base
		return metal
	}
	return ground
}

// eight is the distance to the figure of eight in which a line is made fast.
func eight(p point) float64 {
	const steps = 48
	on := func(i int) point {
		t := 2 * math.Pi * float64(i) / steps
		return point{0.5 + 0.235*math.Cos(t), 0.4 + 0.15*math.Sin(2*t)}
	}
	nearest := math.Inf(1)
	for i := range steps {
		nearest = min(nearest, segment(p, on(i), on(i+1)))
	}
	return nearest
}

// segment is the distance to the line between two points.
func segment(p, from, to point) float64 {
	dx, dy := to.x-from.x, to.y-from.y
	t := ((p.x-from.x)*dx + (p.y-from.y)*dy) / (dx*dx + dy*dy)
	t = max(0, min(1, t))
	return math.Hypot(p.x-from.x-t*dx, p.y-from.y-t*dy)
}

// box is the signed distance to a box with rounded corners: negative inside.
func box(p, low, high point, r float64) float64 {
	dx := math.Abs(p.x-(low.x+high.x)/2) - (high.x-low.x)/2 + r
	dy := math.Abs(p.y-(low.y+high.y)/2) - (high.y-low.y)/2 + r
	return math.Hypot(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - r
}
