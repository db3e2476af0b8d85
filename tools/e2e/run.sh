#!/usr/bin/env bash
# Runs the end-to-end tests on a display of their own; arguments go to go test.
set -euo pipefail
cd "$(dirname "$0")/../.."
runner=(go test)
if [ -x .tools/bin/testsum ]; then runner=(.tools/bin/testsum -tally out/test/tally --); fi
export CGO_ENABLED=0
exec tools/xvfb -size 1400x1000 "${runner[@]}" -count=1 -timeout 45m -tags e2e "$@" ./tools/e2e
