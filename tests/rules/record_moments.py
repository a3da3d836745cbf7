"""Ask the reference implementation about every cell of the moment table and store its verdicts.

    python tests/rules/record_moments.py        rewrites tests/rules/moment_verdicts.json

The reference runs in a child process; it is needed here only, the tests read the stored verdicts.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "interpreter")]

from moment_programs import POSITIONS, program  # noqa: E402

from serq_interpreter.semantics.moments import TABLE  # noqa: E402

STORE = HERE / "moment_verdicts.json"

_CHILD = """
import json, sys, pyserq
for text in json.load(sys.stdin):
    try:
        pyserq.compile(source=text)
        print(json.dumps(""))
    except BaseException as error:
        print(json.dumps(str(error).split(chr(10))[0]))
"""


def verdicts(programs: list[str]) -> list[str]:
    """The reference's first complaint about each program, empty for an accepted one."""
    done = subprocess.run(
        [sys.executable, "-c", _CHILD],
        input=json.dumps(programs),
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return [str(json.loads(line)) for line in done.stdout.splitlines()]


def main() -> None:
    cells = [(read, moment, position) for read in TABLE for moment in POSITIONS for position in POSITIONS[moment]]
    answers = verdicts([program(*cell) for cell in cells])
    accepted: dict[str, list[str]] = {}
    for (read, _, position), answer in zip(cells, answers, strict=True):
        accepted.setdefault(read, [])
        if not answer:
            accepted[read].append(position)
    STORE.write_text(json.dumps({"accepted": accepted}, indent=1) + "\n", encoding="utf-8")
    print(f"{len(cells)} programs, {sum(map(len, accepted.values()))} accepted")
    if "--show" in sys.argv:
        for cell, answer in zip(cells, answers, strict=True):
            print(*cell, "|", answer or "ok")


if __name__ == "__main__":
    main()
