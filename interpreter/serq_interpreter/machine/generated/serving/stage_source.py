"""Delays and lines of servers as source, beside the engines (05 §4).

On the clock of doubles the loop adds up `n{i}` at every event; on the exact clock a stage does it when it changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.generated.serving.paste import Scope, fill

if TYPE_CHECKING:
    from serq_interpreter.machine.generated.serving.shape import Shape

_NAMES = ("n", "c", "mw", "ms", "an", "tu", "since", "busy")

_START_SERVICE = """
s.begun = now
if w < inf:
    seq += 1
    heappush(heap, ($due, ${scheduled}seq, end_$i, s))
"""
_RECORD = """
if measuring:
    c$i += 1
    mw$i += ((s.begun - s.joined)$scale - mw$i) / c$i
    ms$i += ((now - s.begun)$scale - ms$i) / c$i
s.go(s)
"""
_ADD_UP = """
e = now - since$i
if e:
    since$i = now
    if n$i and measuring: an$i += n$i * e; tu$i += e
"""


def variables(shape: Shape) -> list[str]:
    """The variables of all of them."""
    return [f"{name}{i}" for i in shape.simple for name in _NAMES]


def lines(shape: Shape, scope: Scope) -> list[str]:
    """Their variables at the start and their functions."""
    found: list[str] = []
    for i in shape.simple:
        found.append(f"n{i} = c{i} = an{i} = tu{i} = since{i} = busy{i} = 0; mw{i} = ms{i} = 0.0; line{i} = deque()")
        for head, body in _functions(shape, i).items():
            found += scope.function(head, body)
    return found


def _functions(shape: Shape, i: int) -> dict[str, list[str]]:
    kind = shape.program.stages[i].kind
    due = "now + ticks(w)" if shape.exact else "now + w"
    parts = {"i": str(i), "scale": shape.scale, "due": due, "scheduled": "now, " if shape.exact else ""}
    start = fill(_START_SERVICE, **parts)
    record = fill(_RECORD, **parts)
    change = fill(_ADD_UP, **parts) if shape.exact else []
    if isinstance(kind, ir.Delay):
        return {
            f"join_{i}(s, w)": [*change, "s.joined = now", f"n{i} += 1", *start],
            f"end_{i}(s)": [*change, f"n{i} -= 1", *record],
            f"pass_{i}()": change or ["return"],
        }
    assert isinstance(kind, ir.Fifo)
    begin = [f"busy{i} += 1", *start]
    return {
        f"join_{i}(s, w)": [
            *change,
            "s.joined = now",
            f"n{i} += 1",
            f"if busy{i} < {kind.servers}:",
            *[f"    {line}" for line in begin],
            f"else: s.work = w; line{i}.append(s)",
        ],
        # The successor's end is scheduled before the finisher continues (05 §3).
        f"end_{i}(s)": [
            *change,
            f"n{i} -= 1; busy{i} -= 1",
            f"if line{i}: follow_{i}(line{i}.popleft())",
            *record,
        ],
        f"follow_{i}(s)": ["w = s.work", *begin],
        f"pass_{i}()": change or ["return"],
    }


def sync(shape: Shape) -> list[str]:
    """Write the machine's books."""
    found = []
    for i in shape.simple:
        found += [
            f"pass_{i}()",
            f"stage = books.stages[{i}]",
            f"stage.present = n{i}; stage.completed = c{i}; stage.mean_wait = mw{i}; stage.mean_service = ms{i}",
            f"stage.area_number = an{i}; stage.time_used = tu{i}",
        ]
    return found
