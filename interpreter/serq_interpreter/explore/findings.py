"""What an exploration looks for, and what it says when it has found it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from serq_interpreter.explore.subject import Move, Subject
from serq_interpreter.ir import program as ir
from serq_interpreter.machine.claims import ClaimState
from serq_interpreter.machine.errors import RunError


class Kind(StrEnum):
    """Kinds of findings, the gravest first."""

    ERROR = "error"
    """The run stops with an error of the program."""
    DEADLOCK = "deadlock"
    """Sessions wait, and nothing that can happen will let them go on."""
    LIVELOCK = "livelock"
    """A way on which sessions are preempted for ever and none gets anywhere."""
    STARVATION = "starvation"
    """A way on which a session waits for ever while others are admitted."""
    CLAIM = "claim"
    """A claim is violated."""
    STUCK = "stuck"
    """A session is preempted again without having passed where it was preempted before."""
    REJECTED = "rejected"
    """A hold can never fit and its session is sent away."""


@dataclass(frozen=True, slots=True)
class Finding:
    """`path` leads to it from the start; `again` are the moves of the circle that follows, where there is one.

    `subject` is what it is about: a pool or a claim, by index, or the code of an error.  `error` is the run's own.
    """

    kind: Kind
    path: tuple[Move, ...]
    again: tuple[Move, ...] = ()
    subject: int | str | None = None
    error: RunError | None = None
    waiters: tuple[int, ...] = ()
    """Of a starvation: the session, by its number."""

    @property
    def identity(self) -> tuple[Kind, int | str | None]:
        """Two findings of one identity tell the same."""
        return self.kind, self.subject


@dataclass(frozen=True, slots=True)
class Seen:
    """A finding at the end of a move, before its path is known."""

    kind: Kind
    subject: int | str | None = None
    error: RunError | None = None


class Watch:
    """Compares the machine before and after a move."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.machine = subject.machine
        self.rejected: list[int] = []
        self.stuck: list[int] = []

    def before(self) -> None:
        """A move begins."""
        self.rejected = [pool.rejected for pool in self.machine.pools]
        self.stuck = [pool.stuck for pool in self.machine.pools]

    def after(self, agenda: list[Any]) -> list[Seen]:
        """What the move did that a finding is made of; `agenda` are the events that are pending now."""
        found = self.of_pools() + self.of_claims()
        if not agenda:
            found += self._at_a_standstill()
        return found

    def failed(self, error: RunError) -> list[Seen]:
        """The move stopped the run."""
        return [Seen(Kind.ERROR, error.code, error)]

    def of_pools(self) -> list[Seen]:
        found = []
        for index, pool in enumerate(self.machine.pools):
            if pool.rejected > self.rejected[index]:
                found.append(Seen(Kind.REJECTED, index))
            if pool.stuck > self.stuck[index]:
                found.append(Seen(Kind.STUCK, index))
        return found

    def of_claims(self) -> list[Seen]:
        return [
            Seen(Kind.CLAIM, index)
            for index, claim in enumerate(self.machine.claims)
            if claim.failures and claim.claim.kind is ir.ClaimKind.EVERY_ITERATION
        ]

    def witnessed(self) -> list[int]:
        """The `some iteration` claims that the move has witnessed."""
        return [
            index
            for index, claim in enumerate(self.machine.claims)
            if claim.claim.kind is ir.ClaimKind.SOME_ITERATION and claim.first is not None
        ]

    def _at_a_standstill(self) -> list[Seen]:
        """Nothing is pending: whoever waits will wait for ever; if nobody is left, the run can end here."""
        if self.subject.can_settle():
            return []
        if self.subject.waiting():
            return [Seen(Kind.DEADLOCK)]
        if self.machine.live or not self.machine.arrivals:
            return []
        return [Seen(Kind.CLAIM, index) for index, claim in enumerate(self.machine.claims) if _fails_now(claim)]


def _fails_now(claim: ClaimState) -> bool:
    if claim.claim.kind is not ir.ClaimKind.AT_END or claim.outside is not None:
        return False
    return claim.condition(claim.machine.nobody) == 0.0
