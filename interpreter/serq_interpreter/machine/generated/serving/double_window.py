"""Iterations taken together on the clock of doubles, each sum as if they came one by one (05 §11).

`take` goes on from the iteration that starts while no member is done, nothing else is due and memory lasts, and leaves
the last iteration running.  What they add up to is `double_ledger`'s business.
"""

from __future__ import annotations

from collections.abc import Sequence

from serq_interpreter.machine.generated.serving.accounts import GAPS
from serq_interpreter.machine.generated.serving.paste import fill

_SHORTEST = 48
"""Fewer iterations are quicker in a plain loop than run by run."""

_TAKE = """
stop = heap[0][0] if heap else inf
if stop > BEYOND: stop = BEYOND
most = nf - it - 1
if later and later[0][0] - it - 1 < most: most = later[0][0] - it - 1
if events + most > stop_events: most = stop_events - events
if most > 0 and end < stop:
    evicts = not (waiting and waiting[0] in live)
    if measuring and (most < SHORT or stop - end < SHORT * cost):
        short(end, stop, most, evicts, cost)
        return
    r = it % BLK
    takers = [(place, k) for place, k in enumerate(cnt[r + 1:] + cnt[:r + 1]) if k]
    if measuring: measured(end, stop, most, takers, evicts, cost)
    else:
        m, begun, end, units, _ = plain(ahead(cost, most, takers, evicts), end, stop, None)
        if m: passed(m, begun, int(units))
        seq += 1
        heappush(heap, (end, seq, finish, None))
    return
seq += 1
heappush(heap, (end, seq, finish, None))
"""

_AHEAD = """
n = D; u = float(used); h = float(cached); kv = kvu
$readings
if not takers:
    yield most, cost, u, h
    return
lengths = [after[0] - before[0] for before, after in pairwise(takers)]
lengths.append(BLK - takers[-1][0] + takers[0][0])
quiet = takers[0][0]
if quiet:
    if quiet >= most:
        yield most, cost, u, h
        return
    most -= quiet
    yield quiet, cost, u, h
pattern = [(k * BLK, length) for (_, k), length in zip(takers, lengths)]
while True:
    for k, length in pattern:
        u += k; kv += k
        if u > CAP: return
        if u + h > CAPB:
            if h:
                if not evicts: return
                h = CAPB - u
        $reprice
        if length >= most:
            yield most, cost, u, h
            return
        most -= length
        yield length, cost, u, h
"""

_PASSED = """
grown_by = units - used
used = units; kvu += grown_by
if used + cached > CAPB: evict()
it += m; grown = it + 1; last = now = begun
iterations += m; events += m; seq += m; same = 0
"""

_SHORT = """
u = used; h = cached; kv = kvu; r = it % BLK; n = D
$readings
a_u = au; a_c = ac; a_q = aq; a_h = ah; a_n = an; t_u = tu; t_d = td; a_d = ad
waits = len(waiting); holding = holders
$open_others
low = lo; high = hi; seen = m = 0
begun = now
record = ledger.record
while m < most and end < stop:
    r += 1
    if r == BLK: r = 0
    k = cnt[r]
    if k:
        k *= BLK
        if u + k > CAP: break
        if u + k + h > CAPB and h and not evicts: break
    e = end - begun
    a_u += u * e; a_n += n * e; t_u += e; t_d += e; a_d += n * e; a_h += holding * e
    if h: a_c += h * e
    if waits: a_q += waits * e
    $others
    $gaps
    if low <= e <= high: seen += n
    else:
        bucket[0] += seen
        seen = n
        bucket = find(e); low = bucket[1]; high = bucket[2]
    m += 1
    begun = end
    if k:
        u += k; kv += k
        if u + h > CAPB: h = CAPB - u if CAPB > u else 0
        $reprice
    record((1, n, cost))
    end = begun + cost
if m:
    au = a_u; ac = a_c; aq = a_q; ah = a_h; an = a_n; tu = t_u; td = t_d; ad = a_d
    $close_others
    bucket[0] += seen; lo = low; hi = high; gap_n += m * n
    passed(m, begun, u)
seq += 1
heappush(heap, (end, seq, finish, None))
"""

_MEASURED = """
sums = [aq, ah, an, tu, td, ad, $areas]
factors = [len(waiting), holders, D, 1, 1, D, $numbers]
found = None
if ledger.wants_arrays(most, BLK, len(takers), cost, stop - end, iterations):
    found = ledger.stretch((D, most, BLK, takers), (used, cached, kvu), evicts, LEAST, end, stop)
if found is not None:
    e = end - now
    for place, factor in enumerate(factors):
        if factor: sums[place] += factor * e
    gaps(e, D)
    m, begun, end, units, _, au, ac, gap_total, sums = ledger.enter(
        found, D, (au + used * e, ac + cached * e, gap_total), sums, factors)
    gap_n += (m - 1) * D
else:
    latest = end + 1.25 * cost * most
    if latest > stop: latest = stop
    m, begun, end, units, _, au, ac, gap_total, sums = ledger.take(
        ahead(cost, most, takers, evicts), (now, end, stop, latest), (float(used), float(cached)),
        (au, ac, gap_total), D, sums, factors)
    gap_n += m * D
aq, ah, an, tu, td, ad, $areas = sums
if m: passed(m, begun, int(units))
seq += 1
heappush(heap, (end, seq, finish, None))
"""


class DoubleWindows:
    """Windows on the clock of doubles.

    `readings` are the lines that make what the cost reads of `n` decodes, `reprice` those that price an iteration in which
    they hold `kv` units; `others` are the numbers of the simple stages.
    """

    variables: tuple[str, ...] = ()

    def __init__(self, readings: Sequence[str], reprice: Sequence[str], others: Sequence[int]) -> None:
        self._readings = readings
        self._reprice = reprice
        self._others = others

    def start(self) -> list[str]:
        return ["ledger = books.ledgers[J]; plain = plain_kernel()"]

    def functions(self) -> dict[str, str]:
        areas = "".join(f"an{i}, tu{i}, " for i in self._others)
        numbers = "".join(f"n{i}, 1 if n{i} else 0, " for i in self._others)
        return {
            "ahead(cost, most, takers, evicts)": "\n".join(
                fill(_AHEAD, readings=self._readings, reprice=self._reprice)
            ),
            "passed(m, begun, units)": _PASSED,
            "measured(end, stop, most, takers, evicts, cost)": _MEASURED.replace("$areas", areas).replace(
                "$numbers", numbers
            ),
            "short(end, stop, most, evicts, cost)": "\n".join(self._short()),
            "take(end, cost)": _TAKE.replace("SHORT", str(_SHORTEST)),
        }

    def _short(self) -> list[str]:
        """A few iterations in a plain loop."""
        others = [f"if here{i}: xn{i} += here{i} * e; xt{i} += e" for i in self._others]
        return fill(
            _SHORT,
            readings=self._readings,
            reprice=self._reprice,
            open_others=[f"xn{i} = an{i}; xt{i} = tu{i}; here{i} = n{i}" for i in self._others],
            others=others,
            close_others=[f"an{i} = xn{i}; tu{i} = xt{i}" for i in self._others],
            gaps=GAPS,
        )

    def schedule(self) -> list[str]:
        return [
            "if not 0.0 < cost < inf: leave('an iteration takes no time, or for ever')",
            "if D and not batch and not fresh and not preempted and D == present and (not waiting or blocked):",
            "    take(now + cost, cost)",
            "else:",
            "    seq += 1",
            "    heappush(heap, (now + cost, seq, finish, None))",
        ]
