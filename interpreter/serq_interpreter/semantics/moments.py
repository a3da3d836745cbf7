"""Which expression may read what, at which moment: one table for the check, the hover texts, completion and the manual.

An expression is read at the moment that its position fixes (02 §6).  `MOMENTS` are the columns, `TABLE` has the rows, and
`verdict` is one cell: empty where the read is legal, otherwise the code that refuses it.  There is no default value
for something that does not exist at a moment; a read of it does not link.
"""

from __future__ import annotations

from typing import NamedTuple


class Moment(NamedTuple):
    """A column of the table.

    `title` completes "cannot be read in …"; `decides` is the fact that makes the column what it is, as one sentence;
    `positions` are the places of the text that are read at this moment.
    """

    key: str
    title: str
    decides: str
    positions: tuple[str, ...]


MOMENTS: dict[str, Moment] = {
    moment.key: moment
    for moment in (
        Moment(
            "stmt",
            "a statement",
            "A session executes the statement itself, at one instant: it knows its own attributes, the clock and the "
            "present state of every pool and stage, but it stands in no queue and in no batch.",
            (
                "the value of `set` and `observe`",
                "the work of a `run`",
                "the units of `grow` and `load`",
                "a hold's `cache` and `lease`",
                "a guard of `branch` and `branch with`",
                "the count and the keys of `choose`",
                "the count and the values of `spawn` (edition v4b)",
                "an index of a pool or stage in a statement",
            ),
        ),
        Moment(
            "head",
            "the header of a hold",
            "A pool reads the header each time it looks at the waiting hold, before the hold begins: what the "
            "session will only know later is not known here.",
            ("a hold's units", "a hold's `reserve`", "a hold's `reuse`", "the bindings of `at admission` these read"),
        ),
        Moment(
            "queue",
            "a key of `queue by`",
            "A pool sorts the holds that wait for it; the key is read for one waiting hold, which is in no batch yet.",
            ("the keys of a pool's `queue by`",),
        ),
        Moment(
            "evict",
            "a key of `evict by` or a spill",
            "A pool chooses a cached entry to give up; the key is read for the entry, whose session may be long gone.",
            ("the keys of a pool's `evict by`", "the work and the test of a pool's `spill`"),
        ),
        Moment(
            "preempt",
            "a key of `preempt by`",
            "A pool that has no room chooses the holder to throw out; the key is read for one holder, between two "
            "iterations.",
            ("the keys of a pool's `preempt by`",),
        ),
        Moment(
            "ps",
            "the capacity of a shared stage",
            "A processor-sharing stage sets its rate whenever its population changes; it knows how many jobs are "
            "present, not who they are.",
            ("the capacity of `ps`",),
        ),
        Moment(
            "budget",
            "a budget or a chunk",
            "An engine fixes its limits before it gives out tokens: it knows who is resident, not yet what the "
            "iteration will compute.",
            ("the `budget` of a step engine", "the `chunk` of a step engine"),
        ),
        Moment(
            "cost",
            "a cost",
            "The iteration's tokens have been given out; the engine reads the finished batch to know how long it takes.",
            ("the `cost` of a step engine",),
        ),
        Moment(
            "order",
            "a serve key",
            "An engine sorts its residents before it gives them tokens; the key is read for one resident.",
            ("the keys of the option `serve by`, also after `only`",),
        ),
        Moment(
            "only",
            "an `only`, or an order inside an iteration body",
            "The engine plans an iteration and judges one request at a time; when it serves nobody it waits for an event, "
            "and passing time is none.",
            (
                "the option `serve only`",
                "`serve only` and `serve by` in an iteration body",
                "`admit only` in an iteration body",
            ),
        ),
        Moment(
            "iter",
            "a test or `set` of an iteration body",
            "The engine runs its plan over the batch so far; a plan that gives out nothing is made again at an event, and "
            "passing time is none.",
            (
                "a guard of `branch` in an iteration body",
                "the `while` of an `admit`",
                "the value of `set` in an iteration body",
            ),
        ),
        Moment(
            "gauge",
            "a gauge",
            "A gauge is followed through time for the whole system: no session is meant, and its value must change only "
            "when the state does.",
            ("the expression of a `gauge`",),
        ),
        Moment(
            "given",
            "the `given` of a claim",
            "`given` selects sessions by what they are; the clock and the state do not belong to a session.",
            ("the `given` of a claim",),
        ),
        Moment(
            "every",
            "a claim over iterations",
            "The claim is checked after each iteration of one engine, with its whole batch: no single session is meant.",
            ("`every` and `some` of a claim",),
        ),
        Moment(
            "end",
            "a claim `at end`",
            "The run is over: what is left are the observations, the registers and the clock.",
            ("`at end` of a claim",),
        ),
        Moment(
            "const",
            "a constant position",
            "The value is computed once, before anything runs.",
            (
                "`let`, `cap`, `block`, the count of `fifo`, `granule`, the first value of a `state`",
                "the arguments of `poisson`, `batch` and `closed`, the run options",
                "the size of an array or family, a latency, the count of an aggregate",
            ),
        ),
        Moment(
            "gap",
            "a renewal gap",
            "Gaps are drawn by the arrival process, which knows no session and looks at no clock or state.",
            ("the gap of `arrive renewal`",),
        ),
        Moment(
            "e.head",
            "the header of a hold in a queue's entry",
            "A queue is a component: its scheduler knows the entry's parameters and the queue's own pools and stage, "
            "nothing of the session that called.",
            ("units, `reserve` and `reuse` of a hold in an entry (a gateway's route excepted)",),
        ),
        Moment(
            "e.body",
            "the body of a queue's entry",
            "A queue is a component: its entries see their parameters, the clock, what they set themselves and the "
            "queue's own pools and stage.",
            ("the statements of an entry (a gateway's route excepted)",),
        ),
    )
}
"""The columns, in the order of `_TABLE`."""


