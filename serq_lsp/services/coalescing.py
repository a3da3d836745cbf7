"""How each engine's iterations are taken: together, or one at a time and for which expression; and what to change.

Plain data about a program without errors: `check --explain-coalescing`, hovers, hints and quick fixes show it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from serq_interpreter.analysis.licence import Licence, Refusal, licences, same_for_all
from serq_interpreter.analysis.licence_conditions import CONDITIONS, RUN_TIME_CONDITIONS
from serq_interpreter.frontend.analysis import Analysis
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.lower import Lowered
from serq_interpreter.syntax.tokens import Place
from serq_lsp.services.code_actions import Action, Edit
from serq_lsp.services.locations import Span
from serq_lsp.services.results.sites import own_span
from serq_lsp.services.run_hints import Hint
from serq_lsp.services.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class EngineLicence:
    """A step stage (a family has one for all its members) and the decision about it."""

    name: str
    kind: ir.Step
    licence: Licence


_KNOWN: WeakKeyDictionary[Analysis, tuple[EngineLicence, ...]] = WeakKeyDictionary()


def engine_licences(analysis: Analysis) -> tuple[EngineLicence, ...]:
    """The engines in order; none of a text with errors."""
    known = _KNOWN.get(analysis)
    if known is None:
        known = _KNOWN[analysis] = () if analysis.lowered is None else engines_of(analysis.lowered)
    return known


def engines_of(lowered: Lowered) -> tuple[EngineLicence, ...]:
    """The step stages of a program, the members of a family once."""
    found: dict[tuple[str, bool], EngineLicence] = {}
    for licence in licences(lowered.program):
        stage = lowered.program.stages[licence.stage]
        assert isinstance(stage.kind, ir.Step)
        found.setdefault((stage.name, licence.granted), EngineLicence(stage.name, stage.kind, licence))
    return tuple(found.values())


# --------------------------------------------------------------------------- hover


def licence_hover(snapshot: Snapshot, stage: str) -> str:
    """Markdown about the engine of that name; empty for another stage."""
    parts = []
    for engine in engine_licences(snapshot.analysis):
        if engine.name != stage:
            continue
        if engine.licence.granted:
            lines = ["**Coalesced**: iterations are taken together while"]
            lines += [f"- {condition}" for condition in RUN_TIME_CONDITIONS]
        else:
            lines = ["**One iteration at a time**:"]
            lines += [f"- {refusal.text}{_line(snapshot, refusal)}" for refusal in engine.licence.refusals]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _line(snapshot: Snapshot, refusal: Refusal) -> str:
    span = own_span(snapshot, _place(snapshot, refusal))
    return "" if span is None else f" (line {snapshot.lines.line_column(span.start)[0]})"


def _place(snapshot: Snapshot, refusal: Refusal) -> Place | None:
    lowered = snapshot.analysis.lowered
    return None if lowered is None or refusal.node is None else lowered.origins.get(refusal.node)


# --------------------------------------------------------------------------- hints


def licence_hints(snapshot: Snapshot) -> list[Hint]:
    """One hint per line that keeps an engine from taking iterations together."""
    if not (snapshot.settings["hints.enable"] and snapshot.settings["hints.coalescing"]):
        return []
    lines: dict[int, tuple[str, list[str]]] = {}
    for engine in engine_licences(snapshot.analysis):
        for refusal in engine.licence.refusals:
            span = own_span(snapshot, _place(snapshot, refusal))
            if span is not None:
                line, _ = snapshot.lines.line_column(max(span.end - 1, span.start))
                _, said = lines.setdefault(line, (f"licence:{engine.licence.stage}:{refusal.rule}", []))
                if refusal.does not in said:
                    said.append(refusal.does)
    return [
        Hint(snapshot.lines.line_end(line), f"one at a time: {', '.join(said)}", id)
        for line, (id, said) in sorted(lines.items())
    ]


def licence_explanation(id: str) -> str:
    """Why the condition that a hint names matters, in Markdown; empty for another hint."""
    condition = CONDITIONS.get(id.rpartition(":")[2]) if id.startswith("licence:") else None
    if condition is None:
        return ""
    instead = f"\n\nInstead: {condition.instead}." if condition.instead else ""
    return f"**{condition.title}.** {condition.why}{instead}"


# --------------------------------------------------------------------------- quick fixes


def licence_fixes(snapshot: Snapshot, start: int, end: int) -> list[Action]:
    """What could be written instead of an expression at the selection that costs the licence."""
    found: list[Action] = []
    for engine in engine_licences(snapshot.analysis):
        for refusal in engine.licence.refusals:
            if isinstance(refusal.node, ir.Sample):
                found += _mean_instead(snapshot, refusal.node, start, end)
        if not engine.licence.granted:
            for keys in _orders(engine.kind):
                found += _without_idle_keys(snapshot, keys, start, end)
    return found


def _touched(snapshot: Snapshot, node: object, start: int, end: int) -> Span | None:
    """Where a node stands in this very file, if that touches the selection."""
    span = _written(snapshot, node)
    return span if span is not None and span.start <= end and start <= span.end else None


def _written(snapshot: Snapshot, node: object) -> Span | None:
    lowered = snapshot.analysis.lowered
    place = None if lowered is None else lowered.origins.get(node)
    if place is None or place.via is not None:
        return None
    span = own_span(snapshot, place)
    return span if span is not None and span.file == snapshot.file else None


def _mean_instead(snapshot: Snapshot, sample: ir.Sample, start: int, end: int) -> Iterator[Action]:
    span = _touched(snapshot, sample, start, end)
    arguments = [_written(snapshot, argument) for argument in sample.args]
    if span is None or None in arguments:
        return
    texts = [snapshot.text[argument.start : argument.end] for argument in arguments if argument is not None]
    mean = _mean(sample.distribution, texts)
    if mean:
        drawn = snapshot.text[span.start : span.end]
        title = f"Use the mean `{mean}` instead of `{drawn}`: iterations are taken together, results change"
        yield Action(title, "quickfix", (Edit(span, mean),))


def _mean(distribution: str, arguments: list[str]) -> str:
    """The mean of a distribution as text (06 §3); empty where it is no simple term."""
    match distribution, arguments:
        case "Exp" | "Det" | "Bernoulli" | "H2", [first, *_]:
            return f"({first})" if any(mark in first for mark in "+-?") else first
        case "Erlang", [_, second]:
            return f"({second})" if any(mark in second for mark in "+-?") else second
        case "Uniform", [low, high]:
            return (
                f"((({low}) + ({high})) / 2)"
                if any(mark in low + high for mark in "+-*/?")
                else f"(({low} + {high}) / 2)"
            )
        case _:
            return ""


def _orders(kind: ir.Step) -> Iterator[tuple[ir.Expr, ...]]:
    yield kind.serve or ()
    for statement in kind.iteration or ():
        if isinstance(statement, ir.IterServe):
            yield statement.by or ()


def _without_idle_keys(snapshot: Snapshot, keys: tuple[ir.Expr, ...], start: int, end: int) -> Iterator[Action]:
    """A key that is the same for everybody orders nobody: the run stays what it is without it."""
    if len(keys) < 2:
        return
    for number, key in enumerate(keys):
        span = _touched(snapshot, key, start, end) if same_for_all(key) else None
        neighbour = _written(snapshot, keys[number + 1 if number == 0 else number - 1])
        if span is None or neighbour is None:
            continue
        gone = Span(span.file, *((span.start, neighbour.start) if number == 0 else (neighbour.end, span.end)))
        title = f"Remove the key `{snapshot.text[span.start : span.end]}`, which is the same for everybody"
        yield Action(title, "quickfix", (Edit(gone, ""),), preferred=True)
