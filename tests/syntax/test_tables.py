"""The committed tables are those of the grammar."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_tables_are_current() -> None:
    script = Path(__file__).parents[2] / "grammar" / "generate_tables.py"
    done = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
