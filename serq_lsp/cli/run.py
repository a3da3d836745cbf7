"""`serq-lsp run`: simulate a program and print its report."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from serq_lsp.cli import exit_codes
from serq_lsp.cli.options import Whole, overrides, run_settings

if TYPE_CHECKING:
    from serq_lsp.cli.simulation.result import Result, RunOptions
    from serq_lsp.cli.simulation.source import Source


class Percentage(click.ParamType):  # type: ignore[type-arg]
    """`5%` or `0.05`."""

    name = "PERCENT"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        text = str(value).strip()
        try:
            share = float(text[:-1]) / 100.0 if text.endswith("%") else float(text)
        except ValueError:
            self.fail(f"{value!r} is neither a percentage such as 5% nor a share such as 0.05", param, ctx)
        if not 0.0 < share < 10.0:
            self.fail(f"{value} is neither a percentage such as 5% (up to 1000%) nor a share such as 0.05", param, ctx)
        return share


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--dump", metavar="DIR", help="Write samples and gauge changes as CSV files into DIR.")
@click.option("--events", metavar="FILE", help="Write what happened and why, one JSON object per line.")
@click.option(
    "--events-of",
    metavar="KIND=NAME",
    multiple=True,
    help="Only events of session=3, pool=kv or stage=gpu; repeatable.",
)
@click.option("--replications", type=Whole(1, 10_000), help="Run with that many seeds; report means over the runs.")
@click.option("--until-ci", type=Percentage(), help="Replicate until every interval is within this share of its mean.")
@click.option("--metric", "metrics", multiple=True, help="A number of the report, such as wait.mean; repeatable.")
@click.option("--jobs", type=Whole(1, 1024), help="Processes for replications.  [default: one per CPU]")
@click.option("--engine", type=click.Choice(["builtin", "pyserq"]), default="builtin", show_default=True)
@click.option("--clock", type=click.Choice(["exact", "f64"]), default="exact", show_default=True)
@click.option("--tick", metavar="SECONDS", help="The exact clock's unit, such as 1e-9 or 1/48.")
@click.option("--semantics", type=click.Choice(["edition", "pure"]), default="edition", show_default=True)
@click.option("--check-invariants", is_flag=True, help="Check the pools' laws after every event.")
@click.option("--coalesce/--no-coalesce", default=True, help="Take iterations that repeat together; same results.")
@click.option("--progress/--no-progress", default=None, help="Show a progress bar.  [default: on a terminal]")
@overrides
@run_settings
def command(**given: Any) -> int:
    """Simulate FILE (`.sq`, IR `.json`, or `-`) and print its report.

    Exit codes: 0 done, 1 the program or its run has an error, 2 usage, unreadable input or unwritable output,
    3 internal error, 130 interrupted (what was measured so far is printed, marked partial).
    """
    from serq_lsp.cli.simulation.result import RunOptions
    from serq_lsp.cli.simulation.source import read_source

    given["form"] = "json" if given["as_json"] else given["form"]
    _refuse_contradictions(given)
    source = read_source(given["file"], given)
    options = RunOptions(
        clock=given["clock"],
        tick=given["tick"],
        semantics=given["semantics"],
        check_invariants=given["check_invariants"],
        engine=given["engine"],
        coalesce=given["coalesce"],
    )
    if given["replications"] is not None or given["until_ci"] is not None:
        return _replicate(source, options, given)
    if options.engine == "pyserq":
        return _run_reference(source, given)
    return _run_once(source, options, given)


def _refuse_contradictions(given: dict[str, Any]) -> None:
    """Usage errors that click cannot see."""
    many = given["replications"] is not None or given["until_ci"] is not None
    if many and (given["dump"] or given["events"]):
        raise click.UsageError("--dump and --events belong to a single run, not to replications")
    if given["events_of"] and not given["events"]:
        raise click.UsageError("--events-of selects from --events FILE, which is missing")
    if given["engine"] == "pyserq":
        for name in ("dump", "events", "check_invariants", "tick"):
            if given[name]:
                raise click.UsageError(f"--{name.replace('_', '-')} belongs to the built-in engine")
    if given["tick"] and given["clock"] == "f64":
        raise click.UsageError("--tick is the unit of the exact clock; the f64 clock has none")
    if given["tick"]:
        from serq_interpreter.machine.exact_clock import parse_tick

        try:
            parse_tick(given["tick"])
        except ValueError as error:
            raise click.UsageError(f"--tick: {error}") from error


# --------------------------------------------------------------------------- one run


def _run_once(source: Source, options: RunOptions, given: dict[str, Any]) -> int:
    from serq_lsp.cli.simulation.builtin_engine import RunFiles, run_interactively

    files = RunFiles(dump=given["dump"], events=given["events"], events_of=given["events_of"])
    result, interrupted = run_interactively(source, options, files, progress=given["progress"])
    _print(result, given["form"])
    if interrupted:
        return exit_codes.INTERRUPTED
    return exit_codes.FINDINGS if result.error is not None else exit_codes.OK


def _run_reference(source: Source, given: dict[str, Any]) -> int:
    from serq_lsp.cli.simulation.pyserq_engine import run_with_reference

    result = run_with_reference(source, None)
    _print(result, given["form"])
    return exit_codes.FINDINGS if result.error is not None else exit_codes.OK


def _print(result: Result, form: str) -> None:
    from serq_lsp.cli.simulation.render import result_json, result_text

    if result.error is not None:
        click.echo(result.error, err=True)
    if result.report is not None:
        click.echo(result_json(result) if form == "json" else result_text(result), nl=False)


# --------------------------------------------------------------------------- replications


def _replicate(source: Source, options: RunOptions, given: dict[str, Any]) -> int:
    from serq_lsp.cli.simulation.render import replications_json, replications_text
    from serq_lsp.cli.simulation.replications import Plan, replicate

    plan = Plan(
        replications=given["replications"],
        until_ci=given["until_ci"],
        metrics=given["metrics"],
        jobs=given["jobs"] or os.cpu_count() or 1,
        progress=given["progress"],
    )
    outcome = replicate(source, options, plan)
    if outcome.error is not None:
        click.echo(outcome.error, err=True)
    if outcome.results:
        if given["form"] == "json":
            text = replications_json(outcome.results, outcome.estimates, outcome.partial)
        else:
            text = replications_text(outcome.results, outcome.estimates, outcome.closing)
        click.echo(text, nl=False)
    if outcome.interrupted:
        return exit_codes.INTERRUPTED
    return exit_codes.FINDINGS if outcome.error is not None else exit_codes.OK
