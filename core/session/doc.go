// Package session is the chat surface without a window: one loop owns every
// machine, runs their effects, takes intents and publishes snapshots.
package session
