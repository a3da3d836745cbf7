"""The progress theorem as a check: under which hypotheses every admitted session of a program completes.

For each pool that can preempt the answer is *guaranteed* (every hypothesis holds), *not guaranteed* (one fails, and what
shows it) or *undecided* (one cannot be shown, and what would have to be declared).  The argument is in
`docs/progress.md`: a reservation that is kept and covers all growth makes preemption impossible, holds that are
taken at once cannot wait for each other, and everything else that a session waits for ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

from serq_interpreter.analysis.growth_bounds import grows_on
from serq_interpreter.analysis.hold_facts import HoldFacts
from serq_interpreter.analysis.linear import form_of
from serq_interpreter.analysis.nesting import MOST_NESTED, nests_too_deeply
from serq_interpreter.analysis.references import member_name, members
from serq_interpreter.analysis.service import service_findings
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.ir.walk import statements


class Verdict(StrEnum):
    GUARANTEED = "guaranteed"
    NOT_GUARANTEED = "not guaranteed"
    UNDECIDED = "undecided"


HYPOTHESES: dict[str, str] = {
    "fits": "every hold that takes the pool needs at most its cap",
    "covered": "the reserve is kept (`reserve held`) and covers all that the hold grows to",
    "at once": "no hold of a finite pool stands inside another, and no join inside one",
    "others": "what holds of this pool holds of every other finite pool that a session takes",
    "returned": "what is held is given back by the end of its scope: no lease, no spill, no early release",
    "loops": "every loop ends: it takes a turn each time and ends at a declared number of turns",
    "work": "all work is finite and not negative, and every rate is positive",
    "engines": "budgets and costs are positive, and a cost is a sum of parts for each token and request",
    "batches": "no engine excludes anybody: it serves every resident and admits whoever fits",
    "legal": "no statement can fail: guards are 0 or 1, amounts are numbers, indices name members",
}
"""The closed list.  Each is checked; a program for which all hold is guaranteed."""


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """What was found of one hypothesis: `holds` is `None` when neither it nor its contrary can be shown."""

    hypothesis: str
    holds: bool | None
    text: str
    node: object | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Guarantee:
    """The answer for the pool with this index; `findings` are in the order of `HYPOTHESES`, what fails first."""

    pool: int
    verdict: Verdict
    findings: tuple[Finding, ...]

    @property
    def decisive(self) -> Finding | None:
        """The finding that the verdict rests on, `None` when guaranteed."""
        wanted = False if self.verdict is Verdict.NOT_GUARANTEED else None
        if self.verdict is Verdict.GUARANTEED:
            return None
        return next(finding for finding in self.findings if finding.holds is wanted)


def guarantees(program: ir.Program) -> tuple[Guarantee, ...]:
    """One answer per pool that can preempt, in the order of declaration."""
    concerned = [number for number, pool in enumerate(program.pools) if pool.preempt is not None]
    if not concerned:
        return ()
    if nests_too_deeply(program):
        text = f"the holds nest too deeply: more than {MOST_NESTED} statements, counted once for each hold around them"
        finding = Finding("fits", None, text, None)
        return tuple(Guarantee(number, Verdict.UNDECIDED, (finding,)) for number in concerned)
    with deep_recursion():
        facts = _Findings(program)
        common = list(facts.common())
        own = {number: list(facts.of_pool(number)) for number in range(len(program.pools)) if facts.taken(number)}
    missing = [
        (number, Finding("others", item.holds, item.text, item.node))
        for number, found in own.items()
        for item in found
        if not item.holds
    ]
    return tuple(_answer(number, own.get(number, []), missing, common) for number in concerned)


def _answer(number: int, own: list[Finding], missing: list[tuple[int, Finding]], common: list[Finding]) -> Guarantee:
    """`own` are the findings of this pool, `missing` what does not hold of any, by pool."""
    findings = [*own, *common, *(item for other, item in missing if other != number)]
    if any(item.holds is False for item in findings):
        verdict = Verdict.NOT_GUARANTEED
    elif any(item.holds is None for item in findings):
        verdict = Verdict.UNDECIDED
    else:
        verdict = Verdict.GUARANTEED
    order = list(HYPOTHESES)
    # Of pools that only others concern the findings say so; what is shown comes after what is not.
    rank = {False: 0, None: 1, True: 2}
    findings.sort(key=lambda item: (rank[item.holds], order.index(item.hypothesis)))
    return Guarantee(number, verdict, tuple(findings))


class _Findings:
    """Looks at each hypothesis in turn."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        # Of a run up to its first preemption: the argument is that there is none.
        self.facts = HoldFacts(program)
        self.bounds = self.facts.bounds
        self.holds = self.facts.holds
        self.takes: dict[int, list[tuple[ir.Hold, ir.Take]]] = {}
        """By pool, who may take of it."""
        for hold in self.holds:
            for take in hold.admission.takes:
                for number in members(take.pool):
                    self.takes.setdefault(number, []).append((hold, take))

    def taken(self, number: int) -> bool:
        """Whether a hold takes the pool, and it is finite."""
        return isfinite(self.program.pools[number].cap) and number in self.takes

    # ------------------------------------------------------------------ one pool

    def of_pool(self, number: int) -> Iterator[Finding]:
        for hold, take in self.takes[number]:
            yield self._fits(number, hold, take)
            yield from self._covered(number, hold, take)

    def _fits(self, number: int, hold: ir.Hold, take: ir.Take) -> Finding:
        pool = self.program.pools[number]
        name = member_name(pool)
        environment = self.bounds.at(hold)
        if environment is None:
            return Finding("fits", True, f"nobody comes to a hold of `{name}`", hold)
        parts = [take.units] if take.reserve is None else [take.units, take.reserve]
        need = max(self.facts.most(part, hold) for part in parts)
        needed = need if pool.block is None or not isfinite(need) else -(-need // pool.block) * pool.block
        if needed <= pool.cap:
            return Finding("fits", True, f"a hold of `{name}` needs at most {needed:.10g} of {pool.cap:.10g}", take)
        if not isfinite(needed):
            text = f"what a hold of `{name}` needs has no bound: declare one, such as `set o = min(max_out, …)`"
            return Finding("fits", None, text, take)
        witness = self._witness(parts, hold)
        largest = max(parts, key=lambda part: self.facts.most(part, hold))
        if not self.facts.attained(form_of(largest), environment):
            text = f"whether a hold of `{name}` needs {needed:.10g} of {pool.cap:.10g}{witness}, all at once"
            return Finding("fits", None, text, take)
        text = f"a hold of `{name}` may need {needed:.10g}, and there are {pool.cap:.10g}{witness}"
        return Finding("fits", False, text, take)

    def _witness(self, parts: list[ir.Expr], hold: ir.Hold) -> str:
        """The attribute values that make an amount large."""
        environment = self.bounds.at(hold)
        assert environment is not None
        values = {}
        for part in parts:
            form = form_of(part)
            for slot, coefficient in () if form is None else form.terms:
                end = environment[slot].hi if coefficient > 0 else environment[slot].lo
                values[self.program.attrs[slot]] = end
        return "" if not values else ": " + ", ".join(f"{name} = {value:.10g}" for name, value in values.items())

    def _covered(self, number: int, hold: ir.Hold, take: ir.Take) -> Iterator[Finding]:
        pool = self.program.pools[number]
        name = member_name(pool)
        environment = self.bounds.at(hold)
        if environment is None or not grows_on(hold, number):
            return
        if not pool.reserve_held:
            text = f"`{name}` does not keep reserves (`reserve held`), so what a hold grows to may be gone"
            # Without kept reserves a growth can still always fit; that is not looked for.
            yield Finding("covered", False if pool.preempt is not None else None, text, take)
            return
        room = take.units if take.reserve is None else take.reserve
        form, spare = (self.facts.spare_form(number, hold, take, room), self.facts.spare(number, hold, take, room))
        if isinstance(spare, str) or isinstance(form, str):
            yield Finding("covered", None, str(spare), hold)
            return
        if spare >= 0.0:
            yield Finding("covered", True, f"the reserve of `{name}` covers its growth", take)
        elif isfinite(spare) and not self.facts.attained(form, self.facts.inside(hold)):
            text = f"whether the growth in `{name}` goes {-spare:.10g} beyond what the hold reserves"
            yield Finding("covered", None, text, take)
        elif isfinite(spare):
            text = f"the growth in `{name}` may go {-spare:.10g} beyond what the hold reserves"
            yield Finding("covered", False, text, take)
        else:
            text = f"the growth in `{name}` has no bound: declare one, such as `set o = min(max_out, …)`"
            yield Finding("covered", None, text, take)

    # ------------------------------------------------------------------ the whole program

    def common(self) -> Iterator[Finding]:
        yield from self._at_once()
        yield from self._returned()
        yield from service_findings(self.program, self.bounds, self.facts.least_of)

    def _at_once(self) -> Iterator[Finding]:
        for hold in self.holds:
            held = self._finite(hold)
            if held is None:
                continue
            for inner in statements(hold.body):
                if isinstance(inner, ir.Hold) and (waits := self._finite(inner)) is not None:
                    text = f"a hold of `{waits}` inside a hold of `{held}`: who holds waits"
                    yield Finding("at once", False, text, inner)
                    return
                if isinstance(inner, ir.Join | ir.Fork):
                    yield Finding("at once", False, f"a leg or join inside a hold of `{held}`", inner)
                    return
        yield Finding("at once", True, "every hold takes all that it waits for at once")

    def _finite(self, hold: ir.Hold) -> str | None:
        for take in hold.admission.takes:
            for number in range(take.pool.base, take.pool.base + take.pool.count):
                if isfinite(self.program.pools[number].cap):
                    return self.program.pools[number].name
        return None

    def _returned(self) -> Iterator[Finding]:
        for pool in self.program.pools:
            if pool.spill is not None:
                yield Finding("returned", None, f"`{pool.name}` spills", None)
                return
        for statement in statements(self.program.session):
            if isinstance(statement, ir.Release | ir.Load | ir.Drop):
                text = f"a `{type(statement).__name__.lower()}` moves units by hand"
                yield Finding("returned", None, text, statement)
                return
            if isinstance(statement, ir.Hold) and statement.lease is not None:
                yield Finding("returned", None, "a lease outlives its hold", statement)
                return
        yield Finding("returned", True, "every hold gives back at its end")
