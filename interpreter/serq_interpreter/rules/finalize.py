"""What of everything that was found is reported: no repetitions, no consequences, the more specific of two (03 §4)."""

from __future__ import annotations

from collections.abc import Iterable

from serq_interpreter.semantics.tree import Elaborated
from serq_interpreter.syntax.tokens import Finding, Place

SAME_PLACE: dict[str, frozenset[str]] = {
    "SQ0205": frozenset({"SQ0201", "SQ0801"}),
    "SQ0253": frozenset({"SQ0301"}),
    "SQ0262": frozenset({"SQ0306"}),
    "SQ0305": frozenset({"SQ0207"}),
    "SQ0733": frozenset({"SQ0201", "SQ0301", "SQ0302", "SQ0303", "SQ0304", "SQ0306"}),
    "SQ0734": frozenset({"SQ0201", "SQ0301", "SQ0302", "SQ0305"}),
    "SQ0735": frozenset({"SQ0201", "SQ0301", "SQ0302"}),
    "SQ0736": frozenset({"SQ0201", "SQ0301", "SQ0302", "SQ0303", "SQ0304", "SQ0305"}),
    "SQ0501": frozenset({"SQ0502"}),
    "SQ0410": frozenset({"SQ0409"}),
    "SQ0401": frozenset({"SQ0403"}),
    "SQ1002": frozenset({"SQ1001"}),
}
"""A code → the codes that it makes superfluous where the places overlap."""

SAME_NAME: dict[str, frozenset[str]] = {
    "SQ0215": frozenset({"SQ0301", "SQ0229", "SQ0302"}),
    "SQ0216": frozenset({"SQ0301", "SQ0229"}),
    "SQ0217": frozenset({"SQ0301", "SQ0229"}),
    "SQ0263": frozenset({"SQ0301"}),
}
"""A code → the codes that it makes superfluous about the same name, wherever they are."""

WHOLE_STATEMENT = frozenset({"SQ0606", "SQ0607", "SQ0608", "SQ0609", "SQ0610"})
"""A statement that is not allowed here at all: nothing else about it is reported."""

EXPLAINED: dict[str, tuple[str, ...]] = {"SQ0521": ("SQ07",), "SQ0614": ("SQ0611",)}
"""A code → beginnings of codes any of which explains it away."""

Span = tuple[int, int, int]


def finalize(findings: Iterable[Finding], program: Elaborated) -> list[Finding]:
    """The findings to report, in the order in which they came."""
    kept = _distinct(findings)
    codes = {finding.code for finding in kept}
    if codes & (SAME_PLACE.keys() | SAME_NAME.keys() | WHOLE_STATEMENT | EXPLAINED.keys()):
        kept = _without_consequences(kept, codes)
    if program.damaged:
        kept = [finding for finding in kept if finding.code[:4] != "SQ10" or finding.code in _SURE]
    return kept


_SURE = frozenset({"SQ1001", "SQ1002"})
"""Our own lints that an unread region of the text cannot make wrong."""


def _distinct(findings: Iterable[Finding]) -> list[Finding]:
    """Once per code and place (however it was expanded), and once per code and key."""
    seen: set[object] = set()
    kept: list[Finding] = []
    for finding in findings:
        place = (finding.code, *_span(finding.place))
        keyed = (finding.code, "key", finding.key)
        if place in seen or (finding.key is not None and keyed in seen):
            continue
        seen.add(place)
        seen.add(keyed)
        kept.append(finding)
    return kept


def _span(place: Place) -> Span:
    return id(place.chunk), place.start, place.end


def _overlap(one: Place, other: Place) -> bool:
    if one.chunk is not other.chunk:
        return False
    return (one.start <= other.start and other.end <= one.end) or (other.start <= one.start and one.end <= other.end)


def _without_consequences(findings: list[Finding], codes: set[str]) -> list[Finding]:
    strong = [finding for finding in findings if finding.code in SAME_PLACE or finding.code in WHOLE_STATEMENT]
    names = {
        (code, finding.args.get("name"))
        for finding in findings
        if finding.code in SAME_NAME
        for code in SAME_NAME[finding.code]
    }
    kept = []
    for finding in findings:
        if (finding.code, finding.args.get("name")) in names:
            continue
        reasons = EXPLAINED.get(finding.code, ())
        if any(code.startswith(reason) for code in codes for reason in reasons):
            continue
        if any(_beats(other, finding) for other in strong):
            continue
        kept.append(finding)
    return kept


def _beats(strong: Finding, weak: Finding) -> bool:
    """Whether `strong` says all that is to be said at the place of `weak`."""
    if strong is weak:
        return False
    if weak.code in SAME_PLACE.get(strong.code, ()):
        return _overlap(strong.place, weak.place)
    if strong.code not in WHOLE_STATEMENT or weak.code in WHOLE_STATEMENT or strong.place.chunk is not weak.place.chunk:
        return False
    return strong.place.start <= weak.place.start and weak.place.end <= strong.place.end
