"""Options of `check` that read and write files: fixes and their diff, baselines, watching."""

from __future__ import annotations

import io
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from serq_lsp.cli import watching
from serq_lsp.cli.main import run_command_line

Check = Callable[..., tuple[int, str, str]]
GOOD = "stage s : fifo;\nsession { run s (1); observe t = now; end; }\nrun { horizon 10; }\n"
WRONG = GOOD.replace("run s (1)", "run s (x)")
SLIPS = "session { x = 1; branch (x = 1) { end } end; }\nworkload { arrive poisson(1); }\nrun { horizon 10 }\n"
"""Two rounds of fixes: the second is found only when the first is made."""


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Check:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            run_command_line(["check", *arguments])
        return int(ended.value.code or 0), *capsys.readouterr()

    return run


# --------------------------------------------------------------------------- fixes


def patched(folder: Path, diff: str) -> None:
    """Apply a diff with the tool that people have."""
    subprocess.run(["patch", "-p0", "-s"], input=diff, text=True, cwd=folder, check=True, timeout=60)


def test_the_diff_shows_all_that_fix_would_do(check: Check, tmp_path: Path) -> None:
    path = tmp_path / "a.sq"
    path.write_text(SLIPS)
    status, diff, _ = check("a.sq", "--diff")
    assert status == 1
    assert path.read_text() == SLIPS
    check("a.sq", "--fix")
    fixed = path.read_text()
    assert fixed.startswith("session { set x = 1; branch (x == 1) { end; } end; }")
    assert [line for line in diff.splitlines() if line[:1] == "+" and line[:3] != "+++"] == [
        "+" + line for line in fixed.splitlines() if line not in SLIPS.splitlines()
    ]
    assert check("a.sq", "--diff")[:2] == (0, "")


def test_a_fault_of_a_library_is_fixed_in_the_library(check: Check, tmp_path: Path) -> None:
    (tmp_path / "lib.sq").write_text("def job(n) {\n  observe y = n & 1;\n}\n")
    (tmp_path / "a.sq").write_text('use "lib.sq";\nsession { job(1); end; }\nrun { horizon 10 }\n')
    _, diff, _ = check("a.sq", "--diff")
    assert "+++ lib.sq" in diff
    assert "+++ a.sq" in diff
    status, shown, _ = check("a.sq", "lib.sq", "--fix", "--format", "json")
    assert status == 0
    assert json.loads(shown)["summary"]["errors"] == 0
    assert (tmp_path / "lib.sq").read_text() == "def job(n) {\n  observe y = n && 1;\n}\n"
    assert "horizon 10; }" in (tmp_path / "a.sq").read_text()


def test_standard_input_is_shown_fixed_and_not_written(
    check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "b.sq").write_text(SLIPS)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SLIPS.encode())))
    status, diff, _ = check("-", "--diff", "--stdin-filename", "x.sq")
    assert status == 1
    assert "+++ x.sq" in diff
    assert "+session { set x = 1; branch (x == 1) { end; } end; }" in diff
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(WRONG.encode())))
    _, shown, _ = check("-", "b.sq", "--fix", "--format", "concise", "--stdin-filename", "x.sq")
    assert "x.sq:2:" in shown
    assert not (tmp_path / "x.sq").exists()


def test_only_fixes_that_need_no_look_are_made_unless_asked(check: Check, tmp_path: Path) -> None:
    path = tmp_path / "a.sq"
    path.write_text(WRONG.replace("session { run s (x)", "session { set xx = 1; run s (x)").replace("(x)", "(xz)"))
    before = path.read_text()
    check("a.sq", "--fix")
    assert path.read_text() == before
    check("a.sq", "--fix", "--unsafe-fixes")
    assert "run s (xx)" in path.read_text()


