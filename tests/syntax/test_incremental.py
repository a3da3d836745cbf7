"""A document read again after an edit equals one that is read from nothing, and keeps what the edit left alone."""

from __future__ import annotations

import random

from serq_interpreter.syntax.document import Document
from tests.syntax.helpers import accepted_programs, found, mutated, parse


def shape(document: Document) -> tuple[object, ...]:
    return (
        found(document),
        [(start, piece.chunk.text) for start, piece in document.sources[0].pieces],
        [type(item).__name__ for item in document.tree.items],
        document.tree.unparsed,
        document.tree.damaged,
    )


def test_edits_give_the_same_as_reading_anew() -> None:
    source = random.Random(3)
    programs = [text for text in accepted_programs() if len(text) < 4000]
    for _ in range(60):
        text = source.choice(programs)
        document = parse(text)
        for _ in range(4):
            text = mutated(text, source) if source.random() < 0.8 else source.choice(programs)
            document = parse(text, previous=document)
            assert shape(document) == shape(parse(text)), text


def test_strings_and_comments_that_open_and_close() -> None:
    first = 'let a = 1;\nworkload { trace "x.csv"; }\nlet b = 2;\n/* c */ let d = 3;\n'
    document = parse(first)
    for text in (first.replace('v"', "v"), first, first.replace("*/", ""), first, first.replace("1;", "(1;"), first):
        document = parse(text, previous=document)
        assert shape(document) == shape(parse(text))


def test_an_edit_inside_one_item_keeps_the_others() -> None:
    text = "".join(f"let a{number} = {number};\n" for number in range(40))
    before = parse(text)
    after = parse(text.replace("a20 = 20", "a20 = 21"), previous=before)
    kept = {id(piece) for _, piece in before.sources[0].pieces} & {id(piece) for _, piece in after.sources[0].pieces}
    assert len(kept) >= 36


def test_a_changed_definition_is_read_again_where_it_is_used() -> None:
    before = parse("def f(a) = a;\nlet x = f(1);\nlet y = 2;\n")
    after = parse("def f(a, b) = a;\nlet x = f(1);\nlet y = 2;\n", previous=before)
    assert [finding.code for finding in after.findings] == ["SQ0146"]
    again = parse("def f(a) = a;\nlet x = f(1);\nlet y = 2;\n", previous=after)
    assert again.findings == ()
