"""MkDocs hooks: pages that live elsewhere in the repository become pages of the site under `project/`."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

ELSEWHERE = {
    "ARCHITECTURE.md": "project/architecture.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "LICENCES.md": "project/licences.md",
    "RELEASING.md": "project/releasing.md",
    "editors/PROTOCOL.md": "project/protocol.md",
    "editors/README.md": "project/editors.md",
    "examples/gallery/README.md": "project/gallery.md",
}
"""Path in the repository → path on the site."""
ELSEWHERE |= {
    f"examples/gallery/{page.parent.name}/README.md": f"project/gallery/{page.parent.name}.md"
    for page in sorted(ROOT.glob("examples/gallery/*/README.md"))
}

_LINK = re.compile(r"(!?)\[([^\]]+)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages of `ELSEWHERE`."""
    from mkdocs.structure.files import File

    for path, page in ELSEWHERE.items():
        files.append(File.generated(config, page, content=moved(path)))
    return files


def moved(path: str) -> str:
    """The text of a page of the repository with its links as they are on the site.

    A link to a file that is no page becomes its text, with the path in code.
    """
    text = (ROOT / path).read_text(encoding="utf-8")
    return _LINK.sub(lambda found: _link(found, posixpath.dirname(path), ELSEWHERE[path]), text)


def _link(found: re.Match[str], folder: str, page: str) -> str:
    picture, label, target, anchor = found[1], found[2], found[3], found[4] or ""
    if "://" in target:
        return found[0]
    wanted = posixpath.normpath(posixpath.join(folder, target))
    if wanted.startswith("docs/"):
        place = wanted.removeprefix("docs/")
    elif wanted in ELSEWHERE:
        place = ELSEWHERE[wanted]
    elif wanted == "README.md":
        place = "index.md"
    else:
        return label if picture or label.strip("`") == wanted else f"{label} (`{wanted}`)"
    return f"{picture}[{label}]({posixpath.relpath(place, posixpath.dirname(page))}{anchor})"
