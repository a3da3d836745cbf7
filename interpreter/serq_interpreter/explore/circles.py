"""Ways that never end: livelock, starvation, and sessions that wait for ever while others go on.

All three are circles in the graph of states.  A circle is possible if the draws and the orders on it come again and
again; whether they do is chance, so the finding says that it *can* go on for ever.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from serq_interpreter.explore.findings import Finding, Kind
from serq_interpreter.explore.graph import PREEMPTED, PROGRESSED, Edge, Graph, components
from serq_interpreter.explore.subject import Move


def find_circles(graph: Graph, complete: bool) -> Iterator[Finding]:
    """The circles of a graph that are findings, the first of each kind.

    That somebody is blocked for ever is known of a `complete` graph only.
    """
    livelock = _livelock(graph)
    if livelock is not None:
        yield livelock
    waits = _Waits.of(graph)
    if complete:
        yield from waits.blocked()
    yield from waits.overtaken()


def _livelock(graph: Graph) -> Finding | None:
    """A circle on which somebody is preempted and nobody closes a hold, takes a turn, comes or goes.

    It is entered at its first state: states are numbered in the order of their depth.
    """
    idle = [[edge for edge in edges if not edge.did & PROGRESSED] for edges in graph.edges]
    component = components([[edge.target for edge in edges] for edges in idle])
    entries: dict[int, int] = {}
    for state, number in enumerate(component):
        entries.setdefault(number, state)
    found: list[tuple[int, int, Edge]] = []
    for state, edges in enumerate(idle):
        for edge in edges:
            if edge.did & PREEMPTED and component[edge.target] == component[state]:
                found.append((entries[component[state]], state, edge))
    if not found:
        return None
    entry, state, edge = min(found, key=lambda item: item[:2])
    there, back = _way(idle, entry, state), _way(idle, edge.target, entry)
    assert there is not None and back is not None  # one component
    return Finding(Kind.LIVELOCK, graph.path(entry), (*there, edge.move, *back))


def _way(edges: list[list[Edge]], start: int, goal: int) -> tuple[Move, ...] | None:
    """The shortest way from one state to another, `None` if there is none."""
    came: dict[int, tuple[int, Move] | None] = {start: None}
    queue = deque([start])
    while queue and goal not in came:
        state = queue.popleft()
        for edge in edges[state]:
            if edge.target not in came:
                came[edge.target] = (state, edge.move)
                queue.append(edge.target)
    if goal not in came:
        return None
    moves = []
    step = came[goal]
    while step is not None:
        moves.append(step[1])
        step = came[step[0]]
    return tuple(reversed(moves))


# --------------------------------------------------------------------------- who waits


@dataclass(slots=True)
class _Waits:
    """The graph of *waits*: a node is a session waiting in a state, an edge a move during which it goes on waiting."""

    graph: Graph
    nodes: dict[tuple[int, int], int] = field(default_factory=dict)
    places: list[tuple[int, int]] = field(default_factory=list)
    pools: list[int] = field(default_factory=list)
    edges: list[list[Edge]] = field(default_factory=list)
    """Edges between nodes; their targets are nodes."""

    @classmethod
    def of(cls, graph: Graph) -> _Waits:
        waits = cls(graph)
        for state, edges in enumerate(graph.edges):
            for edge in edges:
                for before, after, pool in edge.waits:
                    source = waits._node(state, before, pool)
                    target = waits._node(edge.target, after, pool)
                    waits.edges[source].append(Edge(target, edge.move, edge.did, (), edge.admitted))
        return waits

    def _node(self, state: int, session: int, pool: int) -> int:
        node = self.nodes.get((state, session))
        if node is None:
            node = self.nodes[state, session] = len(self.places)
            self.places.append((state, session))
            self.pools.append(pool)
            self.edges.append([])
        return node

    def overtaken(self) -> Iterator[Finding]:
        """Circles on which a session waits and others are admitted from its queue, the first of each pool."""
        component = components([[edge.target for edge in edges] for edges in self.edges])
        told: set[int] = set()
        for node in self._by_depth():
            pool = self.pools[node]
            if pool in told:
                continue
            for edge in self.edges[node]:
                if pool in edge.admitted and component[edge.target] == component[node]:
                    back = _way(self.edges, edge.target, node)
                    if back is not None:
                        told.add(pool)
                        yield self._finding(Kind.STARVATION, node, (edge.move, *back), pool)
                        break

    def blocked(self) -> Iterator[Finding]:
        """Sessions that wait whatever happens, while things go on happening, the first of each pool."""
        free = self._can_end()
        told: set[int] = set()
        for node in self._by_depth():
            pool = self.pools[node]
            if free[node] or pool in told:
                continue
            told.add(pool)
            yield self._finding(Kind.DEADLOCK, node, (), pool)

    def _by_depth(self) -> list[int]:
        depth = self.graph.depth
        return sorted(range(len(self.places)), key=lambda node: depth[self.places[node][0]])

    def _can_end(self) -> list[bool]:
        """Of each node, whether its wait can end: some way leads to a move during which it does."""
        back: list[list[int]] = [[] for _ in self.places]
        free = [False] * len(self.places)
        queue: deque[int] = deque()
        for node, edges in enumerate(self.edges):
            for edge in edges:
                back[edge.target].append(node)
            if len(edges) < len(self.graph.edges[self.places[node][0]]) or not edges:
                # A state without moves is a deadlock of its own, told where it was found.
                free[node] = True
                queue.append(node)
        while queue:
            for node in back[queue.popleft()]:
                if not free[node]:
                    free[node] = True
                    queue.append(node)
        return free

    def _finding(self, kind: Kind, node: int, circle: tuple[Move, ...], pool: int) -> Finding:
        state, session = self.places[node]
        return Finding(kind, self.graph.path(state), circle, pool, None, (session,))
