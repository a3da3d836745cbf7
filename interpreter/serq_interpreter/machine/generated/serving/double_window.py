"""Iterations taken together on the clock of doubles, each sum in the order of the iterations (05 §11).

`take` goes on from the iteration that starts while no member is done, nothing else is due and memory lasts, and leaves
the last iteration running.
"""

from __future__ import annotations

from collections.abc import Sequence

from serq_interpreter.machine.generated.serving.paste import fill

_OPEN = """
stop = heap[0][0] if heap else inf
if stop > BEYOND: stop = BEYOND
most = nf - it - 1
if later and later[0][0] - it - 1 < most: most = later[0][0] - it - 1
if events + most > stop_events: most = stop_events - events
m = 0
begun = now
if most > 0 and end < stop:
    evicts = not (waiting and waiting[0] in live)
    u = used; h = cached; kv = kvu; r = it % BLK; n = D
    $readings
    if measuring:
        $measured
    else:
        $unmeasured
    if m:
        used = u; kvu = kv
        if used + cached > CAPB: evict()
        it += m; grown = it + 1; last = now = begun
        iterations += m; events += m; seq += m; same = 0
seq += 1
heappush(heap, (end, seq, finish, None))
"""

_LOOP = """
while m < most and end < stop:
    r += 1
    if r == BLK: r = 0
    k = cnt[r]
    if k:
        k *= BLK
        if u + k > CAP: break
        if u + k + h > CAPB and not evicts: break
    $account
    m += 1
    begun = end
    if k:
        u += k; kv += k
        if u + h > CAPB: h = CAPB - u
        $reprice
    $step
    end = begun + cost
"""

_ACCOUNT = """
e = end - begun
a_u += u * e; a_c += h * e; a_q += waits * e; a_h += holding * e
a_n += n * e; t_u += e; t_d += e; a_d += n * e
$others
$total
if low <= e <= high: seen += n
else:
    bucket[0] += seen
    seen = n
    bucket = find(e); low = bucket[1]; high = bucket[2]
"""

_STEP = """
count += 1
m_b += (n - m_b) / count
m_c += (cost - m_c) / count
"""

_LOCALS = {
    "a_u": "au",
    "a_c": "ac",
    "a_q": "aq",
    "a_h": "ah",
    "a_n": "an",
    "t_u": "tu",
    "t_d": "td",
    "a_d": "ad",
    "count": "ds_n",
    "m_b": "mb",
    "m_c": "mc",
    "total": "gap_total",
    "low": "lo",
    "high": "hi",
}


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
        return []

    def functions(self) -> dict[str, str]:
        others = [f"xn{i} += here{i} * e; xt{i} += some{i} * e" for i in self._others]
        account = fill(_ACCOUNT, others=others, total="for _ in every: total += e")
        reprice = self._reprice
        loop = fill(_LOOP, account=account, reprice=reprice, step=_STEP.strip())
        opening = [f"{local} = {name}" for local, name in _LOCALS.items()]
        opening += [
            f"xn{i} = an{i}; xt{i} = tu{i}; here{i} = n{i}; some{i} = 1.0 if n{i} else 0.0" for i in self._others
        ]
        opening += ["seen = 0; every = range(n); waits = len(waiting); holding = holders"]
        closing = ["bucket[0] += seen; gap_n += m * n", *[f"{name} = {local}" for local, name in _LOCALS.items()]]
        closing += [f"an{i} = xn{i}; tu{i} = xt{i}" for i in self._others]
        text = fill(
            _OPEN,
            readings=self._readings,
            measured=[*opening, *loop, *closing],
            unmeasured=fill(_LOOP, account="", reprice=reprice, step=""),
        )
        return {"take(end, cost)": "\n".join(text)}

    def schedule(self) -> list[str]:
        return [
            "if not 0.0 < cost < inf: leave('an iteration takes no time, or for ever')",
            "if D and not batch and not fresh and not preempted and D == present and (not waiting or blocked):",
            "    take(now + cost, cost)",
            "else:",
            "    seq += 1",
            "    heappush(heap, (now + cost, seq, finish, None))",
        ]
