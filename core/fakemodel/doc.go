// Package fakemodel is a scripted model provider on a loopback address. It
// speaks the Responses API over server-sent events, so that a real Codex
// app-server can be used without a network and without an account: by the
// tests, by the benchmarks and by the demo.
//
// Every POST to /v1/responses is answered by one Script. A turn with a tool
// call makes two requests, so it takes two scripts.
//
// It never calls out, never keeps an authorization header, and listens on
// loopback only.
//
// # Decisions
//
// 2026-11-30: steps are a closed Go union, instead of operations named by a
// string in JSON, because every user of the package is in this repository and
// a misspelt step should not compile.
//
// 2026-11-30: a wait in a test is a Gate with AwaitGate on the other side,
// instead of a pause, because the test then knows that the server has got as
// far as the gate.
//
// 2026-11-30: item ids carry a random part of the run, instead of counting
// from one, because a home that is used by two runs would otherwise see the
// same provider id twice.
package fakemodel
