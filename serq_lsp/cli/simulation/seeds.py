"""Seeds of replications: the program's own first, then far apart from each other.

Session `i` of seed `s` shares its streams with session `i - 1` of seed `s + 1` (06 §10.2), so replications must not
count upwards.  The same first seed gives the same list everywhere: points of a sweep are compared on equal draws.
"""

from __future__ import annotations

from serq_interpreter.machine.chacha import mix

_BITS = 53
"""Seeds that can also be written in a program."""


def replication_seed(first: int, index: int) -> int:
    """The seed of replication `index` (from 0) of a run whose own seed is `first`."""
    return first if index == 0 else mix(mix(first) + index) >> (64 - _BITS)
