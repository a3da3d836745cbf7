"""A finding as a program of its own: the same deployment under scripted sessions that lead the machine into it.

Every draw of the way becomes a number, every arrival a time: sessions are listed with their attributes and the values
of their turns (`Sessions`, 08 §6), and wait in a `delay` of the script until they arrive.  What a script cannot say is
refused (`Unscripted`): an order at one instant that is not the machine's own, a place that drew differently within one
turn of a session, a closed population whose members differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from serq_interpreter.explore.oracle import Drawn
from serq_interpreter.explore.subject import Instance, Move, Subject
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.machine.actors import Actor
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.static_facts import draws, nodes

_BUILTIN = len(ir.BUILTIN_ATTRIBUTES)
_ROW = (ir.SLOT_NEW, ir.SLOT_OUT, ir.SLOT_THINK, ir.SLOT_FORCED)


class Unscripted(Exception):
    """The way cannot be written as a workload; the text says why."""


@dataclass(slots=True)
class _Script:
    """What one session did."""

    arrives: float
    attrs: list[float]
    turns: list[list[float]] = field(default_factory=list)
    more: bool = False


@dataclass(slots=True)
class _Recording:
    scripts: list[_Script] = field(default_factory=list)
    drawn: list[tuple[Drawn, int]] = field(default_factory=list)
    """Draws with the turn of their session."""
    end: float = 0.0


def scripted(instance: Instance, path: Sequence[Move]) -> ir.Program:
    """A program whose ordinary run goes this way.  Raises `Unscripted`."""
    if instance.program.spawning is not None:
        raise Unscripted("sessions that other sessions spawn have no script")
    for move in path:
        if move.kind == "settle":
            raise Unscripted("an event of the outside world has to let the system settle")
        if move.kind == "event" and move.index:
            raise Unscripted("events of one instant come in an order that is not the machine's own")
    recording = _record(instance, path)
    with deep_recursion():
        return _program(instance.program, recording)


# --------------------------------------------------------------------------- recording


def _record(instance: Instance, path: Sequence[Move]) -> _Recording:
    subject = Subject(instance)
    machine, lifecycle = subject.machine, subject.machine.lifecycle
    recording = _Recording()
    create, turn = lifecycle.create_session, lifecycle.turn

    def on_create() -> Actor:
        number = len(recording.scripts)
        recording.scripts.append(_Script(machine.seconds, []))
        actor = create()
        recording.scripts[number].attrs = actor.attrs.copy()
        return actor

    def on_turn(actor: Actor) -> None:
        turn(actor)
        script = recording.scripts[actor.serial]
        script.turns.append(actor.attrs.copy())
        script.more = actor.attrs[ir.SLOT_MORE] == 1.0

    lifecycle.create_session = on_create  # type: ignore[method-assign]
    lifecycle.turn = on_turn  # type: ignore[method-assign]
    for move in path:
        turns = _turns(machine.sessions)
        # The way may end with an error: then it is what the finding is about.
        with suppress(RunError):
            subject.perform(move)
        turns |= _turns(machine.sessions)
        for drawn in subject.oracle.drawn:
            serial = drawn.source.serial
            recording.drawn.append((drawn, 0 if serial is None else turns.get(serial, 0)))
    recording.end = machine.seconds
    return recording


def _turns(sessions: Mapping[Actor, None]) -> dict[int, int]:
    return {actor.serial: actor.turns for actor in sessions}


# --------------------------------------------------------------------------- the program


def _program(program: ir.Program, recording: _Recording) -> ir.Program:
    slots = len(program.attrs)
    values = _values(recording)
    numbers: dict[ir.Sample, ir.Expr] = {}
    names: list[str] = []
    columns: list[dict[int, float]] = []
    blocks = _samples_of_blocks(program)
    for sample, drawn in values.items():
        if sample in blocks:
            numbers[sample] = ir.Num(next(iter(drawn.values())))
            continue
        different = set(drawn.values())
        if len(different) == 1:
            numbers[sample] = ir.Num(different.pop())
            continue
        numbers[sample] = ir.Attr(slots + len(names))
        names.append(_free_name(f"drawn_{len(names) + 1}", (*program.attrs, *names)))
        columns.append(_by_session(drawn))
    arrives = None
    if any(script.arrives > 0.0 for script in recording.scripts) and not isinstance(program.arrival, ir.Closed):
        arrives = slots + len(names)
        names.append(_free_name("arrives", (*program.attrs, *names)))
    changed = _replace_draws(program, numbers)
    return _with_script(changed, recording, names, columns, arrives)


def _values(recording: _Recording) -> dict[ir.Sample, dict[tuple[int | None, int], float]]:
    """Draw → (session, turn) → value.  Raises `Unscripted` where one turn drew two."""
    found: dict[ir.Sample, dict[tuple[int | None, int], float]] = {}
    for drawn, turn in recording.drawn:
        if drawn.sample is None:
            continue
        of_sample = found.setdefault(drawn.sample, {})
        where = (drawn.source.serial, turn)
        if of_sample.setdefault(where, drawn.value) != drawn.value:
            raise Unscripted("a place of the program draws two different values in one turn of a session")
    return found


def _by_session(drawn: dict[tuple[int | None, int], float]) -> dict[int, float]:
    found: dict[int, float] = {}
    for (serial, _), value in drawn.items():
        if serial is None:
            raise Unscripted("a policy of the machine draws different values")
        if found.setdefault(serial, value) != value:
            raise Unscripted("a place of the program draws different values in two turns of a session")
    return found


def _samples_of_blocks(program: ir.Program) -> set[ir.Sample]:
    """The draws of `init` and `turn`: what they make is scripted, not they."""
    lines = [*program.init.statements, *program.turn.statements]
    expressions = [line.value for line in lines if isinstance(line, ir.Set | ir.Observe)]
    return {node for node in nodes(expressions) if isinstance(node, ir.Sample)}


def _free_name(wanted: str, taken: Sequence[str]) -> str:
    while wanted in taken:
        wanted += "_"
    return wanted


def _with_script(
    program: ir.Program, recording: _Recording, names: list[str], columns: list[dict[int, float]], arrives: int | None
) -> ir.Program:
    slots = len(program.attrs)
    session, stages = program.session, program.stages
    if arrives is not None:
        wait = ir.Run(ir.StageRef(len(stages), 1, None), ir.RunMode.PLAIN, ir.Attr(arrives), None)
        taken = [stage.name for stage in stages] + [pool.name for pool in program.pools]
        stages = (*stages, ir.Stage(_free_name("script", taken), None, ir.Delay()))
        session = ir.Block((wait, *session.statements))
    if isinstance(program.arrival, ir.Closed):
        if any(script.attrs[_BUILTIN:] != recording.scripts[0].attrs[_BUILTIN:] for script in recording.scripts):
            raise Unscripted("the members of a closed population differ")
        return _finished(program, recording, stages=stages, session=session)
    scripts = []
    for serial, script in enumerate(recording.scripts):
        attrs = [(slot, script.attrs[slot]) for slot in range(_BUILTIN, slots)]
        attrs += [(slots + number, column.get(serial, 0.0)) for number, column in enumerate(columns)]
        if arrives is not None:
            attrs.append((arrives, script.arrives))
        scripts.append(ir.ScriptedSession(tuple(attrs), _rows(program, script)))
    return _finished(
        program,
        recording,
        stages=stages,
        session=session,
        attrs=(*program.attrs, *names),
        arrival=ir.Sessions(tuple(scripts)),
        trace=None,
        turn=_only_observations(program.turn),
    )


def _rows(program: ir.Program, script: _Script) -> tuple[tuple[tuple[int, float], ...], ...] | None:
    """The values that each turn writes, one row a turn; one more where the session has more turns to come."""
    written = {line.slot for line in program.turn.statements if isinstance(line, ir.Set)}
    if program.trace is not None or isinstance(program.arrival, ir.Sessions):
        written |= set(_ROW)
    if not written or not script.turns:
        return None
    rows = [tuple((slot, attrs[slot]) for slot in sorted(written)) for attrs in script.turns]
    if script.more:
        rows.append(rows[-1])
    return tuple(rows)


def _only_observations(block: ir.Block) -> ir.Block:
    kept = [line for line in block.statements if isinstance(line, ir.Observe) and not draws((line.value,))]
    return ir.Block(tuple(kept))


def _finished(program: ir.Program, recording: _Recording, **changed: Any) -> ir.Program:
    """A run that lasts until a little after the end of the way."""
    return replace(program, **changed, horizon=recording.end + 1.0, warmup=0.0, arrivals=None)


# --------------------------------------------------------------------------- rewriting


def _replace_draws(program: ir.Program, numbers: Mapping[ir.Sample, ir.Expr]) -> ir.Program:
    """The program with its draws replaced; a draw that was never asked for becomes its number 0.

    Run under `deep_recursion`.
    """
    made: ir.Program = _rewrite(program, numbers)
    return made


def _rewrite(node: Any, numbers: Mapping[ir.Sample, ir.Expr]) -> Any:
    if isinstance(node, ir.Sample):
        return numbers.get(node, ir.Num(0.0))
    if isinstance(node, tuple):
        items = [_rewrite(item, numbers) for item in node]
        return node if all(new is old for new, old in zip(items, node, strict=True)) else tuple(items)
    if not is_dataclass(node) or isinstance(node, type):
        return node
    changed = {}
    for item in fields(node):
        old = getattr(node, item.name)
        new = _rewrite(old, numbers)
        if new is not old:
            changed[item.name] = new
    return replace(node, **changed) if changed else node
