package protocol

import "github.com/go-json-experiment/json/jsontext"

// These types have one value each, so a field of such a type is always sent,
// and always the same: what must never be forgotten cannot be.
type (
	always     struct{} // true
	never      struct{} // false
	byRecency  struct{} // "recency_at": the default sort loses rows (ruling 10)
	descending struct{} // "desc"
	apiKeyKind struct{} // "apiKey"
	// toolsAndAuth is "toolsAndAuthOnly": resources can be long, and are not shown.
	toolsAndAuth struct{}
)

// MarshalJSONTo writes true.
func (always) MarshalJSONTo(e *jsontext.Encoder) error { return e.WriteToken(jsontext.True) }

// MarshalJSONTo writes false.
func (never) MarshalJSONTo(e *jsontext.Encoder) error { return e.WriteToken(jsontext.False) }

// MarshalJSONTo writes the name of the sort key.
func (byRecency) MarshalJSONTo(e *jsontext.Encoder) error {
	return e.WriteToken(jsontext.String("recency_at"))
}

// MarshalJSONTo writes the name of the direction.
func (descending) MarshalJSONTo(e *jsontext.Encoder) error {
	return e.WriteToken(jsontext.String("desc"))
}

// MarshalJSONTo writes the name of the detail.
func (toolsAndAuth) MarshalJSONTo(e *jsontext.Encoder) error {
	return e.WriteToken(jsontext.String("toolsAndAuthOnly"))
}

// MarshalJSONTo writes the name of the kind of login.
func (apiKeyKind) MarshalJSONTo(e *jsontext.Encoder) error {
	return e.WriteToken(jsontext.String("apiKey"))
}

// MarshalJSONTo writes null, which is what the method takes.
func (AccountLogoutParams) MarshalJSONTo(e *jsontext.Encoder) error {
	return e.WriteToken(jsontext.Null)
}
