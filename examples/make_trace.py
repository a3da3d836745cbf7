"""Write `trace.csv`, the small synthetic trace that `trace_replay.sq` replays.

Usage: python examples/make_trace.py [SESSIONS]
"""

from __future__ import annotations

import random
import sys
from pathlib import Path


def rows(sessions: int) -> list[str]:
    """One row a turn: session, turn, new tokens, output tokens, seconds of thought after it."""
    draw = random.Random(7)
    found = ["session,turn,new,out,think"]
    for session in range(sessions):
        for turn in range(draw.randint(1, 5)):
            new = draw.randint(50, 1200)
            out = max(1, round(draw.expovariate(1 / 150)))
            found.append(f"{session},{turn},{new},{out},{draw.uniform(1, 20):.2f}")
    return found


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    Path(__file__).with_name("trace.csv").write_text("\n".join(rows(count)) + "\n", encoding="utf-8")
