"""Exit codes of every command."""

OK = 0
FINDINGS = 1
USAGE = 2
INTERNAL = 3
INTERRUPTED = 130
