"""Write the pages that are made from tables: `docs/moments.md`, `docs/coalescing.md`, `docs/rules.md` and `docs/rules/SQ####.md`.

python docs/generate.py           write them
python docs/generate.py --check   exit 1 when one of them is not what it would be
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent / "interpreter"))

from serq_interpreter.analysis.licence_conditions import CONDITIONS, PLAIN, RUN_TIME_CONDITIONS  # noqa: E402
from serq_interpreter.catalog import FAMILIES, Entry, all_entries  # noqa: E402
from serq_interpreter.semantics.moments import MOMENTS, TABLE, VIA, read_title  # noqa: E402

_NOTE = "<!-- Written by docs/generate.py; do not edit. -->\n"


def pages() -> Iterator[tuple[str, str]]:
    """Every generated page: path below `docs`, text."""
    entries = all_entries()
    yield "moments.md", moments_page()
    yield "coalescing.md", coalescing_page()
    yield "rules.md", index_page(entries)
    for item in entries:
        yield f"rules/{item.code}.md", rule_page(item)


def moments_page() -> str:
    """The moments, then the whole table."""
    lines = [
        "# What may be read when",
        "",
        "Every expression is read at one moment, which its position fixes, and a moment decides what may be read:",
        "a context variable exists at some moments only, a scheduler reads no hidden attribute, a key does not draw.",
        "There is no default for something that does not exist; such a program is refused.",
        "",
        "## The moments",
        "",
    ]
    for moment in MOMENTS.values():
        lines += [f"### `{moment.key}`: {moment.title}", "", moment.decides, ""]
        lines += [f"* {position}" for position in moment.positions] + [""]
    lines += [
        "## The table",
        "",
        "`+` is legal; a number is the error `SQ0` + number. ¹ is legal where the pool (of a header: the hold's first",
        "pool) is `admit via` the register's engine.",
        "",
        "| read | " + " | ".join(f"{key}" for key in MOMENTS) + " |",
        "|---" * (len(MOMENTS) + 1) + "|",
    ]
    for read, row in TABLE.items():
        cells = " | ".join(_cell(code) for code in row.values())
        lines.append(f"| {read_title(read)} | {cells} |")
    return _NOTE + "\n".join(lines) + "\n"


def _cell(code: str) -> str:
    if code == VIA:
        return "304¹"
    return code[3:] if code else "+"


def coalescing_page() -> str:
    """What the licence to take iterations together asks, each condition with what violates it."""
    lines = [
        "# Coalescing",
        "",
        "While nobody joins an engine, leaves it or is preempted, an iteration that serves decodes alone repeats, and many",
        "of them are taken in one step. Nothing in the results can tell: times, statistics, gauges, token gaps and counts",
        "are those of one iteration at a time, to the last bit. `serq-lsp run --no-coalesce` takes them one at a time.",
        "",
        "Whether an engine may do so is decided from the program. `serq-lsp check --explain-coalescing FILE` says it of each",
        "step engine, with the expression that forbids it; the editor says it in the hover of the stage and in a hint at the",
        "end of that line, and after a run how many iterations a step stood for (`coalesced 40×`).",
        "",
        "## What is asked before every window",
        "",
        *[f"* {condition}" for condition in RUN_TIME_CONDITIONS],
        "",
        "Where one of these does not hold, single iterations follow until it does. They are cheap all the same: with or",
        "without the licence an engine serves its decodes as one cohort (if its memory has whole blocks, and it serves in",
        "the order of admission or decodes first), so that an iteration costs the same however many decode; and where a cost",
        "that reads the clock is all that forbids windows, the engine goes on in a tight loop while nothing else happens.",
        "",
        "## What is asked of the program",
        "",
        "Each line below, put in the place of the same line in this program or added to its engine, costs the engine the",
        "licence for this one reason. The program itself has it:",
        "",
        f"```serq\n{PLAIN}```",
        "",
    ]
    for condition in CONDITIONS.values():
        lines += [f"### {condition.title}", "", condition.why, "", f"```text\n{condition.line}\n```", ""]
        if condition.instead:
            lines += [f"Instead: {condition.instead}.", ""]
    return _NOTE + "\n".join(lines)


def index_page(entries: tuple[Entry, ...]) -> str:
    """One row for each code, by family."""
    lines = ["# Rules", "", "Each code has a page; `serq-lsp explain CODE` prints it.", ""]
    for prefix, title in FAMILIES.items():
        family = [item for item in entries if item.code.startswith(prefix)]
        if not family:
            continue
        lines += [f"## {title}", "", "| code | name | severity |", "|---|---|---|"]
        lines += [f"| [{item.code}](rules/{item.code}.md) | {item.name} | {item.severity.value} |" for item in family]
        lines.append("")
    return _NOTE + "\n".join(lines)


def rule_page(item: Entry) -> str:
    """The page of one code."""
    parts = [f"# {item.code} {item.name}", f"*{item.severity.value}*", f"> {_template(item.message)}", item.why]
    if item.help:
        parts.append(f"**Help.** {_sentence(_template(item.help))}")
    if item.wrong:
        parts.append("## Wrong\n\n```serq\n" + item.wrong + "```")
    if item.right:
        parts.append("## Right\n\n```serq\n" + item.right + "```")
    if not item.wrong and item.unshown:
        parts.append(f"No example: {item.unshown}.")
    if item.spec:
        parts.append(f"Reference: {item.spec}.")
    return _NOTE + "\n\n".join(parts) + "\n"


def _template(text: str) -> str:
    """A message with its arguments shown as words: `{name}` becomes NAME."""
    shown = re.sub(r"(?<!\{)\{(\w+)\}(?!\})", lambda found: found[1].upper(), text)
    return shown.replace("{{", "{").replace("}}", "}")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def main(arguments: list[str]) -> int:
    """Write or compare; returns the exit code."""
    check = "--check" in arguments
    stale = []
    wanted = dict(pages())
    for path, text in wanted.items():
        target = DOCS / path
        if target.exists() and target.read_text(encoding="utf-8") == text:
            continue
        stale.append(path)
        if not check:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    gone = [path for path in (DOCS / "rules").glob("SQ*.md") if f"rules/{path.name}" not in wanted]
    for path in gone:
        stale.append(f"rules/{path.name}")
        if not check:
            path.unlink()
    for name in stale:
        print(f"{'stale' if check else 'wrote'}: {name}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
