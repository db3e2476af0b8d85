package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"holdfast/core/safetext"
)

// A Row is one line or two of a RowList.
type Row struct {
	ID    string
	Title safetext.Line
	// Sub and Right stand below the title, Badge at the right of it. A list
	// where no row has a Sub has low rows.
	Sub, Right, Badge safetext.Line
	// Warn shows the badge in the warning colour.
	Warn bool
	// Off shows the row as one that does nothing now; Chosen as one of several
	// chosen ones.
	Off, Chosen bool
}

// RowList is a virtual list with one Tab stop: arrows, Home, End and pages
// move, Enter opens, the menu key asks for the row's menu.
type RowList struct {
	widget.BaseWidget
	// OnOpen and OnMenu get the row the keyboard or the mouse is on.
	OnOpen, OnMenu func(Row)
	// OnMove runs when the current row changed, OnEnd when the user comes to the
	// end of the list.
	OnMove func(Row)
	OnEnd  func()
	// Name is what tests and the state file call it, Label what readers say.
	Name string
	Says safetext.Line
	// MarkCurrent shows the current row as the chosen one, also without the
	// keyboard.
	MarkCurrent bool
	// Radio draws a box before each row, filled in the chosen ones.
	Radio bool

	rows    []Row
	cur     int
	chosen  string
	off     float32
	hover   int
	focused bool
	single  bool
}

// NewRowList makes an empty list.
func NewRowList(name string, says safetext.Line) *RowList {
	l := &RowList{Name: name, Says: says, hover: -1}
	l.ExtendBaseWidget(l)
	return l
}

// SetRows shows rows. The current row stays the one with the same ID.
func (l *RowList) SetRows(rows []Row) {
	id := l.Current().ID
	l.rows, l.single = rows, true
	for i := range rows {
		if !rows[i].Sub.Empty() || !rows[i].Right.Empty() {
			l.single = false
			break
		}
	}
	l.cur = min(l.cur, max(len(rows)-1, 0))
	for i := range rows {
		if rows[i].ID == id {
			l.cur = i
			break
		}
	}
	l.clampOffset()
	l.Refresh()
}

// Rows are the rows shown.
func (l *RowList) Rows() []Row { return l.rows }

// Choose marks the row that is open.
func (l *RowList) Choose(id string) {
	if l.chosen != id {
		l.chosen = id
		l.Refresh()
	}
}

// MoveTo makes a row the current one.
func (l *RowList) MoveTo(id string) {
	for i, r := range l.rows {
		if r.ID == id {
			l.move(i)
		}
	}
}

// Current is the row the keyboard is on, or the zero Row.
func (l *RowList) Current() Row {
	if l.cur < len(l.rows) {
		return l.rows[l.cur]
	}
	return Row{}
}

// Place is where the current row stands in the list, from 0 on.
func (l *RowList) Place() int { return l.cur }

// AccessibilityLabel names the list and its current row.
func (l *RowList) AccessibilityLabel() string {
	r := l.Current()
	return l.Says.String() + ": " + r.Title.String() + " " + r.Badge.String()
}

// AccessibilityRole is container.
func (l *RowList) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleContainer }

// RowHeight is the height of one row.
func (l *RowList) RowHeight() float32 {
	if l.single {
		return lineHeight(sizeBody) + 12
	}
	return lineHeight(sizeBody) + lineHeight(sizeSmall) + 14
}

// HeightAt implements Tall: the height of all rows.
func (l *RowList) HeightAt(float32) float32 { return max(l.RowHeight()*float32(len(l.rows)), 1) }

// FocusGained implements fyne.Focusable.
func (l *RowList) FocusGained() {
	l.focused = true
	l.ensureSeen()
	l.Refresh()
	reveal(l)
	l.revealRow()
}

// revealRow shows the current row also where the list itself is scrolled.
func (l *RowList) revealRow() {
	if l.focused {
		revealPart(l, float32(l.cur)*l.RowHeight()-l.off, l.RowHeight())
	}
}

// FocusLost implements fyne.Focusable.
func (l *RowList) FocusLost() { l.focused = false; l.Refresh() }

// TypedRune implements fyne.Focusable.
func (l *RowList) TypedRune(r rune) {
	if r == ' ' || r == '\u3000' { // as a Button does
		l.open()
	}
}

