"""The same seed gives the same bytes: in another process, with another hash seed, with and without the event log."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.support.command_line import ROOT


def printed(hash_seed: int, *arguments: str) -> list[str]:
    """The digests that a process of its own prints."""
    paths = [str(ROOT), str(ROOT / "interpreter"), str(ROOT / "grammar")]
    done = subprocess.run(
        [sys.executable, "-m", "tests.machine.digests", *arguments],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": str(hash_seed)},
    )
    return done.stdout.splitlines()


def _same(*arguments: str) -> list[str]:
    first = printed(1, *arguments)
    assert printed(2, *arguments) == first
    assert printed(3, "--events", *arguments) == first
    return first


@pytest.mark.full
def test_the_same_bytes_of_some_areas() -> None:
    assert len(_same("settle", "sides", "lease", "--generated", "2")) > 100


@pytest.mark.full
def test_the_same_bytes_of_the_whole_corpus_and_of_generated_programs() -> None:
    assert len(_same("--generated", "60")) > 1500
