"""The registry lists every rule module, and loads only what a program needs."""

from __future__ import annotations

import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import get_args

import serq_interpreter.rules
from serq_interpreter.catalog.index import PLACES
from serq_interpreter.rules import registry
from serq_interpreter.semantics import tree

ROOT = Path(__file__).resolve().parents[2]


def _modules() -> dict[str, ModuleType]:
    names = [found.name for found in pkgutil.iter_modules(serq_interpreter.rules.__path__) if found.name != "registry"]
    loaded = {name: import_module(f"serq_interpreter.rules.{name}") for name in names}
    return {name: module for name, module in loaded.items() if hasattr(module, "check")}


def test_the_index_is_current() -> None:
    script = ROOT / "interpreter" / "generate_index.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, "run `python interpreter/generate_index.py`\n" + done.stdout + done.stderr


def test_every_rule_module_is_registered_with_its_needs() -> None:
    assert {family.module: family.needs for family in registry.INDEX} == {
        name: frozenset(getattr(module, "NEEDS", ())) for name, module in _modules().items()
    }


def test_every_code_that_a_rule_reports_has_one_place() -> None:
    """A rule reports its own codes, or those that it lists because their texts stand in the catalogue."""
    for name, module in _modules().items():
        own = {item.code for item in getattr(module, "ENTRIES", ())} | set(getattr(module, "CODES", ()))
        reported = set(re.findall(r'Finding\(\s*"(SQ\d{4})"', Path(module.__file__ or "").read_text(encoding="utf-8")))
        assert own, f"{name} has neither ENTRIES nor CODES"
        assert reported <= own, name
        assert own <= set(PLACES), name


def test_needs_are_constructs_that_a_survey_can_see() -> None:
    declared = {"Pool", "Stage", "Register", "Gauge", "Claim", "Arrival", "Hidden", "Share", "Source", "Engine"}
    statements = {kind.__name__ for kind in get_args(tree.Stmt)}
    for family in registry.INDEX:
        assert family.needs <= declared | statements, family.module


_PROBE = """
import sys
from serq_interpreter.frontend.analysis import analyse
analyse("stage svc : fifo;\\nsession { run svc (1); observe t = now; end; }\\nrun { horizon 10; }\\n", "x.sq")
print(*sorted(name for name in sys.modules if name.startswith("serq_interpreter.")))
"""


def test_a_program_loads_only_the_rules_it_can_break() -> None:
    done = subprocess.run([sys.executable, "-c", _PROBE], capture_output=True, text=True, check=True, timeout=60)
    loaded = set(done.stdout.split())
    assert "serq_interpreter.rules.run_modes" in loaded
    for name in ("hold_index", "stale_snapshot", "join_in_hold", "hidden_copy", "legs", "loop_time"):
        assert f"serq_interpreter.rules.{name}" not in loaded
    assert not any(name.startswith("serq_interpreter.catalog.holds") for name in loaded)
