package judge

import "slices"

// States are the eight words.
var States = []string{
	"reconnecting", "synchronizing", "awaiting-selection", "ready",
	"history-refresh", "manual-reconnect", "sign-in", "confirmation",
}

// edges are the steps between states. A snapshot may leave one of the passing
// states out, so what is shown may be two steps apart.
var edges = map[string][]string{
	"reconnecting":       {"synchronizing", "manual-reconnect", "sign-in", "confirmation"},
	"synchronizing":      {"awaiting-selection", "ready", "history-refresh", "reconnecting", "manual-reconnect", "sign-in", "confirmation"},
	"awaiting-selection": {"synchronizing", "reconnecting", "manual-reconnect", "sign-in", "confirmation"},
	"ready":              {"synchronizing", "history-refresh", "reconnecting", "manual-reconnect", "sign-in", "confirmation"},
	"history-refresh":    {"synchronizing", "reconnecting", "manual-reconnect", "sign-in", "confirmation"},
	"manual-reconnect":   {"reconnecting"},
	"sign-in":            {"reconnecting", "synchronizing"},
	"confirmation":       {"reconnecting", "synchronizing", "awaiting-selection", "ready", "history-refresh"},
}

// passing states are so short that no snapshot may show them.
var passing = []string{"reconnecting", "synchronizing", "awaiting-selection"}

// mayFollow reports whether b may be the next state that is shown after a.
func mayFollow(a, b string) bool {
	seen := map[string]bool{a: true}
	front := []string{a}
	for len(front) > 0 {
		s := front[0]
		front = front[1:]
		for _, n := range edges[s] {
			if n == b {
				return true
			}
			if !seen[n] && slices.Contains(passing, n) {
				seen[n] = true
				front = append(front, n)
			}
		}
	}
	return false
}

// recordEdges are the steps of an operation that a snapshot shows: from NotSent
// none follows, since a record is dispatched in the step that makes it.
var recordEdges = map[string][]string{
	"InFlight":       {"NotSent", "Confirmed", "Rejected", "OutcomeUnknown"},
	"OutcomeUnknown": {"NotSent", "Confirmed", "Rejected"},
}
