"""Programs that use one word as a name, in every place where a name is declared and read; one table for the word tests."""

from __future__ import annotations

from collections.abc import Callable

from serq_interpreter.catalog import vocabulary

HEAD = "stage svc : fifo; pool free_pool { cap 8; block 2; } workload { arrive batch(1); } "
TAIL = " run { horizon 9; }"
ATTRIBUTES = frozenset(vocabulary.BUILTIN_ATTRIBUTES)


def _session(body: str) -> str:
    return f"{HEAD}session {{ {body} end; }}{TAIL}"


def _queue(word: str) -> str:
    call = "" if word in vocabulary.UNCALLABLE_QUEUE_NAMES else f"{word}[1].prefill (3);"
    return (
        f"queue {word}[2] : prefill {{ pool kv {{ cap 64; }} serve step {{ cost 1; memory kv; }} "
        f"prefill (n) {{ hold kv (n) {{ run {word} prefill (n) growing kv; }} }} }} "
        f"queue gw : gateway {{ route {{ {call} set seen = used({word}[0].kv) + queue({word}[1]); }} }} "
        "workload { arrive batch(1); session { request gw; end; } } run { horizon 9; }"
    )


PROGRAMS: dict[str, Callable[[str], str]] = {
    "constant": lambda w: f"let {w} = 1; pool kv {{ cap {w}; }} " + _session(f"set seen = {w} + 1 - {w};"),
    "attribute": lambda w: _session(f"set {w} = 1; set seen = {w} * 2; choose {w} in {w} + 2 by ({w}, -{w});"),
    "pool": lambda w: (
        f"pool {w} {{ cap 4; block 2; }} "
        + _session(f"hold {w} (1) {{ grow {w} (1); set seen = used({w}) + blocksize({w}); release {w}; }} drop {w};")
    ),
    "pool array": lambda w: f"pool {w}[2] {{ cap 4; }} " + _session(f"hold {w}[1] (1) {{ set seen = used({w}[0]); }}"),
    "stage": lambda w: f"stage {w} : fifo; " + _session(f"run {w} (1); tool on {w} 1; set seen = queue({w});"),
    "stage array": lambda w: (
        f"stage {w}[2] : fifo; " + _session(f"run {w}[1] (1); tool on {w}[0] (1); set seen = busy({w}[0]);")
    ),
    "observation": lambda w: f"claim cl : at end (total({w}) >= 0); " + _session(f"observe {w} = 1;"),
    "gauge": lambda w: f"gauge {w} = used(free_pool); " + _session(""),
    "queue": _queue,
    "register": lambda w: (
        f"stage eng : step {{ state {w} = 1; cost {w} + 1; iteration {{ set {w} = {w} + 1; serve; }} }} " + _session("")
    ),
    "index": lambda w: _session(f"set seen = max {w} in 3 ({w} * 2) + sum {w} in 2 (min {w} in 2 ({w}));"),
    "binding": lambda w: _session(f"hold free_pool ({w}) at admission ({w} = x0) {{ set seen = {w}; }} set x0 = 1;"),
    "claim": lambda w: f"claim {w} : at end (1); " + _session(""),
    "definition": lambda w: (
        f"def {w}(a) = a + 1; let k = {w}(1); " + _session(f"set seen = {w}({w}(2)); run svc ({w}(0));")
    ),
    "parameter": lambda w: f"def f({w}) = {w} + 1; " + _session("set seen = f(2);"),
}
"""Place → the program that uses a word there."""

_FORBIDDEN: dict[str, frozenset[str]] = {
    "constant": vocabulary.RETIRED_WORDS | vocabulary.SUPPLIED_NAMES | ATTRIBUTES,
    "attribute": vocabulary.RETIRED_WORDS | vocabulary.SUPPLIED_NAMES,
    "queue": vocabulary.SERVING_WORDS,
    "register": vocabulary.SUPPLIED_NAMES | ATTRIBUTES,
    "index": vocabulary.SUPPLIED_NAMES | ATTRIBUTES,
    "binding": vocabulary.RETIRED_WORDS | vocabulary.SUPPLIED_NAMES | ATTRIBUTES,
    "claim": vocabulary.RETIRED_WORDS,
    "definition": vocabulary.RETIRED_WORDS | vocabulary.LANGUAGE_WORDS,
    "parameter": vocabulary.RETIRED_WORDS | vocabulary.PARAMETER_FORBIDDEN,
}

WORDS = (*dict.fromkeys(word.name for word in (*vocabulary.WORDS, *vocabulary.EXTENSION_WORDS)), "ordinary")
"""Every word of the vocabulary, those of the edition v4b, and one that means nothing."""


def allowed(place: str, word: str) -> bool:
    """Whether 01 §1.5 (and for the nine built-in attributes 02 §2) lets `word` be the name declared in `place`."""
    if word in _FORBIDDEN.get(place, frozenset()):
        return False
    return not (word == "self" and place in READ_AS_VALUE)


READ_AS_VALUE = frozenset({"constant", "attribute", "register", "binding", "index"})
"""Places whose program reads the name as a value; `self` may be declared there but not read (SQ0726)."""


def word_programs() -> list[tuple[str, str, str, bool]]:
    """(place, word, program, whether it is allowed) for every place and word."""
    return [(place, word, make(word), allowed(place, word)) for place, make in PROGRAMS.items() for word in WORDS]
