// Package start makes a session's configuration of the command line and the
// config file: the same for the window and for drive. It owns the ports that
// touch the machine: dialling, images, the token file, random numbers.
//
// # Decisions
//
// 2026-11-30: one package for both surfaces. Instead of the same wiring in
// main and in drive, because what they do must not differ.
//
// 2026-11-30: an image that is a link is not read. Instead of following it,
// because what was chosen may have been replaced by one between the choice and
// the Send, and the message would carry a file that nobody meant.
package start
