package main

import (
	"os"
	"testing"
)

var mainIsMain bool

func TestMain(m *testing.M) {
	mainIsMain = onMain()
	os.Exit(m.Run())
}

// Window code runs on the main goroutine only.
func TestOnMain(t *testing.T) {
	if !mainIsMain || onMain() {
		t.Errorf("onMain is %v on the main goroutine and %v on a test's, want true and false", mainIsMain, onMain())
	}
}
