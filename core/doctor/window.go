package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// xSockets is where local X servers listen.
const xSockets = "/tmp/.X11-unix"

// display checks that a window can be opened: it is built for X11 (ruling 23).
func (d *doctor) display(ctx context.Context) {
	if d.OS == "windows" || d.OS == "darwin" {
		d.say("display", OK, "the system's own", "")
		return
	}
	x, wayland := d.Env("DISPLAY"), d.Env("WAYLAND_DISPLAY")
	switch {
	case x != "":
		if err := reachX(ctx, xSockets, x); err != nil {
			d.say("display", Warn, fmt.Sprintf("DISPLAY is %s, and no X server answers there: %s", x, reason(err)), "correct DISPLAY; `make demo` works without one")
			return
		}
		d.say("display", OK, "DISPLAY is "+x, "")
	case wayland != "":
		d.say("display", Warn, "there is Wayland ("+wayland+") and no X11", "switch XWayland on in your desktop, or build with `make build TAGS=wayland`")
	default:
		d.say("display", Warn, "there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set", "run it in a desktop session; `make demo` shows the window without one, and `drive` needs none")
	}
}

// reachX tries the socket of a local X server; a remote one is believed.
func reachX(ctx context.Context, dir, name string) error {
	number, local := strings.CutPrefix(strings.TrimPrefix(name, "unix"), ":")
	if !local {
		return nil
	}
	number, _, _ = strings.Cut(number, ".")
	dialer := net.Dialer{Timeout: 2 * time.Second}
	var errs []error
	for _, namespace := range []string{"@", ""} {
		c, err := dialer.DialContext(ctx, "unix", namespace+filepath.Join(dir, "X"+number))
		if err == nil {
			return c.Close()
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// cjk are parts of the names of font files for Chinese, Japanese and Korean.
var cjk = []string{
	"cjk", "sourcehan", "wqy", "droidsansfallback", "ipag", "ipam", "takao", "vlgothic", "unifont", "nanum", "uming", "ukai", "baekmuk",
	"msyh", "msgothic", "meiryo", "yugoth", "malgun", "simsun", "simhei", "mingliu", "pingfang", "hiragino", "applesdgothic", "stheiti",
}

// maxFonts bounds the walk.
const maxFonts = 20_000

// fonts looks for what the bundled fonts do not have.
func (d *doctor) fonts() {
	files, match := 0, ""
	for _, dir := range d.FontDirs {
		// A folder that cannot be read has no fonts for us.
		_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return nil //nolint:nilerr // go on with the rest
			}
			switch strings.ToLower(filepath.Ext(path)) {
			case ".ttf", ".otf", ".ttc", ".otc", ".pcf", ".dfont":
			default:
				return nil
			}
			if files++; files > maxFonts {
				return fs.SkipAll
			}
			if match == "" && isCJK(filepath.Base(path)) {
				match = path
			}
			return nil
		})
	}
	switch {
	case match != "":
		d.say("fonts", OK, fmt.Sprintf("the bundled fonts and %d of the system; Chinese, Japanese and Korean with %s", files, match), "")
	case files > 0:
		d.say("fonts", Warn, fmt.Sprintf("the bundled fonts and %d of the system, none known to have Chinese, Japanese and Korean", files), "if such text shows as boxes: apt install fonts-noto-cjk")
	default:
		d.say("fonts", Warn, "the bundled fonts only: the system has none", "if text shows as boxes: apt install fonts-noto-core fonts-noto-cjk")
	}
}

func isCJK(name string) bool {
	name = strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name))
	for _, part := range cjk {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

func fontDirs(o Options) []string {
	switch o.OS {
	case "windows":
		return []string{filepath.Join(o.Env("WINDIR"), "Fonts"), filepath.Join(o.Env("LOCALAPPDATA"), "Microsoft", "Windows", "Fonts")}
	case "darwin":
		return []string{"/System/Library/Fonts", "/Library/Fonts", filepath.Join(o.Home, "Library", "Fonts")}
	}
	data := o.Env("XDG_DATA_HOME")
	if data == "" {
		data = filepath.Join(o.Home, ".local", "share")
	}
	return []string{"/usr/share/fonts", "/usr/local/share/fonts", filepath.Join(o.Home, ".fonts"), filepath.Join(data, "fonts")}
}

// dbus looks for the session bus, over which a desktop tells light from dark.
func (d *doctor) dbus() {
	if d.OS == "windows" || d.OS == "darwin" {
		return
	}
	if addr := d.Env("DBUS_SESSION_BUS_ADDRESS"); addr != "" {
		d.say("d-bus", OK, "there is a session bus", "")
		return
	}
	if run := d.Env("XDG_RUNTIME_DIR"); run != "" {
		if _, err := os.Stat(filepath.Join(run, "bus")); err == nil {
			d.say("d-bus", OK, "there is a session bus in "+run, "")
			return
		}
	}
	d.say("d-bus", Warn, "there is no session bus: the window cannot follow the desktop's light and dark", "choose a theme in the settings, or start a session bus")
}

// tryWriting finds out whether a folder can be written, and leaves nothing in it.
func tryWriting(dir string) error {
	f, err := os.CreateTemp(dir, ".holdfast-doctor-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString("x")
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// reason is the last part of a system error: its path was named already.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	var s *os.SyscallError
	if errors.As(err, &s) {
		return s.Err.Error()
	}
	return err.Error()
}
