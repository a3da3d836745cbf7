"""The work of `check` on files: read, analyse, filter, repair."""

from __future__ import annotations

import sys
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from serq_interpreter.catalog import Severity, entry
from serq_interpreter.files import FileError, decode, library_loader, read_file
from serq_interpreter.frontend.analysis import Analysis, analyse
from serq_interpreter.frontend.analysis import Options as AnalysisOptions
from serq_interpreter.frontend.diagnostic import Diagnostic, Location, Position, sort_key
from serq_interpreter.record import fact, struct
from serq_lsp.cli import exit_codes
from serq_lsp.cli.configuration import Configuration, configuration_for
from serq_lsp.cli.options import last_of
from serq_lsp.cli.outcome import Outcome
from serq_lsp.cli.selection import matches, split, unknown

if TYPE_CHECKING:
    from serq_interpreter.frontend.ir_analysis import IrAnalysis

STDIN = "-"


@fact
class Options:
    """What the command line asks; `None` leaves a matter to the settings file."""

    paths: tuple[str, ...]
    form: str
    output: str | None
    stdin_filename: str
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    strict: bool | None
    fix: bool
    unsafe_fixes: bool
    diff: bool
    baseline: str | None
    error_on_warning: bool | None
    color: bool
    run: str | None
    guarantees: bool
    explain_coalescing: bool
    analysis: AnalysisOptions

    @classmethod
    def of(cls, given: dict[str, Any], colored: bool) -> Options:
        """From click's parameters."""
        return cls(
            paths=given["paths"] or (".",),
            form=given["form"],
            output=given["output"],
            stdin_filename=given["stdin_filename"],
            select=_known(given["select"], "--select"),
            ignore=_known(given["ignore"], "--ignore"),
            strict=given["strict"],
            fix=given["fix"],
            unsafe_fixes=given["unsafe_fixes"],
            diff=given["show_diff"],
            baseline=given["baseline"],
            error_on_warning=given["error_on_warning"],
            color=colored,
            run=given["run_mode"],
            guarantees=given["guarantees"],
            explain_coalescing=given["explain_coalescing"],
            analysis=AnalysisOptions(
                sets=last_of(given["sets"]),
                defs=last_of(given["defs"]),
                seed=given["seed"],
                horizon=given["horizon"],
                warmup=given["warmup"],
                arrivals=given["arrivals"],
                trace=given["trace"],
            ),
        )


@struct
class Result:
    """`unread` says that an input could not be read at all: exit code 2."""

    outcome: Outcome
    unread: bool = False
    errors_count_warnings: bool = False
    stdin: set[str] = field(default_factory=set)
    guarantees: list[str] = field(default_factory=list)
    coalescing: list[str] = field(default_factory=list)

    def exit_code(self, options: Options) -> int:
        """0, 1 or 2 as the command documents them."""
        if self.unread:
            return exit_codes.USAGE
        threshold = {Severity.ERROR}
        if options.error_on_warning or self.errors_count_warnings:
            threshold.add(Severity.WARNING)
        found = any(item.severity in threshold for item in self.outcome.diagnostics)
        return exit_codes.FINDINGS if found else exit_codes.OK


def check_everything(options: Options, known: dict[str, str]) -> Result:
    """Analyse every path; raises `click.ClickException` for paths and settings that make no sense.

    `known` has texts that are taken instead of what the files of these names hold; standard input, which can be read once
    only, is added to it.
    """
    from serq_lsp.cli.discovery import discover

    texts: dict[str, str] = {}
    accepted: dict[str, str] = {}
    found: list[Diagnostic] = []
    suppressed = 0
    result = Result(Outcome((), {}))
    for path in _inputs(options, discover):
        settings = configuration_for(Path.cwd() if path is None else path.resolve().parent)
        result.errors_count_warnings |= settings.error_on_warning
        name = options.stdin_filename if path is None else str(path)
        try:
            text = _text_of(name, path, known)
        except FileError as problem:
            found.append(unreadable(name, problem))
            result.unread = True
            continue
        if path is None:
            result.stdin.add(name)
        analysis = _analyse(text, name, path, options, settings, known)
        texts.update(analysis.texts)
        suppressed += analysis.suppressed
        found.extend(analysis.diagnostics)
        if options.guarantees:
            from serq_lsp.cli.guarantees import guarantees_text

            result.guarantees.append(guarantees_text(analysis))
        if options.explain_coalescing:
            from serq_lsp.cli.coalescing import coalescing_text

            result.coalescing.append(coalescing_text(analysis))
        shown, silenced = _run(analysis, path, options, settings)
        suppressed += silenced
        found.extend(shown)
        if not any(item.severity is Severity.ERROR for item in (*analysis.diagnostics, *shown)):
            accepted[name] = analysis.summary()
    kept = _distinct(sorted(filter_codes(found, options, result), key=sort_key))
    if options.baseline is not None:
        from serq_lsp.cli.baseline import apply_baseline

        kept, accounted = apply_baseline(Path(options.baseline), kept)
        suppressed += accounted
    result.outcome = Outcome(tuple(kept), texts, accepted, suppressed, options.color)
    return result


