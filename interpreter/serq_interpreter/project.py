"""The edition that a project's settings ask for: `edition` in `serq.toml`, or in `[tool.serq]` of `pyproject.toml`.

The nearest file above a text that has settings counts.  What is wrong with such a file is the command line's to report;
here it asks for nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from serq_interpreter.syntax.edition import EDITIONS


def project_edition(folder: Path) -> str:
    """The edition for texts in `folder` that name none, `""` where no settings say."""
    for place in (folder, *folder.parents):
        table = _table(place / "serq.toml")
        if table is None:
            tools = _table(place / "pyproject.toml") or {}
            tool = tools.get("tool", {})
            table = tool.get("serq") if isinstance(tool, dict) else None
        if isinstance(table, dict):
            edition = table.get("edition")
            return edition if isinstance(edition, str) and edition in EDITIONS else ""
    return ""


def _table(path: Path) -> dict[str, Any] | None:
    """A file's TOML; `None` where there is no file that can be read, `{}` where it is none or does not speak of us."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    if path.name == "pyproject.toml" and b"serq" not in content:
        return {}  # reading TOML is not cheap at start-up
    import tomllib

    try:
        return tomllib.loads(content.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError):
        return {}
