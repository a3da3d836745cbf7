"""What a search remembers: states, how each was reached first, and the moves between them."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

from serq_interpreter.explore.canonical import Key
from serq_interpreter.explore.subject import Move

PREEMPTED, PROGRESSED = 1, 2
"""What a move did: somebody was preempted; somebody closed a hold, took a turn, came or went."""

Waits = tuple[tuple[int, int, int], ...]
"""Who waits in a queue before and after a move: numbers in the keys of the two states, and the pool."""


@dataclass(slots=True)
class Graph:
    """States are numbered in the order of discovery, 0 is the machine before its start."""

    numbers: dict[Key, int] = field(default_factory=dict)
    parent: array[int] = field(default_factory=lambda: array("q"))
    move: list[Move | None] = field(default_factory=list)
    depth: array[int] = field(default_factory=lambda: array("l"))
    edges: list[list[Edge]] = field(default_factory=list)

    def add(self, key: Key, parent: int, move: Move | None) -> int:
        """A state that was not known; returns its number."""
        number = len(self.parent)
        self.numbers[key] = number
        self.parent.append(parent)
        self.move.append(move)
        self.depth.append(0 if parent < 0 else self.depth[parent] + 1)
        self.edges.append([])
        return number

    def path(self, state: int) -> tuple[Move, ...]:
        """The moves from the start to a state, the shortest there are."""
        moves = []
        while state > 0:
            move = self.move[state]
            assert move is not None
            moves.append(move)
            state = self.parent[state]
        return tuple(reversed(moves))


@dataclass(frozen=True, slots=True)
class Edge:
    """A move from one state to another; `admitted` are the pools that admitted somebody from their queues."""

    target: int
    move: Move
    did: int
    waits: Waits
    admitted: frozenset[int]


def components(edges: list[list[int]]) -> list[int]:
    """The strongly connected component of each node, by number (Tarjan, iterative); lower numbers are further on."""
    n = len(edges)
    index, low, component = [-1] * n, [0] * n, [-1] * n
    stack: list[int] = []
    counter = n_components = 0
    for root in range(n):
        if index[root] >= 0:
            continue
        work = [(root, 0)]
        while work:
            node, at = work.pop()
            if at == 0:
                index[node] = low[node] = counter
                counter += 1
                stack.append(node)
            descended = False
            for position in range(at, len(edges[node])):
                target = edges[node][position]
                if index[target] < 0:
                    work += ((node, position + 1), (target, 0))
                    descended = True
                    break
                if component[target] < 0:
                    low[node] = min(low[node], index[target])
            if descended:
                continue
            if low[node] == index[node]:
                while True:
                    member = stack.pop()
                    component[member] = n_components
                    if member == node:
                        break
                n_components += 1
            if work:
                parent = work[-1][0]
                low[parent] = min(low[parent], low[node])
    return component
