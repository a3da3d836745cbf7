"""What an exploration found, told at its places: a diagnostic (codes SQ13xx) and the way there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from serq_interpreter.catalog import entry
from serq_interpreter.explore.findings import Kind
from serq_interpreter.explore.trace import Holding, Trace, Waiter, happened, statement_before
from serq_interpreter.frontend.analysis import Analysis
from serq_interpreter.frontend.diagnostic import Diagnostic, Location, Position, Related
from serq_interpreter.frontend.ir_analysis import IrAnalysis
from serq_interpreter.frontend.wording import Arguments, Wording
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.machine.expression_text import expression_text, member_text
from serq_interpreter.reading import Reading

CODES = {
    Kind.DEADLOCK: "SQ1301",
    Kind.LIVELOCK: "SQ1302",
    Kind.STARVATION: "SQ1303",
    Kind.CLAIM: "SQ1304",
    Kind.STUCK: "SQ1305",
    Kind.REJECTED: "SQ1306",
}
"""Kind of finding → its code; an error of the run keeps its own."""

MOST_RELATED = 40
"""Happenings shown beside a diagnostic: the last ones of a longer way."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a way: the number of the move (0 is the start), its time, what happens, where it is written."""

    move: int
    time: float
    text: str
    at: Location | None
    again: bool