_TABLE = """
now            + + + + + + + + + 313 314 320 324 + + 801 326 733 +
size           301 301 301 + 301 301 301 301 301 301 301 301 301 301 301 801 301 301 301
age            = size
last           = size
waiting        = size
waited         301 301 + 301 301 301 301 301 301 301 301 301 301 301 301 801 301 301 301
present        301 301 301 301 301 + 301 301 301 301 301 301 301 301 301 801 301 301 301
tokens         301 301 301 301 301 301 301 + 301 301 + 301 301 + 301 801 301 301 301
prefilled      = tokens
residents      301 301 301 301 301 301 + + + + + 301 301 + 301 801 301 301 301
decoders       = residents
kv_decode      = residents
kv_prefill     = residents
attention      301 301 301 301 301 301 301 + 301 301 301 301 301 + 301 801 301 301 301
decoding       301 301 301 301 + 301 301 301 + + 301 301 301 301 301 801 301 301 301
admission      = decoding
remaining      301 301 301 301 301 301 301 301 + + 301 301 301 301 301 801 301 301 301
position       301 301 301 301 + 301 301 301 301 301 301 301 301 301 301 801 301 733 736
admitted       301 301 301 301 301 301 301 301 301 301 + 301 301 301 301 801 301 733 736
preempted      = admitted
demand         301 301 301 301 301 301 301 301 301 301 301 301 301 + 301 801 301 733 736
served         = demand
arrived        = demand
attribute      + + + + + + + + + + + 319 + 321 323 801 326 733 736
serial         = attribute
turn_no        = attribute
new            = attribute
out            = attribute
think          = attribute
more           = attribute
forced         = attribute
cached         + + + + + + + + + + + 319 + 321 323 801 326 + +
computed       + + + + 318 + + + + + + 319 + 321 323 801 326 + +
hidden         + 302 302 302 302 302 302 302 302 302 302 319 + 321 323 801 326 733 +
queue          + + + + + + + + + + + + 324 + 323 801 326 734 736
busy           = queue
used           = queue
free           = queue
holders        = queue
queued         = queue
work           + + + + + + + + + 313 314 320 324 322 323 801 326 734 736
est_lambda     + + + + + + + + + + + + 324 322 323 801 326 734 736
est_rho        = est_lambda
est_wait       = est_lambda
price          = est_lambda
cachedin       + + + + + + + + + + + 320 324 322 323 801 326 734 736
budget_own     + + + + 317 + 316 + + + 315 320 324 322 323 801 326 734 736
budget_other   + + + + 317 + 316 + + + + 320 324 322 323 801 326 734 736
blocksize      + + + + + + + + + + + + + + + 803 + + +
total          305 305 305 305 305 305 305 305 305 305 305 305 305 305 + 801 305 734 736
count          = total
largest        = total
smallest       = total
prefix_total   = total
constant       + + + + + + + + + + + + + + + + + + +
inf            + + + + + + + + + + + + + + + + 810 + +
arithmetic     + + + + + + + + + + + + + + + + + + +
aggregate      + + + + + + + + + + + + + + + + + + +
draw           + 306 307 + 308 + + + 309 309 310 311 312 312 312 804 + 306 +
register_own   303 via via via via 304 + + + + + + 303 + + 801 303 733 736
register_other 303 via via via via 304 304 304 304 304 304 + 303 304 + 801 303 733 736
"""
"""Rows over the columns of `MOMENTS`: `+` is legal, `nnn` is SQ0nnn, `= row` repeats a row.

`via` is SQ0304 unless the pool (in a header: the hold's first pool) is `admit via` the register's engine (02 §6.2).
"""


