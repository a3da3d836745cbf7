"""The examples that hovers show: each is right where its word stands, and every keyword has one."""

from __future__ import annotations

import pytest

from serq_interpreter.catalog import vocabulary as v
from serq_interpreter.syntax.document import parse_document
from serq_lsp.services.word_examples import EXAMPLES

POOL = "pool q {{ {} }}"
STEP = "stage engine : step {{ cost 1; {} }}"
SERVER = "server {{ {} }}"
QUEUE = "queue x : prefill {{ {} }}"
PLACES = ("{}", POOL, STEP, SERVER, "workload {{ {} }}", QUEUE, "stage engine : step {{ cost 1; iteration {{ {} }} }}")
"""Where an example may stand."""
OWN = {
    v.ITEM: ("{}",),
    v.POOL_OPTION: (POOL,),
    v.STAGE_KIND: ("{}",),
    v.STEP_OPTION: (STEP,),
    v.ITERATION_STATEMENT: PLACES[-1:],
    v.WORKLOAD_OPTION: PLACES[4:5],
    v.ARRIVAL: PLACES[4:5],
    v.RUN_OPTION: ("{}",),
    v.QUEUE_OPTION: (QUEUE,),
    v.STATEMENT: (SERVER,),
    v.ROLE: ("{}",),
    v.ENTRY: (QUEUE,),
    v.AGGREGATE: ("{}",),
}
"""The places of a kind; a clause or a choice may stand in any."""


@pytest.mark.parametrize(("kind", "name"), EXAMPLES, ids=lambda text: text.replace(" ", "-"))
def test_an_example_is_right_and_shows_its_word(kind: str, name: str) -> None:
    text = EXAMPLES[kind, name]
    assert name in text.replace("(", " ").replace(";", " ").split()
    found = [parse_document(place.format(text), "example.sq").findings for place in OWN.get(kind, PLACES)]
    missing = {"SQ0150", "SQ0151"}  # the library of `use`
    assert any(all(item.code in missing for item in one) for one in found), [
        [str(item) for item in one] for one in found
    ]


def test_every_keyword_has_an_example() -> None:
    without = (
        *(v.FUNCTION, v.DISTRIBUTION, v.CONTEXT, v.CONSTANT, v.ATTRIBUTE),
        *(v.QUEUE_NAME, v.RETIRED, v.RENAMED),
    )
    wanted = {(word.kind, word.name) for word in v.WORDS if word.kind not in without}
    assert wanted == set(EXAMPLES)
