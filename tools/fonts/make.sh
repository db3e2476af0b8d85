#!/bin/sh
# Makes the fonts in widgets/fonts from pinned sources: two packages of Debian 12 and one of npm, whose licences are
# the same (widgets/fonts/LICENSE). The same sources give the same files. Needs apt, npm and go; takes some minutes.
set -eu
cd "$(dirname "$0")/../.."
cjk='fonts-noto-cjk=1:20220127+repack1-1' noto='fonts-noto-core=20201225-1' tools='python3-fonttools=4.38.0-1+deb12u1'
emoji='@expo-google-fonts/noto-emoji@0.4.7'

if ! dpkg -s fonts-noto-cjk fonts-noto-core python3-fonttools >/dev/null 2>&1; then
	apt-get install -y --no-install-recommends "$cjk" "$noto" "$tools"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm pack --silent --pack-destination "$work" "$emoji" >/dev/null
tar -xzf "$work"/*.tgz -C "$work"
sha256sum --check --quiet <<-SUMS
	b76b0433203017ca80401b2ee0dd69350349871c4b19d504c34dbdd80541690a  /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc
	436900d5ad77d33e4234247f3076eaecd25b92b9bea0519514f684140e3566a7  /usr/share/fonts/truetype/noto/NotoSansHebrew-Regular.ttf
	504d7407d86875acf7d04dfaa0fd7524d0b8797723bc4aa18022f29db25b0b6e  /usr/share/fonts/truetype/noto/NotoSansArabic-Regular.ttf
	24aaa2a20c9c06ffe9bf04284bfd1f14376a329d10122f902abe2770817eb504  $work/package/400Regular/NotoEmoji_400Regular.ttf
SUMS
/usr/bin/python3 tools/fonts/subset.py /usr/share/fonts/opentype/noto /usr/share/fonts/truetype/noto \
	"$work/package/400Regular/NotoEmoji_400Regular.ttf" "$(go list -m -f '{{.Dir}}' fyne.io/fyne/v2)/theme/font" widgets/fonts
