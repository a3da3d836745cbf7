#!/usr/bin/env bash
# The check of the GitHub action: annotations on standard output, SARIF beside, both named in the step's outputs.
#
# Reads SERQ_PATHS, SERQ_RUN, SERQ_STRICT and SERQ_ARGS, and the runner's RUNNER_TEMP and GITHUB_OUTPUT. Ends with 0 unless
# something else than the programs is wrong: the action's last step fails with the exit code, after the upload.
set -uo pipefail

read -r -a paths <<< "${SERQ_PATHS:-.}"
read -r -a extra <<< "${SERQ_ARGS:-}"
options=(--run "${SERQ_RUN:-off}")
[ "${SERQ_STRICT:-false}" = true ] && options+=(--strict)
sarif="${RUNNER_TEMP:-.}/serq-lsp.sarif"

serq-lsp check --format github "${options[@]}" ${extra[@]+"${extra[@]}"} -- "${paths[@]}"
status=$?
if [ "$status" -le 1 ]; then
  serq-lsp check --format sarif --output "$sarif" "${options[@]}" ${extra[@]+"${extra[@]}"} -- "${paths[@]}"
else
  sarif=
fi
{
  echo "exit-code=$status"
  echo "sarif=$sarif"
} >> "${GITHUB_OUTPUT:-/dev/stdout}"
exit 0