class Telling:
    """Words and places for one finding."""

    def __init__(self, analysis: Analysis | IrAnalysis, program: ir.Program, trace: Trace) -> None:
        """`program` is the instance's; its statements are those of the analysed text."""
        self.analysis = analysis
        self.program = program
        self.trace = trace

    # ------------------------------------------------------------------ places

    def location(self, node: object | None) -> Location | None:
        """Where a node of the kernel stands; `None` where it has no text."""
        if node is None or not isinstance(self.analysis, Analysis) or self.analysis.lowered is None:
            return None
        place = self.analysis.lowered.origins.get(node)
        return None if place is None else Wording(self.analysis.document).location(place)

    def of_state(self, state: int | None, pool: str | None = None) -> Location | None:
        """Where a state's statement stands; of a hold, where it asks for the pool."""
        if state is None:
            return None
        node = self.trace.automaton.states[state].node
        if not isinstance(node, ir.Hold):
            return self.location(node)
        for take in node.admission.takes:
            members = self.program.pools[take.pool.base : take.pool.base + take.pool.count]
            if pool is None or any(member_text(member) == pool for member in members):
                return self.location(take) or self.location(node.admission) or self.location(node)
        return self.location(node.admission) or self.location(node)

    # ------------------------------------------------------------------ the way

    def lines(self) -> list[Line]:
        """What happens on the way, in order."""
        return list(self._lines())

    def _lines(self) -> Iterator[Line]:
        for number, step in enumerate(self.trace.steps):
            if step.move.kind == "settle":
                yield Line(number, step.time, "something else happens, and the system settles", None, step.again)
            elif step.move.kind == "event" and step.move.index:
                text = f"of the events of this instant, number {step.move.index + 1} comes first"
                yield Line(number, step.time, text, None, step.again)
            for drawn in step.drawn:
                yield Line(number, step.time, self._draw(drawn), self.location(drawn.sample), step.again)
            for record in step.happened:
                words = happened(record)
                if words is not None:
                    at = self.of_state(self._state(record), record.get("pool"))
                    yield Line(number, step.time, words, at, step.again)

    def _state(self, record: dict[str, Any]) -> int | None:
        """The state of the statement that a record is about."""
        state: int | None = record.get("state")
        if state is None or record["kind"] not in ("grow", "stall"):
            return state
        return statement_before(self.trace.automaton, state)

    def _draw(self, drawn: Any) -> str:
        serial = drawn.source.serial
        who = "" if serial is None else f"session {serial} "
        if drawn.sample is None:
            return f"{who}replays session {drawn.value:g} of the trace"
        with deep_recursion():
            return f"{who}draws {drawn.value:.6g} from `{expression_text(self.program, drawn.sample)}`"

    def waiter(self, waiter: Waiter) -> str:
        """Who waits for what, and what it has."""
        who = f"session {waiter.session}" + ("" if waiter.leg is None else f", leg {waiter.leg},")
        units = "" if waiter.units is None else f" for {waiter.units:.10g}"
        match waiter.what:
            case "queue":
                waits = f"waits{units} of `{waiter.where}`"
            case "grow":
                waits = f"waits{units} more of `{waiter.where}`" if waiter.where else "waits to grow"
            case "join":
                waits = "waits at a `join`"
            case "engine":
                still = ", which stands still," if self.trace.finding.kind is Kind.DEADLOCK else ""
                waits = f"is in `{waiter.where}`{still}"
            case _:
                waits = "waits" if waiter.where is None else f"is in `{waiter.where}`"
        return f"{who} {waits}{_having(waiter.holds)}"

    # ------------------------------------------------------------------ the diagnostic

    def diagnostic(self, way: bool) -> Diagnostic:
        """The finding as a diagnostic; with `way` the happenings on the way are its notes."""
        trace = self.trace
        if trace.error is not None:
            told = Reading(self.analysis, self.analysis.file, None).explain(trace.error)
        else:
            told = self._found(CODES[trace.finding.kind])
        if not way:
            return told
        notes = [
            Related(line.at, f"{line.move}. t = {line.time:.6g}: {line.text}")
            for line in self._lines()
            if line.at is not None and not line.again
        ]
        related = (*notes[-MOST_RELATED:], *told.related)
        return Diagnostic(
            told.code, told.name, told.severity, told.message, told.location, related, told.fixes, told.help
        )

    def _found(self, code: str) -> Diagnostic:
        known = entry(code)
        at, arguments = self._particulars()
        words = Arguments(arguments)
        return Diagnostic(
            code=code,
            name=known.name,
            severity=known.severity,
            message=known.message.format_map(words),
            location=at or self._whole_text(),
            related=tuple(self._others(at)),
            help=known.help,
        )

    def _particulars(self) -> tuple[Location | None, dict[str, object]]:
        """The place of the finding and the words of its message."""
        match self.trace.finding.kind:
            case Kind.DEADLOCK:
                return self._of_deadlock()
            case Kind.CLAIM:
                return self._of_claim()
            case Kind.LIVELOCK:
                record = self._last("preempt", again=True)
                words = {"session": record.get("session"), "pool": record.get("pool")}
                return self._of_hold(record), words | {"length": len(self.trace.finding.again)}
            case Kind.STARVATION:
                return self._of_starvation()
            case Kind.STUCK:
                record = self._last("preempt")
                words = {"session": record.get("session"), "pool": record.get("pool")}
                return self._of_hold(record), words | {"position": _number(record.get("position"))}
            case _:
                record = self._last("reject")
                cap = record.get("cause", {}).get("cap")
                words = {"session": record.get("session"), "pool": record.get("pool"), "cap": _number(cap)}
                return self.of_state(record.get("state"), record.get("pool")), words

    def _of_deadlock(self) -> tuple[Location | None, dict[str, object]]:
        waiters = self._stuck()
        who = "; ".join(self.waiter(waiter) for waiter in waiters[:4])
        first = waiters[0]
        return self.of_state(first.state, first.where), {"count": _sessions(len(waiters)), "who": who}

    def _stuck(self) -> list[Waiter]:
        """Who waits for ever; where others go on, only those at the pool that the finding is about."""
        pool = self.trace.finding.subject
        waiters = [waiter for waiter in self.trace.waiters if waiter.what != "stage"]
        if isinstance(pool, int):
            name = member_text(self.program.pools[pool])
            waiters = [waiter for waiter in waiters if waiter.what == "queue" and waiter.where == name] or waiters
        return sorted(waiters or self.trace.waiters, key=lambda waiter: (not waiter.holds, waiter.session))

    def _of_claim(self) -> tuple[Location | None, dict[str, object]]:
        trace = self.trace
        assert isinstance(trace.finding.subject, int)
        claim = self.program.claims[trace.finding.subject]
        words = {"claim": claim.name, "time": _number(trace.seconds), "length": len(trace.finding.path) - 1}
        return self._claim_place(claim) or self.location(claim.condition), words

    def _claim_place(self, claim: ir.Claim) -> Location | None:
        """The name of a claim in the text."""
        if not isinstance(self.analysis, Analysis):
            return None
        for written in self.analysis.elaborated.claims:
            if written.name == claim.name:
                return Wording(self.analysis.document).location(written.name_at)
        return None

    def _of_starvation(self) -> tuple[Location | None, dict[str, object]]:
        pool = self.trace.finding.subject
        assert isinstance(pool, int)
        name = member_text(self.program.pools[pool])
        waiting = [waiter for waiter in self.trace.waiters if waiter.what == "queue" and waiter.where == name]
        overtaking = {
            record.get("session") for step in self.trace.steps if step.again for record in step.happened
            if record["kind"] == "admit"
        }  # fmt: skip
        overtaken = [waiter for waiter in waiting if waiter.session not in overtaking] or waiting
        if not overtaken:
            return None, {"pool": name, "session": "that waits"}
        return self.of_state(overtaken[0].state, name), {"pool": name, "session": overtaken[0].session}

    def _last(self, kind: str, again: bool = False) -> dict[str, Any]:
        """The last record of a kind, of the circle or of the way."""
        for step in reversed(self.trace.steps):
            for record in reversed(step.happened):
                if record["kind"] == kind and step.again == again:
                    return record
        return {}

    def _of_hold(self, record: dict[str, Any]) -> Location | None:
        """The innermost hold of the record's pool around its state."""
        state, pool = record.get("state"), record.get("pool")
        if state is None:
            return None
        automaton = self.trace.automaton
        for scope in automaton.open_holds(state):
            hold = automaton.scopes[scope]
            names = [
                member_text(member)
                for take in ([] if hold.hold is None else hold.hold.admission.takes)
                for member in self.program.pools[take.pool.base : take.pool.base + take.pool.count]
            ]
            if pool in names:
                return self.of_state(hold.reentry, pool)
        return self.of_state(state, pool)

    def _others(self, at: Location | None) -> Iterator[Related]:
        """Where the others wait, and where what they have was taken."""
        if self.trace.finding.kind is not Kind.DEADLOCK:
            return
        seen = {at}
        for waiter in self._stuck():
            where = self.of_state(waiter.state, waiter.where)
            if where is not None and where not in seen:
                seen.add(where)
                yield Related(where, self.waiter(waiter))
            for holding in waiter.holds:
                where = self.of_state(holding.state, holding.pool)
                if where is not None and where not in seen:
                    seen.add(where)
                    yield Related(where, f"session {waiter.session} keeps {holding.units:.10g} of `{holding.pool}`")

    def _whole_text(self) -> Location:
        start = Position(1, 1)
        return Location(self.analysis.file, start, start, 0, 0)


def _having(holds: tuple[Holding, ...]) -> str:
    if not holds:
        return ""
    return " and has " + " and ".join(f"{held.units:.10g} of `{held.pool}`" for held in holds)


def _sessions(count: int) -> str:
    return "1 session" if count == 1 else f"{count} sessions"


def _number(value: Any) -> str:
    return f"{value:.10g}" if isinstance(value, float) else str(value)
