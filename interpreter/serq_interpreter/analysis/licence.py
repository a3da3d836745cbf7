"""Whether the iterations of a step engine may be taken several at a time, decided from the program (05 §11).

While nobody joins, leaves or is preempted, an iteration that serves decodes alone repeats.  A licence says that
nothing the engine reads can tell one of these iterations from the next, except the units that the decodes grow.
What depends on the moment (who is there, what waits, what fits) is checked when a window is taken.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.walk import Part, expressions, statements

_CLOCK = frozenset(("Now", "Waited", "Age", "Last"))
_GROWING_TOTALS = frozenset(("Kvb", "Kvp", "Attn", "Served", "Demand", "Arrived", "Remaining", "Position", "Size"))
_MOVING_CALLS = frozenset(("Used", "Free", "Work", "Busy", "BudgetLeft", "CachedIn"))
_CALL_WORDS = {
    "Used": "used",
    "Free": "free",
    "Work": "work",
    "Busy": "busy",
    "BudgetLeft": "budget_left",
    "CachedIn": "cachedin",
}
_WORDS = {"Kvb": "kv_decode", "Kvp": "kv_prefill", "Attn": "attention"}


def _word(name: str) -> str:
    return _WORDS.get(name, name.lower())


@dataclass(frozen=True, slots=True, eq=False)
class Refusal:
    """Why an engine's iterations are taken one by one.

    `rule` names the condition (`licence_conditions`); `node` is what violates it: the `subject`, by what it `does`.
    """

    rule: str
    subject: str
    does: str
    node: ir.Expr | ir.IterStmt | ir.Stmt | None

    @property
    def text(self) -> str:
        """The whole sentence."""
        return f"{self.subject} {self.does}"


@dataclass(frozen=True, slots=True, eq=False)
class Licence:
    """The decision about one step stage, by its index in the program."""

    stage: int
    refusals: tuple[Refusal, ...]

    @property
    def granted(self) -> bool:
        return not self.refusals


def licences(program: ir.Program) -> tuple[Licence, ...]:
    """One licence per step stage, in the order of declaration."""
    return tuple(
        Licence(index, tuple(_refusals(program, index, stage.kind)))
        for index, stage in enumerate(program.stages)
        if isinstance(stage.kind, ir.Step)
    )


def _refusals(program: ir.Program, index: int, kind: ir.Step) -> Iterable[Refusal]:
    yield from _spawning(program)
    yield from _constant_between("budget", kind.budget)
    yield from _no_draw("chunk", kind.chunk)
    yield from _cost(kind.cost)
    for key in kind.serve or ():
        yield from _key(key)
    if kind.iteration is not None:
        yield from _body(kind.iteration)
    for claim in program.claims:
        if claim.stage == index:
            yield Refusal("claim", f"the claim `{claim.name}`", "is read at every iteration", claim.condition)


def _spawning(program: ir.Program) -> Iterable[Refusal]:
    """A program that uses the edition v4b is run one event at a time."""
    if program.spawning is not None:
        spawns = (statement for statement in statements(program.session) if isinstance(statement, ir.Spawn))
        yield Refusal("spawning", "the session", "spawns sessions", next(spawns, None))


def _cost(cost: ir.Expr) -> Iterable[Refusal]:
    """A cost may follow `kv_decode`; anything else must stand still."""
    for node in expressions(cost):
        if isinstance(node, ir.Ctx) and node.name in ("Kvb", "Kvp", "Attn"):
            continue
        yield from _stands_still("cost", node)


def _constant_between(what: str, expression: ir.Expr) -> Iterable[Refusal]:
    for node in expressions(expression):
        yield from _stands_still(what, node)


def _stands_still(what: str, node: Part) -> Iterable[Refusal]:
    match node:
        case ir.Sample():
            yield Refusal(f"{what}-draws", f"the {what}", "draws a random number", node)
        case ir.Ctx(name=name) if name in _CLOCK:
            yield Refusal(f"{what}-clock", f"the {what}", f"reads `{_word(name)}`", node)
        case ir.Ctx(name=name) if name in _GROWING_TOTALS:
            yield Refusal(f"{what}-moves", f"the {what}", f"reads `{_word(name)}`, which grows", node)
        case ir.Call(function=function) if function in _MOVING_CALLS:
            yield Refusal(f"{what}-moves", f"the {what}", f"reads `{_CALL_WORDS[function]}`, which may change", node)
        case ir.Agg():
            yield Refusal(f"{what}-moves", f"the {what}", "reads a statistic of observations", node)
        case _:
            return


def _no_draw(what: str, expression: ir.Expr) -> Iterable[Refusal]:
    for node in expressions(expression):
        if isinstance(node, ir.Sample):
            yield Refusal(f"{what}-draws", f"the {what}", "draws a random number", node)


_KEY_VARIABLES = frozenset(("Decoding", "Admission", "Remaining", "Now"))


def _key(key: ir.Expr) -> Iterable[Refusal]:
    """Serve keys may move, as long as nothing in the planning of one iteration moves them (05 §6.3)."""
    for node in expressions(key):
        match node:
            case ir.Ctx(name=name) if name not in _KEY_VARIABLES:
                yield Refusal("order-moves", "the serve order", "reads a total that changes while it serves", node)
            case ir.Reg() | ir.Agg() | ir.Sample():
                yield Refusal("order-moves", "the serve order", "reads something that changes while it serves", node)
            case ir.Call(function=function) if function not in _ARITHMETIC:
                yield Refusal("order-moves", "the serve order", "reads the state of a pool or stage", node)
            case _:
                continue


_OF_THE_ENGINE = frozenset(("Nres", "Ndec", "Kvb", "Kvp", "Now"))


def same_for_all(key: ir.Expr) -> bool:
    """Whether a serve key has one value for all whom it is to order, so that it orders nobody."""
    for node in expressions(key):
        match node:
            case ir.Attr() | ir.Sample():
                return False
            case ir.Ctx(name=name) if name not in _OF_THE_ENGINE:
                return False
            case ir.Call(function="CachedIn"):
                return False
            case _:
                continue
    return True


_ARITHMETIC = frozenset(("Abs", "Floor", "Ceil", "Sqrt", "Exp", "Ln", "Min", "Max", "Pow"))


def _body(statements: tuple[ir.IterStmt, ...]) -> Iterable[Refusal]:
    serves = [statement for statement in statements if isinstance(statement, ir.IterServe)]
    if not serves and not any(isinstance(statement, ir.IterBranch) for statement in statements):
        yield Refusal("body-serves", "the iteration's body", "has no `serve` of its own", None)
    for statement in statements:
        match statement:
            case ir.IterSet():
                yield Refusal("register", "the iteration's body", "sets a register", statement)
            case ir.IterBranch():
                yield Refusal("branch", "the iteration's body", "branches", statement)
            case ir.IterServe(only=only, by=by):
                if only is not None:
                    yield Refusal("only", "`serve only`", "may leave residents out", only)
                for key in by or ():
                    yield from _key(key)
            case ir.IterAdmit(only=only, gate=gate):
                if only is not None:
                    yield Refusal("only", "`admit only`", "may leave newcomers out", only)
                if gate is not None:
                    yield from _constant_between("gate", gate)
