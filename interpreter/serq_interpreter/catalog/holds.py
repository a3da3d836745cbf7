"""Catalogue entries of holds and pools (SQ04xx); long because it is a table."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0414",
        name="block-not-positive",
        severity=Severity.ERROR,
        message="the block of `{name}` is {value}: it must be above 0",
        why="Units are taken in whole blocks, so every amount is divided by the block's size. A size of 0 or less "
        "divides nothing.",
        help="write the block's size, or leave the option out: units are then taken one by one",
        wrong="""pool kv { cap 100; block 0; }
                       //^
stage svc : fifo;
session { hold kv (8) { run svc (1); } end; }
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (8) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §4",
    ),
)
