"""The automaton's JSON (`automaton_json`) as pydantic models, and the JSON Schema that they export.

For readers of the format: writing it needs no pydantic, so nothing else imports this module.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from serq_interpreter.machine.automaton_json import FORMAT

StateId = Annotated[int, Field(ge=0, description="A position in `states`.")]
ScopeId = Annotated[int, Field(ge=0, description="A position in `scopes`.")]
Slot = Annotated[int, Field(ge=0, description="A position in a session's vector: attributes, then positions of runs.")]
Observation = Annotated[int, Field(ge=0, description="A position in the program's observations.")]

OPERATORS = ("Num", "Attr", "Ctx", "Sample", "Call", "Unary", "Binary", "Cond", "Agg", "Reg")


def _one_operator(schema: dict[str, Any]) -> None:
    schema["minProperties"] = schema["maxProperties"] = 1
    schema["propertyNames"] = {"enum": list(OPERATORS)}


Expression = Annotated[
    dict[str, Any], Field(description="An expression in the form of IR 11.", json_schema_extra=_one_operator)
]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Reference(_Model):
    """A pool or stage, or a member of a family: `index` within `count` members from `base` on."""

    base: int = Field(ge=0)
    count: int = Field(ge=1)
    index: Expression | None


class Position(_Model):
    """A place in a text; line and column begin at 1."""

    line: int = Field(ge=1)
    column: int = Field(ge=1)


class Origin(_Model):
    """The source text that something comes from."""

    file: str
    start: Position | None = None
    end: Position | None = None
    text: str


# --------------------------------------------------------------------------- admissions and moves


class LetStep(_Model):
    """Capture a value at the session's moment: a snapshot that the admission reads."""

    let: Slot
    snapshot: Literal[True]


class TakeStep(_Model):
    """Take units from the pool."""

    take: Reference
    units: Expression


class NeedStep(_Model):
    """Ask for room besides the units taken from the same pool."""

    need: Reference
    units: Expression


class ReuseStep(_Model):
    """Borrow the own cached prefix back, up to a bound (`null`: all of it)."""

    reuse: Expression | None


AdmissionStep = LetStep | TakeStep | NeedStep | ReuseStep


class KeepMove(_Model):
    """Up to `units` of the hold's take number `keep` stay in the cache, the rest becomes free."""

    keep: int = Field(ge=0)
    units: Expression


class FreeMove(_Model):
    """The units of the hold's take number `free` become free."""

    free: int = Field(ge=0)


class LeaseMove(_Model):
    """The units of the hold's take number `lease` stay with their owner for `time`."""

    lease: int = Field(ge=0)
    time: Expression
    then: KeepMove | FreeMove


# --------------------------------------------------------------------------- states


class _State(_Model):
    id: StateId
    scope: ScopeId
    origin: Origin | None


class _Going(_State):
    next: StateId


class PlainState(_Going):
    """Take the next turn, wait for the legs, or the head of a loop."""

    kind: Literal["turn", "join", "goto"]


class EndState(_State):
    """The session or the leg ends; every enclosing scope is closed, the innermost first."""

    kind: Literal["end"]


class SetState(_Going):
    kind: Literal["set"]
    slot: Slot
    value: Expression


class ObserveState(_Going):
    kind: Literal["observe"]
    observation: Observation
    value: Expression


class AcquireState(_Going):
    """Wait to be admitted; `next` is inside the scope `opens`."""

    kind: Literal["acquire"]
    opens: ScopeId
    admission: tuple[AdmissionStep, ...]


class ExitState(_Going):
    """Close a hold's scope: its moves in the order of its pools."""

    kind: Literal["exit"]
    closes: ScopeId
    moves: tuple[KeepMove | FreeMove | LeaseMove, ...]


class RunState(_Going):
    """Work at a stage (several for a transfer); `position` counts the tokens that an engine gave it."""

    kind: Literal["run"]
    stages: tuple[Reference, ...] = Field(min_length=1)
    mode: Literal["plain", "prefill", "decode"]
    work: Expression
    position: Slot
    growing: Reference | None = None


