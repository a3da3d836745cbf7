"""An exploration as the protocol's `Exploration` (editors/PROTOCOL.md)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from serq_interpreter.frontend.diagnostic import Diagnostic, Location
from serq_lsp.services.exploration import Telling

ToRange = Callable[[Location | None], Any]


def exploration_value(
    data: dict[str, Any], tellings: Sequence[Telling], told: Sequence[Diagnostic], to_range: ToRange
) -> dict[str, Any]:
    """The answer of a search (`background.exploring`) with the ways of its findings."""
    outcome = "violated" if tellings else "holds" if data["complete"] else "limit"
    return {
        "states": data["states"],
        "complete": data["complete"],
        "outcome": outcome,
        "violations": [
            {
                "kind": str(telling.trace.finding.kind),
                "message": diagnostic.message,
                "range": to_range(diagnostic.location),
                "trace": [
                    {"label": f"{line.move}. t = {line.time:.6g}: {line.text}", "range": to_range(line.at)}
                    for line in telling.lines()
                ],
            }
            for telling, diagnostic in zip(tellings, told, strict=True)
        ],
        "text": _text(data, told),
    }


def _text(data: dict[str, Any], told: Sequence[Diagnostic]) -> str:
    seen = f"{data['states']} states in {data['seconds']:.1f} s"
    if told:
        return f"{told[0].message} (found after {seen})"
    if data["complete"]:
        return f"nothing found: every state of the instance was seen, {seen}"
    return f"nothing found in {seen}: stopped after {data['stopped']}"
