"""Iterations taken together on the exact clock: a plan in closed form that can be cut (05 §11).

A plan stands for the iteration that starts and the `ahead` ones after it, up to where a member is done, memory ends or
evictions begin.  With `a[j]` the blocks taken by the first `j` iterations after the start and `w_per` those of a whole
block of iterations, iteration `m = BLK·q + j` finds `A(m) = q·w_per + a[j]` blocks more than the first and lasts
`w_cost + w_slope·A(m)` ticks; sums of A and A² over the first m are sums of powers of q.  `cut` ends a plan at the
iteration that runs now, and `settle(m)` enters its first m iterations into the books.

Of events at one instant the one scheduled first comes first.  A plan's last iteration is scheduled before its time, so
that its number says nothing: where it ties with something scheduled at the same instant the run is left (`ticket[1]`).
"""

from __future__ import annotations

FEWEST = 3
"""Iterations ahead from which on a plan is worth its trouble."""

_PLAN = """
most = nf - it - 1
if later and later[0][0] - it - 1 < most: most = later[0][0] - it - 1
if most < FEWEST: return
line = lines.get(D)
if line is None: line = lines[D] = books.line(D)
if not line: return
r = it % BLK
a = [0, *accumulate(cnt[r + 1:] + cnt[:r])]
per = a[-1] + cnt[r]
full = False
if per:
    space = CAPB - used - cached
    if space <= 0 and cached:
        if waiting and waiting[0] in live: return
        full = True; space = cached
    if space < inf:
        q, rest = divmod(space // BLK, per)
        m = q * BLK + bisect_right(a, rest) - 1
        if m < most: most = m
if events + planned + most > stop_events: most = stop_events - events - planned
if most < FEWEST: return
ahead = most
planned += most
w_at = now; w_cost = cost; w_slope = line[1] * BLK; w_a = a; w_per = per; w_full = full
w_sum = sum(a)
"""

_LASTED = """
if not w_slope or not w_per: return n * w_cost
q, j = divmod(n, BLK)
return n * w_cost + w_slope * (w_per * BLK * (q * (q - 1) // 2) + q * (w_sum + j * w_per) + sum(w_a[:j]))
"""

_RUNS = """
if gap <= 0: return 0
low = 0; high = ahead + 1
while high - low > 1:
    middle = (low + high) >> 1
    if lasted(middle) < gap: low = middle
    else: high = middle
return low
"""

_SETTLE = """
q, j = divmod(m, BLK)
blocks = q * w_per + w_a[j]
if measuring:
    au += used * length; ac += cached * length; ah += holders * length
    an += present * length; tu += length; td += length; ad += D * length
    if w_per:
        head = w_a[:j]
        s1 = sum(head)
        sq = q * (q - 1) // 2
        total = w_per * BLK * sq + q * (w_sum + j * w_per) + s1
        extra = w_cost * total
        if w_slope:
            squares = w_per * w_per * BLK * (sq * (2 * q - 1) // 3) + 2 * w_per * w_sum * sq
            squares += j * q * q * w_per * w_per + 2 * q * w_per * s1 + sum(map(mul, head, head))
            if q: squares += q * sum(map(mul, w_a, w_a))
            extra += w_slope * squares
        au += extra * BLK
        if w_full: ac -= extra * BLK
    gap_n += D * m; gap_total += D * length
    ds_n += m; ds_b += D * m; ds_e += length + w_slope * blocks
    if m: spread(m)
used += blocks * BLK; kvu += blocks * BLK
if used + cached > CAPB: evict()
it += m; grown = it + 1
since = last = w_at + length
iterations += m; events += m
"""

_SPREAD = """
least = w_cost / PER
longest = (w_cost + w_slope * ((m - 1) // BLK * w_per + w_a[(m - 1) % BLK])) / PER
known = near.get(D)
if known is not None and known[1] <= least and longest <= known[2]:
    known = known[0]
    known[0] += D * m
    if longest > known[2]: known[2] = longest
    return
i = 0
while i < m:
    gap = (w_cost + w_slope * (i // BLK * w_per + w_a[i % BLK])) / PER
    bucket = find(gap)
    n = m
    if w_slope and w_per:
        within = surely_within(gap)
        near[D] = (bucket, gap, max(within, gap))
        q, rest = divmod((ticks_within(within) - w_cost) // w_slope, w_per)
        n = min(m, max(q * BLK + bisect_right(w_a, rest), i + 1))
        gap = (w_cost + w_slope * ((n - 1) // BLK * w_per + w_a[(n - 1) % BLK])) / PER
        if gap > bucket[2]: bucket[2] = gap
    else: near[D] = (bucket, gap, max(surely_within(gap), gap))
    bucket[0] += (n - i) * D
    i = n
lo = bucket[1]; hi = bucket[2]
"""

_CUT = """
if not ahead: return
n = ahead
m = runs(now - w_at)
ahead = 0; planned -= n
length = lasted(m)
settle(m, length)
if m < n:
    ticket[0] = False
    ticket = [True, True]
    seq += 1
    began = w_at + length
    heappush(heap, (began + w_cost + w_slope * (m // BLK * w_per + w_a[m % BLK]), began, seq, finish, ticket))
"""

_SCHEDULE = """
if cost <= 0: leave('an iteration takes no time')
ahead = 0
began = now
tend = now + cost
if D and not batch and not fresh and not preempted and D == present and (not waiting or blocked):
    plan(cost)
    if ahead:
        w_length = lasted(ahead)
        began = now + w_length
        tend = began + cost + w_slope * (ahead // BLK * w_per + w_a[ahead % BLK])
seq += 1
ticket = [True, ahead > 0]
heappush(heap, (tend, began, seq, finish, ticket))
"""


class WholeWindows:
    """Plans on the exact clock."""

    variables = "ahead ticket w_length near w_at w_cost w_slope w_a w_per w_full w_sum".split()

    def start(self) -> list[str]:
        """The variables at the beginning."""
        return [
            "ahead = w_length = w_at = w_cost = w_slope = w_per = w_sum = 0",
            "ticket = [True, False]; w_a = [0]",
            "w_full = False; lines = {}; near = {}",
        ]

    def functions(self) -> dict[str, str]:
        return {
            "plan(cost)": _PLAN.replace("FEWEST", str(FEWEST)),
            "lasted(n)": _LASTED,
            "runs(gap)": _RUNS,
            "settle(m, length)": _SETTLE,
            "spread(m)": _SPREAD,
            "cut()": _CUT,
        }

    def schedule(self) -> list[str]:
        """The end of the iteration that starts, `cost` ticks long, or of its plan."""
        return _SCHEDULE.strip().split("\n")
