package widgets

import (
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"holdfast/core/safetext"
)

// An InputKind says what an input takes.
type InputKind uint8

// The kinds of inputs.
const (
	TextInput InputKind = iota
	SecretInput
	NumberInput
	IntegerInput
	YesNoInput
	ChoiceInput
)

// An Input is one thing a card asks for.
type Input struct {
	ID       string
	Label    safetext.Line
	Help     safetext.Line
	Kind     InputKind
	Options  []Row
	Other    bool // an answer of one's own is taken too
	Required bool
}

type inputView struct {
	in    Input
	box   *fyne.Container
	list  *RowList
	field *Field
	first fyne.CanvasObject
	// chosen is the ID of the chosen option.
	chosen string
}

func newInputView(in Input) *inputView {
	v := &inputView{in: in}
	v.box = NewColumn(2, NewText(in.Label, Style{Bold: true, Size: sizeSmall}))
	if !in.Help.Empty() {
		v.box.Add(NewText(in.Help, Style{Size: sizeSmall, Color: colorDim}))
	}
	options := in.Options
	if in.Kind == YesNoInput {
		options = []Row{{ID: "true", Title: safetext.Trusted("Yes")}, {ID: "false", Title: safetext.Trusted("No")}}
	}
	if len(options) > 0 {
		v.list = NewRowList("options:"+in.ID, in.Label)
		v.list.SetRows(options)
		v.list.OnOpen = v.choose
		v.box.Add(NewFixed(min(v.list.HeightAt(0), 200), v.list))
		v.first = v.list
	}
	if len(options) == 0 || in.Other {
		v.addField(len(options) > 0)
	}
	return v
}

func (v *inputView) addField(other bool) {
	hint := safetext.Trusted("Your answer")
	if other {
		hint = safetext.Trusted("Another answer")
	}
	if v.in.Kind == SecretInput {
		v.field = NewSecretField(safetext.Trusted("Secret answer, not kept"))
	} else {
		v.field = NewField(hint)
	}
	v.field.Name = "input:" + v.in.ID
	v.box.Add(v.field)
	if v.first == nil {
		v.first = v.field
	}
}

func (v *inputView) choose(r Row) {
	v.chosen = r.ID
	v.list.Choose(r.ID)
	if v.field != nil {
		v.field.SetText("")
	}
}

// values are the answers, nil for none, or what is wrong with them.
func (v *inputView) values() ([]string, safetext.Line) {
	text := ""
	if v.field != nil {
		text = v.field.Text
	}
	if strings.TrimSpace(text) == "" {
		text = v.chosen
	}
	if text == "" {
		if v.in.Required {
			return nil, safetext.Join(" ", safetext.Trusted("Please answer:"), v.in.Label)
		}
		return nil, safetext.Line{}
	}
	var err error
	switch v.in.Kind {
	case NumberInput:
		_, err = strconv.ParseFloat(text, 64)
	case IntegerInput:
		_, err = strconv.ParseInt(text, 10, 64)
	case TextInput, SecretInput, YesNoInput, ChoiceInput:
	}
	if err != nil {
		return nil, safetext.Join(" ", v.in.Label, safetext.Trusted("must be a number."))
	}
	return []string{text}, safetext.Line{}
}

// clear forgets what was typed.
func (v *inputView) clear() {
	v.chosen = ""
	if v.field != nil {
		v.field.SetText("")
	}
}
