"""Whether a program's holds nest so deeply that what looks at each hold with all in it would take too long."""

from __future__ import annotations

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.walk import blocks_of

MOST_NESTED = 5_000
"""Statements, counted once for each hold around them; a real deployment has some hundreds."""


def nests_too_deeply(program: ir.Program) -> bool:
    """Whether the session has more than `MOST_NESTED` statements in holds, counted once for each hold around them."""
    total = 0
    stack = [(program.session, 0)]
    while stack:
        block, depth = stack.pop()
        total += depth * len(block.statements)
        if total > MOST_NESTED:
            return True
        for statement in block.statements:
            inner = depth + isinstance(statement, ir.Hold)
            stack.extend((child, inner) for child in blocks_of(statement))
    return False
