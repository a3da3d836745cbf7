"""Programs on which the front end and the reference once disagreed, each with what the reference makes of it.

The first line of `tests/corpus/found/NAME.sq` is `// expect: ok — WHY` or `// expect: error — [CODES] WHY`: our codes for
what the reference refuses, in order of place.  An accepted program has its IR beside it in `NAME.ir.json`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from tests.support.oracle_process import Answer, Verdict

FOLDER = Path(__file__).resolve().parents[1] / "corpus" / "found"
EXPECTED = re.compile(r"// expect: (?:ok|error — \[(?P<codes>[^\]]*)\])")


@dataclass(frozen=True, slots=True)
class Found:
    """`codes` are empty for an accepted program; `ir` is its IR as stored, or `None`."""

    name: str
    text: str
    codes: tuple[str, ...]
    ir: str | None


def all_found() -> list[Found]:
    """Every entry, in order of name."""
    found = []
    for path in sorted(FOLDER.glob("*.sq")):
        first, _, text = path.read_bytes().decode("utf-8").partition("\n")
        match = EXPECTED.match(first)
        if match is None:
            raise ValueError(f"{path.name}: its first line says nothing of what is expected")
        stored = path.with_suffix(".ir.json")
        ir = stored.read_text(encoding="utf-8") if stored.exists() else None
        found.append(Found(path.stem, text, tuple((match["codes"] or "").split()), ir))
    return found


def store(name: str, text: str, codes: tuple[str, ...], answer: Answer, why: str, folder: Path = FOLDER) -> Path:
    """Write an entry: what the reference says is expected; the codes are ours and to be looked at."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.sq"
    accepted = answer.verdict is Verdict.ACCEPTED
    first = f"// expect: ok — {why}" if accepted else f"// expect: error — [{' '.join(codes)}] {why}"
    path.write_bytes(f"{first}\n{text}".encode())
    if accepted:
        rounded = json.dumps(answer.ir, separators=(",", ":"))
        path.with_suffix(".ir.json").write_text(rounded + "\n", encoding="utf-8")
    return path
