package widgets

import (
	"slices"
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
	ChoiceInput  // one of the options
	ChoicesInput // any number of them
)

// An Input is one thing a card asks for.
type Input struct {
	ID       string
	Label    safetext.Line
	Help     safetext.Line
	Kind     InputKind
	Options  []Row
	Default  string
	Other    bool // an answer of one's own is taken too
	Required bool
}

type inputView struct {
	in    Input
	box   *fyne.Container
	list  *RowList
	field *Field
	first fyne.CanvasObject
	// chosen are the IDs of the chosen options.
	chosen []string
}

func newInputView(in Input) *inputView {
	v := &inputView{in: in}
	v.box = NewColumn(2, inset(NewText(in.Label, Style{Bold: true, Size: sizeSmall})))
	if !in.Help.Empty() {
		v.box.Add(inset(NewText(in.Help, Style{Size: sizeSmall, Color: colorDim})))
	}
	options := in.Options
	if in.Kind == YesNoInput {
		options = []Row{{ID: "true", Title: safetext.Trusted("Yes")}, {ID: "false", Title: safetext.Trusted("No")}}
	}
	if len(options) > 0 {
		v.list = NewRowList("options:"+in.ID, in.Label)
		v.list.Radio = true
		v.list.SetRows(options)
		v.list.OnOpen = v.choose
		if in.Default != "" {
			v.chosen = []string{in.Default}
			v.list.Choose(in.Default)
		}
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
	if !other {
		v.field.SetText(v.in.Default)
	}
	v.box.Add(v.field)
	if v.first == nil {
		v.first = v.field
	}
}

func (v *inputView) choose(r Row) {
	if v.in.Kind == ChoicesInput {
		v.toggle(r)
		return
	}
	v.chosen = []string{r.ID}
	v.list.Choose(r.ID)
	if v.field != nil {
		v.field.SetText("")
	}
}

// toggle adds or removes one of several choices.
func (v *inputView) toggle(r Row) {
	if i := slices.Index(v.chosen, r.ID); i >= 0 {
		v.chosen = slices.Delete(v.chosen, i, i+1)
	} else {
		v.chosen = append(v.chosen, r.ID)
	}
	rows := slices.Clone(v.list.Rows())
	for i := range rows {
		rows[i].Chosen = slices.Contains(v.chosen, rows[i].ID)
	}
	v.list.SetRows(rows)
}

// values are the answers, nil for none, or what is wrong with them.
func (v *inputView) values() ([]string, safetext.Line) {
	out := slices.Clone(v.chosen)
	if v.field != nil && strings.TrimSpace(v.field.Text) != "" {
		out = []string{v.field.Text}
	}
	if len(out) == 0 {
		if v.in.Required {
			return nil, safetext.Join(" ", safetext.Trusted("Please answer:"), v.in.Label)
		}
		return nil, safetext.Line{}
	}
	var err error
	switch v.in.Kind {
	case NumberInput:
		_, err = strconv.ParseFloat(strings.TrimSpace(out[0]), 64)
	case IntegerInput:
		_, err = strconv.ParseInt(strings.TrimSpace(out[0]), 10, 64)
	case TextInput, SecretInput, YesNoInput, ChoiceInput, ChoicesInput:
	}
	if err != nil {
		return nil, safetext.Join(" ", v.in.Label, safetext.Trusted("must be a number."))
	}
	return out, safetext.Line{}
}

// clear forgets what was typed.
func (v *inputView) clear() {
	v.chosen = nil
	if v.field != nil {
		v.field.SetText("")
	}
}
