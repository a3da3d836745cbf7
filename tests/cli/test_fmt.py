"""`serq-lsp fmt` and formatting in the editor."""

from __future__ import annotations

from pathlib import Path

from serq_lsp.services.formatting import formatting, on_type_formatting, range_formatting
from tests.cli.test_check import serq, write
from tests.support.markers import fixture

UGLY = "pool   kv{cap 10;}\n// kept\nsession{set x=1;/* kept too */set y=x+1;}\nrun{horizon 10;}\n"


def test_formats_in_place_and_is_idempotent(tmp_path: Path) -> None:
    path = write(tmp_path, "a.sq", UGLY)
    assert serq("fmt", "--check", "a.sq", cwd=tmp_path).returncode == 1
    assert path.read_text() == UGLY
    assert serq("fmt", "a.sq", cwd=tmp_path).returncode == 0
    once = path.read_text()
    assert once != UGLY
    assert "// kept" in once
    assert "/* kept too */" in once
    assert serq("fmt", "--check", "a.sq", cwd=tmp_path).returncode == 0
    serq("fmt", "a.sq", cwd=tmp_path)
    assert path.read_text() == once


def test_diff_shows_and_changes_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, "a.sq", UGLY)
    done = serq("fmt", "--diff", "a.sq", cwd=tmp_path)
    assert b"-pool   kv{cap 10;}" in done.stdout
    assert path.read_text() == UGLY


def test_standard_input(tmp_path: Path) -> None:
    done = serq("fmt", "-", cwd=tmp_path, stdin=UGLY.encode())
    assert done.returncode == 0
    assert done.stdout.startswith(b"pool kv {")


def test_a_text_that_cannot_be_read_stays_as_it_is(tmp_path: Path) -> None:
    path = write(tmp_path, "a.sq", "let a = 1; /* open")
    assert serq("fmt", "a.sq", cwd=tmp_path).returncode == 1
    assert path.read_text() == "let a = 1; /* open"


def test_a_file_that_cannot_be_read_does_not_stop_the_others(tmp_path: Path) -> None:
    write(tmp_path, "b.sq", UGLY)
    (tmp_path / "a.sq").write_bytes(b"// caf\xe9\n")
    done = serq("fmt", ".", cwd=tmp_path)
    assert done.returncode == 2
    assert b"a.sq: not formatted: the byte 0xE9 at 1:7 is no UTF-8" in done.stderr
    assert (tmp_path / "a.sq").read_bytes() == b"// caf\xe9\n"
    assert (tmp_path / "b.sq").read_text() != UGLY


def test_editor_edits_give_the_formatted_text() -> None:
    snapshot = fixture(UGLY).snapshot()
    text = snapshot.text
    for edit in reversed(formatting(snapshot)):
        text = text[: edit.start] + edit.text + text[edit.end :]
    assert formatting(fixture(text).snapshot()) == []
    first_line = UGLY.index("\n")
    assert all(edit.start <= first_line + 1 for edit in range_formatting(snapshot, 0, first_line))
    assert all(edit.end <= first_line + 1 for edit in on_type_formatting(snapshot, first_line))