def _rows() -> dict[str, dict[str, str]]:
    rows: dict[str, dict[str, str]] = {}
    for line in _TABLE.split("\n"):
        key, *cells = line.split() or [""]
        if not key:
            continue
        if cells[0] == "=":
            rows[key] = rows[cells[1]]
        else:
            words = ("" if cell == "+" else cell if cell == "via" else f"SQ0{cell}" for cell in cells)
            rows[key] = dict(zip(MOMENTS, words, strict=True))
    return rows


TABLE: dict[str, dict[str, str]] = _rows()
"""Row → column → code, empty where the read is legal, `via` where it depends on the pool."""

VIA = "via"
"""The cell whose verdict depends on the pool's `admit via`."""


def verdict(read: str, moment: str, *, via: bool = False) -> str:
    """The code that refuses `read` at `moment`, empty when it is legal.

    `via`: the pool that reads is admitted by the register's engine.  Raises `KeyError` for an unknown row or column.
    """
    cell = TABLE[read][moment]
    if cell != VIA:
        return cell
    return "" if via else "SQ0304"


def moments_of(read: str) -> tuple[Moment, ...]:
    """The moments at which `read` is legal, in the order of the table (`via` counts as legal)."""
    row = TABLE[read]
    return tuple(moment for moment in MOMENTS.values() if row[moment.key] in ("", VIA))


def readable(moment: str) -> tuple[str, ...]:
    """The rows that are legal at `moment`, for completion (`via` counts as legal)."""
    return tuple(read for read, row in TABLE.items() if row[moment] in ("", VIA))


def read_title(read: str) -> str:
    """How a row is called in a text: a name or function as written, or a phrase for a kind of name."""
    return _PHRASES.get(read) or (f"`{read}(…)`" if read in _CALLED else f"`{read}`")


_PHRASES = {
    "attribute": "an attribute",
    "hidden": "a hidden attribute",
    "budget_own": "`budget_left` of the engine itself",
    "budget_other": "`budget_left` of another engine",
    "constant": "a constant",
    "arithmetic": "an arithmetic function",
    "aggregate": "an aggregate over an index",
    "draw": "a draw",
    "register_own": "a register of the engine itself",
    "register_other": "a register of another engine",
}

_CALLED = frozenset(
    "queue busy used free holders queued work est_lambda est_rho est_wait price cachedin blocksize total count largest "
    "smallest prefix_total".split()
)


def whereabouts(read: str, limit: int = 4) -> str:
    """Where `read` exists, as a phrase: "a cost, a claim over iterations"; empty when it exists nowhere."""
    titles = [moment.title for moment in moments_of(read) if not moment.key.startswith("e.")]
    if len(titles) > limit:
        titles = [*titles[:limit], "others"]
    if len(titles) > 1:
        return ", ".join(titles[:-1]) + " and " + titles[-1]
    return "".join(titles)
