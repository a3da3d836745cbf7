"""Children of a session: their birth, the join that waits for them, the end that must not come before (edition v4b).

A child is a session: it takes the next serial and the random streams of that serial, runs the session program from its
start and is ready at once.  Instead of the workload's `init` it gets the values of the `spawn`'s block, which are read in
the parent's session, for one child after the other.  It has no rows of a trace.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Any

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.actors import JOINING, Actor
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.evaluate import Closure
from serq_interpreter.machine.expression_text import expression_text
from serq_interpreter.machine.kinship import Group, Kin
from serq_interpreter.machine.numbers import number_text
from serq_interpreter.machine.trees import Trees

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.pools import PoolState


class Birth:
    """A `spawn` statement, compiled: `sets` are slots and what they get, `pool` finds the pool that is inherited."""

    __slots__ = ("count", "group", "node", "pool", "sets")

    def __init__(
        self,
        node: ir.Spawn,
        count: Closure,
        sets: list[tuple[int, Closure]],
        pool: Callable[[Actor], PoolState] | None,
    ) -> None:
        self.node = node
        self.group = node.group
        self.count = count
        self.sets = sets
        self.pool = pool


class Children:
    """Creates children and lets their parents wait for them."""

    def __init__(self, machine: Machine, spawning: ir.Spawning) -> None:
        self.machine = machine
        self.spawning = spawning
        self.trees = machine.trees = Trees(len(machine.program.observes))

    def plant(self, session: Actor) -> None:
        """A session has come from the workload: the root of a tree."""
        tree = self.trees.plant(session.serial, self.machine.seconds)
        session.kin = Kin(tree, 0, None, None, None)
        self._lineage(session, -1.0)

    def _lineage(self, session: Actor, parent: float) -> None:
        slots = self.spawning
        if slots.parent is not None:
            session.attrs[slots.parent] = parent
        if slots.depth is not None:
            assert session.kin is not None
            session.attrs[slots.depth] = float(session.kin.depth)

    # ------------------------------------------------------------------ spawn

    def spawn(self, parent: Actor, birth: Birth) -> None:
        """Create the children of one `spawn`; they are ready behind whoever is ready already."""
        count = self._count(parent, birth)
        pool = None if birth.pool is None or count == 0 else birth.pool(parent)
        for _ in range(count):
            self._bear(parent, birth, pool)

    def _count(self, parent: Actor, birth: Birth) -> int:
        count = birth.count(parent)
        if not 0.0 <= count < inf or count != int(count):
            node = birth.node.count
            text = expression_text(self.machine.program, node)
            message = f"`spawn ({text})`: {number_text(count)} is no number of children: it is whole and not negative"
            raise RunError("SQ0922", message, node, parent.serial)
        return int(count)

    def _bear(self, parent: Actor, birth: Birth, pool: PoolState | None) -> None:
        kin = parent.kin
        assert kin is not None
        lifecycle = self.machine.lifecycle
        values = [(slot, value(parent)) for slot, value in birth.sets]
        lifecycle.n_spawned += 1
        child = lifecycle.new_session(birth.node)
        group = kin.children.get(birth.group)
        if group is None:
            group = kin.children[birth.group] = Group(birth.group)
        group.total += 1
        group.running[child] = None
        child.kin = Kin(kin.tree, kin.depth + 1, parent, group, pool)
        kin.tree.grow(kin.depth + 1)
        self._lineage(child, float(parent.serial))
        for slot, number in values:
            child.attrs[slot] = number
        self.born(child)

    def born(self, child: Actor) -> None:
        """A child is there with its attributes: it begins."""
        self.machine.lifecycle.let_go(child)

    # ------------------------------------------------------------------ join and end

    def join(self, parent: Actor, group: int) -> bool:
        """Whether the session can go on at `join NAME`: then the group is joined, and empty again."""
        kin = parent.kin
        assert kin is not None
        members = kin.children.get(group)
        if members is not None and members.running:
            parent.status = JOINING
            kin.joining = group
            return False
        kin.children.pop(group, None)
        return True

    def ended(self, session: Actor) -> None:
        """A session has ended or was refused: its parent may go on, and its tree has one live session less."""
        machine, kin = self.machine, session.kin
        assert kin is not None
        self.trees.end(kin.tree, machine.seconds, machine.measuring)
        group, parent = kin.group, kin.parent
        if group is None or parent is None:
            return
        del group.running[session]
        theirs = parent.kin
        assert theirs is not None
        if not group.running and parent.status == JOINING and theirs.joining == group.number:
            del theirs.children[group.number]
            theirs.joining = None
            machine.make_ready(parent)

    def unjoined(self, parent: Actor, node: Any) -> RunError:
        """SQ0921: a session ends that has not joined its children."""
        assert parent.kin is not None
        group = next(iter(parent.kin.children.values()))
        name = self.spawning.groups[group.number]
        time = number_text(self.machine.seconds)
        many = f"{group.total} children" if group.total != 1 else "1 child"
        message = f"session {parent.serial} ends at t = {time} and has not joined its group `{name}` of {many}"
        return RunError("SQ0921", message, node, parent.serial)
