"""The automaton's JSON is what its schema says, for every program of the corpus."""

from __future__ import annotations

import json
from collections import Counter

import jsonschema
import pytest
from pydantic import ValidationError

from serq_interpreter.machine.automaton_json import automaton_json
from serq_interpreter.machine.automaton_schema import AutomatonDocument, automaton_schema
from tests.support.cases import CASES
from tests.support.command_line import ROOT, call
from tests.support.compiling import program_from, program_of

SMALL = """
pool m { cap 9; } stage d : delay;
workload { arrive batch(1); }
session { hold m (1) { run d (1); } }
run { horizon 9; }
"""
KINDS = {"turn", "set", "observe", "acquire", "exit", "run", "grow", "load", "drop", "release"}
KINDS |= {"branch", "choose", "fork", "join", "goto", "end"}


@pytest.mark.full
def test_every_program_of_the_corpus_follows_the_models() -> None:
    kinds: Counter[str] = Counter()
    for path in sorted(CASES.glob("*/*.expect.json")):
        source = path.with_name(path.name.replace(".expect.json", ".sq"))
        if source.exists():
            document = AutomatonDocument.model_validate_json(automaton_json(program_of(source)))
            kinds.update(state.kind for state in document.states)
    assert set(kinds) == KINDS


def test_programs_of_every_area_follow_the_exported_schema() -> None:
    schema = automaton_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    checked: set[str] = set()
    for path in sorted(CASES.glob("*/*.expect.json")):
        source = path.with_name(path.name.replace(".expect.json", ".sq"))
        if source.exists() and path.parent.name not in checked:
            checked.add(path.parent.name)
            validator.validate(json.loads(automaton_json(program_of(source))))
    assert len(checked) > 20


def test_a_number_that_refers_to_nothing_is_refused() -> None:
    value = json.loads(automaton_json(program_from(SMALL)))
    for change in ({"entry": 99}, {"scopes": value["scopes"][:1]}, {"states": value["states"][1:]}, {"more": 1}):
        with pytest.raises(ValidationError):
            AutomatonDocument.model_validate(value | change)


def test_the_command_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    ended = call(capsys, "ir", "--schema")
    assert ended.code == 0 and json.loads(ended.out) == automaton_schema()


def test_what_the_command_prints_follows_the_schema_and_says_where(capsys: pytest.CaptureFixture[str]) -> None:
    ended = call(capsys, "ir", "--format", "automaton", str(ROOT / "examples" / "vllm.sq"))
    document = AutomatonDocument.model_validate_json(ended.out)
    origins = [state.origin for state in document.states if state.kind == "run"]
    assert all(origin is not None and origin.start is not None and origin.text for origin in origins)
