"""Holds as source: joining a queue, the try of an admission, the end of the scope, pass by pass (04 §3 to §6).

For the hold of state N that opens scope S: `join_N(actor, front)`, `admit_N(waiting)` and `close_S(actor)` do what
`admission.Admission.join`, `.admit` and `holds.Holds.close_scope` do with the hold's plan, with its expressions in line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.actors import QUEUED
from serq_interpreter.machine.generated.subject_source import fixed_member
from serq_interpreter.machine.generated.text import Text
from serq_interpreter.machine.numbers import SLACK

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.generated.subject_source import SubjectSource
    from serq_interpreter.machine.hold_plan import HoldPlan


class Holds:
    """Writes the functions of one hold."""

    def __init__(
        self, machine: Machine, text: Text, subject: SubjectSource, number: int, state: a.AcquireState
    ) -> None:
        self._machine = machine
        self._text = text
        self._subject = subject
        self._number = number
        self._state = state
        self._plan: HoldPlan = machine.plans[number]
        assert isinstance(state.node, ir.Hold)
        self._node: ir.Hold = state.node
        self._name = subject.name("plan", self._plan)
        self._fixed = [fixed_member(take.pool) for take in state.admission.takes]
        """The pools that are always the same ones."""

    def write(self) -> None:
        """Add the three functions to the text."""
        self._write_join()
        self._write_admit()
        self._write_close()

    def _pool(self, index: int) -> str:
        """The `index`-th pool, once its local name is set."""
        place = self._fixed[index]
        return f"q{index}" if place is None else f"p{place}"

    def _up(self, index: int, units: str) -> str:
        """Units in whole blocks, at least as many; `units` are 0 or more."""
        place = self._fixed[index]
        block = None if place is None else self._machine.pools[place].block
        if place is not None and block is None:
            return units
        if block is None or block < 1e-9:
            return f"{self._pool(index)}.up({units})"
        return f"(ceil({units} / {block!r}) * {block!r} if {units} < 1e15 else {self._pool(index)}.up({units}))"

    def _units(self, index: int) -> None:
        """`u`: the units of a take, which are an amount."""
        take = self._state.admission.takes[index]
        self._text.put(f"u{index} = {self._subject.value(take.units)}")
        self._text.put(f"if not u{index} > 0.0: u{index} = amount(u{index}, {self._name}, {index}, False)")

    def _reserve(self, index: int) -> None:
        need = self._state.admission.needs[index]
        assert need is not None
        self._text.put(f"r{index} = {self._subject.value(need.reserve)}")
        self._text.put(f"if not r{index} > 0.0: r{index} = amount(r{index}, {self._name}, {index}, True)")

    # ------------------------------------------------------------------ joining

    def _write_join(self) -> None:
        text, subject, takes = self._text, self._subject, self._state.admission.takes
        with text.block(f"def join_{self._number}(actor, front):"):
            text.put("a = actor.attrs")
            for index, take in enumerate(takes):
                if self._fixed[index] is None:
                    text.put(f"q{index} = {subject.pool(take.pool)}")
            pools = f"[{', '.join(self._pool(index) for index in range(len(takes)))}]"
            places = [place for place in self._fixed if place is not None]
            if len(places) < len(takes) > 1 or len(set(places)) < len(places):
                text.put(f"distinct({self._name}, {pools})")
            for index in range(len(takes)):
                self._units(index)
            for index in range(len(takes)):
                self._refuse_early(index)
            text.put("admission.n_joined += 1")
            units = ", ".join(f"u{index}" for index in range(len(takes)))
            text.put(f"w = Waiting(actor, {self._name}, {pools}, [{units}], m.now)")
            text.put("w.number = admission.n_joined", "w.front = front")
            text.put(f"actor.status = {QUEUED}", "actor.waiting = w", f"actor.pc = {self._number}")
            queue = f"{self._pool(0)}.queue"
            text.put(f"if front: {queue}.appendleft(w)", f"else: {queue}.append(w)")

    def _refuse_early(self, index: int) -> None:
        """A demand above the cap that nothing can lower is refused at the statement (04 §4.1)."""
        text, pool = self._text, self._pool(index)
        take, need = self._state.admission.takes[index], self._state.admission.needs[index]
        refuse = f"actor.pc = {self._number}; refuse(actor, {pool}); return"
        if take.refused_early:
            text.put(f"if {self._up(index, f'u{index}')} > {pool}.cap: {refuse}")
        if need is not None and need.refused_early:
            self._reserve(index)
            text.put(f"if {self._up(index, f'r{index}')} > {pool}.cap: {refuse}")

    # ------------------------------------------------------------------ the try

    def _write_admit(self) -> None:
        text, block = self._text, self._state.admission
        n = len(block.takes)
        with text.block(f"def admit_{self._number}(waiting):"):
            text.put("actor = waiting.actor", "a = actor.attrs")
            if None in self._fixed:
                text.put(f"{', '.join(f'q{index}' for index in range(n))}, = waiting.pools")
            for index in range(n):
                self._demand(index)
            for index in range(n):
                pool = self._pool(index)
                place = self._fixed[index]
                held = place is None or self._machine.pools[place].reserve_held
                used = f"{pool}.used + {pool}.outstanding()" if held else f"{pool}.used"
                text.put(f"if not {used} + n{index} <= {pool}.cap + {SLACK!r}: return False")
            self._leave_queue()
            if block.reuse.bound is not None:
                text.put(f"reuse = {self._subject.value(block.reuse.bound)}")
            text.put(f"frame = HoldFrame({self._name}, [])", "largest = 0.0")
            for index in range(n):
                self._move_in(index)
            text.put(f"a[{ir.SLOT_CACHED}] = largest", "actor.frames.append(frame)", f"actor.pc = {self._state.next}")
            text.put("actor.waiting = None", "actor.admission = float(admission.n_admitted)")
            text.put("admission.n_admitted += 1", "make_ready(actor)", "return True")

    def _demand(self, index: int) -> None:
        text = self._text
        self._units(index)
        text.put(f"u{index} = {self._up(index, f'u{index}')}", f"n{index} = u{index}")
        if self._state.admission.needs[index] is not None:
            self._reserve(index)
            text.put(f"r{index} = {self._up(index, f'r{index}')}", f"if r{index} > n{index}: n{index} = r{index}")

    def _leave_queue(self) -> None:
        text, pool = self._text, self._pool(0)
        text.put(f"queue = {pool}.queue", "if queue[0] is waiting: queue.popleft()", "else: queue.remove(waiting)")
        with text.block("if m.measuring:"):
            text.put(f"{pool}.n_waits += 1")
            text.put(f"{pool}.mean_wait += (span(m.now - waiting.joined) - {pool}.mean_wait) / {pool}.n_waits")

    def _move_in(self, index: int) -> None:
        """Own prefix first, then room is made by eviction (04 §5)."""
        text, pool = self._text, self._pool(index)
        text.put(f"al = Allocation({pool}, actor, u{index}, n{index})")
        if self._node.cache is not None:
            bound = "inf" if self._state.admission.reuse.bound is None else "reuse"
            text.put(f"x = caching.consume({pool}, actor, {bound})", "al.position = x")
            text.put("if x > largest: largest = x")
        text.put("al.frame = frame", "frame.allocations.append(al)", f"{pool}.used += u{index}")
        text.put(f"{pool}.places.append(actor)", f"{pool}.allocations[al] = None")
        text.put(f"if {pool}.used + {pool}.cached > {pool}.cap + {SLACK!r}: caching.evict_excess({pool})")
        text.put(f"{pool}.admissions += 1")

    # ------------------------------------------------------------------ the end

    def _write_close(self) -> None:
        text = self._text
        with text.block(f"def close_{self._state.opens}(actor):"):
            text.put("frame = actor.frames.pop()")
            if self._node.cache is not None:
                text.put("a = actor.attrs")
            for index in range(len(self._fixed)):
                text.put(f"al = frame.allocations[{index}]")
                with text.block("if al.held:"):
                    if index == self._plan.lease_index:
                        text.put("holds._lease(al, frame, actor)")
                    else:
                        self._give_back(index)
            with text.block("if actor.preempted_at is not None:"):
                text.put("for al in frame.allocations: actor.preempted_at.pop(al.pool, None)")
            text.put(f"actor.attrs[{ir.SLOT_COMPUTED}] = 0.0", "sweep()")

    def _give_back(self, index: int) -> None:
        """Units leave the hold: some may stay cached, the rest is free (04 §6.2)."""
        text = self._text
        place = self._fixed[index]
        pool = "q" if place is None else f"p{place}"
        if place is None:
            text.put("q = al.pool")
        text.put("al.held = False", f"del {pool}.allocations[al]", f"{pool}.used -= al.units")
        text.put(f"if {pool}.places.count(actor) == 1: {pool}.places.remove(actor)")
        text.put(f"else: {pool}.forget_place(actor, m.quirks)")
        if self._node.cache is not None:
            text.put(f"x = {self._subject.value(self._node.cache)}")
            text.put(f"holds._keep({pool}, actor, x, al.position if frame.advanced else al.units)")
