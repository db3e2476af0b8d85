package words

import "testing"

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
