"""How many states an exploration sees, how fast, and what the reductions save.

    python benchmarks/explore.py                 vLLM's engine with one to three requests, the gallery's deadlock
    python benchmarks/explore.py --requests 4    more requests

The requests have 3 tokens of prompt and 3 of output, on `examples/vllm.sq` with a budget of 4, blocks of 1 and a pool
of 8: each may arrive before any event.  Times are processor seconds of this process.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import process_time

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "interpreter"), str(ROOT / "grammar")]

from serq_interpreter.explore.instance import small  # noqa: E402 - the paths come first
from serq_interpreter.explore.search import Exploration, Limits, explore  # noqa: E402
from serq_interpreter.explore.subject import Arrivals, Instance, Reduction  # noqa: E402
from serq_interpreter.frontend.analysis import Options, analyse  # noqa: E402
from serq_interpreter.ir.program import Program  # noqa: E402

VLLM_SETS = {"budget": "4", "block": "1", "kv_tokens": "8"}
VLLM_DEFS = {"prompt_tokens": "3", "output_tokens": "3", "conversation_turns": "1", "arrives": "0"}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--requests", type=int, default=3, help="the most requests of the vLLM engine")
    parser.add_argument("--states", type=int, default=200_000, help="stop a search after so many")
    options = parser.parse_args()
    print(f"{'instance':34} {'reduced':8} {'states':>8} {'moves':>8} {'s':>7} {'states/s':>9}  found")
    limits = Limits(states=options.states)
    vllm = program("vllm.sq", VLLM_SETS, VLLM_DEFS)
    for requests in range(1, options.requests + 1):
        compare(f"vllm, {requests} requests", vllm, requests, "any", {}, limits)
    bad = program("gallery/a-hold-and-wait/bad.sq", {}, {})
    compare("gallery a, kv 1024, 2 sessions", bad, 2, "any", {"kv": 1024}, limits)


def program(name: str, sets: dict[str, str], defs: dict[str, str]) -> Program:
    """An example with constants and definitions replaced."""
    path = ROOT / "examples" / name
    lowered = analyse(path.read_text(encoding="utf-8"), str(path), options=Options(sets=sets, defs=defs)).lowered
    if lowered is None:
        raise SystemExit(f"{path} has errors")
    return lowered.program


def compare(
    title: str, whole: Program, sessions: int, arrivals: Arrivals, caps: dict[str, float], limits: Limits
) -> None:
    """One line with the reductions and one without."""
    cut, mode = small(whole, sessions, arrivals, caps)
    for reduction in (Reduction(), Reduction.none()):
        started = process_time()
        found = explore(Instance(cut, sessions, mode, reduction=reduction), limits, every=True)
        print_line(title, reduction, found, process_time() - started)


def print_line(title: str, reduction: Reduction, found: Exploration, seconds: float) -> None:
    kinds = ", ".join(str(finding.kind) for finding in found.findings) or "nothing"
    extent = "" if found.complete else f" (stopped after {found.stopped})"
    how = "yes" if reduction.symmetry else "no"
    rate = found.states / seconds if seconds else 0.0
    print(f"{title:34} {how:8} {found.states:8} {found.moves:8} {seconds:7.2f} {rate:9.0f}  {kinds}{extent}")


if __name__ == "__main__":
    main()
