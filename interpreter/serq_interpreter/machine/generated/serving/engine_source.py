"""One engine with its pool as source: `engine(J)` makes the functions of the `J`-th engine, whose variables they share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq_interpreter.machine.generated.serving.engine_text import (
    ATTEMPT,
    CACHE,
    COHORT,
    DOOR_FUNCTIONS,
    DOORS,
    FINISH,
    MEMORY,
    START,
    START_ITERATION,
    TOKENS,
    VARIABLES,
)
from serq_interpreter.machine.generated.serving.paste import Scope, fill

if TYPE_CHECKING:
    from serq_interpreter.machine.generated.serving.shape import Shape


class EngineSource:
    """Writes `engine(J)`; `accounts` and `windows` say what is measured and what is taken together."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self._accounts = shape.accounts
        self._windows = shape.windows

    def lines(self, outer: Scope) -> list[str]:
        """The whole function."""
        accounts, windows = self._accounts, self._windows
        scope = Scope([*VARIABLES, *accounts.variables, *windows.variables])
        parts = {"scale": self._shape.scale} | self._parts()
        functions = CACHE | TOKENS | accounts.functions() | COHORT | MEMORY | DOOR_FUNCTIONS | windows.functions()
        functions |= {"finish(ticket)": FINISH, "attempt()": "\n".join(fill(ATTEMPT, **self._attempt_parts()))}
        functions |= {"sync()": "\n".join(accounts.sync())}
        body = [*fill(START), *accounts.start(), *windows.start()]
        for head, template in functions.items():
            body += scope.function(head, fill(template, **parts), outer)
        for number, text in self._shape.headers():
            body += [f"def units_{number}(s, left): return {text}"]
        body += self._queries(scope, outer, parts)
        body.append(
            f"return {', '.join(DOORS[:6])}, sync, q_since, {', '.join(DOORS[8:])}, [{', '.join(f'units_{n}' for n, _ in self._shape.headers())}]"
        )
        return ["def engine(J):", *[f"    {line}" for line in body]]

    def _queries(self, scope: Scope, outer: Scope, parts: dict[str, str | list[str]]) -> list[str]:
        """What a session may ask of the pool."""
        cut = parts["cut"]
        texts = {
            "q_since(s=None)": f"return {'since' if self._shape.exact else 'now'}",
            "q_used(s)": f"{cut}\nreturn float(used)",
            "q_free(s)": f"{cut}\nreturn stage.memory.cap - used",
            "q_holders(s)": "return float(holders)",
            "q_queued(s)": "return float(len(waiting))",
            "q_cached(s)": "return float(live[s][0]) if s in live else 0.0",
        }
        return [line for head, text in texts.items() for line in scope.function(head, fill(text), outer)]

    def _parts(self) -> dict[str, str | list[str]]:
        preempt = self._shape.preempt
        parts: dict[str, str | list[str]] = dict(self._accounts.parts())
        parts["first_look"] = (
            # More budget asks for no less: what is an amount without any is one with some.
            ["units = s.uf[J](s, 0.0)", "if not units >= 0.0: units = s.uf[J](s, budget_left())"]
            if self._shape.headers_rise()
            else "units = s.uf[J](s, budget_left())"
        )
        parts["spins"] = "spin(s)" if self._shape.holds_may_spin() else ""
        parts["front"] = "False" if preempt is not None and preempt.requeue_tail else "True"
        parts["may_preempt"] = "leave('memory is short and nobody may be preempted')" if preempt is None else ""
        return parts

    def _attempt_parts(self) -> dict[str, str | list[str]]:
        parts = self._parts() | {"scale": self._shape.scale}
        start = START_ITERATION
        totals = self._totals()
        return parts | {
            "start": "\n".join(
                fill(
                    start,
                    totals=totals,
                    cost=self._shape.cost,
                    count_step=self._accounts.count_step(),
                    schedule=self._windows.schedule(),
                )
            )
        }

    def _totals(self) -> list[str]:
        """Totals of the batch that the cost reads, as whole numbers."""
        reads = self._shape.cost_reads
        lines = []
        if "Ntok" in reads:
            lines += ["ntok = together + len(decs)", "for _, w in batch: ntok += w"]
        if "Npre" in reads:
            lines += ["npre = 0", "for _, w in batch: npre += w"]
        if "Ndec" in reads:
            lines += ["ndec = together + len(decs)"]
        if "Kvb" in reads:
            lines += ["kvb = kvu", "for s in decs: kvb += s.units"]
        return lines
