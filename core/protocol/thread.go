package protocol

// A TurnError is why a turn failed. Info is codexErrorInfo as JSON or a word.
type TurnError struct {
	Message string
	Details string
	Info    string
}

// PlainText is an item as plain text: a command's line, a newline and its
// output; a file change's diffs; else what the item says.
func PlainText(Item) string { return "" }
