"""Programs near those of the corpus, checked and run here and by the reference: `python -m tests.mutated_corpus FIRST COUNT`.

A generator makes what its author thought of; the corpus was written by somebody who looked for corners.  So each seed
takes a program of the corpus and changes it a little, mostly in ways that keep it a program: another number, another
statement of a program of the same area, a statement left out, doubled, moved, or wrapped in a block.  Compared are the
verdict, the code of the reference's first error (told by its message, learnt from the corpus), the IR, and for programs
that run the whole report and every sample, with and without coalescing.  The seed names the program: `--show SEED` prints it.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from serq_interpreter.frontend.analysis import analyse
from serq_interpreter.ir.json import read_program, write_program
from serq_interpreter.machine.run import Budget, run_program
from tests.machine.differential import Reference, compare
from tests.support.cases import CORPUS, all_cases
from tests.support.comparison import difference_of, language_errors
from tests.support.generate import mutated

_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])")
_SYNTAX = re.compile(r"expected .*, found|unexpected .* (?:at top level|in )|unknown stage kind")
_WRAPPERS = (
    "fork {{ {0} }}", "fork {{ {0} }} join;", "branch with (0.5) {{ {0} }}", "branch (now < 3) {{ {0} }} else {{ }}",
    "loop {{ {0} turn; }}", "loop {{ {0} branch with (0.5) {{ end; }} }}", "branch (1) {{ {0} }}",
)  # fmt: skip
_WORDS = (
    ("lifo", "fifo", "none", "lru"), ("closed", "poisson", "renewal", "batch"), ("head", "tail"),
    ("exp", "det", "geometric", "uniform", "erlang"), ("max", "min"), ("floor", "ceil"),
    ("used", "cached", "free", "queue", "number", "available"), ("<", "<=", ">", "=="), ("+", "-", "*", "/"),
)  # fmt: skip
_CONTINUED = re.compile(r"\s*(?:else\b|cache\b|lease\b|keep\b|growing\b|;)")


@cache
def _programs() -> list[tuple[str, str]]:
    """(area, text) of every program of the corpus that stands alone and is accepted."""
    found = [(case.area, case.text) for case in all_cases() if case.expected.code is None and 'use "' not in case.text]
    found += [("vllm", path.read_text(encoding="utf-8")) for path in sorted((CORPUS / "vllm").glob("*.sq"))[:8]]
    return [(area, re.sub(r"//[^\n]*", "", text)) for area, text in found]


@cache
def _of_area(area: str) -> list[str]:
    return [text for other, text in _programs() if other == area]


def program(seed: int) -> str:
    """The program of a seed: one to three changes of a program of the corpus."""
    random = Random(seed)
    area, text = random.choice(_programs())
    for _ in range(random.choice((1, 1, 2, 3))):
        text = _changed(text, area, random)
    return text.strip() + "\n"


@dataclass(frozen=True, slots=True)
class Element:
    """A statement, option or item: where it stands, and the first word of the block around it (`""` at the top)."""

    around: str
    start: int
    end: int


def elements(text: str) -> list[Element]:
    """Everything of a program that ends with `;` or with a block, at every depth."""
    found: list[Element] = []
    open_blocks: list[tuple[str, int]] = [("", 0)]  # the header of each open block and the start of its present element
    depth, at = 0, 0
    while at < len(text):
        letter = text[at]
        depth += (letter in "([") - (letter in ")]")
        around, start = open_blocks[-1]
        if letter == "{" and depth == 0:
            open_blocks.append((re.split(r"\W+", text[start:at].strip() + " ", maxsplit=1)[0], at + 1))
        elif letter == "}" and depth == 0 and len(open_blocks) > 1:
            open_blocks.pop()
            around, start = open_blocks[-1]
            if not _CONTINUED.match(text, at + 1):
                found.append(Element(around, start, at + 1))
                open_blocks[-1] = around, at + 1
        elif letter == ";" and depth == 0:
            found.append(Element(around, start, at + 1))
            open_blocks[-1] = around, at + 1
        at += 1
    return found


def _kind(around: str) -> str:
    """Blocks that take the same elements have the same kind."""
    statements = ("session", "server", "turn", "init", "hold", "loop", "branch", "fork", "else")
    return "statements" if around in statements else around


def _changed(text: str, area: str, random: Random) -> str:
    changes = (
        _number,
        _number,
        _number,
        _leave_out,
        _double,
        _wrap,
        _word,
        _word,
        _from_another,
        _from_another,
        _swap,
        _any,
    )
    return random.choice(changes)(text, area, random)


def _pick(text: str, random: Random) -> Element | None:
    found = elements(text)
    return random.choice(found) if found else None


def _replaced(text: str, at: Element, by: str) -> str:
    return text[: at.start] + by + text[at.end :]


def _number(text: str, _area: str, random: Random) -> str:
    found = list(_NUMBER.finditer(text))
    if not found:
        return text
    at = random.choice(found)
    value = float(at[0])
    near = (value + 1, max(value - 1, 0), value * 2, value / 2, 0, 1, 2, 0.5, 3, value + 0.25, 0.1, 7)
    return f"{text[: at.start()]}{random.choice(near):.12g}{text[at.end() :]}"


def _leave_out(text: str, _area: str, random: Random) -> str:
    at = _pick(text, random)
    return _replaced(text, at, "") if at else text


def _double(text: str, _area: str, random: Random) -> str:
    at = _pick(text, random)
    return _replaced(text, at, text[at.start : at.end] * 2) if at else text


def _wrap(text: str, _area: str, random: Random) -> str:
    found = [element for element in elements(text) if _kind(element.around) == "statements"]
    if not found:
        return text
    at = random.choice(found)
    return _replaced(text, at, random.choice(_WRAPPERS).format(text[at.start : at.end].strip()))


def _word(text: str, _area: str, random: Random) -> str:
    found = [(at, words) for words in _WORDS for word in words for at in re.finditer(_whole(word), text)]
    if not found:
        return text
    at, words = random.choice(found)
    return text[: at.start()] + random.choice(words) + text[at.end() :]


def _whole(word: str) -> str:
    return rf"\b{word}\b" if word.isalpha() else rf"(?<![<>=!]){re.escape(word)}(?![=>])"


def _from_another(text: str, area: str, random: Random) -> str:
    """An element of another program, mostly of the same area, beside or in place of one of the same kind."""
    other = random.choice(_of_area(area) if random.random() < 0.6 else [text for _, text in _programs()])
    new, at = _pick(other, random), _pick(text, random)
    if new is None or at is None or _kind(new.around) != _kind(at.around):
        return text
    added = other[new.start : new.end]
    return _replaced(text, at, added + text[at.start : at.end] if random.random() < 0.5 else added)


def _swap(text: str, _area: str, random: Random) -> str:
    found = elements(text)
    if len(found) < 2:
        return text
    one, other = sorted(random.sample(found, 2), key=lambda at: at.start)
    if one.end > other.start or _kind(one.around) != _kind(other.around):
        return text
    return (
        text[: one.start]
        + text[other.start : other.end]
        + text[one.end : other.start]
        + text[one.start : one.end]
        + text[other.end :]
    )


def _any(text: str, _area: str, random: Random) -> str:
    return mutated(text, random)[1]


def pattern_of(message: str) -> str:
    """What is the same in every message of a kind: names, numbers and places left out."""
    first = re.sub(r"^(?:error: )?(?:[^\s:]*:)?\d+:\d+:?\s*", "", message.split("\n", 1)[0])
    first = re.sub(r"^(?:link error: |(?:init|turn|session|server|(?:gauge|claim|pool|stage) `[^`]*`): )*", "", first)
    return re.sub(r"\d+(?:\.\d+)?", "#", re.sub(r"`[^`]*`|'[^']*'|\"[^\"]*\"", "`_`", first))


@cache
def codes_by_message(reference: Reference) -> dict[str, frozenset[str]]:
    """Message of the reference → codes of the corpus' programs that give it."""
    found: dict[str, set[str]] = {}
    for case in all_cases():
        if case.expected.code is not None and 'use "' not in case.text:
            outcome = reference.run(case.text)
            if outcome is not None and "rejected" in outcome:
                found.setdefault(pattern_of(outcome["rejected"]), set()).add(case.expected.code)
    return {message: frozenset(codes) for message, codes in found.items()}