def test_a_file_that_cannot_be_written_ends_the_command(
    check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.sq"
    path.write_text(SLIPS)

    def refuse(self: Path, *args: object, **kwargs: object) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    status, _, told = check("a.sq", "--fix")
    assert status == 2
    assert "a.sq: cannot be written: Permission denied" in told


# --------------------------------------------------------------------------- baselines


def test_a_baseline_counts_and_lets_lines_move(check: Check, tmp_path: Path) -> None:
    path = tmp_path / "a.sq"
    path.write_text(WRONG)
    assert check("a.sq", "--baseline", "known.json")[0] == 0
    known = json.loads((tmp_path / "known.json").read_text())
    assert known["version"] == 1
    assert [(row["file"], row["code"], row["count"]) for row in known["accepted"]] == [("a.sq", "SQ0201", 1)]
    path.write_text("// moved\n\n" + WRONG)
    assert check("a.sq", "--baseline", "known.json")[0] == 0
    path.write_text(WRONG.replace("observe t = now;", "observe t = now; set y = z;"))
    status, shown, _ = check("a.sq", "--baseline", "known.json", "--format", "json")
    assert (status, json.loads(shown)["summary"]["suppressed"]) == (1, 1)
    path.write_text(GOOD)
    assert check("a.sq", "--baseline", "known.json")[0] == 0
    assert json.loads((tmp_path / "known.json").read_text()) == known


@pytest.mark.parametrize("content", ["", "[]", '{"version": 1}', '{"accepted": [{"file": 1}]}', '{"accepted": 3}'])
def test_a_baseline_that_is_none(check: Check, tmp_path: Path, content: str) -> None:
    (tmp_path / "a.sq").write_text(GOOD)
    (tmp_path / "known.json").write_text(content)
    status, _, told = check("a.sq", "--baseline", "known.json")
    assert status == 2
    assert "known.json: not a baseline" in told


def test_a_baseline_that_cannot_be_written(check: Check, tmp_path: Path) -> None:
    (tmp_path / "a.sq").write_text(WRONG)
    status, _, told = check("a.sq", "--baseline", "no/such/known.json")
    assert status == 2
    assert "the baseline cannot be written" in told


# --------------------------------------------------------------------------- watching


def watched(monkeypatch: pytest.MonkeyPatch, changes: list[Callable[[], object]]) -> None:
    """Make a change each time that `--watch` waits; after the last one, interrupt."""

    def wait(seconds: float) -> None:
        if not changes:
            raise KeyboardInterrupt
        changes.pop(0)()

    monkeypatch.setattr(watching.time, "sleep", wait)


def rewrite(path: Path, text: str) -> None:
    """Write a file with a time of its own, whatever the resolution of the file system's."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    path.write_text(text)
    os.utime(path, ns=(before + 10**9, before + 10**9))


def test_watching_checks_again_when_a_file_changes_appears_or_goes(
    check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, other = tmp_path / "a.sq", tmp_path / "b.sq"
    path.write_text(GOOD)
    watched(
        monkeypatch,
        [
            lambda: rewrite(path, WRONG),
            lambda: None,
            lambda: rewrite(other, WRONG),
            lambda: other.unlink(),
            lambda: rewrite(path, GOOD),
        ],
    )
    status, shown, told = check(".", "--watch", "--format", "concise")
    assert status == 130
    assert told.count("---\n") == 5
    assert [line.split(":")[0] for line in shown.splitlines()] == ["a.sq", "a.sq", "b.sq", "a.sq"]


def test_watching_a_program_sees_its_library_and_its_settings(
    check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = tmp_path / "lib.sq"
    library.write_text("def job(n) { run s (n); }\n")
    (tmp_path / "a.sq").write_text('use "lib.sq";\n' + GOOD.replace("run s (1)", "job(1)"))
    watched(monkeypatch, [lambda: rewrite(library, "def job(n) { run s (m); }\n")])
    status, shown, told = check("a.sq", "--watch", "--format", "concise")
    assert (status, told.count("---\n")) == (130, 2)
    assert "SQ0201" in shown
