// Package lint holds the test of the linter's configuration: violations are planted in a small module, and each must be
// found by the rule that is there for it.
package lint
