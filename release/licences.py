"""Write `LICENCES.md`: the licence of everything that serq-lsp is installed with, from the packages' own metadata.

python release/licences.py           write it (in an environment that has the packages)
python release/licences.py --check   exit 1 when a package or a licence is not the one written down
"""

from __future__ import annotations

import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "LICENCES.md"

HEAD = """<!-- Written by release/licences.py; do not edit. -->
# Licences

serq-lsp is under the [Apache License 2.0](LICENSE). It is installed with these packages, each under its own licence:
"""

_ROW = re.compile(r"^\| (\S+) \| (.+) \|$", re.MULTILINE)


def dependencies() -> list[str]:
    """What `pip install serq-lsp` brings on this machine, by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: set[str] = set()
    waiting = [_name(item) for item in project["dependencies"]]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        waiting += [_name(item) for item in metadata.requires(name) or () if _holds(item)]
    return sorted(found)


def _name(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found, requirement
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def _holds(requirement: str) -> bool:
    """Whether a requirement is for every installation, not for an extra or for another Python or platform."""
    marker = requirement.partition(";")[2]
    return not marker or ("extra" not in marker and "python_version <" not in marker and "platform" not in marker)


def licence(name: str) -> str:
    """The licence by the package's metadata: expression, classifier or text, whichever is there first."""
    about = metadata.metadata(name)
    expression = about.get("License-Expression")
    if expression:
        return str(expression)
    classifiers = [item for item in about.get_all("Classifier") or () if item.startswith("License ::")]
    if classifiers:
        return ", ".join(sorted(item.rpartition(" :: ")[2] for item in classifiers))
    return " ".join(str(about.get("License") or "not stated").split())[:80]


def page() -> str:
    """The whole page."""
    rows = [f"| {name} | {licence(name)} |" for name in dependencies()]
    return HEAD + "\n| package | licence |\n|---|---|\n" + "\n".join(rows) + "\n"


def main() -> int:
    """Write or compare; the exit code."""
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    now, then = dict(_ROW.findall(page())), dict(_ROW.findall(PAGE.read_text(encoding="utf-8")))
    wrong = {name: text for name, text in now.items() if then.get(name) != text}
    for name, text in wrong.items():
        print(f"{name}: {text}, not {then.get(name, 'listed')}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
