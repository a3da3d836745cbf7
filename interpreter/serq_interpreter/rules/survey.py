"""One walk over an elaborated program, shared by all rules.

It lists every statement with what encloses it and every expression with the moment at which it is read, and says which
constructs occur, so that only the rule modules that can find something are loaded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from typing import Any, NamedTuple

from serq_interpreter.record import struct
from serq_interpreter.rules.expressions import Reads
from serq_interpreter.rules.facts import Facts, Found
from serq_interpreter.semantics import tree
from serq_interpreter.syntax import nodes

INDEX_PART = "an index of a statement"
"""`Site.part` of the index of a statement's own reference."""


class Scope(NamedTuple):
    """A hold around a statement of the same leg, and the scope around that hold."""

    hold: tree.Hold
    outer: Scope | None


class Visit(NamedTuple):
    """A statement, the holds around it in its leg, the leg, and the block: `init`, `turn` or `session`."""

    stmt: tree.Stmt
    scope: Scope | None
    leg: tree.Fork | None
    block: str


class Site(NamedTuple):
    """An expression and how it is read.

    `moment` is a column of the moment table, `part` names the position in a message.  `engine` is the engine whose
    registers may be read there, `""` when there is none and `None` when an error made it unknown.  `owner` is the
    statement or declaration it belongs to, `scope` the holds around a statement.
    """

    expr: tree.Expr
    moment: str
    part: str
    engine: str | None
    owner: object
    scope: Scope | None = None


@struct
class _Walk:
    """The growing result of the walk over statements."""

    program: tree.Elaborated
    facts: Facts
    visits: list[Visit] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    scope: Scope | None = None
    """The holds around the statement that is being read."""

    def read(self, expr: tree.Expr | None, part: str, owner: object) -> None:
        if expr is not None and type(expr) is not tree.Num:
            self.sites.append(Site(expr, "stmt", part, "", owner, self.scope))

    def index(self, ref: tree.PoolRef | tree.StageRef, owner: object) -> None:
        self.read(ref.index, INDEX_PART, owner)

    def block(self, block: tree.Block, name: str) -> None:
        """Visit what the block may hold; SQ0606 hides the own checks of anything else in `init` and `turn` (03 §4)."""
        for stmt in block.statements:
            known = self.facts.found_in(stmt, name)
            if known is None:
                n_visits, n_sites = len(self.visits), len(self.sites)
                self.statement(stmt, name)
                known = Found(stmt, name, self.visits[n_visits:], self.sites[n_sites:])
            else:
                self.visits += known.visits
                self.sites += known.sites
            self.facts.keep(known)

    def statement(self, first: tree.Stmt, name: str) -> None:
        """Visit a statement at the top of a block, and all in it."""
        stack = [Visit(first, None, None, name)]
        while stack:
            visit = stack.pop()
            if name != "session" and type(visit.stmt) not in (tree.Set, tree.Observe):
                continue
            self.visits.append(visit)
            stmt, scope, leg, _ = visit
            handler = _EXPRESSIONS.get(type(stmt))
            if handler is not None:
                self.scope = scope
                handler(self, stmt)
            for inner in _inner_blocks(stmt):
                kind = type(stmt)
                inside = Scope(stmt, scope) if kind is tree.Hold else None if kind is tree.Fork else scope  # type: ignore[arg-type]
                within = stmt if kind is tree.Fork else leg
                stack.extend(Visit(item, inside, within, name) for item in reversed(inner.statements))  # type: ignore[arg-type]

    def assign(self, stmt: tree.Set) -> None:
        self.read(stmt.value, "the value of `set`", stmt)

    def observe(self, stmt: tree.Observe) -> None:
        self.read(stmt.value, "the value of `observe`", stmt)

    def amount(self, stmt: tree.Grow | tree.Load) -> None:
        self.index(stmt.pool, stmt)
        word = "grow" if type(stmt) is tree.Grow else "load"
        self.read(stmt.units, f"the units of `{word}`", stmt)

    def pool(self, stmt: tree.Drop | tree.Release) -> None:
        self.index(stmt.pool, stmt)

    def run(self, stmt: tree.Run) -> None:
        self.index(stmt.stage, stmt)
        for stage in stmt.also:
            self.index(stage, stmt)
        self.read(stmt.work, "the work of a `run`", stmt)
        if stmt.growing is not None:
            self.index(stmt.growing, stmt)

    def branch(self, stmt: tree.Branch) -> None:
        self.read(stmt.guard, "a guard", stmt)

    def spawn(self, stmt: tree.Spawn) -> None:
        self.read(stmt.count, "the count of `spawn`", stmt)
        if stmt.inherit is not None:
            self.index(stmt.inherit, stmt)

    def choose(self, stmt: tree.Choose) -> None:
        self.read(stmt.count, "the count of `choose`", stmt)
        for key in stmt.keys:
            self.read(key, "a key of `choose`", stmt)

    def hold(self, stmt: tree.Hold) -> None:
        engine = admitting_engine(self.program, stmt)
        for take in stmt.takes:
            self.index(take.pool, stmt)
            self.header(take.units, "the units of a hold", engine, stmt)
            self.header(take.reserve, "`reserve`", engine, stmt)
        self.header(stmt.reuse, "`reuse`", engine, stmt)
        self.read(stmt.cache, "`cache`", stmt)
        if stmt.lease is not None:
            self.index(stmt.lease.pool, stmt)
            self.read(stmt.lease.time, "`lease`", stmt)

    def header(self, expr: tree.Expr | None, part: str, engine: str | None, stmt: tree.Hold) -> None:
        if expr is not None and type(expr) is not tree.Num:
            self.sites.append(Site(expr, "head", part, engine, stmt, self.scope))


