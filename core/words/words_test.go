package words

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

func use(t *testing.T, l Language) {
	t.Helper()
	if err := Use(l); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { current.Store(nil) })
}

func TestFromLocale(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want Language
	}{
		{nil, English},
		{map[string]string{"LANG": "C"}, English},
		{map[string]string{"LANG": "C.UTF-8"}, English},
		{map[string]string{"LANG": "ja_JP.UTF-8"}, Japanese},
		{map[string]string{"LANG": "ja"}, Japanese},
		{map[string]string{"LANG": "jam_JM"}, English},
		{map[string]string{"LANG": "zh-CN"}, Chinese},
		{map[string]string{"LANG": "zh_Hans_SG.UTF-8@pinyin"}, Chinese},
		{map[string]string{"LANG": "ja_JP", "LC_MESSAGES": "en_US"}, English},
		{map[string]string{"LANG": "de_DE", "LC_MESSAGES": "", "LC_ALL": "zh_CN.GB18030"}, Chinese},
	} {
		if got := FromLocale(func(k string) string { return c.env[k] }); got != c.want {
			t.Errorf("%v: got %s, want %s", c.env, got, c.want)
		}
	}
}

func TestWordsFollowTheLanguage(t *testing.T) {
	err := Error("the connection was lost")
	day := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	say := func() []string {
		return []string{
			T("Send"), T("in %s", "x"), T("no such text %d", 3), T("100 %% sure"),
			N(1, "1 image", "%d images"), N(2, "1 image", "%d images"),
			fmt.Errorf("a: %w", err).Error(), Weekday(day), Date(day, "2 Jan"), string(In()),
		}
	}
	want := map[Language][]string{
		English:  {"Send", "in x", "no such text 3", "100 % sure", "1 image", "2 images", "a: the connection was lost", "Mon", "30 Nov", "en"},
		System:   {"Send", "in x", "no such text 3", "100 % sure", "1 image", "2 images", "a: the connection was lost", "Mon", "30 Nov", "en"},
		Japanese: {"送信", "場所：x", "no such text 3", "100 % sure", "画像 1 件", "画像 2 件", "a: 接続が失われました", "月", "11月30日", "ja"},
		Chinese:  {"发送", "位于：x", "no such text 3", "100 % sure", "1 张图片", "2 张图片", "a: 连接已断开", "周一", "11月30日", "zh"},
	}
	for _, l := range Languages() {
		use(t, l)
		if got := say(); fmt.Sprint(got) != fmt.Sprint(want[l]) {
			t.Errorf("%s: got %q, want %q", l, got, want[l])
		}
	}
	if !errors.Is(fmt.Errorf("a: %w", err), err) {
		t.Error("an Error is not itself")
	}
}
