"""Taking a machine back to a state where it was.

The closures of a machine are bound to its pools and stages, so these stay; what changes hangs from them and from the
machine: sessions, holds, jobs, entries, the agenda.  `capture` hands this graph over without copying, `restore` puts a
copy of it in its place.  A captured graph is never changed: whoever wants the machine to go on restores first.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict, deque
from collections.abc import Callable
from operator import attrgetter
from types import MethodType
from typing import Any

from serq_interpreter.machine.actors import Actor, HoldFrame, Lease
from serq_interpreter.machine.claims import ClaimState
from serq_interpreter.machine.engine import Machine
from serq_interpreter.machine.kinship import Group, Kin
from serq_interpreter.machine.pools import Allocation, Entry, Grower, PoolState, Waiting
from serq_interpreter.machine.stages.base import Estimator, Job, StageState
from serq_interpreter.machine.stages.flows import Flow
from serq_interpreter.machine.stages.step import StepJob
from serq_interpreter.machine.trees import SessionTree

_MACHINE = (
    "now", "seconds", "agenda", "n_scheduled", "ready", "same_instant", "sessions", "legs", "live", "arrivals",
    "before_warmup", "replaced_at", "n_replaced", "last_end",
)  # fmt: skip
_POOL = ("allocations", "cached", "entries", "excess", "growers", "live", "places", "queue", "used")
_STAGE = ("changed", "estimator", "n_jobs", "present")
_STAGE_OF_KIND = (
    "batch", "heap", "in_service", "jobs", "last", "last_attempt_empty", "line", "n_decodes", "n_prefills",
    "others", "rate", "residents", "running", "served", "together", "version", "virtual",
)  # fmt: skip
"""Of the kinds of stages; each has some of them."""
_TREES = ("live", "n_planted")
_FLOWS = ("changed", "due", "last", "n_started", "present", "version")
_NUMBERS = frozenset(
    (
        "now", "seconds", "n_scheduled", "same_instant", "arrivals", "replaced_at", "n_replaced", "last_end", "cached",
        "excess", "used", "changed", "n_jobs", "last", "last_attempt_empty", "n_decodes", "n_prefills", "rate", "running",
        "served", "together", "version", "virtual", "n_planted", "n_started",
    )
)  # fmt: skip
"""Fields of owners that need no copying.  (`present` and `live` are numbers of some and tables of others.)"""

Owner = Machine | PoolState | StageState | Any
Snapshot = tuple[tuple[tuple[Any, ...], ...], tuple[float, ...], tuple[Any, ...]]
"""Fields of each owner, registers, claims and counters."""


class Snapshots:
    """Captures and restores one machine at rest."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        owners: list[tuple[Owner, tuple[str, ...]]] = [(machine, _MACHINE), (machine.flows, _FLOWS)]
        owners += [(pool, _POOL) for pool in machine.pools]
        if machine.trees is not None:
            owners.append((machine.trees, _TREES))
        for stage in machine.stages:
            kind = tuple(name for name in _STAGE_OF_KIND if hasattr(stage, name))
            owners.append((stage, _STAGE + kind))
        self.owners = [(owner, attrgetter(*names), _owner_putter(names)) for owner, names in owners]

    def capture(self) -> Snapshot:
        """The state, handed over: the machine must be restored before it goes on."""
        machine = self.machine
        fields = tuple([get(owner) for owner, get, _ in self.owners])
        return fields, tuple(machine.registers), self._counters()

    def _counters(self) -> tuple[Any, ...]:
        machine = self.machine
        outside = tuple([claim.outside for claim in machine.claims])
        return (
            outside,
            machine.growth.n_preempted,
            machine.admission.n_joined,
            machine.admission.n_admitted,
            machine.caching.n_releases,
            machine.lifecycle.n_spawned,
        )

    def restore(self, snapshot: Snapshot) -> dict[Any, Any]:
        """Put a copy of the state in place; returns which object each captured object became."""
        machine = self.machine
        copier = Copier()
        copy = copier.copy
        for (owner, _, put), values in zip(self.owners, snapshot[0], strict=True):
            put(owner, values, copy)
        machine.registers[:] = snapshot[1]
        outside, preempted, joined, admitted, releases, spawned = snapshot[2]
        for claim, session in zip(machine.claims, outside, strict=True):
            _reset(claim, session)
        machine.growth.n_preempted = preempted
        machine.admission.n_joined = joined
        machine.admission.n_admitted = admitted
        machine.caching.n_releases = releases
        machine.lifecycle.n_spawned = spawned
        self._clear_traces_of_an_error()
        return copier.copies

    def _clear_traces_of_an_error(self) -> None:
        """A move that failed may have left something half done."""
        machine = self.machine
        machine.plan = None
        machine.caching.spill_depth = 0
        for stage in machine.stages:
            if stage.is_step:
                stage.plan = None  # type: ignore[attr-defined]
                stage.reading_header_with = None  # type: ignore[attr-defined]


def _reset(claim: ClaimState, outside: int | None) -> None:
    claim.outside = outside
    claim.failures = 0
    claim.first = None


# --------------------------------------------------------------------------- copying

_PLAIN = frozenset((int, float, bool, str, type(None)))

