"""`serq-lsp draw` and the automaton of `serq-lsp ir`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_check import ROOT, serq

EXAMPLES = sorted((ROOT / "examples").glob("*.sq"))


def test_the_deployment_names_what_is_declared(tmp_path: Path) -> None:
    text = serq("draw", str(ROOT / "examples/chat.sq"), cwd=tmp_path).stdout.decode()
    assert text.startswith("flowchart TB\n")
    assert 'p0[("kv<br/>cap 160000")]' in text
    assert 't0 -.->|"admits"| p0' in text
    assert 'workload -->|"prefills"| t0' in text


def test_the_automaton_shows_scopes_and_preemptions(tmp_path: Path) -> None:
    text = serq("draw", "--view", "automaton", "--format", "dot", str(ROOT / "examples/chat.sq"), cwd=tmp_path).stdout
    assert b"subgraph cluster_s1" in text
    assert b'[label="preempted"' in text


@pytest.mark.full
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_can_be_drawn(path: Path, tmp_path: Path) -> None:
    for view in ("automaton", "deployment"):
        assert serq("draw", "--view", view, str(path), cwd=tmp_path).returncode == 0


def test_states_point_at_their_source(tmp_path: Path) -> None:
    value = json.loads(serq("ir", "--format", "automaton", str(ROOT / "examples/mm1.sq"), cwd=tmp_path).stdout)
    lines = (ROOT / "examples/mm1.sq").read_text().splitlines()
    for state in value["states"]:
        if state["origin"] is not None:
            start = state["origin"]["start"]
            assert lines[start["line"] - 1][start["column"] - 1 :].startswith(state["origin"]["text"].split("\n")[0])
