"""serQ as a library: `compile`, `check` and `run`; see `serq_interpreter.facade`.

Importing the package is cheap: what it offers is imported when it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from serq_interpreter.version import __version__

if TYPE_CHECKING:
    from serq_interpreter.facade import Compiled, ProgramError, RunFailed, check, compile, run
    from serq_interpreter.files import FileError
    from serq_interpreter.results import Report

__all__ = [
    "Compiled",
    "FileError",
    "ProgramError",
    "Report",
    "RunFailed",
    "__version__",
    "check",
    "compile",
    "run",
]

_HOMES = {"FileError": "serq_interpreter.files", "Report": "serq_interpreter.results"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES.get(name, "serq_interpreter.facade")), name)


def __dir__() -> list[str]:
    return __all__
