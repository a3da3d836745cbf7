"""The statements of edition v4b in all three grammars: the reference, the tree-sitter one, the product's own tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from serq_grammar import reference_parser
from serq_grammar.tree_reading import faults
from serq_interpreter.frontend.analysis import analyse
from tests.support.spawn_cases import spawn_cases

if TYPE_CHECKING:
    from tree_sitter import Tree

CASES = list(spawn_cases())
WRONG = (
    "session { spawn (1) into { } join kids; }",
    "session { spawn () into kids { } join kids; }",
    "session { spawn (1, 2) into kids { } join kids; }",
    "session { spawn (1) into kids inherit { } join kids; }",
    "session { spawn (1) into kids; join kids; }",
    "session { spawn (1) inherit kv into kids { } join kids; }",
    "session { spawn (1) { } }",
    "session { spawn 1 into kids { } }",
    "session { spawn (1) into kids { } join kids, kids; }",
    "session { spawn (1) into kids { } join (kids); }",
)
RIGHT = (
    "session { spawn (1) into kids { } join kids; }",
    "session { spawn (a * (b + 1)) into kids inherit kv[2] { set x = 1; } join kids; join; }",
    "session { spawn /* so many */ (1) // and where to\n into kids { } join /* them */ kids ; }",
    "def f(k) { spawn (k) into kids { } join kids; } session { f(2); }",
    "session { spawn(2); }",
    "session { spawn.submit(2); spawn[1].submit(2); }",
    "session { set spawn = into + inherit; join; }",
)


@cache
def _lark() -> Any:
    return reference_parser()


def _lark_reads(text: str) -> bool:
    from lark.exceptions import UnexpectedInput

    try:
        _lark().parse(text, start="program")
    except UnexpectedInput:
        return False
    return True


def _product_reads(text: str) -> bool:
    return not any(item.code.startswith("SQ01") for item in analyse(text, "a.sq").diagnostics if item.code != "SQ0112")


def test_every_case_is_read_by_both_grammars(parse: Callable[[str], Tree]) -> None:
    wrong = [(case.name, faults(parse(case.text), case.text)) for case in CASES if faults(parse(case.text), case.text)]
    assert not wrong
    assert [case.name for case in CASES[::6] if not _lark_reads(case.text)] == []


@pytest.mark.parametrize("text", RIGHT)
def test_right_forms(parse: Callable[[str], Tree], text: str) -> None:
    assert _lark_reads(text) and _product_reads(text) and not faults(parse(text), text)


@pytest.mark.parametrize("text", WRONG)
def test_wrong_forms(parse: Callable[[str], Tree], text: str) -> None:
    assert not _lark_reads(text)
    assert analyse(text, "a.sq").has_errors
    assert faults(parse(text), text)
