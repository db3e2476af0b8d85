package drive_test

import (
	"strings"
	"testing"

	"holdfast/core/fakemodel"
	"holdfast/core/realserver"
)

// A provider that wants an account: signed out reading works and sending does
// not; an API key signs in, is shown nowhere, and a message can be sent; signing
// out leads back.
func TestSigningInAndOut(t *testing.T) {
	each(t, func(t *testing.T, version string) {
		h := realserver.New(t, version, fakemodel.Config{NeedsSignIn: true})
		s := begin(t, stdio(h))
		s.untilState("sign-in")
		if !s.offers("signIn") || s.section("account")["signedIn"] != false {
			t.Errorf("signed out: %s", s.brief())
		}
		s.refused(`{"do":"new"}`, "not-now")
		s.must(`{"do":"signIn","apiKey":"sk-not-to-be-shown"}`)
		s.untilState("awaiting-selection")
		s.until("the account", func() bool { return s.section("account")["signedIn"] == true })
		if s.section("server")["confirmed"] != true {
			t.Error("our own sign-in has to be confirmed")
		}
		s.fresh(h)
		s.tell(h, "hello", fakemodel.Say("hello to you"))
		s.turnEnds("completed", "agentMessage: hello to you")
		s.must(`{"do":"full"}`)
		if all := s.brief(); strings.Contains(all, "sk-not") {
			t.Errorf("the key is shown: %s", all)
		}
		s.must(`{"do":"signOut"}`)
		s.untilState("sign-in")
		s.quit()
	})
}
