"""The compiled loops: built from this tree where a compiler is at hand, then compared with the readable execution."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from serq_interpreter.machine.native import loader

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the compiled package, to be put on the path."""
    if shutil.which(os.environ.get("CC", "cc")) is None:
        pytest.skip("NOT COMPARED: there is no C compiler here, so the compiled loops could not be built")
    tree = tmp_path_factory.mktemp("tree")
    for part in ("native", "interpreter"):
        ignored = shutil.ignore_patterns("build", "dist", loader.PACKAGE, "__pycache__", "*.egg-info")
        shutil.copytree(ROOT / part, tree / part, ignore=ignored)
    target = tree / "dist"
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--disable-pip-version-check",
        "-w",
        str(target),
    ]
    done = subprocess.run([*command, str(tree / "native")], capture_output=True, text=True, timeout=600)
    if done.returncode != 0 and "No matching distribution found" in done.stderr:
        pytest.skip("NOT COMPARED: Cython could not be fetched to build the compiled loops")
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = target.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tree / "site")
    return tree / "site"


def run(built: Path, *arguments: str) -> str:
    """The output of a Python that has the compiled loops."""
    paths = os.pathsep.join(str(path) for path in (built, ROOT, ROOT / "interpreter", ROOT / "grammar"))
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": paths, loader.SWITCH: "1"},
        capture_output=True,
        text=True,
        timeout=600,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_holds_nothing_but_what_is_compiled(built: Path) -> None:
    kinds = {path.suffix for path in (built / loader.PACKAGE).iterdir()}
    assert kinds <= {".py", ".so", ".pyd"}
    assert [path.name for path in (built / loader.PACKAGE).glob("*.py")] == ["__init__.py"]


def test_they_are_found_and_used(built: Path) -> None:
    assert "(serq-lsp-native): used" in run(built, "-m", "serq_lsp", "-VV")


@pytest.mark.parametrize("kind", ["events", "engines"])
def test_random_programs(built: Path, kind: str) -> None:
    out = run(built, "-m", "tests.machine.forms", "--from", "4000", "--programs", "40", "--kind", kind)
    assert out.rstrip().endswith("- 0 different"), out
    assert "generated" in out or "coalesced" in out


_SAME = """
import sys
import serq_interpreter
from serq_interpreter.machine.native import loader
from serq_interpreter.machine import substreams
assert loader.status() == "used", loader.status()
for path in sys.argv[1:]:
    program = serq_interpreter.compile(path)
    for clock in ("f64", "exact"):
        found = set()
        for wish in (True, False):
            loader.use_native(wish)
            substreams.forget()
            result = program.start(clock=clock, horizon=3000).go()
            found.add(repr(result.report) + repr([list(series.values) for series in result.series.values()]))
        assert len(found) == 1, (path, clock)
print("same")
"""


def test_longer_runs(built: Path) -> None:
    programs = [str(ROOT / "benchmarks/programs" / name) for name in ("mm1.sq", "mm1ps.sq")]
    assert run(built, "-c", _SAME, *programs) == "same\n"
