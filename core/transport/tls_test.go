package transport

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A wss:// server that nobody vouches for, and one that does not speak TLS, are
// not who they should be: nothing retries them.
func TestServersThatCannotBeTrusted(t *testing.T) {
	nothing := http.NotFoundHandler()
	quiet := func(s *httptest.Server) *httptest.Server {
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		t.Cleanup(s.Close)
		return s
	}
	for _, tt := range []struct {
		name  string
		start func(s *httptest.Server)
		text  string
	}{
		{"unknown authority", (*httptest.Server).StartTLS, "the server's certificate is not trusted at "},
		{"no TLS", (*httptest.Server).Start, "the server does not speak TLS at "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := quiet(httptest.NewUnstartedServer(nothing))
			tt.start(s)
			at := "wss://" + s.URL[strings.LastIndex(s.URL, "/")+1:]
			_, err := Dial(t.Context(), Target{Kind: WebSocket, URL: at}, Options{})
			wantErr(t, err, ServerIdentity, tt.text+at)
		})
	}
}