_SHARED_FIELDS: dict[type, frozenset[str]] = {
    Actor: frozenset(
        (
            "admission", "counted_stuck", "has_old_place", "leg", "legs_running", "n_forks", "next_row", "pc",
            "ready_count", "ready_instant", "rows", "serial", "status", "stream", "tokens", "turns",
        )
    ),
    HoldFrame: frozenset(("advanced", "plan")),
    Lease: frozenset(("pool", "units", "position", "advanced", "cache", "active", "expires")),
    Allocation: frozenset(("pool", "units", "need", "position", "held")),
    Waiting: frozenset(("plan", "pools", "units_at_join", "joined", "number", "front")),
    Grower: frozenset(("units", "missing")),
    Job: frozenset(("stage", "work", "joined", "started", "number", "gone", "tag")),
    StepJob: frozenset(
        (
            "stage", "work", "joined", "started", "number", "gone", "tag",
            "decoding", "growing", "remaining", "stalled", "state",
        )
    ),
    Flow: frozenset(("stage", "work", "joined", "started", "number", "gone", "tag", "rate", "remaining", "stages")),
    Kin: frozenset(("depth", "inherits", "joining")),
    Group: frozenset(("number", "total")),
    SessionTree: frozenset(("root", "arrived", "sessions", "live", "ended", "depth")),
    Estimator: frozenset(("completions", "previous", "service", "waiting", "gap")),
}  # fmt: skip
"""Fields that hold numbers, or objects that stay: the copy has the same.  All others are copied.

An actor's `tokens` are only measured with, and nothing is measured here."""


def _slots_of(kind: type) -> tuple[str, ...]:
    return tuple(name for base in kind.__mro__ for name in getattr(base, "__slots__", ()))


def _straight_code(name: str, arguments: str, lines: list[str]) -> Any:
    """A function made of these lines: most of a search is spent here, and a loop over names takes thrice as long."""
    scope: dict[str, Any] = {}
    exec(f"def {name}({arguments}):\n" + "\n".join(f"    {line}" for line in lines), scope)
    return scope[name]


def _owner_putter(names: tuple[str, ...]) -> Callable[[Any, tuple[Any, ...], Callable[[Any], Any]], None]:
    """`put(owner, values, copy)` for the fields of an owner."""
    lines = [
        f"owner.{name} = values[{number}]" if name in _NUMBERS else f"owner.{name} = copy(values[{number}])"
        for number, name in enumerate(names)
    ]
    made: Callable[[Any, tuple[Any, ...], Callable[[Any], Any]], None] = _straight_code(
        "put", "owner, values, copy", lines
    )
    return made


def _field_copier(kind: type) -> Callable[[Any, Any, Callable[[Any], Any]], None]:
    """`copy_fields(old, new, copy)` for a class of moving objects."""
    shared = _SHARED_FIELDS[kind]
    lines = [
        f"new.{name} = old.{name}" if name in shared else f"new.{name} = copy(old.{name})" for name in _slots_of(kind)
    ]
    made: Callable[[Any, Any, Callable[[Any], Any]], None] = _straight_code("copy_fields", "old, new, copy", lines)
    return made


_COPIERS = {kind: _field_copier(kind) for kind in _SHARED_FIELDS}


class Copier:
    """Copies a graph of moving objects once each; what is not moving is shared."""

    __slots__ = ("_of_type", "copies")

    def __init__(self) -> None:
        self.copies: dict[Any, Any] = {}
        self._of_type: dict[type, Callable[[Any], Any]] = {
            list: self._list,
            tuple: self._tuple,
            dict: self._dict,
            deque: self._deque,
            OrderedDict: self._ordered,
            array: array.__copy__,
            MethodType: self._method,
            Entry: self._entry,
        }

    def copy(self, value: Any) -> Any:
        kind = type(value)
        if kind in _PLAIN:
            return value
        copy_fields = _COPIERS.get(kind)
        if copy_fields is not None:
            made = self.copies.get(value)
            if made is None:
                made = self.copies[value] = object.__new__(kind)
                copy_fields(value, made, self.copy)
            return made
        rule = self._of_type.get(kind)
        return value if rule is None else rule(value)

    def _entry(self, value: Entry) -> Entry:
        """An entry's attributes may be the owner's own vector, or its snapshot: they stay the same object."""
        known: Entry | None = self.copies.get(value)
        if known is not None:
            return known
        made = self.copies[value] = Entry.__new__(Entry)
        made.owner, made.root = self.copy(value.owner), self.copy(value.root)
        made.size, made.last, made.number = value.size, value.last, value.number
        made.origin = self.copy(value.origin)
        made.snapshot = value.snapshot.copy()
        if value.attrs is value.snapshot:
            made.attrs = made.snapshot
        elif value.owner is not None and value.attrs is value.owner.attrs:
            assert made.owner is not None
            made.attrs = made.owner.attrs
        else:
            made.attrs = value.attrs.copy()
        return made

    def _list(self, value: list[Any]) -> list[Any]:
        if not value or type(value[0]) is float:
            return value.copy()
        return [self.copy(item) for item in value]

    def _tuple(self, value: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple([self.copy(item) for item in value])

    def _dict(self, value: dict[Any, Any]) -> dict[Any, Any]:
        return {self.copy(key): self.copy(item) for key, item in value.items()} if value else {}

    def _deque(self, value: deque[Any]) -> deque[Any]:
        return deque([self.copy(item) for item in value])

    def _ordered(self, value: OrderedDict[Any, Any]) -> OrderedDict[Any, Any]:
        return OrderedDict([(key, self.copy(item)) for key, item in value.items()])

    def _method(self, value: MethodType) -> Any:
        """A bound method of a moving object is bound to its copy: a leg's stream."""
        bound = self.copy(value.__self__)
        return value if bound is value.__self__ else MethodType(value.__func__, bound)
