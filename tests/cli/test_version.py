"""`serq-lsp --version`, and twice what optional parts are used."""

from __future__ import annotations

from pathlib import Path

from serq_interpreter import __version__
from tests.cli.test_check import serq


def test_version_ends_with_the_number(tmp_path: Path) -> None:
    for option in ("-V", "--version"):
        done = serq(option, cwd=tmp_path)
        assert done.returncode == 0
        assert done.stdout.decode().rstrip().endswith(f" {__version__}")


def test_twice_it_says_what_is_used(tmp_path: Path) -> None:
    lines = serq("-VV", cwd=tmp_path).stdout.decode().splitlines()
    assert lines[0] == f"serq-lsp, version {__version__}"
    assert [line.partition(":")[0] for line in lines[1:]] == ["compiled loops (serq-lsp-native)", "numpy"]
