"""Write the TextMate grammar of serQ from the vocabulary.

    python grammar/generate_textmate.py            writes editors/vscode/syntaxes/serq.tmLanguage.json
    python grammar/generate_textmate.py --check    exits with 1 when the file is not what would be written

Editors use the grammar before the language server answers, so it says what the text shows: comments, literals, words in
the places where they are words, names where they are declared.  No word is reserved, hence two habits of the patterns:
a declaring word takes the name after it along (`set set = 1;`), and a word right after an operator, a comma or an
opening parenthesis is a name (`let a = end;`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "interpreter"))

from serq_interpreter.catalog import vocabulary  # noqa: E402

TARGET = ROOT / "editors" / "vscode" / "syntaxes" / "serq.tmLanguage.json"

NAME = r"[_\p{Alphabetic}][_\p{Alphabetic}\p{N}]*"
START = r"(?<![_\p{Alphabetic}\p{N}])"
END = r"(?![_\p{Alphabetic}\p{N}])"
_OPERATORS = "[=+*^(,?<>!&|~.-]"
NOT_A_VALUE = f"(?<!{_OPERATORS})(?<!{_OPERATORS} )"
"""Not right after an operator, a comma or `(`, with or without a blank: what stands there is a value.

`/` is left out, because it also ends a comment."""

A_VALUE = r"(?:(?<=[=+*/^(,?<>!&|~-])|(?<=[=+*/^(,?<>!&|~-] ))"

ITEM_SCOPE = "storage.type.serq"
KEYWORD_SCOPE = "keyword.control.serq"
OPTION_SCOPE = "keyword.other.serq"

Rule = dict[str, object]

DECLARATIONS = (
    (("let",), ITEM_SCOPE, "variable.other.constant.serq"),
    (("pool", "stage"), ITEM_SCOPE, "entity.name.type.serq"),
    (("gauge", "claim"), ITEM_SCOPE, "variable.other.property.serq"),
    (("state",), OPTION_SCOPE, "variable.other.member.serq"),
    (("set", "choose"), KEYWORD_SCOPE, "variable.other.readwrite.serq"),
    (("observe", "mark"), KEYWORD_SCOPE, "variable.other.property.serq"),
    (("hold", "grow", "load", "drop", "release", "run", "request"), KEYWORD_SCOPE, "entity.name.type.serq"),
    (("memory", "spill", "via"), OPTION_SCOPE, "entity.name.type.serq"),
    (("lease", "growing", "on", "from", "to", "of", "inherit"), KEYWORD_SCOPE, "entity.name.type.serq"),
    (("into",), KEYWORD_SCOPE, "variable.other.member.serq"),
)
"""Words that a name follows: the words, their scope and the scope of the name."""


def words(names: Iterable[str]) -> str:
    """A group that matches one of the words, the longest first."""
    return "(" + "|".join(sorted(dict.fromkeys(names), key=lambda name: (-len(name), name))) + ")"


def rule(match: str, name: str | None = None, *scopes: str | None) -> Rule:
    """A pattern with the scope of the whole match, or the scopes of its groups in order."""
    made: Rule = {"match": match}
    if name is not None:
        made["name"] = name
    if scopes:
        made["captures"] = {str(at): {"name": scope} for at, scope in enumerate(scopes, 1) if scope is not None}
    return made


def comments() -> list[Rule]:
    return [
        rule(r"//[^\n]*", "comment.line.double-slash.serq"),
        {"begin": r"/\*", "end": r"\*/", "name": "comment.block.serq"},
    ]


def literals() -> list[Rule]:
    mantissa = r"(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)"
    dotted = r"(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)"
    exponent = r"(?:[eE][+-]?[0-9]+)?"
    return [
        {"begin": '"', "end": '"', "name": "string.quoted.double.serq"},
        rule(rf"{START}{dotted}\.[0-9_.]*{exponent}", "invalid.illegal.number.serq"),
        rule(rf"{START}{mantissa}{exponent}", "constant.numeric.serq"),
    ]


def declarations() -> list[Rule]:
    made: list[Rule] = [
        rule(
            rf"{START}(def)\s+({NAME})\s*(\()([^)]*)(\))",
            None,
            ITEM_SCOPE,
            "entity.name.function.serq",
            "punctuation.section.parens.serq",
            "variable.parameter.serq",
            "punctuation.section.parens.serq",
        ),
        rule(rf"{START}(hidden)\s+({NAME}(?:\s*,\s*{NAME})*)", None, OPTION_SCOPE, "variable.other.readwrite.serq"),
        rule(
            rf"{START}({NAME})\s+(pull|push)\s+({NAME})",
            None,
            "entity.name.type.serq",
            ITEM_SCOPE,
            "entity.name.type.serq",
        ),
        {
            "match": rf"{START}(queue)\s+(?!by\s*\(|fifo\s*;)({NAME})\s*(\[[^\]]*\])?\s*"
            rf"(?:(:)\s*({NAME}(?:\s*,\s*{NAME})*))?",
            "captures": {
                "1": {"name": ITEM_SCOPE},
                "2": {"name": "entity.name.type.serq"},
                "3": {"patterns": [{"include": "$self"}]},
                "4": {"name": "punctuation.separator.serq"},
                "5": {"name": "support.type.role.serq"},
            },
        },
        rule(
            rf"(?<![:,])(?<![:,] ){START}{words(vocabulary.ENTRY_WORDS)}(?=\s*(?:\([^()]*\)\s*)?(?:from\s+{NAME}\s*)?\{{)",
            "entity.name.function.serq",
        ),
    ]
    made.append(rule(rf"{NOT_A_VALUE}{START}spawn{END}(?=\s*\()", KEYWORD_SCOPE))
    for group, scope, name_scope in DECLARATIONS:
        made.append(rule(rf"{NOT_A_VALUE}{START}{words(group)}\s+(?!by\s*\()({NAME})", None, scope, name_scope))
    return made


def expressions() -> list[Rule]:
    builtin = [*vocabulary.CONTEXT_VARIABLES, *vocabulary.BUILTIN_ATTRIBUTES, "self"]
    return [
        rule(rf"(~)\s*({NAME})", None, "keyword.operator.serq", "support.function.distribution.serq"),
        rule(
            rf"{START}{words(vocabulary.AGGREGATE_WORDS)}\s+({NAME})\s+(in){END}",
            None,
            "support.function.serq",
            "variable.parameter.serq",
            KEYWORD_SCOPE,
        ),
        rule(rf"(\.)\s*({NAME})(?=\s*\()", None, "punctuation.accessor.serq", "entity.name.function.member.serq"),
        rule(rf"(\.)\s*({NAME})", None, "punctuation.accessor.serq", "variable.other.member.serq"),
        rule(rf"{A_VALUE}{words(builtin)}{END}(?!\s*\()", "variable.language.serq"),
        rule(rf"{START}inf{END}(?!\s*\()", "constant.language.serq"),
    ]


def plain_words() -> list[Rule]:
    """Words by kind, the kinds that say most first; a word gets the scope of its first kind."""
    functions = {*vocabulary.FUNCTIONS, *vocabulary.AGGREGATE_WORDS}
    groups = (
        (vocabulary.STAGE_KIND_WORDS, "support.type.serq"),
        (vocabulary.ARRIVAL_WORDS, "support.type.serq"),
        (("lru", "lifo", "head", "tail", "held", "maxmin", "bottleneck"), "constant.language.serq"),
        (vocabulary.ITEM_WORDS, ITEM_SCOPE),
        (vocabulary.STATEMENT_WORDS, KEYWORD_SCOPE),
        ((*vocabulary.POOL_OPTION_WORDS, *vocabulary.STEP_OPTION_WORDS), OPTION_SCOPE),
        ((*vocabulary.WORKLOAD_OPTION_WORDS, *vocabulary.RUN_OPTION_WORDS, "nic"), OPTION_SCOPE),
        (tuple(word for word in vocabulary.KEYWORDS if word not in vocabulary.FUNCTIONS), KEYWORD_SCOPE),
    )
    made: list[Rule] = []
    seen = set(vocabulary.AGGREGATE_WORDS)
    for group, scope in groups:
        fresh = [word for word in group if word not in seen]
        seen.update(fresh)
        made.append(rule(rf"{NOT_A_VALUE}{START}{words(fresh)}{END}(?!\s*[.\[])", scope))
    retired = words(word.name for word in vocabulary.words_of(vocabulary.RETIRED) if word.name not in seen)
    return [
        rule(rf"{NOT_A_VALUE}{START}{retired}{END}(?=\s*[({{]|\s+{NAME})", "invalid.deprecated.serq"),
        *made[:4],
        rule(rf"{START}{words(functions - seen)}{END}(?=\s*\()", "support.function.serq"),
        *made[4:],
        rule(rf"{START}{words(functions)}{END}(?=\s*\()", "support.function.serq"),
        rule(rf"{START}{NAME}(?=\s*\()", "entity.name.function.serq"),
        rule(
            rf"{START}{words([*vocabulary.CONTEXT_VARIABLES, *vocabulary.BUILTIN_ATTRIBUTES])}{END}",
            "variable.language.serq",
        ),
        rule(rf"{START}{NAME}", "variable.other.serq"),
    ]


def punctuation() -> list[Rule]:
    return [
        rule(r"<=|>=|==|!=|&&|\|\||[-+*/^<>!=?~]", "keyword.operator.serq"),
        rule(r"[,;:]", "punctuation.separator.serq"),
        rule(r"[{}]", "punctuation.section.block.serq"),
        rule(r"[()\[\]]", "punctuation.section.parens.serq"),
    ]


def grammar() -> dict[str, object]:
    """The whole grammar, as JSON values."""
    repository = {
        "comments": comments(),
        "literals": literals(),
        "declarations": declarations(),
        "expressions": expressions(),
        "words": plain_words(),
        "punctuation": punctuation(),
    }
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "serQ",
        "comment": "Generated by grammar/generate_textmate.py from the vocabulary. Do not edit.",
        "scopeName": "source.serq",
        "fileTypes": ["sq"],
        "patterns": [{"include": f"#{name}"} for name in repository],
        "repository": {name: {"patterns": patterns} for name, patterns in repository.items()},
    }


def rendered() -> str:
    """The text of the grammar file."""
    return json.dumps(grammar(), indent=2, ensure_ascii=False) + "\n"


def main() -> int:
    """Write or check the file; 0 when it is as it should be."""
    parser = argparse.ArgumentParser(description="Write the TextMate grammar of serQ from the vocabulary.")
    parser.add_argument("--check", action="store_true", help="write nothing, exit with 1 when the file is stale")
    check = parser.parse_args().check
    text = rendered()
    if check:
        current = TARGET.exists() and TARGET.read_text(encoding="utf-8") == text
        if not current:
            print(f"{TARGET.relative_to(ROOT)} is stale: run python grammar/generate_textmate.py", file=sys.stderr)
        return 0 if current else 1
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
