"""What one invocation of `check` found: the input of every output format."""

from __future__ import annotations

from collections import Counter
from dataclasses import field

from serq_interpreter.catalog import Severity
from serq_interpreter.frontend.diagnostic import Diagnostic
from serq_interpreter.record import fact


@fact
class Outcome:
    """`texts` maps each file to its text; `accepted` maps each faultless program to its one-line summary."""

    diagnostics: tuple[Diagnostic, ...]
    texts: dict[str, str]
    accepted: dict[str, str] = field(default_factory=dict)
    suppressed: int = 0
    color: bool = False

    def count(self, severity: Severity) -> int:
        """How many diagnostics have this severity."""
        return Counter(item.severity for item in self.diagnostics)[severity]

    def summary(self) -> dict[str, int]:
        """Counts, as the JSON format and the closing line give them."""
        return {
            "files": sum(1 for name in self.texts if not name.startswith(("--set ", "--def "))),
            "errors": self.count(Severity.ERROR),
            "warnings": self.count(Severity.WARNING),
            "infos": self.count(Severity.INFO) + self.count(Severity.HINT),
            "fixable": sum(1 for item in self.diagnostics if any(fix.safe for fix in item.fixes)),
            "suppressed": self.suppressed,
        }
