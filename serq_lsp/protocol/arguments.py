"""The arguments of a command: the document's URI first, options last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from serq_interpreter.catalog import Severity
from serq_lsp.protocol.errors import InvalidParams, RequestFailed

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer
    from serq_lsp.services.snapshot import Snapshot


@dataclass(frozen=True, eq=False)
class Arguments:
    """Checked arguments of one call."""

    ls: SerqServer
    uri: str
    snapshot: Snapshot
    options: dict[str, Any]

    @classmethod
    def read(cls, ls: SerqServer, arguments: Sequence[Any]) -> Arguments:
        """Raises `InvalidParams` for what is no document of ours."""
        if not arguments or not isinstance(arguments[0], str):
            raise InvalidParams("the first argument is the URI of an open document")
        uri = arguments[0]
        snapshot = ls.snapshot(uri)
        if snapshot is None:
            raise InvalidParams(f"{uri} is not open")
        return cls(ls, uri, snapshot, _plain(arguments[1]) if len(arguments) > 1 else {})

    def start(self, *, fresh: bool) -> int:
        """Start a run; its generation.  Raises `RequestFailed` for a program with errors."""
        generation = self.ls.live.simulations.run(self.uri, fresh=fresh)
        if generation is None:
            raise self.unfit()
        return generation

    def unfit(self) -> RequestFailed:
        """Why the document cannot be run."""
        if self.snapshot.analysis.is_library:
            return RequestFailed("this is a library: it has no workload and no run to simulate")
        errors = [item for item in self.snapshot.analysis.diagnostics if item.severity is Severity.ERROR]
        if not errors:
            return RequestFailed("the program has no `run` block with a horizon: there is nothing to simulate")
        first = errors[0]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        return RequestFailed(f"line {first.location.start.line}: {first.message} [{first.code}]{more}")

    def number(self, name: str, default: float, least: float, most: float) -> float:
        """A number among the options.  Raises `InvalidParams`."""
        value = self.options.get(name, default)
        if value is None:
            return default
        if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
            raise InvalidParams(f"`{name}` is a number from {least:g} to {most:g}")
        return value

    def text(self, name: str) -> str | None:
        """A string among the options.  Raises `InvalidParams`."""
        value = self.options.get(name)
        if value is not None and not isinstance(value, str):
            raise InvalidParams(f"`{name}` is a string")
        return value

    def points(self, options: dict[str, Any]) -> int:
        """The most points of a series."""
        del options
        return int(self.number("points", 400, 2, 4000))


def _plain(value: Any) -> dict[str, Any]:
    """An options object as a dictionary, however the protocol library has read it."""
    if value is None:
        return {}
    if isinstance(value, dict):
        return value
    if hasattr(value, "_asdict"):
        return dict(value._asdict())
    raise InvalidParams("the options are an object")
