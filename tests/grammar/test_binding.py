"""The binding: a language where it was built, a plain error where it was not, and nothing that needs it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from serq_grammar.binding import TreeSitterUnavailableError, tree_sitter_language

WITHOUT = """
import sys
sys.modules[{missing!r}] = None
from serq_grammar.binding import TreeSitterUnavailableError, tree_sitter_language
try:
    tree_sitter_language()
except TreeSitterUnavailableError as error:
    print(error)
"""


def message_without(missing: str) -> str:
    child = [sys.executable, "-c", WITHOUT.format(missing=missing)]
    return subprocess.run(child, capture_output=True, text=True, check=True, timeout=60).stdout


def test_the_language_reads_a_program() -> None:
    tree_sitter = pytest.importorskip("tree_sitter")
    try:
        language = tree_sitter_language()
    except TreeSitterUnavailableError as error:
        pytest.skip(str(error))
    tree = tree_sitter.Parser(language).parse(b"let end = 2;")
    assert str(tree.root_node) == "(program (let_item name: (identifier) value: (number)))"


def test_without_the_package_the_error_says_what_to_install() -> None:
    assert "pip install 'serq-lsp[tree-sitter]'" in message_without("tree_sitter")


def test_without_the_parser_the_error_says_how_to_build_it() -> None:
    pytest.importorskip("tree_sitter")
    assert "build_ext --inplace" in message_without("serq_grammar._tree_sitter_serq")
