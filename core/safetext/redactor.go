package safetext

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
)

const (
	// maxLogText bounds one attribute or message of a log record.
	maxLogText = 2 << 10
	// maxLogRead bounds what is searched for secrets, which costs time.
	maxLogRead = 4 * maxLogText
	// maxLogDepth bounds groups within groups.
	maxLogDepth = 8
)

// secretKey recognizes the name of an attribute that holds a secret.
var secretKey = regexp.MustCompile(`^` + secretName + `$`)

// A redactor is a slog handler in front of another.
type redactor struct{ next slog.Handler }

// NewRedactor wraps a handler so that no secret and no endless text reaches it.
func NewRedactor(next slog.Handler) slog.Handler { return redactor{next} }

// Enabled implements slog.Handler.
func (r redactor) Enabled(ctx context.Context, level slog.Level) bool {
	return r.next.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (r redactor) Handle(ctx context.Context, rec slog.Record) error {
	out := slog.NewRecord(rec.Time, rec.Level, logText(rec.Message), rec.PC)
	rec.Attrs(func(a slog.Attr) bool {
		out.AddAttrs(redactAttr(a, 0))
		return true
	})
	if err := r.next.Handle(ctx, out); err != nil {
		return fmt.Errorf("handle a redacted record: %w", err)
	}
	return nil
}

// WithAttrs implements slog.Handler.
func (r redactor) WithAttrs(attrs []slog.Attr) slog.Handler {
	out := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		out[i] = redactAttr(a, 0)
	}
	return redactor{r.next.WithAttrs(out)}
}

// WithGroup implements slog.Handler.
func (r redactor) WithGroup(name string) slog.Handler { return redactor{r.next.WithGroup(name)} }

// redactAttr makes an attribute fit for the log. Values that know how to show
// themselves (slog.LogValuer) are asked first.
func redactAttr(a slog.Attr, depth int) slog.Attr {
	v := a.Value.Resolve()
	if depth >= maxLogDepth {
		return slog.String(a.Key, "[too deep]")
	}
	if secretKey.MatchString(a.Key) && v.Kind() != slog.KindGroup {
		return slog.String(a.Key, Masked)
	}
	switch v.Kind() {
	case slog.KindGroup:
		group := v.Group()
		out := make([]slog.Attr, len(group))
		for i, g := range group {
			out[i] = redactAttr(g, depth+1)
		}
		return slog.Attr{Key: a.Key, Value: slog.GroupValue(out...)}
	case slog.KindString:
		return slog.String(a.Key, logText(v.String()))
	case slog.KindAny:
		return slog.String(a.Key, logText(anyText(v.Any())))
	case slog.KindBool, slog.KindDuration, slog.KindFloat64, slog.KindInt64, slog.KindTime, slog.KindUint64, slog.KindLogValuer:
	}
	return slog.Attr{Key: a.Key, Value: v}
}

// anyText is a value in words; bytes are only counted, as they may be anything.
func anyText(v any) string {
	switch v := v.(type) {
	case []byte:
		return fmt.Sprintf("[%d bytes]", len(v))
	case error:
		return v.Error()
	}
	return fmt.Sprintf("%+v", v)
}

// logText redacts, cleans and bounds one text.
func logText(s string) string {
	total := len(s)
	s = Redact(strings.ToValidUTF8(cutAt(s, maxLogRead), "\ufffd"))
	cut := cutAt(s, maxLogText)
	out := clean(cut)
	if len(cut) < len(s) || total > maxLogRead {
		out += fmt.Sprintf("… [%d bytes]", total)
	}
	return out
}
