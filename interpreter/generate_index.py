"""Write `serq_interpreter/catalog/index.py`: where the entry of each code stands, and what each rule needs to be loaded.

python interpreter/generate_index.py           write it
python interpreter/generate_index.py --check   exit 1 when it is not what it would be

A module of `catalog` or `rules` with `ENTRIES` carries the texts of those codes; a module of `rules` with `check` is a
rule, and its `NEEDS` names the constructs of which one must occur (absent: none, it always runs).  Those of `rules.waits`
read the kernel and have a table of their own.
"""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent
INDEX = HERE / "serq_interpreter/catalog/index.py"
_WAITS = "waits."
_PACKAGES = ("serq_interpreter.catalog", "serq_interpreter.rules")
_TITLE = '''"""Where each code's entry stands and what each rule needs; written by interpreter/generate_index.py, not by hand."""

from __future__ import annotations
'''


def text() -> str:
    """What the file should say; raises `ValueError` when two modules have an entry of the same code."""
    rules: dict[str, tuple[str, ...]] = {}
    places: dict[str, str] = {}
    for module in _modules():
        name = module.__name__.removeprefix("serq_interpreter.")
        for item in getattr(module, "ENTRIES", ()):
            if item.code in places:
                raise ValueError(f"{item.code} has an entry in {places[item.code]} and in {name}")
            places[item.code] = name
        if name.startswith("rules.") and hasattr(module, "check") and module.__name__ == module.check.__module__:
            if hasattr(module, "ENTRIES") or hasattr(module, "CODES"):
                rules[name.removeprefix("rules.")] = tuple(getattr(module, "NEEDS", ()))
    return _render(rules, places)


def _modules() -> Iterator[ModuleType]:
    for package in _PACKAGES:
        root = import_module(package)
        for found in pkgutil.walk_packages(root.__path__, package + "."):
            yield import_module(found.name)


def _render(rules: dict[str, tuple[str, ...]], places: dict[str, str]) -> str:
    waits = {name.removeprefix(_WAITS): needs for name, needs in rules.items() if name.startswith(_WAITS)}
    others = {name: needs for name, needs in rules.items() if not name.startswith(_WAITS)}
    lines = [_TITLE, "RULES: dict[str, tuple[str, ...]] = {"]
    lines += [f'    "{name}": {_tuple(needs)},' for name, needs in sorted(others.items())]
    lines += ["}", '"""Module of `rules` → the constructs of which one must occur; none: it always runs."""', ""]
    lines += ["WAITS: dict[str, tuple[str, ...]] = {"]
    lines += [f'    "{name}": {_tuple(needs)},' for name, needs in sorted(waits.items())]
    lines += ["}", '"""Module of `rules.waits` → what of `Kernel.kinds` must occur."""', ""]
    lines += ["PLACES: dict[str, str] = {"]
    lines += [f'    "{code}": "{name}",' for code, name in sorted(places.items())]
    lines += ["}", '"""Code → the module, below `serq_interpreter`, whose `ENTRIES` hold it."""']
    return "\n".join(lines) + "\n"


def _tuple(words: tuple[str, ...]) -> str:
    inner = ", ".join(f'"{word}"' for word in words)
    return f"({inner},)" if len(words) == 1 else f"({inner})"


def _readable() -> bool:
    """Whether the present file can be imported: it is damaged after a merge that two rules meet in."""
    try:
        compile(INDEX.read_text(encoding="utf-8"), str(INDEX), "exec")
    except (OSError, SyntaxError):
        return False
    return True


def main(arguments: list[str]) -> int:
    """Write or compare; returns the exit code."""
    sys.path.insert(0, str(HERE))
    check = "--check" in arguments
    before = INDEX.read_text(encoding="utf-8") if INDEX.exists() else ""
    if not _readable():
        if check:
            print(f"stale: {INDEX.relative_to(HERE)}")
            return 1
        INDEX.write_text(_render({}, {}), encoding="utf-8")
    wanted = text()
    if wanted == before:
        return 0
    print(f"{'stale' if check else 'wrote'}: {INDEX.relative_to(HERE)}")
    if not check:
        INDEX.write_text(wanted, encoding="utf-8")
    return int(check)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
