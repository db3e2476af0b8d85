package protocol

import "reflect"

// overhead is about what a value that was decoded costs besides its text.
const overhead = 256

// Size is about how much memory v takes, a notification, a request or a result,
// for a bound on what waits.
func Size(v any) int {
	if d, ok := v.(Delta); ok { // most of a stream
		return overhead + len(d.Thread) + len(d.Turn) + len(d.Item) + len(d.Text)
	}
	if v == nil {
		return overhead
	}
	return overhead + sizeOf(reflect.ValueOf(v))
}

// sizeOf is what v holds beyond itself, whatever its kind: a field that is added
// later is counted without being named here.
func sizeOf(v reflect.Value) (n int) {
	switch v.Kind() { //nolint:exhaustive // the others hold nothing beyond themselves
	case reflect.String:
		return v.Len()
	case reflect.Struct:
		for i := range v.NumField() {
			n += sizeOf(v.Field(i))
		}
	case reflect.Slice:
		of := v.Type().Elem()
		if n = v.Len() * int(of.Size()); of.Kind() == reflect.Uint8 {
			return n
		}
		for i := range v.Len() {
			n += sizeOf(v.Index(i))
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			n = int(v.Elem().Type().Size()) + sizeOf(v.Elem())
		}
	}
	return n
}
