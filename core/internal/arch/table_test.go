package arch

// Groups of the table.
var (
	machines = []string{"core/attachments", "core/history", "core/ledger", "core/recovery"}
	inner    = []string{"core/protocol", "core/safetext", "core/stamp", "core/words"}
	anything = []string{"*"}
)

// mayImport lists, for each package, the packages of this module that its code may import. A package that is not
// listed may import none.
var mayImport = map[string][]string{
	"core/attachments": inner,
	"core/history":     inner,
	"core/ledger":      inner,
	"core/recovery":    inner,
	"core/transport":   {"core/protocol", "core/safetext", "core/words"},
	"core/rpc":         {"core/protocol", "core/safetext", "core/transport"},
	"core/seed":        {"core/fakemodel"},
	// The test kit around real servers, and the demo, stand outside the product's core.
	"core/realserver":          {"core/fakemodel", "core/seed", "core/transport"},
	"core/demo":                {"core/fakemodel", "core/seed", "core/transport"},
	"core/internal/fakeserver": {"core/protocol", "core/transport"},
	"core/session": join(machines, inner, []string{
		"core/itemtext", "core/words", "core/export", "core/protocol/*", "core/rpc", "core/transport", "core/profile", "core/internal/*",
	}),
	"core/diagnostics":   {"core/doctor", "core/logfile", "core/profile", "core/safetext"},
	"tools/licences":     {"core/licences"},
	"core/save":          {"core/words"},
	"core/export":        {"core/protocol", "core/safetext"},
	"core/profile":       {"core/transport", "core/words"},
	"core/safetext":      {"core/words"},
	"widgets/fonts":      {"core/words"},
	"core/logfile":       {"core/safetext"},
	"core/doctor":        {"core/logfile", "core/profile", "core/protocol", "core/rpc", "core/safetext", "core/transport"},
	"core/start":         {"core/profile", "core/session", "core/transport", "core/words"},
	"core/drive":         {"core/history", "core/logfile", "core/profile", "core/protocol", "core/save", "core/session", "core/stamp", "core/start"},
	"core/command":       {"core/doctor", "core/drive"},
	"widgets":            {"core/safetext", "core/words", "widgets/*"},
	"widgets/text":       {"core/safetext", "widgets/fonts"},
	"widgets/theme":      {"widgets/fonts"},
	"widgets/transcript": {"core/safetext", "core/words", "widgets/text", "widgets/theme"},
	"ui": join(inner, []string{
		"core/session", "core/history", "core/words", "core/licences", "core/profile", "core/save", "widgets", "widgets/*",
	}),
	"":                      anything,
	"cmd/holdfast-headless": {"core/*"},
	"tools/chaos":           {"core/realserver"},
	"tools/chaos/judge":     {"core/transport"},
	"tools/chaos/play":      {"core/*", "tools/chaos/*"},
	"tools/bench/measure":   {"tools/internal/*"},
	"tools/demo":            {"tools/internal/*"},
	"tools/mutants":         {"tools/internal/*"},
	"tools/reqs":            {"tools/internal/*"},
	"tools/readme":          {"core/profile", "tools/internal/*"},
}

// testsMayAlsoImport lists what the tests of a package may import beyond what its code may. The scripted servers and
// runners below core/internal are for every test of core.
var testsMayAlsoImport = map[string][]string{
	"core/drive": {"core/transport"},
	"core/rpc":   {"core/itemtext"},
}

// anyTestMayImport lists the test kits.
var anyTestMayImport = []string{"core/fakemodel", "core/realserver", "core/seed"}

// osExec lists the packages that may start processes.
var osExec = []string{"core/transport", "core/realserver"}
