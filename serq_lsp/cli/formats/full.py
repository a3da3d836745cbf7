"""The format for people: the source line, the range underlined, notes, help and fixes."""

from __future__ import annotations

from click import style

from serq_interpreter.catalog import Severity
from serq_interpreter.frontend.diagnostic import Diagnostic, Location, Repair
from serq_lsp.cli.outcome import Outcome

COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "cyan", Severity.HINT: "cyan"}
TEXT_WIDTH = 110
WIDEST_LINE = 160
"""Longer source lines are cut around the range."""


def render(outcome: Outcome) -> str:
    """Every diagnostic as a paragraph, then one line of counts."""
    paint = _Paint(outcome.color)
    parts = [_paragraph(item, outcome.texts, paint) for item in outcome.diagnostics]
    parts.extend(f"{file}: {paint('OK', 'green')}: {line}\n" for file, line in outcome.accepted.items())
    parts.append(_closing_line(outcome, paint))
    return "\n".join(part for part in parts if part)


def paragraph(item: Diagnostic, texts: dict[str, str], color: bool) -> str:
    """One diagnostic as a paragraph."""
    return _paragraph(item, texts, _Paint(color))


class _Paint:
    def __init__(self, on: bool) -> None:
        self.on = on

    def __call__(self, text: str, color: str, bold: bool = True) -> str:
        return style(text, fg=color, bold=bold) if self.on else text


def _paragraph(item: Diagnostic, texts: dict[str, str], paint: _Paint) -> str:
    color = COLORS[item.severity]
    head = f"{paint(f'{item.severity}[{item.code}]', color)} {item.message}"
    lines = [head, *_excerpt(item.location, texts, paint, color, "")]
    for related in item.related:
        lines.extend(_excerpt(related.location, texts, paint, "cyan", related.message))
    if item.help:
        lines.append(f"  {paint('help', 'green')}: {_wrapped(item.help, 8)}")
    lines.extend(_fix_line(fix, paint) for fix in item.fixes)
    lines.append(f"  {paint('rule', 'blue')}: {item.name} (serq-lsp explain {item.code})")
    return "\n".join(lines) + "\n"


def _wrapped(text: str, indent: int) -> str:
    """The text in lines of `TEXT_WIDTH`, the later ones indented."""
    import textwrap

    return textwrap.fill(
        " ".join(text.split()), TEXT_WIDTH, initial_indent=" " * indent, subsequent_indent=" " * indent
    ).lstrip()


def _fix_line(fix: Repair, paint: _Paint) -> str:
    how = "--fix" if fix.safe else "--fix --unsafe-fixes"
    return f"  {paint('fix', 'green')}: {fix.title} ({how})"


def _excerpt(at: Location, texts: dict[str, str], paint: _Paint, color: str, label: str) -> list[str]:
    place = f"{at.file}:{at.start.line}:{at.start.column}"
    text = texts.get(at.file)
    number = str(at.start.line)
    gutter = " " * len(number)
    arrow = paint("-->", "blue")
    if text is None:
        return [f"{gutter}{arrow} {place}{': ' + label if label else ''}"]
    line, column = _source_line(text, at)
    width = _width_on_line(at, line)
    line, column = _cut(line, column, width)
    shown, before, under = _expand(line, column, width)
    bar = paint("|", "blue")
    mark = paint("^" * under, color)
    return [
        f"{gutter}{arrow} {place}",
        f"{gutter} {bar}",
        f"{paint(number, 'blue')} {bar} {shown}",
        f"{gutter} {bar} {' ' * before}{mark}{' ' + label if label else ''}",
    ]


def _source_line(text: str, at: Location) -> tuple[str, int]:
    start = text.rfind("\n", 0, at.start_offset) + 1
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else len(text)].rstrip("\r")
    return line, at.start.column - 1


def _width_on_line(at: Location, line: str) -> int:
    if at.end.line > at.start.line:
        return max(1, len(line.rstrip()) - (at.start.column - 1))
    return max(1, at.end.column - at.start.column)


def _cut(line: str, column: int, width: int) -> tuple[str, int]:
    if len(line) <= WIDEST_LINE:
        return line, column
    start = max(0, min(column - 40, len(line) - WIDEST_LINE))
    piece = line[start : start + WIDEST_LINE]
    del width
    return ("…" + piece if start else piece), column - start + (1 if start else 0)


def _expand(line: str, column: int, width: int) -> tuple[str, int, int]:
    """The line with tabs shown as four blanks and control characters as `·`; columns on the screen."""
    import unicodedata

    shown: list[str] = []
    before = under = 0
    for position, char in enumerate(line):
        piece = "    " if char == "\t" else (char if char.isprintable() else "·")
        cells = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in piece)
        if position < column:
            before += cells
        elif position < column + width:
            under += cells
        shown.append(piece)
    return "".join(shown), before + max(0, column - len(line)), max(1, under)


def _closing_line(outcome: Outcome, paint: _Paint) -> str:
    counts = outcome.summary()
    said = [
        _plural(counts["errors"], "error"),
        _plural(counts["warnings"], "warning"),
        _plural(counts["infos"], "note"),
    ]
    told = [words for words in said if words]
    files = _plural(counts["files"], "file") or "no files"
    if not told:
        return f"{paint('No problems', 'green')} in {files}."
    fixable = f" {counts['fixable']} fixable with --fix." if counts["fixable"] else ""
    return f"Found {', '.join(told)} in {files}.{fixable}"


def _plural(count: int, noun: str) -> str:
    return "" if count == 0 else f"{count} {noun}{'' if count == 1 else 's'}"
