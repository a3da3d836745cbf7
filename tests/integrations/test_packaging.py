"""What is built installs and works without a compiler; what is written about dependencies is true."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NO_COMPILER = {"CC": "false", "CXX": "false"}


def pins(name: str) -> dict[str, str]:
    text = (ROOT / "release" / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9-]+)==([0-9a-z.]+)", text, re.MULTILINE))


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[><=;\[ ]", item)[0].replace("_", "-").lower() for item in requirements}


def test_the_lowest_versions_are_the_lower_bounds() -> None:
    bounds = dict(
        re.fullmatch(r"([\w-]+)>=([\d.]+)(?:,<\d+)?", item).groups() for item in PROJECT["project"]["dependencies"]
    )  # type: ignore[union-attr]
    assert pins("lowest.txt") == bounds


def test_the_development_environment_is_pinned_with_hashes_and_no_address() -> None:
    text = (ROOT / "release/development.txt").read_text(encoding="utf-8")
    groups = PROJECT["dependency-groups"]
    wanted = names([*PROJECT["project"]["dependencies"], *groups["dev"], *groups["docs"]])
    assert wanted <= set(pins("development.txt")), "run `python release/requirements.py`"
    assert "://" not in text
    for block in re.split(r"\n(?=\S)", text.strip())[1:]:
        assert "--hash=sha256:" in block, block


def test_licences_are_written_down() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "release/licences.py"), "--check"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_compiled_loops_have_the_version_of_the_product() -> None:
    assert PROJECT["project"]["optional-dependencies"]["native"] == [f"serq-lsp-native=={version()}"]


def test_every_package_says_that_it_is_typed() -> None:
    for package in ("interpreter/serq_interpreter", "grammar/serq_grammar", "serq_lsp"):
        assert (ROOT / package / "py.typed").is_file()


@pytest.mark.full
def test_the_smoke_test_works_here() -> None:
    paths = os.pathsep.join(str(ROOT / part) for part in ("", "interpreter", "grammar"))
    smoke(Path(sys.executable), {"PYTHONPATH": paths})


def smoke(python: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [str(python), str(ROOT / "release/smoke.py")],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("ok: ") == 9


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist, and a wheel made from it where there is no compiler."""
    target = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--outdir", str(target), str(ROOT)],
        env={**os.environ, **NO_COMPILER},
        check=True,
        capture_output=True,
        timeout=600,
    )
    return target


@pytest.mark.full
def test_the_wheel_has_the_product_and_nothing_else(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        inside = archive.namelist()
    tops = {name.split("/")[0] for name in inside}
    assert tops - {f"serq_lsp-{version()}.dist-info"} == {"serq_lsp", "serq_interpreter", "serq_grammar"}
    for package in ("serq_lsp", "serq_interpreter", "serq_grammar"):
        assert f"{package}/py.typed" in inside
    # The compiled loops are used where they were built from these.
    loops = {path.name for path in (ROOT / "interpreter/serq_interpreter/machine/native/loops").glob("*.p*")}
    assert {f"serq_interpreter/machine/native/loops/{name}" for name in loops} <= set(inside)
    assert not [name for name in inside if "/tests/" in name or name.rpartition("/")[2].startswith("test_")]


@pytest.mark.full
def test_the_wheel_works_in_an_empty_environment(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    environment = {**os.environ, **NO_COMPILER}
    environment.pop("PYTHONPATH", None)
    command = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", str(wheel)]
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=600)
    smoke(python, {"PYTHONPATH": ""})


def version() -> str:
    from serq_interpreter import __version__

    return __version__