class UnitsState(_Going):
    kind: Literal["grow", "load"]
    pool: Reference
    units: Expression


class PoolState(_Going):
    kind: Literal["drop", "release"]
    pool: Reference


class BranchState(_Going):
    """`next` when the guard is 1, `otherwise` when it is 0."""

    kind: Literal["branch"]
    guard: Expression
    otherwise: StateId


class ChooseState(_Going):
    kind: Literal["choose"]
    slot: Slot
    count: Expression
    keys: tuple[Expression, ...]


class ForkState(_Going):
    """Start a leg at `leg` and go on at `next`."""

    kind: Literal["fork"]
    leg: StateId


class SetLine(_Model):
    kind: Literal["set"]
    slot: Slot
    value: Expression


class SpawnState(_Going):
    """Create `count` children in `group`, each with the values of `sets` (edition v4b)."""

    kind: Literal["spawn"]
    count: Expression
    group: int = Field(ge=0)
    inherit: Reference | None
    sets: tuple[SetLine, ...]


class JoinGroupState(_Going):
    """Wait until every child of `group` has ended (edition v4b)."""

    kind: Literal["joingroup"]
    group: int = Field(ge=0)


State = Annotated[
    PlainState
    | EndState
    | SetState
    | ObserveState
    | AcquireState
    | ExitState
    | RunState
    | UnitsState
    | PoolState
    | BranchState
    | ChooseState
    | ForkState
    | SpawnState
    | JoinGroupState,
    Field(discriminator="kind"),
]


class ObserveLine(_Model):
    kind: Literal["observe"]
    observation: Observation
    value: Expression


Line = Annotated[SetLine | ObserveLine, Field(discriminator="kind")]


class Scope(_Model):
    """What is open at a state; a preemption resumes at `reentry`."""

    id: ScopeId
    kind: Literal["session", "leg", "hold"]
    parent: ScopeId | None
    reentry: StateId
    open_holds: tuple[ScopeId, ...]
    origin: Origin | None


class AutomatonDocument(_Model):
    """A session automaton: `serq-lsp ir --format automaton`."""

    format: Literal[1]
    attrs: tuple[str, ...]
    positions: int = Field(ge=0, description="Slots after the attributes, one per run.")
    entry: StateId
    init: tuple[Line, ...]
    turn: tuple[Line, ...]
    states: tuple[State, ...]
    scopes: tuple[Scope, ...]

    @model_validator(mode="after")
    def _numbers_refer_to_something(self) -> AutomatonDocument:
        n_states, n_scopes = len(self.states), len(self.scopes)
        if [state.id for state in self.states] != list(range(n_states)):
            raise ValueError("states are numbered from 0 in their order")
        if [scope.id for scope in self.scopes] != list(range(n_scopes)):
            raise ValueError("scopes are numbered from 0 in their order")
        for name, number, end in self._references():
            if number >= end:
                raise ValueError(f"`{name}` refers to {number}, which is not there")
        return self

    def _references(self) -> list[tuple[str, int, int]]:
        """Name, number and first number that would be wrong, of everything that refers to a state or scope."""
        n_states, n_scopes = len(self.states), len(self.scopes)
        found = [("entry", self.entry, n_states)]
        for state in self.states:
            found.append(("scope", state.scope, n_scopes))
            for name, end in (
                ("next", n_states),
                ("otherwise", n_states),
                ("leg", n_states),
                ("opens", n_scopes),
                ("closes", n_scopes),
            ):
                number = getattr(state, name, None)
                if number is not None:
                    found.append((name, number, end))
        for scope in self.scopes:
            found.append(("reentry", scope.reentry, n_states))
            found += [("open_holds", number, n_scopes) for number in scope.open_holds]
            if scope.parent is not None:
                found.append(("parent", scope.parent, n_scopes))
        return found


def automaton_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the automaton's JSON."""
    schema = AutomatonDocument.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"serQ session automaton, format {FORMAT}",
        **{key: value for key, value in schema.items() if key != "title"},
    }
