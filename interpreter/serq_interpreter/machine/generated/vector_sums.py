"""Sums over the runs of a window in numpy, to the last bit as one iteration after the other adds them up.

While a sum stays in its binade (`repeated_sums`) every term is rounded to the sum's spacing before it is added, and what
is left are additions without any rounding, in whatever order.  A term half-way between two multiples of the spacing goes
where the sum becomes even: in a run of such terms, the first may go the other way than those that follow.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from serq_interpreter.machine.generated.repeated_sums import added, binade_top
from serq_interpreter.machine.stages.token_gaps import GapStatistics, surely_within

Doubles = NDArray[np.float64]

_LEAST_TOP = 2.0**-900
"""Below, half a spacing is no number."""
_NEAR = 64.0
"""So many runs from the end of a binade it is quicker to add run by run."""


def sums_of_runs(totals: Sequence[float], terms: Doubles, numbers: Doubles, times: Sequence[int]) -> list[float]:
    """Each total after its row of `terms` was added run by run, `numbers · times` times each.

    Numbers are whole and not negative; `times` has a factor per row.
    """
    tops = np.array([binade_top(total) for total in totals])[:, None]
    middles = tops / 2.0
    with np.errstate(invalid="ignore"):
        rounded = middles + terms
        rounded -= middles
        left = np.subtract(terms, rounded)
        np.abs(left, out=left)
        unusual = ((left == tops * 2.0**-54).any(axis=1) | (terms.min(axis=1) < 0.0)).tolist()
        # No matrix product: its threads cost more than they save.
        rounded *= numbers
        sums = rounded.sum(axis=1).tolist()
    found = []
    for row, total in enumerate(totals):
        top = float(tops[row, 0])
        result = total + times[row] * sums[row]
        if unusual[row] or not result < top:
            result = _through_binades(total, terms[row], numbers * times[row])
        found.append(result)
    return found


def terms_of(elapsed: Doubles, factors: Sequence[float | Doubles]) -> Doubles:
    """A row for each factor: what runs that last so long add each time."""
    terms = np.empty((len(factors), len(elapsed)))
    for row, factor in zip(terms, factors, strict=True):
        np.multiply(elapsed, factor, out=row)
    return terms


def _through_binades(total: float, terms: Doubles, numbers: Doubles) -> float:
    """One row, with ties and through the ends of binades; there, and near them, run by run."""
    at, n = 0, len(terms)
    same_sign = bool((terms >= 0.0).all())
    usual = float(numbers.sum()) / n if n else 0.0
    while at < n:
        top = binade_top(total)
        run, left = float(terms[at]) * usual, top - total
        if same_sign and top > _LEAST_TOP and left > _NEAR * run:
            # About as many runs as the binade has room for.
            end = at + int(2.0 * left / run) if left < run * n else n
            done, total = _inside(total, top, terms[at:end], numbers[at:end])
            at += done
        if at < n:
            total = added(total, float(terms[at]), int(numbers[at]))
            at += 1
    return total


def _inside(total: float, top: float, terms: Doubles, numbers: Doubles) -> tuple[int, float]:
    """How many runs surely leave the sum below the top of its binade, and the sum after them."""
    spacing = top * 2.0**-53
    rounded = (top / 2.0 + terms) - top / 2.0
    ties = np.flatnonzero((np.abs(terms - rounded) == spacing / 2.0) & (numbers > 0.0))
    sums = total + np.add.accumulate(rounded * numbers)
    done = int(np.searchsorted(sums, top - spacing * (len(ties) + 1)))
    if done == 0:
        return 0, total
    ties = ties[: np.searchsorted(ties, done)]
    found = float(sums[done - 1])
    if not len(ties):
        return done, found
    # A sum is even after a tie, so its parity before the next one is that of what was added in between.  `rounded` is
    # right for a tie where the sum is even before.
    before = np.where(ties > 0, sums[ties - 1], total)
    after = np.concatenate(([0.0], sums[ties[:-1]]))
    odd = (before - after) / spacing % 2.0 == 1.0
    return done, found + float(2.0 * (terms[ties] - rounded[ties])[odd].sum())


def count_gaps(gaps: GapStatistics, elapsed: Doubles, numbers: Doubles) -> None:
    """Gaps of `elapsed` seconds counted so many times each, in their buckets; their sum is the caller's business."""
    gaps.count += int(numbers.sum())
    while len(elapsed):
        least = float(elapsed.min())
        bucket = gaps.bucket_of(least)
        inside = elapsed <= max(surely_within(least), least)
        most = elapsed.max() if inside.all() else elapsed[inside].max()
        bucket[0] += float(numbers[inside].sum())
        if most > bucket[2]:
            bucket[2] = float(most)
        outside = ~inside
        elapsed, numbers = elapsed[outside], numbers[outside]
