"""What an engine's source measures, on either clock (05 §10, 07 §5).

Sums of doubles depend on their order, so on that clock everything is added up at every event (`EagerAccounts`); sums
of whole numbers do not, so on the exact clock an engine adds up when something happens to it (`LazyAccounts`).
"""

from __future__ import annotations

from collections.abc import Mapping

_LANES = "au ac aq ah an tu td tp tm ad".split()
"""Areas of units used and cached, of the queue, of holders, of residents; time used, with decodes only, with prefills
only, with both; area of decodes."""
_FIELDS = {
    "au": "pool.area_used",
    "ac": "pool.area_cached",
    "aq": "pool.area_queue",
    "ah": "pool.area_holders",
    "an": "stage.area_number",
    "tu": "stage.time_used",
    "td": "stage.time_decode",
    "tp": "stage.time_prefill",
    "tm": "stage.time_mixed",
    "ad": "stage.area_decodes",
}
_ADD_UP = """
au += used * e; ac += cached * e; ah += holders * e
if present: an += present * e; tu += e
if running:
    if D:
        ad += D * e
        if batch: tm += e
        else: td += e
    elif batch: tp += e
"""
_FIND = """
if lo <= $gap <= hi: bucket[0] += n
else:
    bucket = find($gap)
    bucket[0] += n; lo = bucket[1]; hi = bucket[2]
"""
GAPS = """
if n < 5:
    for _ in range(n): gap_total += e
else:
    # As `repeated_sums.added`, whose usual case stands here.
    x = gap_total + e
    y = x + e
    x = y + (n - 2) * (y - x)
    if x < gap_top: gap_total = x
    else: gap_total = added(gap_total, e, n); gap_top = binade_top(gap_total)
""".strip()
_BOOKS = """
pool.used = float(used); pool.cached = float(cached)
pool.n_waits = n_waits; pool.mean_wait = mean_wait; pool.admissions = admissions
pool.evicted_units = float(ev_units); pool.evicted_entries = ev_entries
pool.preemptions = preemptions; pool.stuck = stuck; pool.rejected = rejected
stage.present = present; stage.running = running; stage.last_attempt_empty = idle
stage.n_decodes = D if running else 0; stage.n_prefills = len(batch)
stage.iterations = iterations; stage.completed = completed; stage.mean_service = mean_service
books.steps[J] = steps
stage.gaps.count = gap_n; stage.gaps.total = gap_total
books.waits(J, len(waiting), waiting[0].uf[J](waiting[0], budget_left()) if waiting else 0.0, holders)
"""


class EagerAccounts:
    """The clock of doubles: `touch(e)` is told of every stretch of time between two events."""

    variables = (*_LANES, "gap_top")
    scale = ""

    def start(self) -> list[str]:
        """The variables at the beginning."""
        return [f"{' = '.join(_LANES)} = 0", "gap_top = 0.0"]

    def functions(self) -> dict[str, str]:
        return {
            "touch(e)": f"{_ADD_UP}\nif waiting: aq += len(waiting) * e",
            "cut()": "return",
            "gaps(e, n)": f"gap_n += n\n{GAPS}\n" + _FIND.replace("$gap", "e"),
        }

    def parts(self) -> Mapping[str, str]:
        """What the engine's source does before something changes."""
        return dict.fromkeys(
            ("before_finish", "before_attempt", "before_change", "before_queue", "cut_for_first", "cut"), ""
        )

    def count_step(self) -> list[str]:
        """An iteration starts; `cost` is its length."""
        return ["if D and measuring: ledger.count_step(D, cost)"]

    def sync(self) -> list[str]:
        """Write the books of the machine."""
        return [
            "pool = stage.memory",
            *[f"{place} = {name}" for name, place in _FIELDS.items()],
            *_BOOKS.strip().split("\n"),
        ]


class LazyAccounts:
    """The exact clock: up to `since` everything is added up, the queue up to `tq`."""

    variables = (*_LANES, "since", "tq", "ds_n", "ds_b", "ds_e")
    scale = " / PER"

    def start(self) -> list[str]:
        return [f"{' = '.join(_LANES)} = since = tq = 0", "ds_n = ds_b = ds_e = 0"]

    def functions(self) -> dict[str, str]:
        add_up = "\n".join("        " + line for line in _ADD_UP.strip().split("\n"))
        return {
            "touch()": f"e = now - since\nif e:\n    since = now\n    if measuring:\n{add_up}",
            "gaps(e, n)": "gap_n += n\ngap_total += n * e\ngap = e / PER\n" + _FIND.replace("$gap", "gap"),
        }

    def parts(self) -> Mapping[str, str]:
        return {
            "before_finish": "if ahead: n = ahead; ahead = 0; planned -= n; settle(n, w_length)\ntouch()",
            "before_attempt": "touch()",
            "before_change": "cut()\ntouch()",
            "before_queue": "if measuring: aq += len(waiting) * (now - tq)\ntq = now",
            "cut_for_first": "if ahead and not waiting: cut()",
            "cut": "cut()",
        }

    def count_step(self) -> list[str]:
        return ["if D and measuring: ds_n += 1; ds_b += D; ds_e += cost"]

    def sync(self) -> list[str]:
        return [
            "cut()",
            "touch()",
            "if measuring: aq += len(waiting) * (now - tq)",
            "tq = now",
            "pool = stage.memory",
            *[f"{place} = {name}" for name, place in _FIELDS.items()],
            "means = stage.decode_steps",
            "means.count = ds_n; means.batches = ds_b; means.elapsed = ds_e",
            *_BOOKS.strip().split("\n"),
        ]


Accounts = EagerAccounts | LazyAccounts
