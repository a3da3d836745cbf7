"""The grammars of serQ 0.1.3: `serq.lark`, the reference, and the tree-sitter grammar's binding.

The product itself runs tables that are generated from `serq.lark` and does not import lark.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lark import Lark
    from tree_sitter import Language

__all__ = ["LARK_GRAMMAR", "STARTS", "reference_parser", "tree_sitter_language"]

LARK_GRAMMAR = Path(__file__).with_name("serq.lark")
STARTS = ("program", "item", "block", "expr")
"""The rules that a parser may start from."""


def reference_parser() -> Lark:
    """The parser that lark makes of `serq.lark`: text to lark's tree, `start` one of `STARTS`.

    Raises `ImportError` without lark (a development dependency); parsing raises lark's `UnexpectedInput`.
    """
    from lark import Lark

    return Lark.open_from_package(
        "serq_grammar",
        "serq.lark",
        parser="lalr",
        start=list(STARTS),
        keep_all_tokens=True,
        maybe_placeholders=True,
        propagate_positions=True,
    )


def tree_sitter_language() -> Language:
    """The tree-sitter grammar as a `tree_sitter.Language`.

    Raises `serq_grammar.binding.TreeSitterUnavailableError`, an `ImportError`, where it cannot be used.
    """
    from serq_grammar.binding import tree_sitter_language as load

    return load()
