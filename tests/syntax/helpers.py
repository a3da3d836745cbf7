"""What the tests of the syntax layer share: findings as (code, line, column, length), and mutations of programs."""

from __future__ import annotations

import random

from serq_interpreter.syntax.cutting import cut
from serq_interpreter.syntax.document import Document, LibraryError, LoadLibrary, parse_document
from tests.support.cases import CASES

Found = tuple[str, int, int, int]


def found(document: Document) -> list[Found]:
    """The findings in the order of the text."""
    places = []
    for finding in document.findings:
        source, start, end = document.locate(finding.place)
        places.append((finding.code, *source.layout.lines.line_column(start), end - start))
    return sorted(places, key=lambda place: place[1:3])


def codes(text: str, libraries: dict[str, str] | None = None) -> list[str]:
    """The codes of what is wrong with a text, in the order of the text."""
    return [place[0] for place in found(parse(text, libraries))]


def parse(text: str, libraries: dict[str, str] | None = None, previous: Document | None = None) -> Document:
    """A program read as `main.sq`, with these libraries beside it."""
    return parse_document(text, "main.sq", previous, loader(libraries or {}))


def loader(libraries: dict[str, str]) -> LoadLibrary:
    def load(path: str, used_in: str) -> tuple[str, str]:
        if path not in libraries:
            raise LibraryError("there is no such file")
        return path, libraries[path]

    return load


def accepted_programs() -> list[str]:
    """Every program of the corpus that is correct and uses no library."""
    texts = [path.read_bytes().decode("utf-8") for path in sorted(CASES.glob("*/*.sq"))]
    return [text for text in texts if text.startswith("// expect: ok") and 'use "' not in text]


def token_spans(text: str) -> list[tuple[int, int]]:
    """Where the tokens of a text stand."""
    return [(start + token.start, start + token.end) for start, piece in cut("", text) for token in piece.tokens]


def mutated(text: str, source: random.Random) -> str:
    """The text with one token left out, doubled, replaced or put in."""
    spans = token_spans(text)
    start, end = source.choice(spans)
    other = text[slice(*source.choice(spans))]
    match source.randrange(4):
        case 0:
            return text[:start] + " " + text[end:]
        case 1:
            return text[:end] + " " + text[start:end] + text[end:]
        case 2:
            return text[:start] + " " + other + " " + text[end:]
        case _:
            return text[:start] + " " + other + " " + text[start:]
