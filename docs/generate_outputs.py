"""Fill the pages' programs and outputs: what a page shows of a program or of a command is what they are and print now.

python docs/generate_outputs.py [--check] [PAGE…]

A block stands between a directive and `<!-- end -->`:

    <!-- program: FILE -->            the file
    <!-- command: serq-lsp … -->      the command and what it prints
    <!-- slip: FILE | OLD | NEW -->   the change of one text in the file, and what `check` says then

With `--check` nothing is written; the exit code is 1 when a block is not what it would be.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent

BLOCK = re.compile(r"(<!-- (program|command|slip): (.*?) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def pages() -> list[Path]:
    """The pages that have blocks."""
    return [page for page in sorted(DOCS.rglob("*.md")) if BLOCK.search(page.read_text(encoding="utf-8"))]


def rewritten(text: str) -> str:
    """A page with its blocks as they are now."""
    return BLOCK.sub(lambda found: found[1] + block(found[2], found[3].strip()) + "\n" + found[5], text)


def block(kind: str, what: str) -> str:
    """The text between a directive and its end."""
    if kind == "program":
        return f'```serq title="{what}"\n{_read(what).strip()}\n```'
    if kind == "command":
        return f"```console\n$ {what}\n{_printed(shlex.split(what)[1:])}\n```"
    path, old, new = (part.strip() for part in what.split(" | "))
    program = _read(path)
    if program.count(old) != 1:
        raise SystemExit(f"{path} does not have `{old}` once")
    wrong = program.replace(old, new)
    number = wrong[: wrong.index(new)].count("\n")
    before, after = (" ".join(text.splitlines()[number].split()) for text in (program, wrong))
    shown = _printed(["check", "--stdin-filename", path, "-"], wrong)
    return f"```diff\n- {before}\n+ {after}\n```\n\n```console\n$ serq-lsp check {path}\n{shown}\n```"


def _read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def _printed(arguments: list[str], text: str | None = None) -> str:
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100"}
    if arguments[0] == "run":
        arguments = [*arguments, "--no-progress"]
    done = subprocess.run(
        [sys.executable, "-m", "serq_lsp", *arguments],
        cwd=ROOT,
        env=environment,
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"serq-lsp {shlex.join(arguments)}: {done.stderr}")
    return "\n".join(line.rstrip() for line in (done.stdout + done.stderr).strip().splitlines())


def main(arguments: list[str]) -> int:
    """Write or compare; returns the exit code."""
    check = "--check" in arguments
    named = [Path(name).resolve() for name in arguments if not name.startswith("--")]
    stale = 0
    for page in named or pages():
        before = page.read_text(encoding="utf-8")
        after = rewritten(before)
        if after == before:
            continue
        stale += 1
        print(f"{'stale' if check else 'wrote'}: {page.relative_to(DOCS)}")
        if not check:
            page.write_text(after, encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
