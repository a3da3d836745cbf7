"""The reference implementation as an engine, where it is installed (extra `serq-lsp[oracle]`)."""

from __future__ import annotations

import json
import threading
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from serq_lsp.cli.simulation.result import Result
from serq_lsp.cli.simulation.source import Source


def pyserq() -> tuple[ModuleType, str]:
    """The module and its version.  Raises `click.ClickException` (exit code 2) when it is not installed."""
    try:
        import pyserq as module

        return module, version("pyserq")
    except (ImportError, PackageNotFoundError) as error:
        raise click.ClickException(
            "`--engine pyserq` needs the reference implementation: pip install 'serq-lsp[oracle]'"
        ) from error


def run_with_reference(source: Source, seed: int | None) -> Result:
    """One run on the reference; its refusals and run errors, in its own words, are the result's error.

    The run has its own thread, because it cannot be cancelled: Ctrl-C leaves it behind.
    """
    _, reference_version = pyserq()
    outcome: list[str | Exception] = []

    def work() -> None:
        try:
            outcome.append(_report_json(source, seed))
        except Exception as error:  # noqa: BLE001 - shown as the reference's verdict on the program
            outcome.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.05)
    answer = outcome[0]
    if isinstance(answer, Exception):
        return Result(seed or 0, error=f"{source.name}: {answer}")
    report: dict[str, Any] = json.loads(answer)
    return Result(
        seed=report["seed"],
        report=report,
        notes=(f"run by pyserq {reference_version}",),
        stamp={"engine": f"pyserq {reference_version}", "seed": report["seed"], "horizon": report["horizon"]},
    )


def _report_json(source: Source, seed: int | None) -> str:
    module, _ = pyserq()
    # The reference holds the interpreter's lock while it compiles, not while it runs.
    return str(module.run(_compiled(module, source, seed)).json())


def _compiled(module: ModuleType, source: Source, seed: int | None) -> Any:
    if source.is_ir:
        return module.Program.from_json(_ir_with_settings(source, seed))
    settings: dict[str, Any] = {
        "sets": dict(source.sets),
        "defs": dict(source.defs),
        "seed": source.seed if seed is None else seed,
        "horizon": source.horizon,
        "warmup": source.warmup,
        "arrivals": source.arrivals,
        "trace": source.trace,
    }
    if source.path is None:
        return module.compile(source=source.text, **settings)
    return module.compile(source.path, **settings)


def _ir_with_settings(source: Source, seed: int | None) -> str:
    """The IR text with the run's settings written into it, and a relative trace made absolute."""
    program = json.loads(source.text)
    given = {
        "seed": source.seed if seed is None else seed,
        "horizon": source.horizon,
        "warmup": source.warmup,
        "arrivals": source.arrivals,
        "trace": source.trace,
    }
    program |= {key: value for key, value in given.items() if value is not None}
    if source.trace is None and program.get("trace") and source.path is not None:
        program["trace"] = str(Path(source.path).parent / program["trace"])
    return json.dumps(program)
