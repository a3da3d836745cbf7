"""Write `docs/words.md`, every word of the language by the places where it means something.

python docs/generate_words.py           write it
python docs/generate_words.py --check   exit 1 when it is not what it would be
"""

from __future__ import annotations

import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent / "interpreter"))

from serq_interpreter.catalog import vocabulary  # noqa: E402

PAGE = DOCS / "words.md"

_HEAD = """<!-- Written by docs/generate_words.py; do not edit. -->
# Words of the language

No word is reserved: each means what it says here in the place that its heading names, and is a name like any other
everywhere else (`set set = 1;` and `let end = 2;` are programs). What may *not* be named with a word is at the end.
"""

_TITLES = {
    vocabulary.ITEM: "Items, at the top level of a program",
    vocabulary.POOL_OPTION: "Options of a pool",
    vocabulary.STAGE_KIND: "Kinds of stages",
    vocabulary.STEP_OPTION: "Options of a step engine",
    vocabulary.ITERATION_STATEMENT: "Statements of an iteration body",
    vocabulary.WORKLOAD_OPTION: "Parts of a workload",
    vocabulary.ARRIVAL: "Arrivals",
    vocabulary.RUN_OPTION: "Settings of a run",
    vocabulary.QUEUE_OPTION: "Parts of a queue",
    vocabulary.STATEMENT: "Statements",
    vocabulary.CLAUSE: "Clauses",
    vocabulary.CHOICE: "Choices",
    vocabulary.ROLE: "Roles of a queue",
    vocabulary.ENTRY: "Entries of a queue",
    vocabulary.FUNCTION: "Functions",
    vocabulary.AGGREGATE: "Aggregates over an index",
    vocabulary.DISTRIBUTION: "Distributions",
    vocabulary.CONTEXT: "Context variables",
    vocabulary.CONSTANT: "Supplied constants",
    vocabulary.ATTRIBUTE: "Attributes of every session",
    vocabulary.QUEUE_NAME: "Names in an entry",
    vocabulary.RETIRED: "Words of older editions",
    vocabulary.RENAMED: "Context variables under older names",
}

_FORBIDDEN = (
    ("a constant, attribute, binding, claim, definition or parameter", "SQ0129", vocabulary.RETIRED_WORDS),
    ("a constant, attribute, register or index", "SQ0216–SQ0220", vocabulary.SUPPLIED_NAMES),
    ("a definition", "SQ0240", vocabulary.LANGUAGE_WORDS),
    ("a parameter of a definition", "SQ0246", vocabulary.PARAMETER_FORBIDDEN),
    ("a queue", "SQ0702", vocabulary.SERVING_WORDS),
)


def page() -> str:
    """The whole page."""
    parts = [_HEAD]
    parts += [_table(kind) for kind in vocabulary.KINDS]
    parts.append(_extension())
    parts.append("## What may not be named with a word\n")
    for what, code, words in _FORBIDDEN:
        parts.append(f"* Not the name of {what} ({code}): {', '.join(f'`{word}`' for word in sorted(words))}.")
    return "\n".join(parts) + "\n"


def _extension() -> str:
    lines = ["## Words of the edition v4b\n", "See [child sessions](language/spawn.md).\n"]
    lines.append("| written | meaning |\n|---|---|")
    lines += [f"| `{word.form}` | {word.doc} |" for word in vocabulary.EXTENSION_WORDS]
    return "\n".join(lines) + "\n"


def _table(kind: str) -> str:
    words = vocabulary.words_of(kind)
    with_unit = any(word.unit for word in words)
    lines = [f"## {_TITLES[kind]}\n"]
    lines.append("| written | meaning | unit |\n|---|---|---|" if with_unit else "| written | meaning |\n|---|---|")
    for word in words:
        cells = [f"`{word.form}`", word.doc, *([word.unit] if with_unit else [])]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Write or check the page; 0 when it is as it should be."""
    text = page()
    if "--check" not in arguments:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print("docs/words.md is stale: run python docs/generate_words.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
