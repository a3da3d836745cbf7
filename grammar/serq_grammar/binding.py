"""The tree-sitter parser, where it was built and the `tree_sitter` package is installed.

Neither is needed to check or run programs or by the language server: this is for tools that work on tree-sitter trees.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Tree


class TreeSitterUnavailableError(ImportError):
    """The parser cannot be used here; the message says what is missing and how to get it."""


def tree_sitter_language() -> Language:
    """The grammar as a `tree_sitter.Language`.

    Raises `TreeSitterUnavailableError` when the `tree_sitter` package is not installed, when the parser was not
    compiled with this installation, or when the two do not fit together.
    """
    try:
        from tree_sitter import Language
    except ImportError as error:
        message = "the `tree_sitter` package is not installed: `pip install 'serq-lsp[tree-sitter]'`"
        raise TreeSitterUnavailableError(message) from error
    try:
        extension = import_module("serq_grammar._tree_sitter_serq")
    except ImportError as error:
        message = (
            "the tree-sitter parser was not compiled with this installation: install a C compiler and then "
            "serq-lsp again, or build it in a checkout with `python setup.py build_ext --inplace`"
        )
        raise TreeSitterUnavailableError(message) from error
    try:
        return Language(extension.language())
    except ValueError as error:
        raise TreeSitterUnavailableError(f"the installed `tree_sitter` package is too old: {error}") from error


def parse(text: str) -> Tree:
    """The tree-sitter tree of a program; raises `TreeSitterUnavailableError` as `tree_sitter_language` does."""
    from tree_sitter import Parser

    return Parser(tree_sitter_language()).parse(text.encode("utf-8", "surrogatepass"))
