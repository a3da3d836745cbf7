"""Words that select diagnostics: codes, beginnings of codes, names, and `ALL`."""

from __future__ import annotations

from collections.abc import Iterable

from serq_interpreter.frontend.diagnostic import Diagnostic


def split(given: Iterable[str]) -> tuple[str, ...]:
    """The words of some comma lists."""
    return tuple(part.strip() for text in given for part in text.split(",") if part.strip())


def unknown(words: tuple[str, ...]) -> str | None:
    """The first word that means no diagnostic there is: it would select nothing without a word."""
    if not words:
        return None
    from serq_interpreter.catalog import all_entries

    entries = list(all_entries())
    return next((word for word in words if not any(_means(word, item.code, item.name) for item in entries)), None)


def matches(item: Diagnostic, wanted: tuple[str, ...]) -> bool:
    """Whether one of the words means this diagnostic."""
    return any(_means(word, item.code, item.name) for word in wanted)


def _means(word: str, code: str, name: str) -> bool:
    return code.startswith(word.upper()) or name == word.lower() or word.upper() == "ALL"
