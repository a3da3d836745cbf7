"""The arguments of a command: the document's URI first, options last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types

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

    def optional(self, name: str) -> float | None:
        """A number that may be absent.  Raises `InvalidParams`."""
        return None if self.options.get(name) is None else self.number(name, 0.0, 0.0, float("inf"))

    def numbers(self, name: str, default: Sequence[float]) -> list[float]:
        """A list of 1 to 64 positive numbers among the options.  Raises `InvalidParams`."""
        found = self.options.get(name)
        if found is None:
            return list(default)
        wrong = InvalidParams(f"`{name}` is a list of 1 to 64 positive numbers")
        if not isinstance(found, list) or not 1 <= len(found) <= 64:
            raise wrong
        for value in found:
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
                raise wrong
        return [float(value) for value in found]

    def offset(self, name: str) -> int | None:
        """A position among the options, as an offset.  Raises `InvalidParams`."""
        found = self.options.get(name)
        if found is None:
            return None
        position = _plain(found)
        line, character = position.get("line"), position.get("character")
        if not isinstance(line, int) or not isinstance(character, int):
            raise InvalidParams(f"`{name}` is a position")
        return self.ls.offset(self.snapshot, types.Position(max(line, 0), max(character, 0)))

    def within(self, options: Any) -> Arguments:
        """The same document with the options of an inner object."""
        return Arguments(self.ls, self.uri, self.snapshot, {} if options is True else _plain(options))

    def points(self) -> int:
        """The most points of a series."""
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
