"""The documentation is current, complete and true: links resolve, outputs are what commands print, programs check clean."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from serq_interpreter.catalog import Severity
from serq_interpreter.frontend.analysis import analyse

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
ROOT_PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "RELEASING.md", "LICENCES.md")
PAGES = [
    *(ROOT / name for name in ROOT_PAGES),
    *(ROOT / "editors" / name for name in ("README.md", "PROTOCOL.md")),
    ROOT / "examples/README.md",
    *sorted(ROOT.glob("examples/gallery/**/README.md")),
    *sorted(DOCS.rglob("*.md")),
]


def module(name: str) -> ModuleType:
    """A script of `docs` as a module."""
    specification = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert specification is not None
    assert specification.loader is not None
    loaded = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(loaded)
    return loaded


def check(script: str) -> None:
    done = subprocess.run(
        [sys.executable, str(DOCS / f"{script}.py"), "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, f"run `python docs/{script}.py`\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("script", ["generate_site", "generate_words", "drawings"])
def test_generated_pages_are_current(script: str) -> None:
    check(script)


@pytest.mark.full
def test_every_page_shows_what_the_commands_print() -> None:
    check("generate_outputs")


# --------------------------------------------------------------------------- links


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as the site and GitHub make them."""
    found = set()
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        plain = re.sub(r"[`*]", "", heading).lower()
        found.add(re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", plain)).strip("-"))
    return found


def test_internal_links_resolve() -> None:
    broken = []
    for page in PAGES:
        for target in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
            if "://" in target:
                continue
            path, _, anchor = target.partition("#")
            place = (page.parent / path).resolve() if path else page
            at_home = place.is_relative_to(DOCS / "project") and place.relative_to(DOCS).as_posix() in elsewhere()
            if at_home:
                place = ROOT / elsewhere()[place.relative_to(DOCS).as_posix()]
            if not place.exists():
                broken.append(f"{page.relative_to(ROOT)}: {target}")
            elif anchor and place.suffix == ".md" and anchor not in anchors(place.read_text(encoding="utf-8")):
                broken.append(f"{page.relative_to(ROOT)}: {target} (no such heading)")
    assert not broken, "\n".join(broken)


def elsewhere() -> dict[str, str]:
    """Path on the site → path in the repository of the pages that the site takes from elsewhere."""
    return {page: path for path, page in module("site_hooks").ELSEWHERE.items()}


def test_every_page_is_in_the_navigation() -> None:
    listed = set(re.findall(r"(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")} | set(elsewhere())
    assert {page for page in pages if not page.startswith(("rules/", "project/gallery/"))} == {
        page for page in listed if "*" not in page
    }


# --------------------------------------------------------------------------- blocks


def test_a_lesson_shows_nothing_that_is_not_generated() -> None:
    block = module("generate_outputs").BLOCK
    for page in sorted((DOCS / "tutorial").glob("0*.md")):
        assert "```" not in block.sub("", page.read_text(encoding="utf-8")), page.name


def test_every_lesson_has_a_program_a_run_and_a_mistake() -> None:
    programs = sorted(path.stem for path in (ROOT / "examples/tutorial").glob("*.sq"))
    assert len(programs) == 6
    for name in programs:
        text = (DOCS / "tutorial" / f"{name}.md").read_text(encoding="utf-8")
        assert f"<!-- program: examples/tutorial/{name}.sq -->" in text
        assert f"<!-- command: serq-lsp run examples/tutorial/{name}.sq -->" in text
        assert f"<!-- slip: examples/tutorial/{name}.sq" in text


@pytest.mark.parametrize("path", sorted((ROOT / "examples/tutorial").glob("*.sq")), ids=lambda path: path.stem)
def test_lessons_check_without_a_remark(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert [item.message for item in analyse(text, str(path)).diagnostics] == []


def test_programs_of_the_language_pages_are_accepted() -> None:
    for page in sorted((DOCS / "language").glob("*.md")):
        for language, text in FENCE.findall(page.read_text(encoding="utf-8")):
            if language != "serq":
                continue
            whole = text if "horizon" in text else text + "run { horizon 10; }\n"
            faults = [item for item in analyse(whole, page.name).diagnostics if item.severity is Severity.ERROR]
            assert not faults, f"{page.name}: {[item.message for item in faults]}"


def test_python_of_the_library_page_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    for language, text in FENCE.findall((DOCS / "reference/api-example.txt").read_text(encoding="utf-8")):
        assert language == "python"
        exec(text, names)
    assert "from" in capsys.readouterr().out


@pytest.mark.full
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    pytest.importorskip("material")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    page = (tmp_path / "tutorial/01-one-queue.html").read_text(encoding="utf-8")
    assert 'class="language-serq highlight"' in page
    assert '<span class="k">' in page or '<span class="kd">' in page, "programs are highlighted"
    loaded = re.findall(r'<(?:script|img|link)[^>]+(?:src|href)="https?://[^"]+', page)
    assert not [item for item in loaded if 'rel="canonical"' not in item], "a page loads nothing from elsewhere"
