"""IR files damaged by hand: a verdict, never an exception, and the reference's verdict."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from serq_interpreter.frontend.analysis import Options
from serq_interpreter.frontend.ir_analysis import IrAnalysis, analyse_ir
from tests.support import oracle
from tests.support.cases import CASES

FILES = [
    path
    for path in [*sorted(CASES.glob("*/*.ir.json")), *sorted(CASES.glob("*/*.program.json"))]
    if path.stat().st_size < 40_000
]
STRICTER = ("SQ0414", "SQ0503", "SQ0504", "SQ0815")
"""Numbers that no text can say (a block of 0, a fifo without servers, arrivals beyond 2^53) and that we refuse in IR, too."""
UNSAYABLE = ("in every program", "a hold takes at least one pool")
"""Built-in attributes in other slots than their own, holds of nothing: read by the reference, written by no compiler."""
VALUES: list[Any] = [
    None, True, 0, 1, -1, 99, 0.5, -0.0, 1e300, "inf", "-inf", "nan", "", "x", [], {}, [1], 2**53, 2**64, 1_000_001,
    "None", "Turn", {"Num": 1.0}, {"Num": 0}, {"Num": "inf"}, {"Attr": 0}, {"Attr": 99}, {"Nothing": 1}, [[]],
]  # fmt: skip


def paths_of(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value inside `value`."""
    found = [path] if path else []
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            found.extend(paths_of(value[key], (*path, key)))
    return found


def owner_of(value: Any, path: tuple[Any, ...]) -> Any:
    """The container of the value at `path`."""
    for key in path[:-1]:
        value = value[key]
    return value


def damaged_value(value: Any, source: random.Random) -> Any:
    """`value` with one part deleted, replaced, doubled or copied over another."""
    value = copy.deepcopy(value)
    paths = paths_of(value)
    path = source.choice(paths)
    owner, key = owner_of(value, path), path[-1]
    match source.randrange(4):
        case 0:
            del owner[key]
        case 1 if isinstance(owner, list):
            owner.insert(key, copy.deepcopy(owner[key]))
        case 2:
            other = source.choice(paths)
            owner[key] = copy.deepcopy(owner_of(value, other)[other[-1]])
        case _:
            owner[key] = source.choice(VALUES)
    return value


def damaged_text(text: str, source: random.Random) -> str:
    """`text` cut off, or with one character more or less."""
    at = source.randrange(len(text))
    how = source.randrange(3)
    if how == 0:
        return text[:at]
    return text[:at] + (source.choice('{}[]",:0e-.\\x\n\0') if how == 1 else "") + text[at + how - 1 :]


def mutants(seed: int, count: int) -> list[str]:
    source = random.Random(seed)
    found = []
    while len(found) < count:
        text = source.choice(FILES).read_text(encoding="utf-8")
        if source.random() < 0.2:
            found.append(damaged_text(text, source))
        else:
            found.append(json.dumps(damaged_value(json.loads(text), source)))
    return found


def judge(text: str) -> IrAnalysis:
    found = analyse_ir(text, "damaged.ir.json", Options())
    if not found.has_errors:
        assert found.summary()
    else:
        assert found.diagnostics
        assert all(item.message for item in found.diagnostics)
    return found


def compare(texts: list[str]) -> None:
    """Raises `AssertionError` with the first file that the reference judges otherwise."""
    for text, answer in zip(texts, oracle.ir_verdicts(texts, seconds=300), strict=True):
        found = judge(text)
        if answer is None and found.has_errors:
            first = found.diagnostics[0]
            stricter = all(item.code in STRICTER for item in found.diagnostics)
            assert stricter or first.message.endswith(UNSAYABLE), (first.code, first.message, text)
        elif not found.has_errors:
            assert answer is None, (answer, text)


@pytest.mark.skipif(not oracle.AVAILABLE, reason="needs the reference implementation")
def test_some_damaged_files_are_judged_as_the_reference_does() -> None:
    compare(mutants(11, 120))


@pytest.mark.full
@pytest.mark.skipif(not oracle.AVAILABLE, reason="needs the reference implementation")
def test_many_damaged_files_are_judged_as_the_reference_does() -> None:
    for seed in range(5):
        compare(mutants(seed, 400))


@pytest.mark.skipif(not oracle.AVAILABLE, reason="needs the reference implementation")
def test_every_key_is_required_or_optional_as_in_the_reference() -> None:
    seen: set[tuple[str, ...]] = set()
    texts: list[str] = []
    for path in FILES:
        value = json.loads(path.read_text(encoding="utf-8"))
        for way in paths_of(value):
            kind = tuple(key for key in way if isinstance(key, str))[-2:]
            if not isinstance(way[-1], str) or kind in seen:
                continue
            seen.add(kind)
            without, null = copy.deepcopy(value), copy.deepcopy(value)
            del owner_of(without, way)[way[-1]]
            owner_of(null, way)[way[-1]] = None
            texts += (json.dumps(without), json.dumps(null))
    assert len(texts) > 150
    compare(texts)


def index_program(path: Path, index: object) -> str:
    value = json.loads(path.read_text(encoding="utf-8"))
    hold = next(statement["Hold"] for block in value["blocks"] for statement in block if "Hold" in statement)
    hold["pools"][0][0]["index"] = index
    return json.dumps(value)


def test_an_index_that_names_no_member_is_refused() -> None:
    path = next(path for path in FILES if path.name.startswith("ir_preempt_lifo"))
    assert not judge(index_program(path, {"Num": 0})).has_errors
    for index in ({"Num": -1}, {"Num": 0.5}, {"Unary": ["Neg", {"Num": 1}]}):
        found = judge(index_program(path, index))
        assert [item.code for item in found.diagnostics] == ["SQ0226"], index


def test_orders_without_keys_and_other_statements_than_assignments_before_a_session_are_refused() -> None:
    path = next(path for path in FILES if path.name.startswith("ir_preempt_lifo"))
    value = json.loads(path.read_text(encoding="utf-8"))
    for key, empty in (("queue", []), ("preempt", {"By": {"keys": []}})):
        damaged = copy.deepcopy(value)
        damaged["pools"][0][key] = empty
        assert judge(json.dumps(damaged)).has_errors
    for statement in ("Turn", "End", {"Drop": {"base": 0, "count": 1, "index": None}}):
        damaged = copy.deepcopy(value)
        damaged["blocks"][0].append(statement)
        assert judge(json.dumps(damaged)).has_errors
