"""Write the generated parts of README.md: the annotated program and what the commands print.

Usage: python docs/generate_readme.py [--check]

A part stands between `<!-- generated: NAME -->` and `<!-- end -->`.  With `--check` nothing is written; the exit code is 1
when a part is not what it would be.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = "examples/mm1.sq"
SLIP = ("~exp(work)", "~exp(work * tokens)")


def command(*arguments: str, text: str | None = None) -> str:
    """What `serq-lsp` prints, as a console block."""
    done = subprocess.run(
        [sys.executable, "-m", "serq_lsp", *arguments],
        cwd=ROOT,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    shown = "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())
    name = "- < " + PROGRAM.replace(".sq", "_slip.sq") if text is not None else arguments[-1]
    return f"```console\n$ serq-lsp {arguments[0]} {name}\n{shown}\n```"


def parts() -> dict[str, str]:
    """Name → text of every generated part."""
    program = (ROOT / PROGRAM).read_text(encoding="utf-8")
    assert SLIP[0] in program
    return {
        "program": f"```serq\n{program.strip()}\n```",
        "check": command("check", PROGRAM),
        "slip": command("check", "--stdin-filename", "examples/mm1_slip.sq", "-", text=program.replace(*SLIP)),
        "run": command("run", "--no-progress", PROGRAM),
    }


def rewritten(text: str) -> str:
    """The README with its generated parts as they are now."""
    for name, content in parts().items():
        pattern = re.compile(rf"(<!-- generated: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        assert pattern.search(text), name
        text = pattern.sub(lambda match, content=content: f"{match[1]}{content}\n{match[2]}", text, count=1)
    return text


def main() -> int:
    """Write or check; the exit code."""
    path = ROOT / "README.md"
    before = path.read_text(encoding="utf-8")
    after = rewritten(before)
    if "--check" in sys.argv[1:]:
        return int(after != before)
    path.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
