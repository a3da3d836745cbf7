"""One number added many times in doubles, to the last bit as a loop adds it, without the loop.

Doubles between two neighbouring powers of two, a *binade*, are evenly spaced.  While a sum stays in its binade, adding
`v` therefore moves it by the same amount every time: `v` rounded to the spacing.  Only where `v` lies half-way between
two multiples does the first step depend on where the sum stands (ties go to even); from the second step on it does not.
So with x1 = x + v and x2 = x1 + v the sum after n steps is x2 + (n - 2) (x2 - x1), and each operation of that formula
is exact, since all of it are multiples of the spacing below the binade's `top`.  Where the formula's value reaches
`top` it is not used: steps are made singly until they are in the next binade.

That all holds for x >= 0 and v >= 0; anything else (negative, infinite, NaN) is added in a loop.

A second closed form needs no constant value.  Instants t0 <= t1 <= ... <= tn <= top(t0) are multiples of t0's spacing,
and so are their differences.  A sum whose `top` is not above that of t0, so that its own spacing is not wider, takes up
whole multiples m (t[i+1] - t[i]) without any rounding: it becomes x + m (tn - t0) if that is below its `top`.
"""

from __future__ import annotations

from collections import deque
from itertools import accumulate, repeat
from math import frexp, inf, ldexp

_FEW = 6
"""So many additions are as quick in a loop."""
_LARGEST_TOP = 2.0**1023


def binade_top(x: float) -> float:
    """The power of two above `x`, up to which its spacing reaches; a bound that nothing is below where there is none.

    That is 0 for 0, whose next sum is in another binade whatever is added, and minus infinity for negative numbers, NaN
    and the last binade.
    """
    if 0.0 < x < _LARGEST_TOP:
        return ldexp(1.0, frexp(x)[1])
    return 0.0 if x == 0.0 else -inf


def added(total: float, value: float, times: int) -> float:
    """`total` after `total += value` was done so many times, to the last bit; O(binades passed)."""
    if not (total >= 0.0 and value >= 0.0):
        return _added_in_loop(total, value, times)
    while times > _FEW:
        first = total + value
        second = first + value
        step = second - first
        top = binade_top(total)
        if not second < top:
            if first == total:
                return first
            if not second < _LARGEST_TOP:
                return _added_in_loop(total, value, times)
            total = first
            times -= 1
            continue
        if step == 0.0:
            return second
        more = min(times - 2, int((top - second) / step))
        total = second + more * step
        if not total < top:
            more -= 1
            total = second + more * step
        times -= 2 + more
    for _ in range(times):
        total += value
    return total


def equal_starts(at: float, step: float, stop: float, most: int) -> tuple[int, float, float, float]:
    """Iterations of one length that also last equally long by the clock, which rounds their ends.

    The first starts `at`, which is before `stop`, each other when the one before ends, `at + step` of its start.
    Returns how many, one at least and `most` at most, of those that start before `stop`; how long each lasts by the
    clock; when the last of them starts, and when it ends.  There may be more of them.  Times are in seconds, `step` is
    not negative.
    """
    first = at + step
    second = first + step
    pace = second - first
    limit = min(binade_top(at), stop)
    if most < 2 or pace != first - at or not second < limit or pace == 0.0:
        return 1, first - at, at, first
    more = min(most - 2, int((limit - second) / pace))
    end = second + more * pace
    if not end < limit:
        more -= 1
        end = second + more * pace
    return 2 + more, pace, end - pace, end


def starts_before(at: float, step: float, stop: float, most: int) -> tuple[int, float, float]:
    """How many iterations of one length start before `stop`, `most` at most; when the last starts, and when it ends.

    It is what the loop `while n < most and at < stop: n += 1; last = at; at = last + step` finds.
    """
    number, last = 0, at
    while number < most and at < stop:
        more, _, last, at = equal_starts(at, step, stop, most - number)
        if at == last:
            return most, at, at
        number += more
    return number, last, at


def sum_lines(total: str, value: str, times: str, top: str) -> list[str]:
    """Source for `total = added(total, value, times)` without a call in the usual case.

    All are names: `top` is `binade_top(total)` and kept so, `times` a float, 1.0 at least.  The source uses `x`, `y`,
    and `added` and `binade_top`, which its namespace must have.
    """
    return [
        f"x = {total} + {value}",
        f"y = x + {value}",
        f"x = y + ({times} - 2.0) * (y - x)",
        f"if x < {top}: {total} = x",
        "else:",
        f"    {total} = added({total}, {value}, int({times}))",
        f"    {top} = binade_top({total})",
    ]


def _added_in_loop(total: float, value: float, times: int) -> float:
    return deque(accumulate(repeat(value, times), initial=total), maxlen=1)[0]