// TypedKey implements fyne.Focusable.
func (l *RowList) TypedKey(e *fyne.KeyEvent) {
	page := max(int(l.Size().Height/l.RowHeight())-1, 1)
	switch e.Name {
	case fyne.KeyDown:
		l.move(l.cur + 1)
	case fyne.KeyUp:
		l.move(l.cur - 1)
	case fyne.KeyPageDown:
		l.move(l.cur + page)
	case fyne.KeyPageUp:
		l.move(l.cur - page)
	case fyne.KeyHome:
		l.move(0)
	case fyne.KeyEnd:
		l.move(len(l.rows) - 1)
	case fyne.KeyReturn, fyne.KeyEnter:
		l.open()
	case fyne.KeySpace: // the rune opens
	case desktop.KeyMenu:
		if l.OnMenu != nil && len(l.rows) > 0 {
			l.OnMenu(l.Current())
		}
	default:
		ForwardKey(l, e)
	}
}

func (l *RowList) open() {
	if len(l.rows) > 0 && l.OnOpen != nil {
		l.OnOpen(l.Current())
	}
}

func (l *RowList) move(i int) {
	if len(l.rows) == 0 {
		return
	}
	was := l.cur
	l.cur = min(max(i, 0), len(l.rows)-1)
	l.ensureSeen()
	l.Refresh()
	l.revealRow()
	if l.cur != was && l.OnMove != nil {
		l.OnMove(l.Current())
	}
	l.tellEnd()
}

// tellEnd runs OnEnd when the last row is in view.
func (l *RowList) tellEnd() {
	if l.OnEnd != nil && l.off+l.Size().Height >= l.HeightAt(0) {
		l.OnEnd()
	}
}

func (l *RowList) ensureSeen() {
	top := float32(l.cur) * l.RowHeight()
	if bottom := top + l.RowHeight(); bottom > l.off+l.Size().Height {
		l.off = bottom - l.Size().Height
	}
	l.off = min(l.off, top)
	l.clampOffset()
}

func (l *RowList) clampOffset() {
	l.off = max(min(l.off, l.HeightAt(0)-l.Size().Height), 0)
}

func (l *RowList) at(p fyne.Position) int {
	if i := int((p.Y + l.off) / l.RowHeight()); i < len(l.rows) {
		return i
	}
	return -1
}

// Tapped opens the row under the mouse.
func (l *RowList) Tapped(e *fyne.PointEvent) {
	requestFocus(l)
	if i := l.at(e.Position); i >= 0 {
		l.move(i)
		l.open()
	}
}

// TappedSecondary asks for the menu of the row under the mouse.
func (l *RowList) TappedSecondary(e *fyne.PointEvent) {
	requestFocus(l)
	if i := l.at(e.Position); i >= 0 && l.OnMenu != nil {
		l.move(i)
		l.OnMenu(l.Current())
	}
}

// Scrolled implements fyne.Scrollable.
func (l *RowList) Scrolled(e *fyne.ScrollEvent) {
	l.off -= e.Scrolled.DY
	l.clampOffset()
	l.Refresh()
	l.tellEnd()
}

// MouseIn implements desktop.Hoverable.
func (l *RowList) MouseIn(e *desktop.MouseEvent) { l.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (l *RowList) MouseMoved(e *desktop.MouseEvent) {
	if i := l.at(e.Position); i != l.hover {
		l.hover = i
		l.Refresh()
	}
}

// MouseOut implements desktop.Hoverable.
func (l *RowList) MouseOut() { l.hover = -1; l.Refresh() }

// CreateRenderer implements fyne.Widget.
func (l *RowList) CreateRenderer() fyne.WidgetRenderer {
	box := container.NewWithoutLayout()
	bar := canvas.NewRectangle(color.Transparent)
	bar.CornerRadius = 3
	return &rowListRenderer{l: l, box: box, clip: container.NewClip(box), bar: bar}
}

type rowListRenderer struct {
	l    *RowList
	box  *fyne.Container
	clip *container.Clip
	bar  *canvas.Rectangle
}

func (r *rowListRenderer) MinSize() fyne.Size { return fyne.NewSize(80, r.l.RowHeight()) }
func (r *rowListRenderer) Destroy()           {}
func (r *rowListRenderer) Refresh()           { r.draw(); canvas.Refresh(r.l) }
func (r *rowListRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.clip, r.bar}
}

func (r *rowListRenderer) Layout(s fyne.Size) {
	r.clip.Resize(s)
	r.box.Resize(s)
	r.l.clampOffset()
	r.draw()
}

