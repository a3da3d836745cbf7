"""Measured vLLM schedules as overrides of `examples/vllm.sq`, and what they must give."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VLLM = Path(__file__).resolve().parent.parent / "corpus" / "vllm"


@dataclass(frozen=True, slots=True)
class Scenario:
    """`sessions[s][t]` is the number of the request that is turn `t` (from 0) of session `s`."""

    name: str
    sets: dict[str, str]
    defs: dict[str, str]
    sessions: tuple[tuple[int, ...], ...]
    measured: dict[str, Any]

    def expected(self) -> dict[str, Any]:
        """First and last token of every request by number, and the preemptions in total.

        The times of the samples of `ttft` are the first tokens, those of `response` the last ones; a sample's session
        and turn (from 1) say which request it is (`sessions[session][turn - 1]`).
        """
        expected: dict[str, Any] = self.measured["expected"]
        return expected


def scenarios() -> list[Scenario]:
    """All measured scenarios: the 8 named ones, then the random ones."""
    files = sorted(VLLM.glob("*.json")) + sorted((VLLM / "random").glob("*.json"))
    return [_scenario(path) for path in files]


def _scenario(path: Path) -> Scenario:
    data = json.loads(path.read_text(encoding="utf-8"))
    requests = data["requests"]
    turns: dict[int, dict[int, int]] = {}
    for number, request in enumerate(requests):
        turns.setdefault(request.get("session", number), {})[request.get("turn", 0)] = number
    sessions = tuple(tuple(by_turn[turn] for turn in sorted(by_turn)) for _, by_turn in sorted(turns.items()))
    sets = {
        "budget": str(data["budget"]),
        "max_seqs": str(data["max_seqs"]),
        "block": str(data["block"]),
        "kv_tokens": str(data["kv_tokens"]),
        "threshold": str(data.get("chunk", 0)),
        "caching": "1" if data.get("prefix_caching") else "0",
        "sessions": str(len(sessions)),
        "seconds": "100000",
        "settles": "0",
    }
    first = [requests[session[0]] for session in sessions]
    defs = {
        "step_time": "1",
        "serve_key": _serve_key(data.get("serve", "admission")),
        "arrives": _by_session([str(request["arrive"]) for request in first]),
        "conversation_turns": _by_session([str(len(session)) for session in sessions]),
        "prompt_tokens": _by_session([_by_turn([requests[n]["prompt"] for n in session]) for session in sessions]),
        "output_tokens": _by_session([_by_turn([requests[n]["out"] for n in session]) for session in sessions]),
        "thinks": _by_session(
            [_by_turn([requests[n].get("gap", 0) for n in session[1:]] or [0]) for session in sessions]
        ),
    }
    return Scenario(path.stem, sets, defs, sessions, data)


def _serve_key(order: str) -> str:
    """`admission` or `by (KEY)` as a key."""
    return order.removeprefix("by (").removesuffix(")") if order.startswith("by") else order


def _by_session(values: list[str]) -> str:
    return _choice("serial", 0, values)


def _by_turn(values: list[int]) -> str:
    return _choice("turn_no", 1, [str(value) for value in values])


def _choice(name: str, start: int, values: list[str]) -> str:
    if len(set(values)) == 1:
        return values[0]
    text = values[-1]
    for number in range(len(values) - 2, -1, -1):
        text = f"{name} == {start + number} ? {values[number]} : ({text})"
    return text
