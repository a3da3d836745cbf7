"""The registry lists every rule module, and loads only what a program needs."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from importlib import import_module

import serq_interpreter.rules
from serq_interpreter.catalog import all_entries
from serq_interpreter.rules import registry


def _modules() -> dict[str, tuple[str, ...]]:
    found = {}
    for module in pkgutil.iter_modules(serq_interpreter.rules.__path__):
        loaded = import_module(f"serq_interpreter.rules.{module.name}")
        if hasattr(loaded, "CODES"):
            found[module.name] = tuple(loaded.CODES)
    return found


def test_every_rule_module_is_registered_once() -> None:
    names = [family.module for family in registry.INDEX]
    assert sorted(names) == sorted(_modules())
    assert len(set(names)) == len(names)


def test_every_code_belongs_to_one_module_and_has_an_entry() -> None:
    codes = [code for codes in _modules().values() for code in codes]
    assert len(set(codes)) == len(codes)
    assert set(codes) <= {item.code for item in all_entries()}


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
