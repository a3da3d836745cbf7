"""Whether two parts of a kernel say the same."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any


def alike(one: Any, other: Any) -> bool:
    """Equal in structure and values; nodes of a kernel are compared by identity otherwise.  Iterative."""
    pending = [(one, other)]
    while pending:
        left, right = pending.pop()
        if left is right:
            continue
        if type(left) is not type(right):
            return False
        if is_dataclass(left):
            pending += [(getattr(left, field.name), getattr(right, field.name)) for field in fields(left)]
        elif isinstance(left, tuple):
            if len(left) != len(right):
                return False
            pending += zip(left, right, strict=True)
        elif left != right:
            return False
    return True
