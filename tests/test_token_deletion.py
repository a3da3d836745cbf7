"""One token left out of a program is trouble for its own item only (03 §4).

A bracket, a quote or the end of a comment may reach further: up to the next item word in the first column, or the end.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from serq_interpreter.frontend.analysis import Analysis, analyse
from tests.support.cases import all_cases
from tests.support.generate.mutation import Span, spans

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").rglob("*.sq"))
CASES = Path(__file__).resolve().parent / "corpus/cases"
REACHING = frozenset("(){}[]")


def item_spans(analysis: Analysis) -> list[tuple[int, int]]:
    """Where the items of a program start and end."""
    pieces = analysis.document.sources[0].pieces
    return [(base + piece.tokens[0].start, base + piece.tokens[-1].end) for base, piece in pieces if piece.tokens]


def elsewhere(path: str, text: str, token: Span, items: list[tuple[int, int]]) -> list[str]:
    """What is said of other items when the token is left out and the rest has a syntax error."""
    damaged = text[: token.start] + " " * (token.end - token.start) + text[token.end :]
    analysis = analyse(damaged, path)
    found = [item for item in analysis.diagnostics if item.code < "SQ1000" and item.file == path]
    if not any(item.code < "SQ0140" for item in found):
        return []
    index = next((number for number, (start, end) in enumerate(items) if start <= token.start < end), None)
    if index is None:
        return []
    low, high = items[index]
    following = [start for start, _ in items[index + 1 :]]
    if text[token.start] in REACHING or text[token.start] == '"':
        high = next((start for start in following if text[start - 1] == "\n"), len(text))
    # An item that lacks its end is found to do so at the next one.
    ends = {*following[:1], len(text)}
    return [
        f"{item.code} at line {item.location.start.line}: {item.message}"
        for item in found
        if not low <= item.location.start_offset <= high and item.location.start_offset not in ends
    ]


def judge(path: str, text: str, random: Random, count: int) -> list[str]:
    """Complaints about some tokens of a program."""
    items = item_spans(analyse(text, path))
    tokens = spans(text)
    complaints = []
    for token in random.sample(tokens, min(count, len(tokens))):
        said = elsewhere(path, text, token, items)
        if said:
            line = text.count("\n", 0, token.start) + 1
            complaints.append(f"{Path(path).name}:{line} without `{text[token.start : token.end]}`: {said}")
    return complaints


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_a_token_left_out_of_an_example(path: Path) -> None:
    assert judge(str(path), path.read_text(encoding="utf-8"), Random(0), 12) == []


@pytest.mark.full
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_token_of_an_example(path: Path) -> None:
    assert judge(str(path), path.read_text(encoding="utf-8"), Random(0), 100_000) == []


@pytest.mark.full
def test_tokens_of_the_corpus() -> None:
    """Few programs of the corpus need a word whose loss nothing shows; the examples have none."""
    cases = [case for case in all_cases() if case.expected.code is None and len(case.text) < 3000]
    random = Random(0)
    chosen = random.sample(cases, 100)
    complaints = [line for case in chosen for line in judge(str(case.path), case.text, random, 20)]
    assert len(complaints) <= 3, complaints


@pytest.mark.parametrize(
    ("name", "line", "token", "said"),
    [
        ("ir/ir_server_and_request_splice.sq", 4, "hold", ["SQ0112"]),
        ("queues/queues_mark-is-set.sq", 21, "gw", ["SQ0106"]),
        ("queues/queues_from-lease-both-arms.sq", 22, "hold", ["SQ0112", "SQ0112"]),
        ("syntax/syntax_def-in-init.sq", 6, "begin", ["SQ0108"]),
        ("syntax/syntax_use-library-nested.sq", 2, ";", ["SQ0105"]),
        ("syntax/syntax_use-library-nested.sq", 2, "use", ["SQ0110"]),
        ("syntax/syntax_use-library-nested.sq", 3, "use", ["SQ0110"]),
    ],
)
def test_what_a_lost_token_may_have_meant(name: str, line: int, token: str, said: list[str]) -> None:
    """A lost head, name or `;` makes something unknown that other items read: they are not blamed."""
    path = CASES / name
    lines = path.read_text(encoding="utf-8").split("\n")
    assert token in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(token, " " * len(token), 1)
    analysis = analyse("\n".join(lines), str(path))
    assert [item.code for item in analysis.diagnostics if item.code < "SQ1000"] == said


def test_an_entry_lost_with_a_brace_may_have_set_what_is_read() -> None:
    path = CASES / "queues/queues_pd-pull.sq"
    text = path.read_text(encoding="utf-8")
    damaged = text.replace("growing kv; } cache (n) }\n  decode", "growing kv; } cache (n)\n  decode")
    assert damaged != text
    assert "SQ0201" not in [item.code for item in analyse(damaged, str(path)).diagnostics]


@pytest.mark.parametrize("body", ["run svc (x)", "set y = x", "run svc (1); set y = x", "hold kv (x) { }; set y = (x)"])
@pytest.mark.parametrize("after", ["end;", "go(2); go(3);", "set z = 1;", ""])
def test_a_body_without_its_last_semicolon_is_one_error_in_the_definition(body: str, after: str) -> None:
    head = f"stage svc : fifo; pool kv {{ cap 3; }}\ndef go(x) {{ {body} }}\n"
    text = f"{head}workload {{ arrive poisson(1); }}\nsession {{ go(1); {after} }}\nrun {{ horizon 10; }}\n"
    found = [item for item in analyse(text).diagnostics if item.code < "SQ0200"]
    assert [item.code for item in found] == ["SQ0105"]
    at = found[0].location.start_offset
    assert text[at - len(body) : at] == body
