"""serQ for Pygments: highlighting in documentation, notebooks and terminals.

Like the TextMate grammar it shows what the text shows.  No word is reserved, so a declaring word takes the name after it
along (`set set = 1;`), and a word where a value stands is a name (`let a = end;`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups, include
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
    _TokenType,
)

from serq_interpreter.catalog import vocabulary

__all__ = ["SerqLexer"]

NAME = r"[^\W\d]\w*"
NOT_A_VALUE = r"(?<![=+*^(,?<>!&|~.\-])(?<![=+*^(,?<>!&|~.\-] )"
"""Not right after an operator, a comma or `(`, with or without a blank: what stands there is a value.

`/` is left out, because it also ends a comment."""


def _words(names: Iterable[str]) -> str:
    return "(" + "|".join(sorted(dict.fromkeys(names), key=lambda name: (-len(name), name))) + r")\b"


def _declaring(names: Iterable[str], word: _TokenType, name: _TokenType) -> tuple[str, object]:
    """A word and the name after it."""
    return rf"{NOT_A_VALUE}\b{_words(names)}(\s+)(?!by\s*\()({NAME})", bygroups(word, Whitespace, name)


_FUNCTIONS = (*vocabulary.FUNCTIONS, *vocabulary.AGGREGATE_WORDS)
_BUILTIN = (*vocabulary.CONTEXT_VARIABLES, *vocabulary.BUILTIN_ATTRIBUTES, "self")
_CHOICES = ("lru", "lifo", "head", "tail", "held", *vocabulary.SHARE_POLICIES)
_KINDS = (*vocabulary.STAGE_KIND_WORDS, *vocabulary.ARRIVAL_WORDS)
_STATEMENTS = (*vocabulary.ITEM_WORDS, *vocabulary.STATEMENT_WORDS)
_OTHER = tuple(word for word in vocabulary.KEYWORDS if word not in (*_FUNCTIONS, *_CHOICES, *_KINDS, *_STATEMENTS))
_RETIRED = tuple(word.name for word in vocabulary.words_of(vocabulary.RETIRED) if word.name not in vocabulary.KEYWORDS)


class SerqLexer(RegexLexer):  # type: ignore[misc]  # pygments has no types
    """serQ programs (`*.sq`)."""

    name: ClassVar[str] = "serQ"
    aliases: ClassVar[list[str]] = ["serq"]
    filenames: ClassVar[list[str]] = ["*.sq"]
    mimetypes: ClassVar[list[str]] = ["text/x-serq"]
    url: ClassVar[str] = "https://serq-lsp.readthedocs.io"
    flags = re.UNICODE

    tokens: ClassVar[dict[str, list[object]]] = {
        "root": [
            include("blank"),
            include("literals"),
            include("declarations"),
            include("expressions"),
            include("words"),
            include("signs"),
        ],
        "blank": [
            (r"\s+", Whitespace),
            (r"//[^\n]*", Comment.Single),
            (r"/\*[^*]*\*+(?:[^/*][^*]*\*+)*/", Comment.Multiline),
            (r"/\*.*\Z", Error),
        ],
        "literals": [
            (r'"[^"]*"', String.Double),
            (r"(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)\.[0-9_.]*(?:[eE][+-]?[0-9]+)?", Error),
            (r"(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9]+)?", Number.Float),
            (r"[0-9][0-9_]*[eE][+-]?[0-9]+", Number.Float),
            (r"[0-9][0-9_]*", Number.Integer),
        ],
        "declarations": [
            (rf"\b(def)(\s+)({NAME})", bygroups(Keyword.Declaration, Whitespace, Name.Function)),
            (rf"\b(let)(\s+)({NAME})", bygroups(Keyword.Declaration, Whitespace, Name.Constant)),
            (
                rf"\b(queue)(\s+)(?!by\s*\(|fifo\s*;)({NAME})",
                bygroups(Keyword.Declaration, Whitespace, Name.Class),
            ),
            (rf"(?<=:)(\s*){_words(vocabulary.ROLE_WORDS)}", bygroups(Whitespace, Keyword.Type)),
            (
                rf"({NAME})(\s+)(pull|push)(\s+)({NAME})",
                bygroups(Name.Class, Whitespace, Keyword, Whitespace, Name.Class),
            ),
            (
                rf"(?<![:,])(?<![:,] ){_words(vocabulary.ENTRY_WORDS)}(?=\s*(?:\([^()]*\)\s*)?(?:from\s+{NAME}\s*)?\{{)",
                Name.Function,
            ),
            _declaring(("pool", "stage"), Keyword.Declaration, Name.Class),
            _declaring(("gauge", "claim"), Keyword.Declaration, Name.Property),
            _declaring(("set", "choose", "state", "hidden"), Keyword, Name.Variable),
            _declaring(("observe", "mark"), Keyword, Name.Property),
            _declaring(
                ("hold", "grow", "load", "drop", "release", "run", "request", "lease", "growing", "on", "from", "to"),
                Keyword,
                Name.Class,
            ),
            _declaring(("memory", "spill", "via", "of", "inherit"), Keyword, Name.Class),
            _declaring(("into",), Keyword, Name.Label),
            (rf"{NOT_A_VALUE}\bspawn\b(?=\s*\()", Keyword),
        ],
        "expressions": [
            (rf"(~)(\s*)({NAME})", bygroups(Operator, Whitespace, Name.Builtin)),
            (
                rf"\b{_words(vocabulary.AGGREGATE_WORDS)}(\s+)({NAME})(\s+)(in)\b",
                bygroups(Name.Builtin, Whitespace, Name.Variable, Whitespace, Keyword),
            ),
            (rf"(\.)(\s*)({NAME})(?=\s*\()", bygroups(Punctuation, Whitespace, Name.Function)),
            (rf"(\.)(\s*)({NAME})", bygroups(Punctuation, Whitespace, Name.Attribute)),
        ],
        "words": [
            (rf"{NOT_A_VALUE}\b{_words(_RETIRED)}(?=\s*[({{]|\s+{NAME})", Keyword.Pseudo),
            (rf"{NOT_A_VALUE}\b{_words(_KINDS)}(?!\s*[.\[])", Keyword.Type),
            (rf"{NOT_A_VALUE}\b{_words(_CHOICES)}(?!\s*[.\[])", Keyword.Constant),
            (rf"{NOT_A_VALUE}\b{_words(_STATEMENTS)}(?!\s*[.\[])", Keyword),
            (rf"{NOT_A_VALUE}\b{_words(_OTHER)}(?!\s*[.\[])", Keyword),
            (rf"\b{_words(_FUNCTIONS)}(?=\s*\()", Name.Builtin),
            (rf"{NAME}(?=\s*\()", Name.Function),
            (rf"\b{_words(_BUILTIN)}", Name.Variable.Magic),
            (r"\binf\b", Keyword.Constant),
            (NAME, Name),
        ],
        "signs": [
            (r"<=|>=|==|!=|&&|\|\||[-+*/^<>!=?~]", Operator),
            (r"[(){}\[\],;:.]", Punctuation),
        ],
    }
