"""The tree-sitter parser for the tests: the built binding, or the committed parser compiled for this run."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from serq_grammar.binding import TreeSitterUnavailableError, tree_sitter_language

if TYPE_CHECKING:
    from tree_sitter import Language, Tree

SOURCE = Path(__file__).resolve().parents[2] / "grammar" / "tree-sitter-serq" / "src"


@pytest.fixture(scope="session")
def language(tmp_path_factory: pytest.TempPathFactory) -> Language:
    """The grammar as committed; skips only where neither the binding nor a compiler is there."""
    tree_sitter = pytest.importorskip("tree_sitter")
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        try:
            return tree_sitter_language()
        except TreeSitterUnavailableError as error:
            pytest.skip(str(error))
    library = tmp_path_factory.mktemp("tree_sitter") / "serq.so"
    command = [compiler, "-O1", "-shared", "-fPIC", f"-I{SOURCE}", str(SOURCE / "parser.c"), "-o", str(library)]
    subprocess.run(command, check=True, timeout=120)
    pointer = ctypes.CDLL(str(library)).tree_sitter_serq
    pointer.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype = ctypes.py_object
    capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return tree_sitter.Language(capsule(pointer(), b"tree_sitter.Language", None))


@pytest.fixture(scope="session")
def parse(language: Language) -> Callable[[str], Tree]:
    """Text to tree."""
    from tree_sitter import Parser

    parser = Parser(language)
    return lambda text: parser.parse(text.encode("utf-8", "surrogatepass"))
