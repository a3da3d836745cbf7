"""Output formats of `check`, one module each; every module has `render(outcome) -> str`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from serq_lsp.cli.outcome import Outcome

FORMATS = {
    "full": "full",
    "concise": "concise",
    "json": "json_object",
    "sarif": "sarif",
    "github": "github",
    "gitlab": "gitlab",
    "junit": "junit",
}


def renderer(name: str) -> Callable[[Outcome], str]:
    """The renderer of the format `name`; raises `KeyError` for an unknown one."""
    module = import_module(f"serq_lsp.cli.formats.{FORMATS[name]}")
    return cast("Callable[[Outcome], str]", module.render)
