"""What the rules know of the expressions of one program, and take of the program before an edit (`Facts`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from serq_interpreter.rules.expressions import Reads, reads
from serq_interpreter.semantics import tree

if TYPE_CHECKING:
    from serq_interpreter.rules.survey import Site, Visit


class Found(NamedTuple):
    """What the walk of the rules found in a statement at the top of a block."""

    stmt: tree.Stmt
    block: str
    visits: list[Visit]
    sites: list[Site]


class Facts:
    """Facts by expression; `legal` says at which moment and engine one was judged and nothing was found.

    What is legal depends on which attributes there are and which of them are hidden.
    """

    def __init__(self, program: tree.Elaborated, before: object | None) -> None:
        self._reads: dict[int, tuple[tree.Expr, Reads]] = {}
        self._legal: dict[int, tuple[tree.Expr, str, str | None]] = {}
        self._names = (list(program.attributes), [hidden.name for hidden in program.hidden])
        self._found: dict[int, Found] = {}
        self._old_found: dict[int, Found] = {}
        self._engines = [(pool.name, pool.admit_via, pool.admit_via_at is None) for pool in program.pools.values()]
        self._damaged = program.damaged
        self._old_reads: dict[int, tuple[tree.Expr, Reads]] = {}
        self._old_legal: dict[int, tuple[tree.Expr, str, str | None]] = {}
        if isinstance(before, Facts):
            self._old_reads = before._reads
            if before._engines == self._engines and before._damaged == self._damaged:
                self._old_found = before._found
            if before._names == self._names:
                self._old_legal = before._legal

    def reads(self, expr: tree.Expr | None) -> Reads:
        """`expressions.reads`, computed once per expression."""
        if expr is None:
            return reads(None)
        key = id(expr)
        known = self._reads.get(key)
        if known is None:
            # An expression of the program before that is still there has the same identity.
            known = self._reads[key] = self._old_reads.get(key) or (expr, reads(expr))
        return known[1]

    def is_legal(self, expr: tree.Expr, moment: str, engine: str | None) -> bool:
        """Whether nothing was found when the expression was judged for the program before."""
        known = self._old_legal.get(id(expr))
        if known is None or known[1] != moment or known[2] != engine:
            return False
        self._legal[id(expr)] = known
        return True

    def set_legal(self, expr: tree.Expr, moment: str, engine: str | None) -> None:
        """Remember that nothing was found."""
        self._legal[id(expr)] = (expr, moment, engine)

    def found_in(self, stmt: tree.Stmt, block: str) -> Found | None:
        """What was found in a statement for the program before; a header is read by the engine that admits its pool."""
        known = self._old_found.get(id(stmt))
        return known if known is not None and known.block == block else None

    def keep(self, found: Found) -> None:
        """Remember what was found in a statement."""
        self._found[id(found.stmt)] = found

    def settle(self) -> None:
        """Let go of the program before."""
        self._old_found = {}
        self._old_reads = {}
        self._old_legal = {}
