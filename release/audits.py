"""Ask for known vulnerabilities in what is shipped: `npm audit` for the extension, `pip-audit` for the Python packages.

python release/audits.py           one line an audit: passed, FAILED (with the advisories) or NOT RUN (with the reason)

The exit code is 1 when an audit found a high or critical advisory (pip-audit names no severity: any advisory), else 0.
Both programs ask a service.  An audit whose service gave no answer, or answered for a part of the packages only, was
not run: it is never reported as passed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 300
GRAVE = ("high", "critical")

Result = Literal["passed", "FAILED", "NOT RUN"]


@dataclass(frozen=True, slots=True)
class Audit:
    """`detail` is the reason, or what was found, on one line."""

    name: str
    result: Result
    detail: str


def read_npm(text: str) -> Audit:
    """The report of `npm audit --json`."""
    report = _json(text)
    counts = report.get("metadata", {}).get("vulnerabilities")
    if counts is None:
        reason = report.get("message") or (report.get("error") or {}).get("summary") or "no report"
        return Audit("npm audit", "NOT RUN", str(reason))
    grave = {severity: counts.get(severity, 0) for severity in GRAVE if counts.get(severity, 0)}
    if grave:
        names = sorted(name for name, found in report["vulnerabilities"].items() if found["severity"] in GRAVE)
        found = ", ".join(f"{count} {severity}" for severity, count in grave.items())
        return Audit("npm audit", "FAILED", f"{found}: {', '.join(names)}")
    return Audit("npm audit", "passed", f"{counts.get('total', 0)} advisories, none of them high or critical")


def read_pip(text: str) -> Audit:
    """The report of `pip-audit --format json`."""
    packages: list[dict[str, Any]] = _json(text).get("dependencies", [])
    bad = [f"{one['name']} {one['version']} ({each['id']})" for one in packages for each in one.get("vulns", ())]
    left_out = [one["name"] for one in packages if "skip_reason" in one]
    if bad:
        return Audit("pip-audit", "FAILED", ", ".join(bad))
    if not packages:
        return Audit("pip-audit", "NOT RUN", "no report")
    if left_out:
        return Audit("pip-audit", "NOT RUN", f"no answer for {len(left_out)} of {len(packages)} packages")
    return Audit("pip-audit", "passed", f"no advisory for {len(packages)} packages")


def _json(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def ask(name: str, command: list[str], folder: Path) -> tuple[str, str]:
    """What a program says on its standard output, and why there is nothing when there is nothing."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
    except FileNotFoundError:
        return "", f"{name} is not installed"
    except subprocess.TimeoutExpired:
        return "", f"{name} did not answer within {SECONDS} s"
    last = done.stderr.strip().splitlines()[-1:] or [f"it ended with {done.returncode}"]
    return done.stdout, last[0]


def audits() -> list[Audit]:
    """Both audits, asked for now."""
    npm = ask("npm", ["npm", "audit", "--omit=dev", "--json"], ROOT / "editors/vscode")
    pins = str(ROOT / "release/development.txt")
    flags = ["--no-deps", "--disable-pip", "--progress-spinner", "off", "--format", "json"]
    pip = ask("pip-audit", ["pip-audit", "-r", pins, *flags], ROOT)
    found = []
    for read, (text, reason) in ((read_npm, npm), (read_pip, pip)):
        audit = read(text)
        if audit.detail == "no report":
            audit = Audit(audit.name, audit.result, reason)
        found.append(audit)
    return found


def main() -> int:
    """Print the lines; the exit code."""
    found = audits()
    for audit in found:
        print(f"{audit.name}: {audit.result}: {audit.detail}")
    return int(any(audit.result == "FAILED" for audit in found))


if __name__ == "__main__":
    sys.exit(main())
