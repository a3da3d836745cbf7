"""Claims: conditions read at iteration starts or at the end, within their scope (05 §9, 07 §6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from serq_interpreter.ir import program as ir

if TYPE_CHECKING:
    from serq_interpreter.machine.actors import Actor
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.evaluate import Closure

_KIND_TEXT = {
    ir.ClaimKind.EVERY_ITERATION: "every_iteration",
    ir.ClaimKind.SOME_ITERATION: "some_iteration",
    ir.ClaimKind.AT_END: "at_end",
}


class ClaimState:
    """A claim while a run goes on.  `outside` is the first session that failed `given`."""

    __slots__ = ("checked", "claim", "condition", "failures", "first", "given", "live_at_end", "machine", "outside")

    def __init__(self, machine: Machine, claim: ir.Claim, condition: Closure, given: Closure | None) -> None:
        self.machine = machine
        self.claim = claim
        self.condition = condition
        self.given = given
        self.checked = 0
        self.failures = 0
        self.first: float | None = None
        self.outside: int | None = None
        self.live_at_end = 0

    def check_given(self, actor: Actor) -> None:
        """Read `given` for a new session; the first that reads 0 ends the checking."""
        if self.given is not None and self.outside is None and self.given(actor) == 0.0:
            self.outside = actor.serial

    def read(self) -> None:
        """Read the condition now."""
        if self.outside is not None:
            return
        holds = self.condition(self.machine.nobody) != 0.0
        self.checked += 1
        if not holds:
            self.failures += 1
        wanted = self.claim.kind is ir.ClaimKind.SOME_ITERATION
        if holds == wanted and self.first is None:
            self.first = self.machine.seconds

    def read_at_end(self) -> None:
        """An `at end` claim is read once, if no session is live."""
        if self.claim.kind is ir.ClaimKind.AT_END:
            self.live_at_end = self.machine.live
            if self.live_at_end == 0:
                self.read()

    def row(self) -> dict[str, Any]:
        """The claim's entry in the report."""
        result, note = self._result()
        return {
            "name": self.claim.name,
            "kind": _KIND_TEXT[self.claim.kind],
            "result": result,
            "checked": self.checked,
            "failures": self.failures,
            "first": self.first,
            "note": note,
        }

    def _result(self) -> tuple[str, str | None]:
        if self.outside is not None:
            return "out_of_scope", f"session {self.outside} fails `given`"
        if self.claim.kind is ir.ClaimKind.SOME_ITERATION:
            return ("not_witnessed" if self.first is None else "witnessed"), None
        if self.claim.kind is ir.ClaimKind.AT_END and self.live_at_end:
            many = "session" if self.live_at_end == 1 else "sessions"
            return "not_evaluated", f"{self.live_at_end} {many} live at the end"
        return ("fails" if self.failures else "holds"), None
