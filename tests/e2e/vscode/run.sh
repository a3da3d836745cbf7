#!/usr/bin/env bash
# The extension in a real workbench, within ten minutes: set-up (about two minutes the first time), package, all tests.
# A set-up longer than ten minutes, or tests longer than twenty-five (with --again, on a crowded machine), are ended.
#   bash tests/e2e/vscode/run.sh [arguments of run.mjs]
# SKIPPED loudly, with status 0, where the set-up is not possible: x86-64 Linux with npm, and apt-get or Chromium.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
export VSH_HOME=${VSH_HOME:-$here/.vscode-harness}

skip() {
  echo "################ VS Code tests SKIPPED: $1"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
}
[ "$(uname -sm)" = "Linux x86_64" ] || skip "the workbench needs x86-64 Linux"
command -v npm >/dev/null || skip "npm is not installed"

timeout 600 bash "$here/harness/setup.sh" "$VSH_HOME" --trim || skip "the workbench could not be set up (see above)"
(cd "$root/editors/vscode" && { [ -d node_modules/esbuild ] || npm ci --ignore-scripts; }) || skip "npm ci failed in editors/vscode"
# Without a network where that can be arranged: packaging, installing and everything in the workbench do without.
if unshare -rn sh -c 'ip link set lo up' 2>/dev/null; then
  echo "run.sh: the tests have no network but the machine itself"
  exec timeout 1500 unshare -rn sh -c 'ip link set lo up; exec "$@"' sh node "$here/run.mjs" "$@"
fi
exec timeout 1500 node "$here/run.mjs" "$@"
