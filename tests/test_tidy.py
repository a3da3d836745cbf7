"""The repository keeps its own rules: layers, cheap start, every code documented once."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from serq_interpreter.catalog import all_entries

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("interpreter/serq_interpreter", "serq_lsp", "grammar/serq_grammar")


def _sources() -> list[Path]:
    return sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def test_the_layers_hold() -> None:
    from importlinter.cli import lint_imports

    assert lint_imports(config_filename=str(ROOT / "pyproject.toml")) == 0


def test_checking_imports_no_server_and_no_pydantic() -> None:
    """Nor what else makes a cold check slow, such as dataclasses whose methods are compiled while they are imported."""
    program = (
        "import sys\n"
        "from serq_lsp.cli.main import cli\n"
        f"cli.main(['check', {str(ROOT / 'examples/mm1.sq')!r}], standalone_mode=False)\n"
        "heavy = {'pygls', 'lsprotocol', 'pydantic', 'lark', 'numpy', 'rich', 'asyncio', 'tree_sitter'}\n"
        "heavy |= {'json', 'tomllib', 'textwrap', 'subprocess', 'pathspec'}\n"
        "own = [vars(module) for name, module in sys.modules.items() if name.startswith('serq_')]\n"
        "compiled = {item.__qualname__ for names in own for item in names.values() if hasattr(item, '__dataclass_params__')}\n"
        "print(sorted(heavy & set(sys.modules) | compiled))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip().splitlines()[-1] == "[]"


def test_codes_and_names_are_unique() -> None:
    entries = all_entries()
    assert len({entry.code for entry in entries}) == len(entries)
    assert len({entry.name for entry in entries}) == len(entries)
    assert all(re.fullmatch(r"SQ\d{4}", entry.code) for entry in entries)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", entry.name) for entry in entries)


def test_every_reported_code_has_an_entry() -> None:
    known = {entry.code for entry in all_entries()}
    used: dict[str, Path] = {}
    for path in _sources():
        for code in re.findall(r'"(SQ\d{4})"', path.read_text(encoding="utf-8")):
            used.setdefault(code, path)
    bounds = {"SQ1000"}
    missing = {code: str(path.relative_to(ROOT)) for code, path in used.items() if code not in known | bounds}
    assert not missing


def test_every_module_says_what_it_is_for() -> None:
    silent = []
    for path in _sources():
        text = path.read_text(encoding="utf-8").lstrip()
        if text and not text.startswith(('"""', "#")):
            silent.append(str(path.relative_to(ROOT)))
    assert not silent


def test_nothing_swallows_exceptions_silently() -> None:
    guilty = []
    for path in _sources():
        text = path.read_text(encoding="utf-8")
        if re.search(r"except[^\n]*:\n\s+pass\b", text):
            guilty.append(str(path.relative_to(ROOT)))
    assert not guilty


def test_the_readme_shows_what_the_commands_print() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs/generate_readme.py"), "--check"], cwd=ROOT, check=False, timeout=120
    )
    assert done.returncode == 0, "run `python docs/generate_readme.py`"
