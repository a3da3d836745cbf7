"""Who belongs to whom: a session's parent, its groups of children, its tree (edition v4b).

Only sessions of a program that spawns have a `Kin`; legs have the one of their session (`Actor.root`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from serq_interpreter.machine.actors import Actor
    from serq_interpreter.machine.pools import PoolState
    from serq_interpreter.machine.trees import SessionTree


class Group:
    """Children of one session that it has not joined: how many there are, and which still run, in order of birth."""

    __slots__ = ("number", "running", "total")

    def __init__(self, number: int) -> None:
        self.number = number
        self.total = 0
        self.running: dict[Actor, None] = {}


class Kin:
    """`depth` is 0 for a session that came from the workload, whose `parent` and `group` are `None`.

    `children` are the groups it has not joined, by number; `joining` is the group it waits for, if it does.
    `inherits` is the pool on which it reads its parent's cached prefix.
    """

    __slots__ = ("children", "depth", "group", "inherits", "joining", "parent", "tree")

    def __init__(
        self, tree: SessionTree, depth: int, parent: Actor | None, group: Group | None, inherits: PoolState | None
    ) -> None:
        self.tree = tree
        self.depth = depth
        self.parent = parent
        self.group = group
        self.inherits = inherits
        self.children: dict[int, Group] = {}
        self.joining: int | None = None


def joins_children(session: Actor) -> bool:
    """Whether a session that waits at a join waits for children, and not for its legs."""
    return session.kin is not None and session.kin.joining is not None


def is_spawned(session: Actor) -> bool:
    """Whether another session has created it."""
    return session.kin is not None and session.kin.parent is not None


def inherited_from(session: Actor, pool: PoolState) -> Actor | None:
    """The session whose cached prefix on the pool it may read, besides its own."""
    kin = session.kin
    return kin.parent if kin is not None and kin.inherits is pool else None
