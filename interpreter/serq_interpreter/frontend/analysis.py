"""One text → everything the static side knows about it.

`analyse` is a pure function of the text, the libraries it uses and the options.  Pass the
`previous` analysis of an earlier version to pay only for what an edit touched.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import field, replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

from serq_interpreter.catalog import Severity
from serq_interpreter.deep import deep_recursion, paused_collection
from serq_interpreter.files import library_loader
from serq_interpreter.frontend import suppression
from serq_interpreter.frontend.diagnostic import Diagnostic, sort_key
from serq_interpreter.frontend.library_bodies import body_findings
from serq_interpreter.frontend.overrides import bodies_of, request_of, unknown_definitions
from serq_interpreter.frontend.wording import Wording
from serq_interpreter.record import fact, record
from serq_interpreter.rules import registry
from serq_interpreter.rules.finalize import finalize
from serq_interpreter.semantics.elaborate import elaborate
from serq_interpreter.semantics.tree import Elaborated
from serq_interpreter.syntax.document import Document, parse_document
from serq_interpreter.syntax.edition import BASE, EXTENDED, edition_of
from serq_interpreter.syntax.tokens import Finding

if TYPE_CHECKING:
    from serq_interpreter.ir.lower import Lowered

LoadLibrary = Callable[[str, str], tuple[str, str]]


@fact
class Options:
    """What the caller adds to a text: overrides, run settings and how strictly to judge."""

    sets: dict[str, str] = field(default_factory=dict)
    defs: dict[str, str] = field(default_factory=dict)
    seed: int | None = None
    horizon: float | None = None
    warmup: float | None = None
    arrivals: int | None = None
    trace: str | None = None
    strict: bool = False
    editor: bool = False
    """In an editor a missing horizon is a warning: it may come from outside (spec 03 §1)."""
    edition: str = ""
    """The edition that the settings ask for; a text that names one itself goes before."""
    from_text: bool = False
    """The text is no file: `use` cannot be resolved (SQ0150)."""

    def with_strict(self, strict: bool) -> Options:
        """The same options, judged as strictly as said."""
        return replace(self, strict=strict)

    def with_edition(self, edition: str) -> Options:
        """The same options, for a project whose settings ask for this edition."""
        return replace(self, edition=edition)


@record
class Analysis:
    """An analysed text.  Immutable; what is expensive and seldom needed is computed on first use."""

    file: str
    text: str
    options: Options
    document: Document
    elaborated: Elaborated
    diagnostics: tuple[Diagnostic, ...]
    suppressed: int
    edition: str = BASE
    """The edition of the surface syntax that the text was read in; the kernel says for itself what it needs."""
    kernel: Lowered | None = None
    """The kernel as the text gives it, where a rule has needed it already."""
    last_kernel: Lowered | None = None
    """The latest kernel of this version or one before: with errors in between, much of it will be the same again."""

    @property
    def is_library(self) -> bool:
        """Whether the text holds definitions and uses only."""
        return self.document.is_library

    @property
    def texts(self) -> dict[str, str]:
        """File → text, of the program, its libraries and the overrides from outside."""
        found = {source.file: source.text for source in self.document.sources}
        found |= {f"--set {name}": text for name, text in self.options.sets.items()}
        return found | {f"--def {name}": text for name, text in self.options.defs.items()}

    @property
    def missing_libraries(self) -> frozenset[str]:
        """Real paths of the libraries that the program names and that could not be read."""
        folder = os.path.dirname(self.file)
        return frozenset(
            os.path.realpath(os.path.join(folder, str(finding.args.get("path", ""))))
            for finding in self.document.findings
            if finding.code == "SQ0151"
        )

    @property
    def has_errors(self) -> bool:
        """Whether the language refuses the program (as opposed to a judgement of ours)."""
        return _refused(self.diagnostics)

    @cached_property
    def lowered(self) -> Lowered | None:
        """The kernel and its origins; `None` when there are errors or the text is a library."""
        if self.has_errors or self.is_library:
            return None
        lowered = self.kernel or _lower(self.elaborated)
        if self.options.trace is None and self.options.seed is None:
            return lowered
        program = lowered.program
        if self.options.trace is not None:
            program = replace(program, trace=self.options.trace)
        if self.options.seed is not None:
            program = replace(program, seed=self.options.seed)
        return replace(lowered, program=program)

    def summary(self) -> str:
        """What an accepted program consists of, as the reference's `check` says it (spec 09 §1)."""
        if self.is_library:
            count = len(self.document.tree.definitions)
            return f"library of {count} definition{'' if count == 1 else 's'}"
        if self.lowered is None:
            return "no program"
        from serq_interpreter.ir.walk import count_blocks

        program = self.lowered.program
        return (
            f"{len(program.pools)} pool(s), {len(program.stages)} stage(s), "
            f"{len(program.attrs)} attribute(s), {count_blocks(program)} block(s)"
        )