_EXPRESSIONS: dict[type, Callable[[_Walk, Any], None]] = {
    tree.Set: _Walk.assign,
    tree.Observe: _Walk.observe,
    tree.Grow: _Walk.amount,
    tree.Load: _Walk.amount,
    tree.Drop: _Walk.pool,
    tree.Release: _Walk.pool,
    tree.Run: _Walk.run,
    tree.Branch: _Walk.branch,
    tree.Choose: _Walk.choose,
    tree.Spawn: _Walk.spawn,
    tree.Hold: _Walk.hold,
}


def _inner_blocks(stmt: object) -> tuple[tree.Block, ...]:
    """The blocks of a statement, last first, as a stack wants them."""
    kind = type(stmt)
    if kind is tree.Branch:
        otherwise = stmt.otherwise  # type: ignore[attr-defined]
        return (stmt.then,) if otherwise is None else (otherwise, stmt.then)  # type: ignore[attr-defined]
    if kind is tree.Hold or kind is tree.Loop or kind is tree.Fork or kind is tree.Spawn:
        return (stmt.body,)  # type: ignore[attr-defined]
    return ()


def admitting_engine(program: tree.Elaborated, hold: tree.Hold) -> str | None:
    """The engine that admits the hold's first pool: `""` for none, `None` when that is unknown."""
    pool = program.pools.get(hold.takes[0].pool.name or "") if hold.takes else None
    return None if pool is None else engine_of(program, pool)


def engine_of(program: tree.Elaborated, pool: tree.Pool) -> str | None:
    """The engine that admits the pool: `""` for none, `None` when an error made that unknown."""
    if pool.admit_via is None and (pool.admit_via_at is not None or program.damaged):
        return None
    return pool.admit_via or ""


@struct
class Survey:
    """The program with what the walk found.  Everything is in the order of the text, block by block."""

    program: tree.Elaborated
    visits: list[Visit]
    statement_sites: list[Site]
    facts: Facts
    source: nodes.Tree | None = None
    """The text's tree, for the rules about what is written rather than what it means."""

    @cached_property
    def sites(self) -> list[Site]:
        """Every expression that is read at a moment, statements first."""
        from serq_interpreter.rules.declared_sites import declared_sites

        return [*self.statement_sites, *declared_sites(self.program)]

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The constructs that occur: statement classes by name, `Pool`, `Stage`, `Engine`, `Gauge`, `Claim`, …"""
        found = {kind.__name__ for kind in {type(visit.stmt) for visit in self.visits}}
        program = self.program
        declared = {
            "Pool": program.pools,
            "Stage": program.stages,
            "Register": program.registers,
            "Gauge": program.gauges,
            "Claim": program.claims,
            "Arrival": program.arrival,
            "Hidden": program.hidden,
            "Share": program.share_places,
            "Source": self.source,
        }
        found.update(name for name, value in declared.items() if value)
        if any(stage.engine is not None for stage in program.stages.values()):
            found.add("Engine")
        return frozenset(found)

    def of(self, *kinds: type) -> list[Visit]:
        """The visits of the statements of these classes."""
        return [visit for visit in self.visits if type(visit.stmt) in kinds]

    def reads(self, expr: tree.Expr | None) -> Reads:
        """`expressions.reads`, computed once per expression."""
        return self.facts.reads(expr)

    @cached_property
    def hidden_names(self) -> dict[str, tree.Hidden]:
        """Hidden attribute → its first mention in `hidden`."""
        found: dict[str, tree.Hidden] = {}
        for item in self.program.hidden:
            found.setdefault(item.name, item)
        return found


def survey(program: tree.Elaborated, source: nodes.Tree | None = None, before: tree.Elaborated | None = None) -> Survey:
    """Walk `program` once; `before` is the program before an edit."""
    facts = Facts(program, None if before is None else before.facts)
    walk = _Walk(program, facts)
    for name, block in (("init", program.init), ("turn", program.turn), ("session", program.session)):
        if block is not None:
            walk.block(block, name)
    return Survey(program, walk.visits, walk.sites, facts, source)
