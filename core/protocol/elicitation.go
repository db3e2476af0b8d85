package protocol

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// readElicitation reads an MCP server's question. A turn is named only if the
// server could tell which one it belongs to.
func readElicitation(params jsontext.Value) (ServerRequestParams, error) {
	var w struct {
		Thread      string         `json:"threadId"`
		Turn        string         `json:"turnId"`
		Server      string         `json:"serverName"`
		Mode        string         `json:"mode"`
		Message     string         `json:"message"`
		Title       string         `json:"title"`
		Description string         `json:"description"`
		URL         string         `json:"url"`
		Schema      jsontext.Value `json:"requestedSchema"`
	}
	if err := json.Unmarshal(params, &w, DecodeOptions()); err != nil {
		return nil, err
	}
	if !usable(w.Thread) {
		return nil, errIdentity
	}
	e := Elicitation{Server: w.Server, Mode: w.Mode, Message: w.Message, URL: w.URL}
	e.Thread, e.Turn = w.Thread, w.Turn
	if e.Message == "" {
		e.Message = joinLines(w.Title, w.Description)
	}
	if w.Mode == "form" {
		fields, err := formFields(w.Schema)
		if err != nil {
			return nil, err
		}
		e.Fields = fields
	}
	return e, nil
}

// A formSchema is the schema of a form: named values, none of them nested.
type formSchema struct {
	Properties propertyList `json:"properties"`
	Required   []string     `json:"required"`
}

// A propertyList keeps the properties in the order they stand in.
type propertyList []property

type property struct {
	name   string
	schema valueSchema
}

// A valueSchema is one value's schema: of the kinds MCP allows, all fields.
type valueSchema struct {
	Type        string         `json:"type"`
	Title       string         `json:"title"`
	Description string         `json:"description"`
	Default     jsontext.Value `json:"default"`
	Enum        []string       `json:"enum"`
	EnumNames   []string       `json:"enumNames"`
	OneOf       []constOption  `json:"oneOf"`
	Items       struct {
		Enum  []string      `json:"enum"`
		AnyOf []constOption `json:"anyOf"`
	} `json:"items"`
}

type constOption struct {
	Const string `json:"const"`
	Title string `json:"title"`
}

// UnmarshalJSONFrom reads the properties in their order.
func (l *propertyList) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != jsontext.KindBeginObject {
		return d.SkipValue()
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != jsontext.KindEndObject {
		if len(*l) == maxList {
			return errLongList
		}
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		p := property{name: name.String()}
		if err := json.UnmarshalDecode(d, &p.schema); err != nil {
			return err
		}
		*l = append(*l, p)
	}
	_, err := d.ReadToken()
	return err
}

// formFields gives the fields of a form's schema.
func formFields(schema jsontext.Value) ([]Field, error) {
	var s formSchema
	if len(schema) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(schema, &s, DecodeOptions()); err != nil {
		return nil, err
	}
	var fields []Field
	for _, p := range s.Properties {
		f := Field{Name: p.name, Title: p.schema.Title, Description: p.schema.Description}
		f.Required = slices.Contains(s.Required, p.name)
		f.Kind, f.Options = p.schema.kind()
		f.Default = defaultText(p.schema.Default)
		fields = append(fields, f)
	}
	return fields, nil
}

// kind gives a field's kind and choices. A kind we do not know is a text.
func (s valueSchema) kind() (string, []Choice) {
	switch s.Type {
	case "number", "integer", "boolean":
		return s.Type, nil
	case "array":
		return "choices", append(enumChoices(s.Items.Enum, nil), constChoices(s.Items.AnyOf)...)
	}
	if len(s.Enum) > 0 {
		return "choice", enumChoices(s.Enum, s.EnumNames)
	}
	if len(s.OneOf) > 0 {
		return "choice", constChoices(s.OneOf)
	}
	return "text", nil
}

func enumChoices(values, labels []string) (list []Choice) {
	for i, v := range values {
		c := Choice{v, v}
		if i < len(labels) {
			c.Label = labels[i]
		}
		list = append(list, c)
	}
	return list
}

func constChoices(options []constOption) (list []Choice) {
	for _, o := range options {
		c := Choice{o.Const, o.Title}
		if c.Label == "" {
			c.Label = o.Const
		}
		list = append(list, c)
	}
	return list
}

// defaultText gives a default as the text a field begins with.
func defaultText(v jsontext.Value) string {
	switch v.Kind() {
	case jsontext.KindString:
		var s string
		if json.Unmarshal(v, &s, DecodeOptions()) == nil {
			return s
		}
	case jsontext.KindNumber, jsontext.KindTrue, jsontext.KindFalse:
		return string(v)
	}
	return ""
}