def unreadable(file: str, problem: FileError) -> Diagnostic:
    """The diagnostic of a file that cannot be read (SQ0194)."""
    known = entry("SQ0194")
    start = Position(problem.line, problem.column)
    message = known.message.format(file=file, reason=problem.reason)
    return Diagnostic(
        known.code, known.name, known.severity, message, Location(file, start, start, 0, 0), help=known.help
    )


def filter_codes(found: list[Diagnostic], options: Options, result: Result) -> list[Diagnostic]:
    """Apply `--select` and `--ignore`; errors of the language itself stay whatever is ignored."""
    del result
    kept = []
    for item in found:
        settings = configuration_for(Path(item.file).resolve().parent) if Path(item.file).exists() else Configuration()
        select = options.select or settings.select
        ignore = options.ignore or settings.ignore
        if select and not matches(item, select):
            continue
        if item.code >= "SQ1000" and matches(item, ignore):
            continue
        kept.append(item)
    return kept


def repaired(result: Result, options: Options) -> dict[str, str]:
    """File → its text with the fixes made, of the files that have any."""
    from serq_lsp.cli.fixing import apply_edits, edits_of

    edits = edits_of(result.outcome.diagnostics, options.unsafe_fixes)
    return {file: apply_edits(result.outcome.texts[file], made) for file, made in edits.items()}


def write_files(texts: dict[str, str]) -> None:
    """Write files as they are said to be; raises `click.ClickException`."""
    for file, text in texts.items():
        try:
            with Path(file).open("w", encoding="utf-8", newline="") as handle:
                handle.write(text)
        except OSError as error:
            raise click.ClickException(f"{file}: cannot be written: {error.strerror}") from error


def _text_of(name: str, path: Path | None, known: dict[str, str]) -> str:
    if name not in known:
        if path is not None:
            return read_file(name)
        known[name] = decode(sys.stdin.buffer.read())
    return known[name]


def _inputs(options: Options, discover: Any) -> list[Path | None]:
    named = [path for path in options.paths if path != STDIN]
    exclude = configuration_for(Path.cwd()).exclude
    found: list[Path | None] = list(discover(named, exclude)) if named else []
    return [None, *found] if STDIN in options.paths else found


def _analyse(
    text: str, name: str, path: Path | None, options: Options, settings: Configuration, known: dict[str, str]
) -> Analysis | IrAnalysis:
    strict = settings.strict if options.strict is None else options.strict
    if path is not None and path.suffix == ".json":
        from serq_interpreter.frontend.ir_analysis import analyse_ir

        return analyse_ir(text, name, options.analysis)
    loader = library_loader(name, lambda file: known[file] if file in known else read_file(file))
    judged = options.analysis.with_strict(strict).with_edition(settings.edition)
    return analyse(text, name, options=judged, load_library=loader)


def _run(
    analysis: Analysis | IrAnalysis, path: Path | None, options: Options, settings: Configuration
) -> tuple[list[Diagnostic], int]:
    """What a run of the program shows, when one is asked for on the command line or in the settings file.

    The number is of the findings that comments suppress.
    """
    mode = options.run or settings.run
    if mode == "off" or analysis.lowered is None:
        return [], 0
    from serq_lsp.cli.trial import trial

    directory = Path.cwd() if path is None or options.analysis.trace is not None else path.parent
    return trial(analysis, directory, mode, settings.thresholds)


def _distinct(found: list[Diagnostic]) -> list[Diagnostic]:
    """Each finding once: a library's own faults show in every program that uses it."""
    return list({(item.file, item.code, item.location, item.message): item for item in found}.values())


def _known(given: tuple[str, ...], option: str) -> tuple[str, ...]:
    """The words of an option; a usage error when one means no diagnostic there is."""
    words = split(given)
    wrong = unknown(words)
    if wrong is not None:
        raise click.UsageError(f"{option}: no diagnostic has the code or name `{wrong}`")
    return words
