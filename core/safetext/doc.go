// Package safetext is the only way from untrusted text to the screen or the
// log: widgets take a [Doc] or a [Line], and only this package makes them
// (HIS-9).
package safetext
