package fakemodel

import (
	"fmt"
	"strings"
)

// Model is a model name that every supported server version knows: with another
// one each turn begins with a warning. It is offered apply_patch, and finds the
// tools of MCP servers by a search only.
const Model = "gpt-5.5"

// A Config is what varies between the config.toml files of homes that use a
// scripted model. Empty fields take the value named beside them.
type Config struct {
	Model       string   // Model
	Approval    string   // on-request
	Sandbox     string   // read-only
	Features    []string // lines of the [features] table
	Top         []string // lines before the first table
	Extra       string   // further tables
	Retries     int      // of requests and of streams
	IdleTimeout int      // ms without an event before a stream fails; 120000
	NeedsSignIn bool     // the provider wants an account
}

// TOML is the config.toml of a CODEX_HOME that uses the model at url and
// nothing beyond this machine: no update check, no catalogue, no analytics.
func (c Config) TOML(url string) string {
	or := func(s, fallback string) string {
		if s == "" {
			return fallback
		}
		return s
	}
	idle := c.IdleTimeout
	if idle == 0 {
		idle = 120_000
	}
	lines := []string{
		fmt.Sprintf("model = %q", or(c.Model, Model)),
		`model_provider = "scripted"`,
		fmt.Sprintf("approval_policy = %q", or(c.Approval, "on-request")),
		fmt.Sprintf("sandbox_mode = %q", or(c.Sandbox, "read-only")),
		"check_for_update_on_startup = false",
		"suppress_unstable_features_warning = true",
	}
	lines = append(lines, c.Top...)
	lines = append(lines, "", "[analytics]", "enabled = false", "", "[feedback]", "enabled = false")
	lines = append(lines, "", "[features]", "plugins = false", "apps = false")
	lines = append(lines, c.Features...)
	lines = append(lines, "", "[model_providers.scripted]", `name = "scripted"`,
		fmt.Sprintf("base_url = %q", url),
		`wire_api = "responses"`,
		fmt.Sprintf("request_max_retries = %d", c.Retries),
		fmt.Sprintf("stream_max_retries = %d", c.Retries),
		fmt.Sprintf("stream_idle_timeout_ms = %d", idle))
	if c.NeedsSignIn {
		lines = append(lines, "requires_openai_auth = true")
	}
	return strings.Join(append(lines, "", c.Extra), "\n") + "\n"
}
