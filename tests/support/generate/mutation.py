"""Small damage to a program: a token deleted, inserted or replaced; a name renamed; a variable moved to another place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from serq_interpreter.catalog import vocabulary
from serq_interpreter.semantics.moments import TABLE

TOKEN = re.compile(
    r'(?P<trivia>\s+|//[^\n]*|/\*.*?\*/)|"[^"]*"|(?:[0-9][0-9_.]*|\.[0-9][0-9_.]*)(?:[eE][+-]?[0-9]+)?'
    r"|(?P<name>[^\W\d]\w*)|<=|>=|==|!=|&&|\|\||.",
    re.S,
)

INSERTED = (
    *[
        ";",
        ",",
        ":",
        ".",
        "=",
        "?",
        "~",
        "+",
        "-",
        "*",
        "/",
        "^",
        "<",
        "<=",
        ">",
        ">=",
        "==",
        "!=",
        "!",
        "&&",
        "||",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
    ],
    *["0", "1", "2", "1.5", "x", "inf", "serial", "cached", "now"],
    *[
        "set",
        "hold",
        "run",
        "turn",
        "end",
        "join",
        "request",
        "branch",
        "else",
        "loop",
        "fork",
        "observe",
        "reserve",
        "reuse",
        "cache",
        "lease",
        "growing",
    ],
    *[
        "from",
        "to",
        "on",
        "by",
        "only",
        "serve",
        "admit",
        "while",
        "share",
        "latency",
        "pool",
        "stage",
        "queue",
        "def",
        "let",
    ],
)

READS = (*(row for row in TABLE if row.isalpha() and row.islower()), *vocabulary.BUILTIN_ATTRIBUTES)


@dataclass(frozen=True, slots=True)
class Span:
    """A token of a text."""

    start: int
    end: int
    is_name: bool


def spans(text: str) -> list[Span]:
    """The tokens of a text, white space and comments left out."""
    return [
        Span(match.start(), match.end(), match["name"] is not None)
        for match in TOKEN.finditer(text)
        if match["trivia"] is None
    ]


def mutated(text: str, random: Random) -> tuple[str, str]:
    """The kind of the damage and the damaged text."""
    tokens = spans(text)
    names = [token for token in tokens if token.is_name]
    if len(names) < 2:
        return "none", text
    kind = random.choice(("delete", "insert", "replace", "rename", "move", "move"))
    match kind:
        case "delete":
            token = random.choice(tokens)
            return kind, text[: token.start] + text[token.end :]
        case "insert":
            token = random.choice(tokens)
            word = random.choice(INSERTED) if random.random() < 0.6 else _word(text, random.choice(tokens))
            return kind, f"{text[: token.start]}{word} {text[token.start :]}"
        case "replace":
            token = random.choice(tokens)
            word = random.choice(INSERTED) if random.random() < 0.5 else _word(text, random.choice(tokens))
            return kind, f"{text[: token.start]} {word} {text[token.end :]}"
        case "rename":
            token = random.choice(names)
            word = random.choice((_word(text, random.choice(names)), "unheard", random.choice(READS)))
            return kind, text[: token.start] + word + text[token.end :]
        case _:
            values = [token for token in names if _is_value(text, token)] or names
            token = random.choice(values)
            word = random.choice((random.choice(READS), _word(text, random.choice(values)), "~exp(1)"))
            return kind, text[: token.start] + word + text[token.end :]


def _word(text: str, token: Span) -> str:
    return text[token.start : token.end]


def _is_value(text: str, token: Span) -> bool:
    """Whether the name is likely read as a value: an operator, `(` or `,` before it and no `(`, `[` or `{` after."""
    before = text[: token.start].rstrip()[-1:]
    after = text[token.end :].lstrip()[:1]
    return before in tuple("(,=+-*/<>?:!&|") and after in tuple("),;+-*/<>=?:!&|")
