"""What is generated from the vocabulary or from grammar.js is current."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TREE_SITTER = ROOT / "grammar" / "tree-sitter-serq"


@pytest.mark.parametrize("script", ["grammar/generate_textmate.py", "docs/generate_words.py"])
def test_generated_file_is_current(script: str) -> None:
    command = [sys.executable, str(ROOT / script), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr


def test_the_parser_has_the_rules_of_the_grammar() -> None:
    """A cheap sign that `generate.sh generate` was run after the last change of grammar.js."""
    source = (TREE_SITTER / "grammar.js").read_text(encoding="utf-8")
    written = set(re.findall(r"^    (\w+): \((?:\$|_)\) =>", source, re.M))
    generated = json.loads((TREE_SITTER / "src" / "grammar.json").read_text(encoding="utf-8"))["rules"]
    assert written == set(generated)


@pytest.mark.full
@pytest.mark.skipif(shutil.which("tree-sitter") is None, reason="needs the tree-sitter command")
def test_the_parser_is_what_the_grammar_generates(tmp_path: Path) -> None:
    for name in ("grammar.js", "tree-sitter.json", "package.json"):
        shutil.copy(TREE_SITTER / name, tmp_path / name)
    subprocess.run(["tree-sitter", "generate"], cwd=tmp_path, check=True, timeout=300)
    assert (tmp_path / "src" / "parser.c").read_bytes() == (TREE_SITTER / "src" / "parser.c").read_bytes()
