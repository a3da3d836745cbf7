"""What `serq-lsp explore` does with its options: search or replay, shrink, write, tell."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from serq_interpreter.explore.findings import Finding, Kind
from serq_interpreter.explore.instance import UnknownPool, small
from serq_interpreter.explore.replay import moves_of
from serq_interpreter.explore.search import ALL_KINDS, Exploration, Limits, explore
from serq_interpreter.explore.shrink import Shrunk, Size, shrink
from serq_interpreter.explore.subject import Instance, Reduction
from serq_interpreter.explore.trace import Trace, trace_of
from serq_interpreter.explore.workload import Unscripted, scripted
from serq_interpreter.frontend.analysis import Analysis, Options, analyse
from serq_interpreter.ir.json import write_program
from serq_interpreter.ir.program import Program
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.expression_text import member_text
from serq_lsp.cli.formats.explored import json_text, text
from serq_lsp.cli.loading import Loaded
from serq_lsp.services.exploration import Telling


@dataclass(frozen=True, slots=True)
class Outcome:
    """The text to print, whether something was found, and whether every state was seen."""

    text: str
    found: bool
    complete: bool


def carry_out(loaded: Loaded, given: dict[str, Any]) -> Outcome:
    """Explore a program.  Raises `click.ClickException` for what cannot be done (exit code 2)."""
    try:
        instance = _instance(loaded.program, Size(given["sessions"], dict(given["caps"])), loaded, given)
        if given["replay"]:
            return _replayed(loaded, instance, given)
        exploration = explore(instance, _limits(given), kinds=_kinds(given), every=given["every"])
    except UnknownPool as problem:
        raise click.BadParameter(str(problem), param_hint="--cap") from problem
    except RunError as problem:
        raise click.ClickException(f"{loaded.file}: {problem.message}") from problem
    shrunk = None
    if given["shrink"] and exploration.findings:
        shrunk = _shrink(loaded, exploration, given)
        loaded, exploration = _at_size(loaded, shrunk, given), shrunk.exploration
    return _told(loaded, exploration, shrunk, given)


def _limits(given: dict[str, Any]) -> Limits:
    return Limits(given["states"], given["depth"], given["seconds"])


def _kinds(given: dict[str, Any]) -> frozenset[Kind]:
    return frozenset(Kind(name) for name in given["kinds"]) or ALL_KINDS


def _instance(program: Program, size: Size, loaded: Loaded, given: dict[str, Any]) -> Instance:
    cut, arrivals = small(program, size.sessions, given["arrive"], size.caps)
    if given["replace"] and arrivals == "law":
        raise click.UsageError("--replace needs sessions that come at any time: --arrive any")
    return Instance(
        program=cut,
        sessions=size.sessions,
        arrivals=arrivals,
        replace=given["replace"],
        values=given["values"],
        support=given["support"],
        semantics=given["semantics"],
        directory=Path(loaded.file).parent,
        reduction=Reduction() if given["reduction"] else Reduction.none(),
    )


# --------------------------------------------------------------------------- shrinking


def _shrink(loaded: Loaded, exploration: Exploration, given: dict[str, Any]) -> Shrunk:
    constants = _constants(loaded, given)
    caps = {
        member_text(pool): pool.cap
        for pool in exploration.instance.program.pools
        if not constants or member_text(pool) in dict(given["caps"])
    }
    start = Size(given["sessions"], caps, constants)

    def instance_of(size: Size) -> Instance | None:
        found = _compiled(loaded, size, given)
        return None if found is None else _instance(found.program, size, loaded, given)

    return shrink(start, instance_of, exploration, _limits(given), given["seconds"])


def _constants(loaded: Loaded, given: dict[str, Any]) -> dict[str, float]:
    """The program's own constants with their present values; none of an IR file."""
    if not isinstance(loaded.analysis, Analysis):
        return {}
    constants = loaded.analysis.elaborated.constants
    return {name: value for name, value in constants.items() if value is not None and value > 1.0}


def _compiled(loaded: Loaded, size: Size, given: dict[str, Any]) -> Loaded | None:
    """The program with a size's constants; `None` where it has errors then."""
    if not isinstance(loaded.analysis, Analysis) or not size.constants:
        return loaded
    sets = given["sets"] | {name: f"{value:.17g}" for name, value in size.constants.items()}
    analysis = analyse(loaded.text, loaded.file, options=Options(sets=sets, defs=given["defs"]))
    lowered = analysis.lowered
    return (
        None
        if lowered is None
        else replace(loaded, program=lowered.program, origins=lowered.origins, analysis=analysis)
    )


def _at_size(loaded: Loaded, shrunk: Shrunk, given: dict[str, Any]) -> Loaded:
    return _compiled(loaded, shrunk.size, given) or loaded


# --------------------------------------------------------------------------- telling


def _told(loaded: Loaded, exploration: Exploration, shrunk: Shrunk | None, given: dict[str, Any]) -> Outcome:
    instance = exploration.instance
    tellings = [
        Telling(loaded.analysis, instance.program, trace_of(instance, finding)) for finding in exploration.findings
    ]
    note = None
    if given["output"] and exploration.findings:
        note = _write(given["output"], instance, exploration.findings[0])
    render = json_text if given["form"] == "json" else text
    shown = render(loaded.file, loaded.analysis.texts, exploration, tellings, shrunk)
    return Outcome(
        shown + (f"{note}\n" if note and given["form"] == "text" else ""), bool(tellings), exploration.complete
    )


def _write(path: str, instance: Instance, finding: Finding) -> str:
    try:
        program = scripted(instance, (*finding.path, *finding.again))
    except Unscripted as reason:
        click.echo(f"{path}: not written: {reason}; `--format json` keeps the way, `--replay` walks it", err=True)
        return ""
    try:
        Path(path).write_text(write_program(program) + "\n", encoding="utf-8")
    except OSError as problem:
        raise click.ClickException(f"{path}: {problem.strerror or problem}") from problem
    return f"written to {path}: `serq-lsp run {path}` goes this way"


def _replayed(loaded: Loaded, instance: Instance, given: dict[str, Any]) -> Outcome:
    """The way of a file written by `--format json`, walked again."""
    finding, key = _read_way(given["replay"])
    try:
        trace = trace_of(instance, finding)
    except IndexError as problem:
        raise click.ClickException(
            f"{given['replay']}: the way does not belong to this program or instance"
        ) from problem
    if key != _key_text(trace):
        raise click.ClickException(
            f"{given['replay']}: the way ends in another state: the program or instance is another"
        )
    exploration = Exploration(instance, findings=[finding], stopped="replayed")
    return _told(loaded, exploration, None, given)


def _read_way(path: str) -> tuple[Finding, str | None]:
    try:
        value = json.loads(Path(path).read_text(encoding="utf-8"))
        first = value["findings"][0]
        subject = first["subject"]
        finding = Finding(Kind(first["kind"]), moves_of(first["path"]), moves_of(first["again"]), subject)
        return finding, first["state"]
    except OSError as problem:
        raise click.ClickException(f"{path}: {problem.strerror or problem}") from problem
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as problem:
        raise click.ClickException(f"{path}: not a way that `serq-lsp explore --format json` wrote") from problem


def _key_text(trace: Trace) -> str | None:
    return None if trace.key is None else trace.key.hex()