def check(text: str, reference: Reference) -> tuple[str, list[str]]:
    """What became of a program (`rejected`, `ran`, `error`, `endless`, …) and the differences."""
    outcome = reference.run(text)
    if outcome is None:
        return "endless", []
    analysis = analyse(text, "program.sq")
    codes = language_errors(analysis)
    if "rejected" in outcome:
        return "rejected", _refusal(codes, outcome["rejected"], reference)
    if codes or analysis.lowered is None:
        return "refused", [f"ours: {' '.join(codes)}; the reference accepts"]
    if different := difference_of(json.loads(write_program(analysis.lowered.program)), json.loads(outcome["ir"])):
        return "kernel", [different]
    found: list[str] = []
    for coalesce in (False, True):
        result = run_program(
            read_program(outcome["ir"]), clock="f64", record=True, check_invariants=not coalesce, reference=not coalesce,
            budget=Budget(events=200_000),
        )  # fmt: skip
        if result.status == "partial" and result.error is None:
            return "long", []
        found += [("coalesced: " if coalesce else "") + line for line in compare(outcome, result)]
    return ("error" if "error" in outcome else "ran"), found


def _refusal(codes: tuple[str, ...], message: str, reference: Reference) -> list[str]:
    """Nothing when the reference's first error is one of ours, by its kind."""
    first = message.splitlines()[0]
    if not codes:
        return [f"ours: accepted; the reference: {first}"]
    if _SYNTAX.search(first):
        return [] if min(codes) < "SQ0200" else [f"ours: {' '.join(codes)}; the reference: {first}"]
    if "SQ0606" in codes and re.match(r"(?:init|turn): |(?:\d+:\d+: )?link error: unknown ", first):
        return []  # it hides the statement's own checks (03 §4), which the reference makes first
    known = codes_by_message(reference).get(pattern_of(first))
    if known is None:
        return [f"unknown message with {' '.join(codes)}: {first}"]
    return (
        [] if known & set(codes) else [f"ours: {' '.join(codes)}; the reference ({' '.join(sorted(known))}): {first}"]
    )


def main(arguments: Sequence[str]) -> int:
    """Print the differences and the counts; 1 when there is a difference."""
    if arguments[0] == "--show":
        print(program(int(arguments[1])))
        return 0
    first, count = int(arguments[0]), int(arguments[1])
    reference = Reference()
    counts: Counter[str] = Counter()
    differing = 0
    for seed in range(first, first + count):
        try:
            kind, found = check(program(seed), reference)
        except Exception as error:  # noqa: BLE001  a fault of ours is a difference; the others still run
            kind, found = "fault", [f"{type(error).__name__}: {error}"]
        counts[kind] += 1
        if found:
            differing += 1
            print(f"seed {seed}: {len(found)} differences")
            for line in found[:3]:
                print(f"    {line[:300]}")
    reference.close()
    print(dict(counts), f"differing: {differing}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
