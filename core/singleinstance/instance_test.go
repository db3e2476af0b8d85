package singleinstance

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestASecondStartRaisesTheFirst(t *testing.T) {
	dir := t.TempDir()
	raised := make(chan struct{}, 4)
	first, err := Acquire(t.Context(), dir, "/home/me/.codex", func() { raised <- struct{}{} })
	if err != nil {
		t.Fatal(err)
	}
	if second, err := Acquire(t.Context(), dir, "/home/me/.codex", nil); !errors.Is(err, ErrHeld) || second != nil {
		t.Errorf("the second start got %v, %v; want ErrHeld", second, err)
	}
	<-raised
	if err := first.Release(); err != nil {
		t.Error(err)
	}
	third, err := Acquire(t.Context(), dir, "/home/me/.codex", nil)
	if err != nil {
		t.Fatalf("after the release: %v", err)
	}
	if err := third.Release(); err != nil {
		t.Error(err)
	}
}

func TestAnotherPlaceIsAnotherWindow(t *testing.T) {
	dir := t.TempDir()
	for _, place := range []string{"/a", "/b"} {
		in, err := Acquire(t.Context(), dir, place, nil)
		if err != nil {
			t.Fatalf("%s: %v", place, err)
		}
		t.Cleanup(func() { _ = in.Release() })
	}
}

func TestAStaleSocketIsNoHolder(t *testing.T) {
	dir := t.TempDir()
	in, err := Acquire(t.Context(), dir, "/a", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := in.Release(); err != nil {
		t.Fatal(err)
	}
	socks, err := filepath.Glob(filepath.Join(dir, "*.lock"))
	if err != nil || len(socks) != 1 {
		t.Fatalf("locks = %v, %v; want one", socks, err)
	}
	stale := socks[0][:len(socks[0])-len(".lock")] + ".sock"
	if err := os.WriteFile(stale, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := Acquire(t.Context(), dir, "/a", nil)
	if err != nil {
		t.Fatalf("with a stale socket file: %v", err)
	}
	if err := again.Release(); err != nil {
		t.Error(err)
	}
}

func TestAHolderThatDoesNotListenStillHolds(t *testing.T) {
	dir := t.TempDir()
	in, err := Acquire(t.Context(), dir, "/a", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.lock.Unlock() })
	if err := in.ln.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Acquire(t.Context(), dir, "/a", nil); !errors.Is(err, ErrHeld) {
		t.Errorf("err = %v, want ErrHeld", err)
	}
}

func TestAnUnwritableFolderSaysSo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if in, err := Acquire(t.Context(), filepath.Join(file, "dir"), "/a", nil); err == nil || errors.Is(err, ErrHeld) {
		t.Errorf("got %v, %v; want an error that is not ErrHeld", in, err)
	}
}
