package safetext

import (
	"regexp"
	"strings"
)

// Masked stands for a secret.
const Masked = "[secret]"

// A rule finds secrets of one form. Its first group is kept, the rest masked;
// keep, if set, says that the text is no secret after all.
type rule struct {
	pattern *regexp.Regexp
	keep    func(groups []string) bool
}

// The names of settings that hold a secret. "tokens" counts, and a file or path
// is where a secret lies, not the secret.
const secretName = `(?i:(?:[\w-]*(?:token|secret|api[_-]?key|password|passwd|passphrase|credentials?|private[_-]?key|bearer|cookie|authorization)|auth|jwt))`

var rules = []rule{
	// Authorization: anything up to the end of the line.
	{pattern: regexp.MustCompile(`(?i)((?:proxy-)?authorization\s*:\s*)[^\s"'][^\r\n"']*`)},
	{pattern: regexp.MustCompile(`(?i)((?:set-)?cookie\s*:\s*)[^\s"'][^\r\n"']*`)},
	// Bearer abc; but "bearer token" are words.
	{
		pattern: regexp.MustCompile(`(?i)(\b(?:bearer|basic)\s+)([\w.~+/=-]+)`),
		keep: func(g []string) bool {
			switch strings.ToLower(g[2]) {
			case "token", "tokens", "auth", "authentication", "authorization":
				return true
			}
			return false
		},
	},
	// Keys and tokens with a form of their own.
	{pattern: regexp.MustCompile(`()\b(?:sk|rk|pk|sess)-[\w-]{6,}`)},
	{pattern: regexp.MustCompile(`()\b(?:gh[a-z]_|github_pat_|glpat-|xox[a-z]-|AKIA|AIza)[\w-]{8,}`)},
	{pattern: regexp.MustCompile(`()\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?`)},
	// scheme://user:password@host
	{pattern: regexp.MustCompile(`(\b[A-Za-z][\w+.-]*://)[^\s/?#"'@]+(?:@[^\s/?#"'@]+)*@`)},
	// ?token=abc in a URL
	{pattern: regexp.MustCompile(`(?i)([?&;#](?:[\w-]*(?:token|key|secret|password|sig|signature|auth|code|state|jwt|session))=)[^&\s"'#]+`)},
	// "token": "abc", token=abc, {\"token\":\"abc\"}
	{
		pattern: regexp.MustCompile(`(\\*["']?` + secretName + `\\*["']?\s*[:=]\s*)(\\+"[^"]*(?:"|$)|"(?:\\.|[^"\\])*(?:"|\\?$)|'[^']*(?:'|$)|\[[^\]]*(?:\]|$)|[^\s,;&{}\[\]"'\\]+)`),
		keep:    isNoSecret,
	},
}

// isNoSecret recognizes values that say nothing.
func isNoSecret(g []string) bool {
	switch strings.Trim(g[2], `\"'`) {
	case "", "null", "nil", "true", "false", "<nil>", Masked:
		return true
	}
	return false
}

// Redact masks what looks like a secret: bearer tokens, API keys, authorization
// headers, passwords and tokens in URLs, and fields named like one.
func Redact(s string) string {
	for _, r := range rules {
		s = r.apply(s)
	}
	return s
}

func (r rule) apply(s string) string {
	found := r.pattern.FindAllStringSubmatchIndex(s, -1)
	if found == nil {
		return s
	}
	var b strings.Builder
	last := 0
	for _, m := range found {
		groups := make([]string, len(m)/2)
		for i := range groups {
			if m[2*i] >= 0 {
				groups[i] = s[m[2*i]:m[2*i+1]]
			}
		}
		b.WriteString(s[last:m[0]])
		last = m[1]
		switch {
		case r.keep != nil && r.keep(groups):
			b.WriteString(groups[0])
		case strings.HasSuffix(groups[0], "@"): // the end of a user name
			b.WriteString(groups[1] + Masked + "@")
		default:
			b.WriteString(groups[1] + Masked)
		}
	}
	b.WriteString(s[last:])
	return b.String()
}
