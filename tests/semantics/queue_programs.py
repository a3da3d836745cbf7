"""Programs around queues, relations and sides with what the reference makes of them, read from `queue_programs.txt`.

`python -m tests.semantics.queue_programs` writes the file anew: it asks the reference about every program in it, stops
at a program that we judge otherwise, and records our codes or a digest of the reference's IR.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from serq_interpreter.frontend.analysis import analyse
from serq_interpreter.ir.json import write_program

FILE = Path(__file__).with_suffix(".txt")

HEAD = """stage svc : fifo;
stage tool : delay;
pool gp { }
workload { arrive batch(1); hidden o; init { set size0 = 10; set o = 5; } session { request gw; end; } }
"""


@dataclass(frozen=True, slots=True)
class QueueProgram:
    """`expected` is `ok DIGEST` or the codes of the faults, in order of place."""

    title: str
    text: str
    expected: str


def programs() -> list[QueueProgram]:
    """Every program of the file."""
    found = []
    for section in FILE.read_text(encoding="utf-8").split("#### ")[1:]:
        title, expected, text = section.split("\n", 2)
        found.append(QueueProgram(title, text.strip().replace("$HEAD\n", HEAD) + "\n", expected.removeprefix("#= ")))
    return found


def judged(text: str) -> str:
    """What we make of a program, in the form of `QueueProgram.expected`."""
    analysis = analyse(text, "queues.sq")
    errors = [item.code for item in analysis.diagnostics if item.code < "SQ1000"]
    if errors:
        return " ".join(errors)
    assert analysis.lowered is not None
    return f"ok {digest(json.loads(write_program(analysis.lowered.program)))}"


def digest(ir: Any) -> str:
    """Sixteen hexadecimal digits that stand for an IR as a JSON value."""
    text = json.dumps(_numbers(ir), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _numbers(value: Any) -> Any:
    """Integers and reals of one value are written alike."""
    if isinstance(value, dict):
        return {key: _numbers(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_numbers(part) for part in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def record() -> None:
    """Write the file anew from the reference; raises `ValueError` at the first program that we judge otherwise."""
    import pyserq

    sections = []
    for program in programs():
        ours = judged(program.text)
        try:
            theirs = f"ok {digest(json.loads(pyserq.compile(source=program.text).to_json()))}"
        except ValueError as error:
            theirs = ours if not ours.startswith("ok") else str(error)
        if ours != theirs:
            raise ValueError(f"{program.title}: {ours}, but the reference: {theirs}\n{program.text}")
        sections.append(f"#### {program.title}\n#= {ours}\n{program.text.replace(HEAD, '$HEAD' + chr(10))}")
    FILE.write_text("\n".join(sections), encoding="utf-8")


if __name__ == "__main__":
    record()
