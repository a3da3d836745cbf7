"""Room for programs that nest deeply, under the name by which the upper layers know it."""

from __future__ import annotations

from serq_interpreter.deep import deep_recursion

__all__ = ["deep_recursion"]
