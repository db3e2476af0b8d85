// Package licences holds the licences of everything that is in the program: the
// modules, the toolkit's fonts, Go itself. The list is made by tools/licences,
// whose test fails when it is not what the build has.
package licences
