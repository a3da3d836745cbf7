"""What the edition of a text brings: an unknown one is reported, and the extension's question of offspring is asked.

Whether a session's descendants are finite in number is a question about the kernel and its bounds; it is asked where the
program has no other error.
"""

from __future__ import annotations

from serq_interpreter.catalog import Severity, entry
from serq_interpreter.ir import program as ir
from serq_interpreter.semantics.nearest import nearest
from serq_interpreter.semantics.tree import Elaborated
from serq_interpreter.syntax.document import Document
from serq_interpreter.syntax.edition import EDITIONS, declared_edition
from serq_interpreter.syntax.tokens import Edit, Finding, Fix, Place


def edition_findings(document: Document) -> list[Finding]:
    """SQ0002: an edition line that names no edition."""
    declared = declared_edition(document.text)
    pieces = document.sources[0].pieces
    if declared is None or declared.word in EDITIONS or not pieces:
        return []
    place = Place(pieces[0][1].chunk, declared.start, declared.end)
    meant = nearest(declared.word, list(EDITIONS)) if declared.word else None
    fixes = () if meant is None else (Fix(f"Write `{meant}`", (Edit(place, meant),)),)
    return [Finding("SQ0002", place, {"word": declared.word or "nothing"}, fixes=fixes)]


def lineage_faults(program: ir.Program) -> list[tuple[str, dict[str, object]]]:
    """SQ0006 and SQ0011 of a kernel that came from no text, as codes and arguments."""
    from serq_interpreter.analysis.offspring import offspring
    from serq_interpreter.ir.walk import roots, statements

    assert program.spawning is not None
    supplied = (program.spawning.parent, program.spawning.depth)
    found: list[tuple[str, dict[str, object]]] = [
        ("SQ0006", {"name": program.attrs[statement.slot]})
        for root in roots(program)
        for statement in statements(root)
        if isinstance(statement, ir.Set | ir.Choose) and statement.slot in supplied
    ]
    verdict = offspring(program)
    if not verdict.finite:
        found.append(("SQ0011", {"mean": verdict.mean_text}))
    return found


def offspring_findings(elaborated: Elaborated, found: list[Finding]) -> list[Finding]:
    """SQ0011: a program whose sessions may have infinitely many descendants, by its bounds."""
    if any(entry(finding.code).severity is Severity.ERROR for finding in found):
        return []
    from serq_interpreter.analysis.offspring import offspring
    from serq_interpreter.ir.lower import lower

    lowered = lower(elaborated)
    verdict = offspring(lowered.program)
    if verdict.finite:
        return []
    place = lowered.origins.get(verdict.statement)
    assert place is not None, "every statement of a text has a place"
    word = Place(place.chunk, place.start, place.start + len("spawn"), place.via)
    return [Finding("SQ0011", word, {"mean": verdict.mean_text})]
