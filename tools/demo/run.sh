#!/usr/bin/env bash
# Opens the demo: for a person where there is a display, else a tour of it on a
# display of its own, which leaves pictures in out/demo.
set -euo pipefail
cd "$(dirname "$0")/../.."

codex=$PWD/.tools/codex/0.159.1/node_modules/.bin/codex
case "$(uname -s)-${DISPLAY:-}" in
  Linux-) exec tools/xvfb -size 1200x800 go run ./tools/demo -codex "$codex" -out out/demo ;;
  *) exec bin/holdfast demo --codex "$codex" ;;
esac
