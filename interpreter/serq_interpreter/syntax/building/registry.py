"""What each production builds: one function per name in the tables, from the values of its symbols to a node.

An absent optional part is `None`; a list is a Python list with its separators.  The functions mirror `serq.lark`.
"""

from __future__ import annotations

from serq_interpreter.syntax.building import engines, expressions, items, statements
from serq_interpreter.syntax.building.parts import Builder

_MODULES = (expressions, statements, engines, items)

_ALIASES: dict[str, str] = {
    "reuse": "clause",
    "cache": "clause",
    "evict_order": "order_of_pool",
    "queue_order": "order_of_pool",
    "preempt_order": "order_of_pool",
}


def builder(name: str) -> Builder:
    """The function for a builder's name in the tables."""
    function = _ALIASES.get(name, name)
    found: Builder = next(getattr(module, function) for module in _MODULES if hasattr(module, function))
    return found
