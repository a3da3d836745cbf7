"""Settings files: what is wrong with one is said, with exit code 2, and nothing is taken for something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from serq_lsp.cli.configuration import BadConfiguration, configuration_for
from tests.cli.test_check import serq, write

PROGRAM = "stage svc : fifo;\nsession { run svc (1); observe t = now; end; }\nrun { horizon 10; }\n"

WRONG = {
    'select = ["SQ9"]': "`select`: no diagnostic has the code or name `SQ9`",
    'ignore = ["unused-pol"]': "`ignore`: no diagnostic has the code or name `unused-pol`",
    'ignore = "SQ10"': "`ignore` is a list of strings",
    'exclude = ["!"]': "`exclude`: '!' is no pattern",
    'exclude = ["[z-a]"]': "`exclude`: '[z-a]' is no pattern",
    "strict = 1": "`strict` is true or false",
    'run = "fast"': '`run` is "off", "quick" or "full"',
    "check = 3": "`check` is a table",
    "thresholds = 3": "`thresholds` is a table of numbers",
    "[thresholds]\nstuk = 1": "unknown threshold `stuk`; known are stuck, wait-cycles",
    "[thresholds]\nstuck = true": "`thresholds.stuck` is a number from 0 on",
    "[thresholds]\nstuck = nan": "`thresholds.stuck` is a number from 0 on",
    "[thresholds]\nstuck = -1": "`thresholds.stuck` is a number from 0 on",
    "strict = ": "cannot be read as TOML",
    "x = " + "[" * 2000: "cannot be read as TOML",
}


@pytest.mark.parametrize("content", WRONG)
def test_a_wrong_setting_is_named(tmp_path: Path, content: str) -> None:
    write(tmp_path, "serq.toml", content)
    with pytest.raises(BadConfiguration) as failure:
        configuration_for(tmp_path)
    assert WRONG[content] in failure.value.message
    assert "serq.toml" in failure.value.message


def test_good_settings_are_taken(tmp_path: Path) -> None:
    write(
        tmp_path,
        "serq.toml",
        'ignore = ["SQ1004, unused-pool", "all"]\nexclude = ["drafts/*"]\n[thresholds]\nwait_cycles = 2\nstuck = inf\n',
    )
    found = configuration_for(tmp_path)
    assert found.ignore == ("SQ1004", "unused-pool", "all")
    assert found.thresholds == {"wait-cycles": 2.0, "stuck": float("inf")}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[tool]\nserq = 3\n", b"`tool.serq` is a table of settings, not 3"),
        (b"[tool.serq]\nname = 'caf\xe9'\n", b"is not UTF-8"),
        (b"[tool.serq\n", b"cannot be read as TOML"),
        (b"[tool.serq]\nselect = ['nothing']\n", b"no diagnostic has the code or name `nothing`"),
    ],
)
def test_a_wrong_project_file_is_exit_code_2(tmp_path: Path, content: bytes, said: bytes) -> None:
    write(tmp_path, "a.sq", PROGRAM)
    (tmp_path / "pyproject.toml").write_bytes(content)
    done = serq("check", "a.sq", cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert b"internal error" not in done.stderr


def test_a_project_file_of_others_is_not_ours(tmp_path: Path) -> None:
    write(tmp_path, "a.sq", PROGRAM)
    write(tmp_path, "pyproject.toml", 'tool = 3\nname = "serq-model"\n')
    assert serq("check", "a.sq", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("name", ["serq.toml", "pyproject.toml"])
def test_an_unreadable_file_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    write(tmp_path, name, "[tool.serq]\nstrict = true\n")

    def refused(_path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refused)
    with pytest.raises(BadConfiguration, match="cannot be read: Permission denied"):
        configuration_for(tmp_path)


def test_a_line_of_gitignore_that_is_no_pattern_ignores_nothing(tmp_path: Path) -> None:
    write(tmp_path, "a.sq", PROGRAM)
    write(tmp_path, "b.sq", "nothing")
    write(tmp_path, ".gitignore", "!\n[z-a]\nb.sq\n")
    assert serq("check", ".", cwd=tmp_path).returncode == 0
