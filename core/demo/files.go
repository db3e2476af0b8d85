package demo

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
)

const imageName = "tides.png"

var notes = map[string]string{
	"README.md": "# Tide tables\n\nReads the harbour's tide table and prints when the water is high.\n",
	"tides.go": `package tides

// High reports the height of the tide at hour h, in metres.
func High(h int) float64 {
	return heights[h]
}
`,
}

// writeFiles fills the folder that the conversations are about.
func writeFiles(dir string) error {
	for name, text := range notes {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return fmt.Errorf("write the demo's files: %w", err)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, tides()); err != nil {
		return fmt.Errorf("draw the demo's image: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, imageName), b.Bytes(), 0o600); err != nil {
		return fmt.Errorf("write the demo's image: %w", err)
	}
	return nil
}

// tides draws a day of tides as bars.
func tides() image.Image {
	const bars, wide, high = 24, 20, 220
	metres := [bars]int{52, 70, 104, 146, 178, 196, 190, 168, 130, 92, 62, 48, 54, 78, 114, 154, 184, 200, 192, 164, 124, 86, 58, 50}
	img := image.NewRGBA(image.Rect(0, 0, bars*wide, high))
	paper := color.RGBA{0xfb, 0xfb, 0xf9, 0xff}
	water := color.RGBA{0x0b, 0x5a, 0x6b, 0xff}
	for x := range bars * wide {
		for y := range high {
			c := paper
			if gap := x % wide; gap > 2 && high-y < metres[x/wide] {
				c = water
			}
			img.Set(x, y, c)
		}
	}
	return img
}
