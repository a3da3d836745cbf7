#!/usr/bin/env bash
# Runs the tree-sitter CLI in this folder, which is needed only to change the grammar or to test its queries.
#
#   bash generate.sh generate        grammar.js -> src/
#   bash generate.sh test            test/corpus, test/highlight, test/tags
#   bash generate.sh parse FILE      print a syntax tree
#
# A `tree-sitter` on the PATH is used when it has the version below.  Otherwise the CLI is taken from the Debian archive
# that apt is configured for, with the C library it wants beside it, into `.tools/` (not committed): the npm package
# downloads its binary when it is installed, which fails where only package registries are reached.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
version=0.26
if command -v tree-sitter >/dev/null && tree-sitter --version | grep -q "^tree-sitter $version\."; then
  exec tree-sitter "$@"
fi
tools=${TREE_SITTER_TOOLS:-.tools}
mkdir -p "$tools"; tools=$(cd "$tools" && pwd)
if [ ! -x "$tools/unpacked/usr/bin/tree-sitter" ]; then
  site=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m1 '/debian/\?$')
  mkdir -p "$tools/lists/partial" "$tools/unpacked"
  echo "deb [trusted=yes] $site forky main" > "$tools/forky.list"
  apt="-oDir::Etc::sourcelist=$tools/forky.list -oDir::Etc::sourceparts=/dev/null -oDir::State::Lists=$tools/lists -oAPT::Sandbox::User=root"
  apt-get $apt -qq update
  (cd "$tools" && apt-get $apt -qq download tree-sitter-cli libc6 libgcc-s1)
  for deb in "$tools"/*.deb; do dpkg -x "$deb" "$tools/unpacked"; done
fi
loader=$(find "$tools/unpacked" -name 'ld-linux-*.so.*' | head -n1)
libs=$(dirname "$(find "$tools/unpacked" -name 'libc.so.6' | head -n1)"):$(dirname "$(find "$tools/unpacked" -name 'libgcc_s.so.1' | head -n1)")
exec "$loader" --library-path "$libs" "$tools/unpacked/usr/bin/tree-sitter" "$@"
