"""Compare the measured schedules of a real scheduler with their programs: `python -m tests.machine.schedules`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from serq_interpreter.machine.run import run_program
from tests.support.cases import CORPUS
from tests.support.compiling import program_of

VLLM = CORPUS / "vllm"


def schedules() -> list[Path]:
    """The programs, the named scenarios first."""
    return [*sorted(VLLM.glob("*.sq")), *sorted(VLLM.glob("random/*.sq"))]


def differences(path: Path, clock: str = "f64") -> list[str]:
    """What differs from the measured schedule: first and last token, preemptions, hits."""
    data = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    result = run_program(program_of(path), clock=clock, record=True, check_invariants=True)  # type: ignore[arg-type]
    if result.error is not None:
        return [f"run error {result.error.code}: {result.error.message}"]
    found = []
    requests = data["requests"]
    for name in ("first", "done"):
        series = result.series[name]
        keys = zip(series.sessions or (), series.turns or (), strict=True)
        got = dict(zip(keys, series.values, strict=True))
        wanted = {_key(requests, int(number)): float(value) for number, value in data["expected"][name].items()}
        if wanted != got:
            found.append(f"{name}: {wanted} != {got}")
    preemptions = sum(pool["preemptions"] for pool in result.report["pools"])
    if preemptions != data["expected"]["preemptions"]:
        found.append(f"preemptions: {data['expected']['preemptions']} != {preemptions}")
    cached = data.get("measured", {}).get("cached")
    if cached is not None and "hits" in result.series:
        series = result.series["hits"]
        seen: dict[tuple[int, int], list[float]] = {}
        for session, turn, hit in zip(series.sessions or (), series.turns or (), series.values, strict=True):
            seen.setdefault((session, turn), []).append(hit)
        if {_key(requests, int(number)): hits for number, hits in cached.items()} != seen:
            found.append(f"hits: {cached} != {seen}")
    return found


def _key(requests: list[dict[str, int]], number: int) -> tuple[int, int]:
    """The session and turn number of a request; a scenario without turns has one request per session."""
    request = requests[number]
    return (request["session"], request["turn"] + 1) if "session" in request else (number, 0)


def main() -> int:
    counts = [0, 0]
    for path in schedules():
        found = differences(path)
        counts[0] += not found
        counts[1] += 1
        for line in found:
            print(f"{path.stem}: {line}")
    print(f"schedules met: {counts[0]} of {counts[1]}")
    return 0 if counts[0] == counts[1] else 1


if __name__ == "__main__":
    sys.exit(main())
