"""After an edit the front end reads again only what it must; what it says is what it says of the text alone."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from serq_interpreter.frontend.analysis import Analysis, analyse
from serq_interpreter.ir.json import write_program
from serq_interpreter.syntax.tokens import Place, place_of
from tests.support.cases import all_cases
from tests.support.generate import mutated, programs
from tests.support.generate.mutation import spans

INSERTED = (
    "",
    ";",
    "}",
    "{",
    "(",
    ")",
    '"',
    "//",
    "/*",
    "*/",
    "\n",
    " ",
    "x",
    "def d(a) = a;",
    "pool extra { }",
    "\n}\n",
    "é",
    "²",
)


NUMBER = re.compile(r"\b\d+\b")


def edited(text: str, random: Random) -> str:
    """The text after what a person may do at once: a key, a word, a line, an item, a paste from elsewhere in the text."""
    chance = random.random()
    if chance < 0.3:
        return mutated(text, random)[1]
    numbers = list(NUMBER.finditer(text))
    if chance < 0.6 and numbers:
        number = random.choice(numbers)
        return f"{text[: number.start()]}{random.randrange(1, 9)}{text[number.end() :]}"
    start = random.randrange(len(text) + 1)
    end = min(len(text), start + random.choice((0, 0, 1, 5, 60)))
    match random.randrange(4):
        case 0:
            put = random.choice(INSERTED)
        case 1:
            at = random.randrange(len(text) + 1)
            put = text[at : at + random.choice((10, 80, 400))]
        case 2:
            lines = text.split("\n")
            put = random.choice(lines) + "\n"
            start = end = len("\n".join(lines[: random.randrange(len(lines))]))
        case _:
            words = spans(text)
            word = random.choice(words) if words else None
            put = "" if word is None else text[word.start : word.end]
    return text[:start] + put + text[end:]


def difference(new: Analysis, fresh: Analysis) -> str:
    """How an analysis after an edit differs from one of the text alone."""
    if new.diagnostics != fresh.diagnostics or new.suppressed != fresh.suppressed:
        return f"diagnostics: {[item.message for item in new.diagnostics]} and {[item.message for item in fresh.diagnostics]}"
    if (new.lowered is None) != (fresh.lowered is None):
        return "only one has a kernel"
    if uses(new) != uses(fresh):
        return "uses"
    if new.lowered is not None and fresh.lowered is not None:
        if write_program(new.lowered.program) != write_program(fresh.lowered.program):
            return "IR"
        if origins(new) != origins(fresh):
            return "origins"
    return ""


def located(analysis: Analysis, place: Place | None) -> tuple[object, ...]:
    """A place by file and offsets, with the uses through which it came."""
    if place is None:
        return ()
    source, start, end = analysis.document.locate(place)
    via = () if place.via is None else (place.via.definition, located(analysis, place_of(place.via.use)))
    return (source.file, start, end, via)


def uses(analysis: Analysis) -> list[tuple[object, ...]]:
    """What each name token means, in the order of the text."""
    found = [
        (located(analysis, place_of(token)), symbol.kind, symbol.name, located(analysis, symbol.declared))
        for token, symbol in analysis.elaborated.uses.items()
    ]
    return sorted(found, key=repr)


def origins(analysis: Analysis) -> list[tuple[object, ...]]:
    """Where the nodes of the kernel stand; each is told from the others by its class and place."""
    assert analysis.lowered is not None
    found = [(type(node).__name__, located(analysis, place)) for node, place in analysis.lowered.origins.items()]
    return sorted(found, key=repr)


def edited_texts() -> list[str]:
    """The shorter programs of the corpus, without those that expand to as much as may be."""
    return [case.text for case in all_cases() if len(case.text) < 4000 and case.expected.code != "SQ0147"]


def judge_edits(text: str, random: Random, edits: int) -> None:
    """Edit again and again, each analysis from the one before."""
    first = text
    analysis = analyse(text, "edited.sq")
    for _ in range(edits):
        before, text = text, first if random.random() < 0.2 else edited(text, random)
        analysis = analyse(text, "edited.sq", previous=analysis)
        found = difference(analysis, analyse(text, "edited.sq"))
        assert found == "", f"{found}\nbefore:\n{before}\nafter:\n{text}"


DEFINING = """\
stage svc : fifo;
stage gpu : step { cost 1 + 0.1 * tokens; memory kv; }
pool kv { cap 100; block 4; queue by (-waited); }
pool slots[2] { cap 3; }
let N = 2;
def work(x) = max(1, x * N);
def visit(x) { run svc (work(x)); observe seen = now - born; }
def nothing() { }
def serve(p, a) { hold kv (p + a) { run gpu prefill (p); run gpu decode (a) growing kv; } cache (p + a) }
def both(p) { serve(p, 2); visit(p); }
gauge held = used(kv) + used(slots[0]);
gauge waiting = queue(svc);
claim seen_once : at end (count(seen) >= 0);
workload { arrive poisson(0.1); init { set born = now; set n = ceil(~exp(3)); } }
session {
  nothing();
  visit(1);
  set k = n; both(k); nothing(); hold slots[0] (1) { visit(2); }
  loop { branch (now > 40) { end; } visit(n); hold slots[1] (work(1)) { run svc (1); } }
}
run { horizon 50; warmup 5; }
"""
REPLACEMENTS = (
    ("x * N", "x * (N + 1)"), ("max(1, x", "min(3, x"), ("run svc (work(x));", ""), ("observe seen", "set seen"),
    ("def nothing() { }", "def nothing() { run svc (1); }"), ("{ }", "{ ; }"), ("{ }", "{ cache (3); }"),
    ("(p + a)", "(p)"), ("def both(p) {", "def both(p) { set q = p;"), ("visit(p); }", "visit(p) }"), ("(p, a)", "(p)"),
    ("cap 100", "cap 20"), ("block 4;", ""), ("cap 3", "cap 2"), ("slots[2]", "slots[3]"), ("N = 2", "N = 3"),
    ("used(kv)", "free(kv)"), ("queue(svc)", "busy(svc)"), ("count(seen)", "total(seen)"), (" cache (p + a)", ""),
    ("-waited", "-n"), ("cost 1", "cost 2"), ("exp(3)", "exp(4)"), ("visit(1);", "visit(work(1));"), ("end;", "visit(4); end;"),
    ("set k = n;", "set k = n + now;"), ("seen_once", "seen_twice"), ("memory kv;", "memory slots;"), ("let N", "let M"),
    ("stage svc", "stage other"), ("waiting", "held"), ("poisson(0.1)", "closed(3)"), ("fifo", "ps(2)"), ("N = 2", "N = seen"),
)  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_edits_between_right_programs(seed: int) -> None:
    """Most edits leave a right program, so that what is kept of one is used for the next."""
    random = Random(seed)
    applied: list[tuple[str, str]] = []
    analysis = analyse(DEFINING, "edited.sq")
    for _ in range(60):
        if applied and random.random() < 0.5:
            applied.pop(random.randrange(len(applied)))
        else:
            applied.append(random.choice(REPLACEMENTS))
        text = DEFINING
        for old, new in applied:
            text = text.replace(old, new, 1)
        analysis = analyse(text, "edited.sq", previous=analysis)
        found = difference(analysis, analyse(text, "edited.sq"))
        assert found == "", f"{found}\n{text}"


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=programs(), seed=st.integers(0, 2**32))
def test_edits_of_generated_programs(text: str, seed: int) -> None:
    judge_edits(text, Random(seed), 4)


@pytest.mark.parametrize("seed", range(10))
def test_edits_of_the_corpus(seed: int) -> None:
    random = Random(seed)
    for text in random.sample(edited_texts(), 4):
        judge_edits(text, random, 5)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 130))
def test_many_edits(seed: int) -> None:
    random = Random(seed)
    for text in random.sample(edited_texts(), 8):
        judge_edits(text, random, 12)
