"""Statistics per session tree: an arrival and everything that descends from it by `spawn` (edition v4b).

A tree ends with its last session.  Like a sample, a tree counts when it ends after the warm-up.  What the trees hold
adds up to the run's totals: every session belongs to one tree, every sample to the tree of its session.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from serq_interpreter.machine.statistics import cv2, interval, mean_and_m2, percentile

if TYPE_CHECKING:
    from serq_interpreter.machine.actors import Actor


class SessionTree:
    """One tree while it lives.  Times are clock units; `counts` and `totals` are per observation."""

    __slots__ = ("arrived", "counts", "depth", "ended", "live", "root", "sessions", "totals")

    def __init__(self, root: int, arrived: float, n_observations: int) -> None:
        self.root = root
        self.arrived = arrived
        self.sessions = 1
        self.live = 1
        self.ended = 0
        self.depth = 0
        self.counts = [0] * n_observations
        self.totals = [0.0] * n_observations

    def grow(self, depth: int) -> None:
        """A session of this depth is born into the tree."""
        self.sessions += 1
        self.live += 1
        self.depth = max(self.depth, depth)


class Trees:
    """All trees of a run: the live ones, and packed arrays of those that have ended."""

    def __init__(self, n_observations: int) -> None:
        self.n_observations = n_observations
        self.live: dict[SessionTree, None] = {}
        self.n_planted = 0
        self.roots: array[int] = array("Q")
        self.sessions: array[float] = array("d")
        self.depths: array[float] = array("d")
        self.spans: array[float] = array("d")
        self.counts: list[array[float]] = [array("d") for _ in range(n_observations)]
        self.totals: list[array[float]] = [array("d") for _ in range(n_observations)]
        self.n_done = 0
        """Sessions of ended trees, and per observation their samples."""
        self.n_sampled = [0] * n_observations
        self.n_before = 0
        """Sessions of trees that ended before the warm-up did."""
        self.n_measured = 0
        """Sessions of ended trees that ended after the warm-up."""
        self.late = [0] * n_observations
        """Samples of legs that outlived their tree, which only a refused session leaves behind."""

    # ------------------------------------------------------------------ what happens

    def plant(self, serial: int, now: float) -> SessionTree:
        """A tree begins with a session that has come from the workload."""
        tree = SessionTree(serial, now, self.n_observations)
        self.live[tree] = None
        self.n_planted += 1
        return tree

    def observe(self, index: int, value: float, actor: Actor) -> None:
        """A measured sample of a session, or of a leg of one."""
        kin = actor.root.kin
        assert kin is not None
        if kin.tree.live:
            kin.tree.counts[index] += 1
            kin.tree.totals[index] += value
        else:
            self.late[index] += 1

    def end(self, tree: SessionTree, now: float, measuring: bool) -> None:
        """A session has ended; the last one ends the tree."""
        tree.live -= 1
        tree.ended += measuring
        if tree.live:
            return
        del self.live[tree]
        self.n_done += tree.sessions
        for number, count in enumerate(tree.counts):
            self.n_sampled[number] += count
        if not measuring:
            self.n_before += tree.sessions
            return
        self.n_measured += tree.ended
        self.roots.append(tree.root)
        self.sessions.append(float(tree.sessions))
        self.depths.append(float(tree.depth))
        self.spans.append(now - tree.arrived)
        for number in range(self.n_observations):
            self.counts[number].append(float(tree.counts[number]))
            self.totals[number].append(tree.totals[number])

    # ------------------------------------------------------------------ what came of it

    @property
    def n_sessions(self) -> int:
        """Sessions of all trees: the run's `arrivals`."""
        return self.n_done + sum(tree.sessions for tree in self.live)

    @property
    def n_live(self) -> int:
        """Live sessions of all trees: the run's live sessions."""
        return sum(tree.live for tree in self.live)

    @property
    def n_ended(self) -> int:
        """Sessions of all trees that ended after the warm-up: the run's `ended`."""
        return self.n_measured + sum(tree.ended for tree in self.live)

    def n_samples(self, observation: int) -> int:
        """Samples of all trees: the `count` of the observation."""
        live = sum(tree.counts[observation] for tree in self.live)
        return self.n_sampled[observation] + self.late[observation] + live

    def rows(self) -> Iterator[tuple[float, ...]]:
        """Each tree that ended after the warm-up, in order of its end: the serial of its root, its sessions, depth and
        span (clock units), then count and total of its samples for each observation."""
        for number, root in enumerate(self.roots):
            of_observations = [values[number] for pair in zip(self.counts, self.totals, strict=True) for values in pair]
            yield (float(root), self.sessions[number], self.depths[number], self.spans[number], *of_observations)

    def report(self, observations: tuple[str, ...]) -> dict[str, Any]:
        """The entry `trees` of the report."""
        return {
            "arrivals": self.n_planted,
            "ended": len(self.roots),
            "live": len(self.live),
            "sessions": _summary(self.sessions),
            "depth": _summary(self.depths) | {"max": max(self.depths, default=0.0)},
            "span": _summary(self.spans),
            "observes": {
                name: {"count": _summary(self.counts[number]), "total": _summary(self.totals[number])}
                for number, name in enumerate(observations)
            },
        }


def _summary(values: array[float]) -> dict[str, Any]:
    """Mean, half-width, squared coefficient of variation and 99th percentile over the trees (07 §4)."""
    if not values:
        nan, inf = float("nan"), float("inf")
        return {"mean": nan, "ci": inf, "cv2": nan, "p99": nan}
    mean, m2 = mean_and_m2(values)
    return {"mean": mean, "ci": interval(values), "cv2": cv2(len(values), mean, m2), "p99": percentile(values, 0.99)}
