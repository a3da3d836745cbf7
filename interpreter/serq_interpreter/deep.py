"""Room for programs that nest deeply.

The language allows thousands of levels of nesting and far longer chains of operators.
Functions that follow that nesting are plain recursive Python, run inside
`deep_recursion()`; pure-Python calls use no C stack, so the raised limit is safe.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_DEEP_LIMIT = 2_000_000
_lock = threading.Lock()
_users = 0
_saved = 0
_pauses = 0
_collecting = True


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Raise the interpreter's recursion limit while the block runs (nestable, thread-safe)."""
    global _users, _saved
    with _lock:
        if _users == 0:
            _saved = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_DEEP_LIMIT, _saved))
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0:
                sys.setrecursionlimit(_saved)


@contextmanager
def paused_collection() -> Iterator[None]:
    """Leave the cyclic garbage collector off while the block runs (nestable, thread-safe).

    A tree is thousands of small objects that all stay: collecting while it grows finds nothing and costs up to half of
    the time of a long program.
    """
    global _pauses, _collecting
    with _lock:
        if _pauses == 0:
            _collecting = gc.isenabled()
            gc.disable()
        _pauses += 1
    try:
        yield
    finally:
        with _lock:
            _pauses -= 1
            if _pauses == 0 and _collecting:
                gc.enable()
