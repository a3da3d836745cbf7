"""Words and signs of other languages: what a person means by them is said in this one.

A word stands for advice, and where one word of ours means the same (`capacity` for `cap`), the text is read on with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from serq_interpreter.syntax.giving_up import give_up
from serq_interpreter.syntax.parser import shifted
from serq_interpreter.syntax.repairing import become, replaced
from serq_interpreter.syntax.tokens import Edit, Fix, place_of

if TYPE_CHECKING:
    from serq_interpreter.syntax.fault import SyntaxFault


class Advice(NamedTuple):
    """What to write instead; `word` is ours for the same thing where there is one."""

    text: str
    word: str = ""


_TEST = Advice("a test is written `branch (…) { … } else { … }`")
_REPEAT = Advice("repeat with `loop { … }`; leave it with `end;` or with a `branch` in it")
_PAUSE = Advice("time passes on a stage: declare `stage pause : delay;` and write `run pause (T);`")
_TAKE = Advice("units are taken for the time of a block: `hold POOL (UNITS) { … }`")
_GIVE = Advice("units come back where the block of their `hold` ends, or earlier with `release POOL;`")
_END = Advice("a session ends with `end;`, also inside of loops and holds")
_RECORD = Advice("a value is recorded with `observe NAME = EXPR;`")
_ASSIGN = Advice("an attribute of the session is assigned with `set NAME = EXPR;`")
_WORK = Advice("work is done on a stage: `run STAGE (WORK);`")
_LEG = Advice("`fork { … }` starts a leg beside the session; `join;` waits for its legs")
_SPAWN = Advice(
    "`spawn (COUNT) into NAME { … }` makes child sessions, in edition v4b; `fork { … }` starts a leg beside the session"
)
_CAP = Advice("the size of a pool is its `cap`", "cap")
_BLOCK = Advice("units that are handed out together are a `block`", "block")
_EVICT = Advice("who loses cached units is said by `evict by (KEYS);`")
_COST = Advice("how long an iteration takes is its `cost`", "cost")
_BUDGET = Advice("how many tokens an iteration takes is its `budget`", "budget")
_ORDER = Advice("who is served first is said by `serve by (KEYS);`")
_HORIZON = Advice("a run stops at its `horizon`", "horizon")
_AGAIN = Advice("replications are asked for on the command line: `serq-lsp run --replications N`")
_RATE = Advice(
    "arrivals are `arrive poisson(RATE);`, `arrive renewal(GAP);`, `arrive closed(N);` or `arrive batch(N);`"
)
_POOL = Advice("memory and other things that are held are a `pool NAME { cap N; }`")
_STAGE = Advice("what does work is a `stage NAME : fifo | ps | delay | step { … };`")
_CONSTANT = Advice("a constant is `let NAME = EXPR;`", "let")
_DEFINE = Advice("a definition is `def NAME(…) = EXPR;` or `def NAME(…) { … }`")
_USE = Advice('another file is read with `use "FILE";`', "use")
_GAUGE = Advice("a value over time is `gauge NAME = EXPR;`", "gauge")
_CLAIM = Advice("what must hold is a `claim`")


def _table(*groups: tuple[str, Advice]) -> dict[str, Advice]:
    return {word: advice for words, advice in groups for word in words.split()}


_WORDS: tuple[tuple[str, dict[str, Advice]], ...] = (
    (
        "fork",
        _table(
            ("if when switch case", _TEST),
            ("while for repeat forever foreach do", _REPEAT),
            ("wait sleep delay pause timeout hang", _PAUSE),
            ("acquire lock alloc allocate take grab seize get", _TAKE),
            ("unlock free dealloc put", _GIVE),
            ("return exit stop break finish quit leave", _END),
            ("print log record measure output emit report", _RECORD),
            ("let var const assign", _ASSIGN),
            ("serve process exec execute compute work use", _WORK),
            ("async parallel thread", _LEG),
            ("spawn", _SPAWN),
        ),
    ),
    (
        "workload",
        _table(
            ("resource memory cache semaphore kv", _POOL),
            ("engine gpu device station node worker", _STAGE),
            ("const var param parameter set val", _CONSTANT),
            ("function func fn macro define", _DEFINE),
            ("import include require from", _USE),
            ("metric measure monitor", _GAUGE),
            ("assert invariant ensure", _CLAIM),
        ),
    ),
    ("init", _table(("rate lambda arrival arrivals requests poisson renewal closed batch", _RATE))),
    (
        "evict",
        _table(
            ("capacity size limit max total units", _CAP),
            ("page blocksize block_size pagesize", _BLOCK),
            ("eviction policy lru fifo", _EVICT),
        ),
    ),
    (
        "budget",
        _table(
            ("latency time duration step_time", _COST),
            ("batch max_tokens max_batch tokens", _BUDGET),
            ("order policy priority schedule", _ORDER),
        ),
    ),
    (
        "horizon",
        _table(("time duration until end length stop for", _HORIZON), ("replications reps runs repeat", _AGAIN)),
    ),
)
"""A terminal that tells the place, and the words that people bring there."""


def foreign_word(fault: SyntaxFault) -> bool:
    """A word of another language where one of ours may start a statement, an option or an item."""
    token = fault.token
    if token.kind != "NAME":
        return False
    for terminal, words in _WORDS:
        if terminal in fault.expected:
            advice = words.get(token.text.lower())
            return advice is not None and _advise(fault, advice)
    return False


def _advise(fault: SyntaxFault, advice: Advice) -> bool:
    parser = fault.parser
    states = shifted(parser.states, advice.word) if advice.word else None
    if states is None or fault.fits(states, parser.buffer[:-1], 2) < 2:
        fault.report(help=advice.text)
        return give_up(fault)
    fault.report(fixes=replaced(fault.token, advice.word, safe=False), help=advice.text)
    return become(fault, advice.word)


_SIGNS = {"and": "&&", "or": "||"}
_ENDS_OPERAND = ("NAME", "NUMBER", ")", "]")
_AFTER_OPERAND = frozenset((";", ")", "]", ",", ":"))


def foreign_sign(fault: SyntaxFault) -> bool:
    """`and` and `or` between two tests, `**` for a power."""
    sign = _SIGNS.get(fault.token.text) if fault.token.kind == "NAME" else None
    previous = fault.parser.previous
    if sign is not None and previous is not None and previous.kind in _ENDS_OPERAND and fault.expected & _AFTER_OPERAND:
        # What came before is a whole expression by now, so that no operator can follow it: the rest is given up.
        fault.report(fixes=replaced(fault.token, sign), help=f"`{fault.token.text}` is written `{sign}`")
        return give_up(fault)
    if fault.kind == "*" and "~" in fault.expected and previous is not None and previous.kind == "*":
        fault.report(help="a power is written `a ^ b`")
        fault.parser.buffer.pop()
        return True
    return False


_SCALES = {
    "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0, "min": 60.0, "h": 3600.0,
    "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "KB": 1e3, "MB": 1e6, "GB": 1e9,
}  # fmt: skip


def unit_suffix(fault: SyntaxFault) -> bool:
    """`5ms`: a number and its unit in one word."""
    token, number = fault.token, fault.parser.previous
    scale = _SCALES.get(token.text) if token.kind == "NAME" else None
    if scale is None or number is None or number.kind != "NUMBER" or number.chunk is not token.chunk:
        return False
    if number.end != token.start or token.via is not None:
        return False
    value = float(number.text) * scale
    written = f"{value:.12g}"
    fix = Fix(f"write `{written}`", (Edit(place_of(number, token), written),))
    fault.report(
        fixes=(fix,), help="numbers have no units: choose one unit of time and of memory for the whole program"
    )
    fault.parser.buffer.pop()
    return True
