"""IR 11 JSON: the corpus's files are read and written back byte for byte; what cannot be read says why and where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.json import IrJsonError, read_program, write_program
from serq_interpreter.ir.json_text import real_text
from tests.support.cases import CASES

FILES = [*sorted(CASES.glob("*/*.ir.json")), *sorted(CASES.glob("*/*.program.json"))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.split(".")[0])
def test_round_trip(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    written = write_program(read_program(text))
    assert json.loads(written) == json.loads(text)
    assert write_program(read_program(written)) == written


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.0"), (1e-5, "0.00001"), (1e-6, "1e-6"), (1e16, "1e+16"), (123456789012345680.0, "1.2345678901234568e+17"),
        (-0.0, "-0.0"), (float("inf"), '"inf"'), (float("-inf"), '"-inf"'), (0.1, "0.1"), (-2.5e-9, "-2.5e-9"),
    ],
)  # fmt: skip
def test_reals(value: float, text: str) -> None:
    assert real_text(value) == text


def _small() -> dict[str, object]:
    path = next(path for path in FILES if path.name.startswith("ir_arrival_none_empty_program"))
    value = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def check_error(value: object, message: str) -> None:
    with pytest.raises(IrJsonError) as caught:
        read_program(value if isinstance(value, str) else json.dumps(value))
    assert str(caught.value).startswith(message), str(caught.value)


def test_errors() -> None:
    check_error("{", "IR: the text ends inside a value: the file is cut off at line 1 column 2")
    check_error('{"version": 11,\n "attrs" []}', "IR: a `:` is missing after the key at line 2 column 10")
    check_error(_small() | {"version": 10}, "the file is IR version 10; version 11 is read here")
    check_error(_small() | {"arrival": {"Burst": 3}}, "IR: there is no `Burst` here: it is one of `Poisson`, ")
    check_error(_small() | {"horizon": "soon"}, 'IR: this is a finite number, not the string "soon" at line 1 column ')
    check_error(
        json.dumps(_small()).replace('"version"', '"big": 1e999, "version"'), "IR: the number 1e999 is too large"
    )
    check_error(_small() | {"observes": ["\ud800"]}, "IR: this string has half of a surrogate pair")
    check_error(_small() | {"blocks": [["Turn"], [], [{"Loop": 2}]]}, "block 2 is reached twice: ")
    check_error(_small() | {"blocks": [[], [], [{"Set": [99, {"Num": 1}]}]]}, "IR: attribute slot 99 is out of range")
    missing = _small()
    del missing["horizon"]
    check_error(missing, "IR: an IR 11 program has no `horizon`, which every one has at line 1 column 1")


def test_unknown_keys_and_integers_for_reals_are_accepted() -> None:
    program = read_program(
        json.dumps(_small() | {"horizon": 7, "comment": [1, {"a": None}], "blocks": [[], [], [], []]})
    )
    assert program.horizon == 7.0
    assert program.orphan_blocks == 1


def test_depth_is_no_limit() -> None:
    expression: ir.Expr = ir.Num(1.0)
    for _ in range(2_500):
        expression = ir.Unary("Neg", expression)
    statement = ir.Set(0, expression)
    program = read_program(json.dumps(_small()))
    deep = ir.Program(
        **{name: getattr(program, name) for name in ir.Program.__slots__ if name != "session"},
        session=ir.Block((statement,)),
    )
    text = write_program(deep)
    assert write_program(read_program(text)) == text