func (r *rowListRenderer) draw() {
	l, s := r.l, r.l.Size()
	r.box.Objects = r.box.Objects[:0]
	h := l.RowHeight()
	for i := int(l.off / h); i < len(l.rows) && float32(i)*h < l.off+s.Height; i++ {
		r.row(i, float32(i)*h-l.off, fyne.NewSize(s.Width-12, h))
	}
	r.box.Refresh()
	total := l.HeightAt(0)
	showIf(r.bar, total > s.Height)
	if total > s.Height {
		bar := max(20, s.Height*s.Height/total)
		r.bar.FillColor = paint(colorScroll)
		r.bar.Resize(fyne.NewSize(6, bar))
		r.bar.Move(fyne.NewPos(s.Width-7, (s.Height-bar)*l.off/(total-s.Height)))
	}
}

// row draws row i: a card where it is open, a ring where the keyboard is.
func (r *rowListRenderer) row(i int, y float32, s fyne.Size) {
	l, row := r.l, r.l.rows[i]
	bg := canvas.NewRectangle(color.Transparent)
	bg.CornerRadius = 6
	if i == l.hover {
		bg.FillColor = paint(colorHover)
	}
	inner := fyne.NewSize(s.Width-8, s.Height-4)
	bg.Move(fyne.NewPos(4, y+2))
	bg.Resize(inner)
	r.box.Add(bg)
	if l.isChosen(row) && !l.Radio {
		bg.FillColor, bg.StrokeColor, bg.StrokeWidth = paint(colorRaised), paint(colorLine), 1
		mark := canvas.NewRectangle(paint(colorAccent))
		mark.Move(fyne.NewPos(4, y+6))
		mark.Resize(fyne.NewSize(4, s.Height-12))
		r.box.Add(mark)
	}
	if i == l.cur && l.focused {
		bg.StrokeColor, bg.StrokeWidth = paint(colorRing), ringWidth
	}
	r.words(row, y, s)
}

func (r *rowListRenderer) words(row Row, y float32, s fyne.Size) {
	left, width := float32(14), s.Width-26
	if r.l.Radio {
		r.dot(row, y+s.Height/2)
		left, width = left+24, width-24
	}
	badge := colorDim
	if row.Warn {
		badge = colorWarn
	}
	lh := lineHeight(sizeBody)
	top := y + 6
	if row.Sub.Empty() && row.Right.Empty() {
		top = y + (s.Height-lh)/2
	}
	used := r.word(row.Badge, Style{Size: sizeSmall, Bold: row.Warn, Color: badge, Faded: row.Off}, cell{left, top, width / 2, lh, true})
	title := Style{Size: sizeBody, Bold: !r.l.single, Color: colorInk, Faded: row.Off}
	r.word(row.Title, title, cell{left, top, width - used, lh, false})
	if r.l.single {
		return
	}
	small := Style{Size: sizeSmall, Color: colorDim, Faded: row.Off}
	used = r.word(row.Right, small, cell{left, top + lh + 1, width / 2, lineHeight(sizeSmall), true})
	r.word(row.Sub, small, cell{left, top + lh + 1, width - used, lineHeight(sizeSmall), false})
}

// dot draws the box of a choice.
func (r *rowListRenderer) dot(row Row, middle float32) {
	c := canvas.NewCircle(color.Transparent)
	c.StrokeColor, c.StrokeWidth = paint(colorEdge), 2
	if r.l.isChosen(row) {
		c.FillColor = paint(colorAccent)
	}
	c.Move(fyne.NewPos(15, middle-7))
	c.Resize(fyne.NewSize(14, 14))
	r.box.Add(c)
}

// isChosen says that a row is the chosen one, or one of several.
func (l *RowList) isChosen(row Row) bool {
	return row.ID == l.chosen && l.chosen != "" || row.Chosen || l.MarkCurrent && row.ID == l.Current().ID
}

// A cell is room for a word; right says that it stands at the right of the row.
type cell struct {
	x, y, width, height float32
	right               bool
}

// word draws one line and gives the room it took from its neighbour.
func (r *rowListRenderer) word(text safetext.Line, st Style, c cell) float32 {
	if text.String() == "" || c.width < 8 {
		return 0
	}
	t := newCanvasText(ellipsis(text.String(), c.width, size(st.Size), st.text()), st, st.ink())
	m := t.MinSize()
	x := c.x
	if c.right {
		x = r.l.Size().Width - 12 - 12 - m.Width
	}
	t.Move(fyne.NewPos(x, c.y+(c.height-m.Height)/2))
	t.Resize(m)
	r.box.Add(t)
	return m.Width + 8
}
