// Package rpc carries requests, answers and notifications over one connection
// and can say, of every failed call, whether any byte of it may have reached
// the peer.
package rpc
