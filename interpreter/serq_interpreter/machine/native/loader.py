"""Whether the compiled loops are installed, fit this version and are wanted; and which they are."""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

PACKAGE = "serq_lsp_native"
SWITCH = "SERQ_LSP_NATIVE"
"""The environment variable that leaves the compiled loops aside when it is `0`."""
USED = "used"
"""The status when they serve."""
MODULES = ("blocks", "sums", "kernel")
_SOURCES = Path(__file__).with_name("loops")


class _Wish:
    """What the process wants."""

    off = os.environ.get(SWITCH) == "0"


def use_native(wish: bool) -> None:
    """Use the compiled loops where they are, or leave them aside; the bits are the same."""
    _Wish.off = not wish


def native(name: str) -> ModuleType | None:
    """A module of compiled loops (`MODULES`); `None` where it is not to be used."""
    if _Wish.off:
        return None
    return _modules().get(name)


def status() -> str:
    """One line for people: whether compiled loops are used, and why not."""
    if _Wish.off:
        return f"switched off ({SWITCH}=0)"
    return _state()[1]


def _modules() -> dict[str, ModuleType]:
    return _state()[0]


@lru_cache(maxsize=1)
def _state() -> tuple[dict[str, ModuleType], str]:
    try:
        package = import_module(PACKAGE)
        if digest(_SOURCES) != package.SOURCES:
            return {}, f"{PACKAGE} was built from another version: not used"
        found = {name: import_module(f"{PACKAGE}.{name}") for name in MODULES}
    except ImportError:
        return {}, "not installed"
    except (OSError, AttributeError) as error:
        return {}, f"{PACKAGE} cannot be used: {error}"
    return found, USED


def digest(folder: Path) -> str:
    """What tells one version of the sources from another."""
    found = hashlib.sha256()
    for path in sorted(folder.glob("*.p*")):
        if path.suffix in (".py", ".pxd"):
            found.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return found.hexdigest()
