#!/usr/bin/python3
"""Makes the fonts in widgets/fonts; see make.sh.

One font for each form of Han characters holds all that the toolkit's own faces
lack: its labels ask a single font of ours. It has no layout tables, since the
toolkit shapes each label anew and large tables make that slow; joined Arabic
letters are there as characters of their own. What the transcript draws, it
shapes itself, with the fonts of these scripts as they are.
"""

import sys

from fontTools import subset
from fontTools.fontBuilder import FontBuilder
from fontTools.misc.transform import Scale
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

EM = 1000
SPACES = {0x20: 260, 0xA0: 260}  # as wide as those of the toolkit's text face
ASCENT, DESCENT = 1069, -293  # its heights too: lines stay where they are
BOXES = range(0x2500, 0x25A0)  # of code: the monospaced face has them
FORMS = {"ja": ("Noto Sans CJK JP", 0), "zh": ("Noto Sans CJK SC", 2)}
JOYO = "塡剝頰𠮟"  # of the list for schools, and not in JIS X 0208


def rows(codec, first=0xA1, last=0xFE):
    """The characters of a double-byte set."""
    for a in range(first, last + 1):
        for b in range(0x40, 0xFF):
            try:
                text = bytes([a, b]).decode(codec)
            except UnicodeDecodeError:
                continue
            if len(text) == 1:
                yield ord(text)


def wanted():
    """JIS X 0208 with the extensions of Windows, GB 2312, and the Hangul of KS X 1001."""
    out = {c for c in rows("cp932", 0x81, 0xFC) if not 0xE000 <= c < 0xF900}
    out |= set(rows("gb2312")) | {ord(c) for c in JOYO}
    out |= set(rows("euc_kr", 0xB0, 0xC8)) | set(range(0x3131, 0x318F))
    return out | set(range(0x3000, 0x3040)) | set(range(0xFF61, 0xFFA0))


class Merged:
    """A font that is put together from glyphs of several."""

    def __init__(self):
        self.strings, self.advances, self.cmap = {}, {}, {}
        self.glyph(".notdef", 600, None)
        for code, width in SPACES.items():
            self.cmap[code] = f"g{code:x}"
            self.glyph(self.cmap[code], width, None)

    def glyph(self, name, advance, draw, parts=None):
        pen = T2CharStringPen(None, parts)
        if draw:
            draw(pen)
        elif name == ".notdef":
            box(pen)
        self.strings[name] = pen.getCharString()
        self.advances[name] = (advance, 0)

    def take(self, font, codes):
        glyphs, names, k = font.getGlyphSet(), font.getBestCmap(), EM / font["head"].unitsPerEm
        drawn = {}
        for code in sorted(set(codes) & set(names)):
            if code in self.cmap:
                continue
            source = names[code]
            if source not in drawn:
                drawn[source] = f"g{code:x}"
                g = glyphs[source]
                self.glyph(drawn[source], round(g.width * k), lambda pen: g.draw(TransformPen(pen, Scale(k))), glyphs)
            self.cmap[code] = drawn[source]

    def save(self, family, path):
        fb = FontBuilder(EM, isTTF=False)
        fb.setupGlyphOrder(list(self.strings))
        fb.setupCharacterMap(self.cmap)
        fb.setupCFF(family.replace(" ", ""), {"FullName": family}, self.strings, {})
        fb.setupHorizontalMetrics(self.advances)
        fb.setupHorizontalHeader(ascent=ASCENT, descent=DESCENT, lineGap=0)
        fb.setupOS2(
            sTypoAscender=ASCENT, sTypoDescender=DESCENT, sTypoLineGap=0, usWinAscent=ASCENT, usWinDescent=-DESCENT
        )
        fb.setupNameTable({
            "familyName": family, "styleName": "Regular",
            "copyright": "Copyright Adobe, Google and others; a subset of Noto Sans CJK, Noto Sans Hebrew, Noto Sans Arabic and Noto Emoji.",
            "licenseDescription": "SIL Open Font License, Version 1.1",
        })
        fb.setupPost(keepGlyphNames=False)
        fb.font["head"].created = fb.font["head"].modified = 0  # the same input makes the same file
        fb.font.recalcTimestamp = False
        fb.save(path)


def box(pen):
    for a, b in ((50, 0), (100, 50)):
        pen.moveTo((a, b))
        for p in ((a, 700 - b), (600 - a, 700 - b), (600 - a, b))[:: 1 if a == 50 else -1]:
            pen.lineTo(p)
        pen.closePath()


def script(path, codes, out):
    """A font of one script, with all that shaping it needs."""
    font = TTFont(path, recalcTimestamp=False)
    options = subset.Options(layout_features=["*"], hinting=False, notdef_outline=True, name_IDs=[0, 1, 2, 13])
    s = subset.Subsetter(options)
    s.populate(unicodes=codes)
    s.subset(font)
    font.save(out)


def main(cjk, noto, emoji, fyne, out):
    hebrew, arabic = f"{noto}/NotoSansHebrew-Regular.ttf", f"{noto}/NotoSansArabic-Regular.ttf"
    hebrew_codes = set(range(0x591, 0x5F5)) | set(range(0xFB1D, 0xFB50))
    arabic_codes = set(range(0x600, 0x700)) | set(range(0x750, 0x780)) | set(range(0xFB50, 0xFE00)) | set(range(0xFE70, 0xFEFF))
    script(hebrew, hebrew_codes | {0x20, 0xA0, 0x25CC}, f"{out}/NotoSansHebrew.ttf")
    script(arabic, arabic_codes | {0x20, 0xA0, 0x200C, 0x200D, 0x25CC}, f"{out}/NotoSansArabic.ttf")

    have = set(TTFont(f"{fyne}/NotoSans-Regular.ttf").getBestCmap())
    drawn = set(TTFont(f"{fyne}/EmojiOneColor.otf").getBestCmap())
    pictures = TTFont(emoji)
    for form, (name, index) in FORMS.items():
        font = Merged()
        font.take(TTFont(f"{cjk}/NotoSansCJK-Regular.ttc", fontNumber=index), wanted() - have - drawn - set(BOXES))
        font.take(TTFont(hebrew), hebrew_codes - have)
        font.take(TTFont(arabic), arabic_codes - have)
        font.take(pictures, set(pictures.getBestCmap()) - have - drawn)
        font.save(f"Holdfast Fallback {form.upper()}", f"{out}/fallback-{form}.otf")
        print(form, len(font.cmap), "characters", len(font.strings), "glyphs")


if __name__ == "__main__":
    main(*sys.argv[1:])
