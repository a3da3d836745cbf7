"""Sessions and legs: birth, turns, forks, ends and refusals (04 §11, §13; 06 §5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.actors import ENDED, GROWING, JOINING, QUEUED, Actor
from serq_interpreter.machine.arrivals import TurnScripts
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.evaluate import Closure
from serq_interpreter.machine.kinship import is_spawned, joins_children
from serq_interpreter.machine.numbers import number_text

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.spawning import Children

Line = tuple[bool, int, Closure]
"""A statement of an `init` or `turn` block: whether it observes, slot or observation, value."""


class Lifecycle:
    """Creates and ends actors."""

    def __init__(self, machine: Machine, scripts: TurnScripts, init: list[Line], turn: list[Line]) -> None:
        self.machine = machine
        self.scripts = scripts
        self.init = init
        self.turn_block = turn
        self.init_draws = False
        self.turn_draws = False
        self.presets: tuple[ir.ScriptedSession, ...] = ()
        self.closed = False
        self.n_spawned = 0
        """Sessions that other sessions spawned; the rest of `arrivals` came from the workload."""
        self.children: Children | None = None
        """What creates and joins children, in a program that spawns."""

    # ------------------------------------------------------------------ birth

    def create_session(self) -> Actor:
        """A session arrives now: attributes, `init`, presets; it is ready (06 §5)."""
        machine = self.machine
        number = machine.n_arrived
        actor = self.new_session()
        actor.rows = self.scripts.for_session(number)
        if self.children is not None:
            self.children.plant(actor)
        self._block(actor, self.init, self.init_draws)
        if self.presets:
            for slot, value in self.presets[number].attrs:
                actor.attrs[slot] = value
        self.let_go(actor)
        return actor

    def new_session(self, cause: ir.Stmt | None = None) -> Actor:
        """A session with the next serial, live from now on, that has not begun; `cause` brings it, or the workload."""
        machine = self.machine
        serial = machine.arrivals
        machine.arrivals += 1
        attrs = [0.0] * machine.automaton.n_slots
        attrs[ir.SLOT_SERIAL] = float(serial)
        actor = Actor(serial, attrs, lambda: machine.draws.session(serial))
        actor.pc = machine.automaton.entry
        machine.sessions[actor] = None
        machine.change_live(1, cause)
        return actor

    def let_go(self, actor: Actor) -> None:
        """A session whose attributes are set begins: it is ready."""
        machine = self.machine
        for claim in machine.claims:
            claim.check_given(actor)
        machine.make_ready(actor)

    def _block(self, actor: Actor, lines: list[Line], draws: bool) -> None:
        """Run an `init` or `turn` block on the stream of (session, turn)."""
        if draws:
            own = actor.stream
            actor.stream = self.machine.draws.workload(actor.serial, actor.turns)
            self._lines(actor, lines)
            actor.stream = own
        else:
            self._lines(actor, lines)

    def _lines(self, actor: Actor, lines: list[Line]) -> None:
        for observes, index, value in lines:
            if observes:
                self.machine.observe(index, value(actor), actor)
            else:
                actor.attrs[index] = value(actor)

    # ------------------------------------------------------------------ turns and legs

    def turn(self, actor: Actor) -> None:
        """`turn;`: count, load the next row if there are rows, run the block (06 §5.4)."""
        actor.turns += 1
        actor.attrs[ir.SLOT_TURN] += 1.0
        if actor.rows is not None:
            self.load_row(actor)
        if self.machine.measuring:
            self.machine.turns += 1
        self._block(actor, self.turn_block, self.turn_draws)

    def load_row(self, actor: Actor) -> None:
        """Load the next of the actor's rows, if there is one left, and `more`."""
        rows, row, attrs = actor.rows, actor.next_row, actor.attrs
        assert rows is not None
        if row < len(rows):
            for slot, value in rows[row]:
                attrs[slot] = value
            actor.next_row = row + 1
        attrs[ir.SLOT_MORE] = 1.0 if row + 1 < len(rows) else 0.0

    def fork(self, session: Actor, entry: int) -> None:
        """Start a leg with a copy of the attributes; the session goes on (04 §11.1)."""
        machine = self.machine
        number, serial = session.n_forks, session.serial
        leg = Actor(serial, session.attrs.copy(), lambda: machine.draws.leg(serial, number))
        leg.leg = number
        leg.root = session
        leg.turns = session.turns
        leg.pc = entry
        session.n_forks += 1
        session.legs_running += 1
        machine.legs[leg] = None
        machine.check_crowd(None)
        machine.make_ready(leg)

    # ------------------------------------------------------------------ ends

    def end(self, actor: Actor, node: Any) -> None:
        """`end;`, or the end of the block (04 §13.2)."""
        if actor.leg is not None:
            self._end_leg(actor)
            return
        if actor.legs_running:
            time = number_text(self.machine.seconds)
            message = (
                f"session {actor.serial} ends at t = {time}, and a leg of it still runs: it must `join` its legs first"
            )
            raise RunError("SQ0913", message, node, actor.serial)
        if actor.kin is not None and actor.kin.children:
            assert self.children is not None
            raise self.children.unjoined(actor, node)
        self._leave(actor)

    def _leave(self, session: Actor) -> None:
        machine = self.machine
        machine.holds.close_all(session)
        while session.leases:
            machine.holds.end_lease(session.leases[0])
        session.status = ENDED
        machine.caching.owner_ended(session)
        del machine.sessions[session]
        if machine.measuring:
            machine.ended += 1
        machine.change_live(-1)
        if self.children is not None:
            self.children.ended(session)
        if self.closed and not is_spawned(session):
            machine.count_replacement()
            self.create_session()

    def _end_leg(self, leg: Actor, wake: bool = True) -> None:
        machine = self.machine
        machine.holds.close_all(leg)
        leg.status = ENDED
        del machine.legs[leg]
        session = leg.root
        machine.holds.pass_leases(leg)
        session.legs_running -= 1
        if session.status == ENDED:
            while session.leases:
                machine.holds.end_lease(session.leases[0])
        elif wake and session.status == JOINING and session.legs_running == 0 and not joins_children(session):
            machine.make_ready(session)

    def refuse(self, actor: Actor) -> None:
        """A hold that can never fit: the actor leaves; a leg takes its session with it (04 §11.4, §13.3)."""
        if actor.leg is not None:
            self._end_leg(actor, wake=False)
            if actor.root.status != ENDED:
                self.detach(actor.root)
                self._leave(actor.root)
            return
        self._leave(actor)

    def detach(self, actor: Actor) -> None:
        """Take an actor out of its stage, its queue or its growers' line."""
        if actor.status == QUEUED and actor.waiting is not None:
            actor.waiting.pools[0].queue.remove(actor.waiting)
            actor.waiting = None
        if actor.grower is not None:
            actor.grower.allocation.pool.growers.remove(actor.grower)
            actor.grower = None
        if actor.job is not None:
            actor.job.leave()
            actor.job = None
        if actor.status == GROWING:
            actor.status = QUEUED