def analyse(
    text: str,
    file: str = "<text>",
    *,
    options: Options | None = None,
    previous: Analysis | None = None,
    load_library: LoadLibrary | None = None,
) -> Analysis:
    """Read, elaborate and judge a program.  Never raises for any text.

    `file` is the path the user knows; libraries are read relative to it with `load_library` (default: from disk).
    """
    options = options or Options()
    with paused_collection():
        return _analyse(text, file, options, previous, load_library)


def _analyse(
    text: str, file: str, options: Options, previous: Analysis | None, load_library: LoadLibrary | None
) -> Analysis:
    loader = None if options.from_text else load_library or library_loader(file)
    bodies, wrong_bodies = bodies_of(options)
    before = previous.document if previous is not None and previous.options.defs == options.defs else None
    document = parse_document(text, file, before, loader, bodies)
    with deep_recursion():
        edition = edition_of(text, options.edition)
        request, complaints = request_of(options, edition == EXTENDED)
        complaints.extend((*wrong_bodies, *unknown_definitions(options, document)))
        earlier = None if previous is None else previous.elaborated
        elaborated = elaborate(document.tree, request, earlier)
        findings = [*complaints, *document.findings]
        if "edition" in text:
            from serq_interpreter.frontend.editions import edition_findings

            findings.extend(edition_findings(document))
        if document.is_library:
            findings.extend(body_findings(document))
        else:
            findings.extend(elaborated.findings)
            findings.extend(registry.check(elaborated, document.tree, earlier))
        kept = finalize(findings, elaborated)
        if elaborated.groups and not document.is_library:
            from serq_interpreter.frontend.editions import offspring_findings

            kept.extend(offspring_findings(elaborated, kept))
    wording = Wording(document)
    diagnostics = [_weigh(wording.diagnostic(finding), options, document) for finding in kept]
    kernel, last_kernel = None, None if previous is None else previous.last_kernel
    if not document.is_library and not elaborated.damaged and not _refused(diagnostics):
        kernel, about_waiting = _about_waiting(elaborated, last_kernel)
        diagnostics.extend(_weigh(wording.diagnostic(finding), options, document) for finding in about_waiting)
    shown, hidden = suppression.apply(diagnostics, document, wording)
    found = tuple(sorted(shown, key=sort_key))
    return Analysis(file, text, options, document, elaborated, found, hidden, edition, kernel, kernel or last_kernel)


def _about_waiting(elaborated: Elaborated, before: Lowered | None) -> tuple[Lowered | None, list[Finding]]:
    """What the rules about progress find: they read the kernel, which only a program without errors has."""
    finite = any(pool.cap is not None and pool.cap < inf for pool in elaborated.pools.values())
    if not finite and not any(stage.engine and stage.engine.iteration for stage in elaborated.stages.values()):
        return None, []
    from serq_interpreter.rules.waits import registry as waits

    kernel = _lower(elaborated, before)
    return kernel, waits.check(kernel, elaborated)


def _lower(elaborated: Elaborated, before: Lowered | None = None) -> Lowered:
    from serq_interpreter.ir.lower import lower

    with deep_recursion():
        return lower(elaborated, before)


def _refused(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether there is an error of the language, or no horizon (a warning in an editor): then there is no kernel."""
    return any(
        (item.severity is Severity.ERROR and item.code < "SQ1000") or item.code == "SQ0811" for item in diagnostics
    )


STRICT_CODES = frozenset({"SQ1001", "SQ1002", "SQ1101", "SQ1102", "SQ1103", "SQ1104"})
"""Warnings that `--strict` makes errors: what the language accepts and the progress theorem does not."""


def _weigh(diagnostic: Diagnostic, options: Options, document: Document) -> Diagnostic:
    if options.strict and diagnostic.code in STRICT_CODES:
        return diagnostic.with_severity(Severity.ERROR)
    if options.editor and diagnostic.code == "SQ0811":
        return diagnostic.with_severity(Severity.WARNING)
    del document
    return diagnostic
