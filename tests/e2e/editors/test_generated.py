"""What `editors/generate.py` writes is current: queries, word lists, grammar, settings of the manifest."""

from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_generated_files_are_current() -> None:
    spec = importlib.util.spec_from_file_location("editors_generate", ROOT / "editors" / "generate.py")
    assert spec is not None and spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    stale = [path for path, text in generate.outputs().items() if path.read_text(encoding="utf-8") != text]
    assert not stale, f"run python editors/generate.py: {[str(path.relative_to(ROOT)) for path in stale]}"


def test_lock_files_carry_no_addresses() -> None:
    lock = (ROOT / "editors" / "vscode" / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock
    assert "omit-lockfile-registry-resolved=true" in (ROOT / "editors" / "vscode" / ".npmrc").read_text(
        encoding="utf-8"
    )
