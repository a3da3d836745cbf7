"""The server starts without what only runs and searches need: an editor waits for it."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys
from serq_lsp.protocol.server import create_server
create_server()
print(*sorted(name for name in sys.modules if name.startswith("serq_interpreter.")))
"""
LATER = (
    "serq_interpreter.machine.automaton",
    "serq_interpreter.machine.engine",
    "serq_interpreter.machine.run",
    "serq_interpreter.explore",
    "serq_interpreter.catalog.holds",
    "numpy",
)


def test_a_start_loads_no_machine_and_no_search() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=120, check=True)
    loaded = done.stdout.split()
    assert "serq_interpreter.frontend.analysis" in loaded
    assert [name for name in loaded if name.startswith(LATER)] == []
