#!/usr/bin/env bash
# Installs Neovim and Emacs with eglot where the system's packages can be installed; says so and goes on where not.
set -uo pipefail
missing=()
command -v nvim >/dev/null || missing+=(neovim)
command -v emacs >/dev/null || missing+=(emacs-nox elpa-eglot)
if command -v emacs >/dev/null && ! emacs --batch --eval "(progn (package-initialize) (require 'eglot))" >/dev/null 2>&1; then
  missing+=(elpa-eglot)
fi
[ ${#missing[@]} -eq 0 ] && exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "editors: NOT INSTALLED: ${missing[*]} (needs root and apt-get); their smoke tests are skipped"
  exit 0
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
  echo "editors: NOT INSTALLED: ${missing[*]} (apt-get failed); their smoke tests are skipped"
