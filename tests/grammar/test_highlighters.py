"""TextMate and Pygments colour a program alike, from the vocabulary, and read no word as reserved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pygments.token import Error

from serq_interpreter.catalog import vocabulary
from serq_lsp.pygments_lexer import SerqLexer
from tests.grammar import textmate
from tests.support.cases import all_cases

ROOT = Path(__file__).resolve().parents[2]
GRAMMAR = json.loads((ROOT / "editors/vscode/syntaxes/serq.tmLanguage.json").read_text(encoding="utf-8"))


def scopes(text: str) -> dict[str, list[str]]:
    """Piece of text → its scopes in order."""
    found: dict[str, list[str]] = {}
    for piece, scope in textmate.tokenize(GRAMMAR, text):
        found.setdefault(piece, []).append(scope)
    return found


def kinds(text: str) -> list[tuple[str, str]]:
    return [
        (value, str(kind).removeprefix("Token."))
        for _, kind, value in SerqLexer().get_tokens_unprocessed(text)
        if value.strip()
    ]


def test_textmate_takes_a_declared_name_for_a_name() -> None:
    found = scopes("session { set set = set; run run (1); }\n")
    assert found["set"] == ["keyword.control", "variable.other.readwrite", "variable.other"]
    assert found["run"] == ["keyword.control", "entity.name.type"]


def test_textmate_takes_a_word_in_a_value_for_a_name() -> None:
    assert scopes("let a = end + session;\n")["end"] == ["variable.other"]
    assert scopes("let a = end + session;\n")["session"] == ["variable.other"]


def test_textmate_knows_what_a_word_is_from_its_place() -> None:
    found = scopes("pool p { queue by (waited); } let q = queue(s);\nqueue gw[2] : gateway, link { route { } }\n")
    assert found["queue"] == ["storage.type", "support.function", "storage.type"]
    assert found["gateway, link"] == ["support.type.role"]
    assert found["route"] == ["entity.name.function"]
    assert found["waited"] == ["variable.language"]


def test_textmate_reads_comments_strings_and_numbers() -> None:
    found = scopes('use "a;b"; // let\n/* let\n let */ let x = 1_0.5e-3; let y = 1.2.3;\n')
    assert found["let"] == ["storage.type", "storage.type"]
    assert found["1_0.5e-3"] == ["constant.numeric"]
    assert found["1.2.3"] == ["invalid.illegal.number"]


def test_textmate_marks_words_of_older_editions() -> None:
    found = scopes("enter kv (1) { } keep (1)\n")
    assert found["enter"] == found["keep"] == ["invalid.deprecated"]


@pytest.mark.parametrize("name", vocabulary.FUNCTIONS)
def test_functions_are_functions_in_both(name: str) -> None:
    text = f"let a = {name}(x);\n"
    assert scopes(text)[name] == ["support.function"]
    assert (name, "Name.Builtin") in kinds(text)


@pytest.mark.parametrize("name", [*vocabulary.CONTEXT_VARIABLES, *vocabulary.BUILTIN_ATTRIBUTES])
def test_supplied_names_are_supplied_in_both(name: str) -> None:
    text = f"let a = {name};\n"
    assert scopes(text)[name] == ["variable.language"]
    assert (name, "Name.Variable.Magic") in kinds(text)


@pytest.mark.parametrize("word", [word for word in vocabulary.KEYWORDS if word not in vocabulary.AGGREGATE_WORDS])
def test_words_are_words_in_both(word: str) -> None:
    """After a brace, where options and statements begin."""
    text = f"{{ {word} ;\n"
    assert scopes(text)[word][0].split(".")[0] in {"keyword", "storage", "support", "constant"}
    assert any(kind.startswith("Keyword") for value, kind in kinds(text) if value == word)


@pytest.mark.parametrize("word", [word for word in vocabulary.KEYWORDS if word != "let"])
def test_a_constant_may_have_the_name_of_any_word_in_both(word: str) -> None:
    text = f"let {word} = {word} + 1;\n"
    expected = "variable.language" if word in vocabulary.CONTEXT_VARIABLES else "variable.other"
    assert scopes(text)[word] == ["variable.other.constant", expected]
    first, second = (kind for value, kind in kinds(text) if value == word)
    assert first == "Name.Constant"
    assert second.startswith("Name")


def test_pygments_reads_every_accepted_case_without_an_error() -> None:
    lexer = SerqLexer()
    for case in all_cases():
        if case.expected.code is None:
            kinds_ = [kind for _, kind, _ in lexer.get_tokens_unprocessed(case.text)]
            assert Error not in kinds_, case.name


def test_pygments_keeps_every_character() -> None:
    text = "let a = 5 % 3; // ½\n/* open\n"
    assert "".join(value for _, _, value in SerqLexer().get_tokens_unprocessed(text)) == text


def test_pygments_finds_the_lexer_by_name() -> None:
    lexers = pytest.importorskip("pygments.lexers")
    assert lexers.get_lexer_by_name("serq").name == "serQ"
    assert isinstance(lexers.get_lexer_for_filename("a.sq"), SerqLexer)
