"""The vocabulary agrees with itself, with the kernel and with every list of words that is derived from it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from serq_grammar.tree_reading import RETIRED_STATEMENTS
from serq_interpreter.catalog import vocabulary
from serq_interpreter.ir import program
from serq_interpreter.semantics import vocabulary as semantic

NODE_TYPES = Path(__file__).resolve().parents[2] / "grammar" / "tree-sitter-serq" / "src" / "node-types.json"

LEAVES_THAT_ARE_WORDS = {"admission_order": "admission", "delay_kind": "delay"}
"""Named nodes of the grammar that are one word and have no anonymous node for it."""


def test_every_meaning_is_stated_once_and_in_full() -> None:
    keys = [(word.name, word.kind) for word in vocabulary.WORDS]
    assert len(keys) == len(set(keys))
    for word in vocabulary.WORDS:
        assert word.kind in vocabulary.KINDS
        assert word.form
        assert word.doc.endswith("."), word.name


def test_words_of_the_language_are_words_of_the_table() -> None:
    known = {word.name for word in vocabulary.WORDS}
    assert known >= vocabulary.LANGUAGE_WORDS | vocabulary.RETIRED_WORDS | vocabulary.SUPPLIED_NAMES
    free = {"gateway", "route", "self", "fit", "enter", "keep", "where"}
    free |= {*vocabulary.BUILTIN_ATTRIBUTES, *vocabulary.RENAMED_CONTEXT} | vocabulary.SUPPLIED_NAMES
    assert known - vocabulary.LANGUAGE_WORDS <= free


def test_functions_have_the_arguments_of_their_group() -> None:
    groups = (
        (vocabulary.STAGE_FUNCTIONS, {vocabulary.STAGE, vocabulary.ENGINE}),
        ((*vocabulary.POOL_FUNCTIONS, "blocksize"), {vocabulary.POOL}),
        (vocabulary.OBSERVATION_FUNCTIONS, {vocabulary.OBSERVATION}),
        (vocabulary.ARITHMETIC_FUNCTIONS, {vocabulary.EXPRESSION}),
    )
    for names, kinds in groups:
        for name in names:
            assert vocabulary.FUNCTIONS[name].parameters[0].kind in kinds
    assert sum(len(names) for names, _ in groups) == len(vocabulary.FUNCTIONS)


def test_every_form_of_a_function_shows_its_parameters() -> None:
    for word in (*vocabulary.FUNCTIONS.values(), *vocabulary.DISTRIBUTIONS.values()):
        names = ", ".join(parameter.name for parameter in word.parameters)
        assert word.form.lstrip("~") == f"{word.name}({names})"


def test_built_in_attributes_stand_in_the_order_of_the_kernel() -> None:
    assert set(vocabulary.BUILTIN_ATTRIBUTES) == set(program.BUILTIN_ATTRIBUTES)


def test_replacements_are_words_of_today() -> None:
    for word in vocabulary.WORDS:
        assert not word.now or word.now == "at admission" or vocabulary.meanings(word.now)
    assert set(vocabulary.RENAMED_CONTEXT.values()) <= set(vocabulary.CONTEXT_VARIABLES)


def test_the_semantic_layers_see_the_same_table() -> None:
    for name in semantic.__all__:
        assert getattr(semantic, name) is getattr(vocabulary, name)


def test_keywords_of_the_tree_sitter_grammar_are_the_vocabulary() -> None:
    nodes = json.loads(NODE_TYPES.read_text(encoding="utf-8"))
    words = {node["type"] for node in nodes if not node["named"] and node["type"].isidentifier()}
    words |= {word for node, word in LEAVES_THAT_ARE_WORDS.items() if any(n["type"] == node for n in nodes)}
    assert words == {*vocabulary.KEYWORDS, *vocabulary.EXTENSION_KEYWORDS}


def test_functions_of_the_tree_sitter_grammar_are_the_vocabulary() -> None:
    grammar = json.loads((NODE_TYPES.parent / "grammar.json").read_text(encoding="utf-8"))
    names = {member["content"]["value"] for member in grammar["rules"]["_function_name"]["content"]["members"]}
    assert names == {*vocabulary.FUNCTIONS, *vocabulary.AGGREGATE_WORDS}


def test_retired_statements_are_the_retired_words() -> None:
    assert RETIRED_STATEMENTS == vocabulary.RETIRED_WORDS


def test_the_table_imports_nothing_of_weight() -> None:
    code = "import sys, serq_interpreter.catalog.vocabulary as v; print(*sorted(m for m in sys.modules if 'serq' in m))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    layers = {name.split(".")[1] for name in done.stdout.split() if name.startswith("serq_interpreter.")}
    assert layers <= {"catalog", "record", "version"}


def test_words_no_definition_may_have() -> None:
    """The list of 01 §1.5; the table derives it, so that a new word of the language is in it."""
    listed = """abs admission admit arrivals arrive at batch bernoulli block bottleneck branch budget budget_left busy by
        cache cachedin cap ceil choose chunk claim closed cost count decode def delay det drop else end erlang
        est_lambda est_rho est_wait every evict exclusive exp fifo first fits floor fork free from gauge given granule
        grow growing h2 head held hidden hold holders horizon in init iteration join largest latency lease let lifo
        link ln load loop lru mark max maxmin memory min nic none observe of on only ordered poisson pool pow preempt
        prefill prefix_total price ps pull push queue queued release renewal request requeue reserve reuse run seed
        serve server session set share smallest some spill sqrt stage state step sum tail to tool total trace transfer
        turn uniform use used via warmup when while with work workload blocksize"""
    assert set(listed.split()) == vocabulary.LANGUAGE_WORDS
