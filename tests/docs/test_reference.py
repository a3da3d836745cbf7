"""Everything that the code offers has its entry in the documentation; the table of protocol features tells the truth."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from lsprotocol import types

from serq_interpreter.catalog import all_entries
from serq_lsp.cli.main import cli
from serq_lsp.protocol.features import FEATURES
from serq_lsp.protocol.server import create_server
from serq_lsp.services.settings import TABLE

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
BY_METHOD = {item.method: item for item in FEATURES}


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def test_every_rule_has_its_page_and_its_row() -> None:
    rules = page("rules.md")
    for item in all_entries():
        assert f"(rules/{item.code}.md)" in rules
        assert (DOCS / f"rules/{item.code}.md").is_file()


def test_every_command_and_flag_has_its_entry() -> None:
    text = page("reference/cli.md")
    with cli.make_context("serq-lsp", [], resilient_parsing=True) as context:
        for name in cli.list_commands(context):
            section = re.search(rf"^## {name}\n(.*?)(?=^## )", text, re.DOTALL | re.MULTILINE)
            assert section is not None, name
            command = cli.get_command(context, name)
            assert command is not None
            for parameter in command.params:
                if isinstance(parameter, click.Option) and not parameter.hidden:
                    for flag in (*parameter.opts, *parameter.secondary_opts):
                        assert f"`{flag}`" in section[1], f"{name} {flag}"


def test_every_setting_has_its_entry() -> None:
    text = page("reference/settings.md")
    for item in TABLE:
        assert f"| `serq.{item.name}` |" in text


def test_every_method_of_the_protocol_has_its_row() -> None:
    assert sorted(BY_METHOD) == sorted(types.METHOD_TO_TYPES)
    assert len(BY_METHOD) == len(FEATURES)
    text = page("reference/lsp.md")
    for item in FEATURES:
        assert f"| `{item.method}` | {item.does or item.why_not} |" in text
        assert bool(item.does) != bool(item.why_not)


BASIC = {"$/cancelRequest", "$/progress"}
"""What goes both ways and no handler is registered for."""


def test_what_the_table_says_is_registered_and_what_is_registered_is_in_the_table() -> None:
    manager = create_server().protocol.fm
    registered = set(manager.features) | {
        name for name in manager.builtin_features if not name.startswith("notebookDocument/")
    }
    for item in FEATURES:
        if item.method in BASIC or types.message_direction(item.method) == "serverToClient":
            continue
        assert item.supported == (item.method in registered), f"{item.method}: correct serq_lsp/protocol/features.py"


def _function(method: str) -> str:
    """The name of pygls' function that sends a message."""
    if method == "window/workDoneProgress/create":
        return "work_done_progress.create"
    words = method.replace("$/", "").replace("/", "_")
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", words).lower()


@pytest.mark.parametrize(
    "method", [item.method for item in FEATURES if types.message_direction(item.method) == "serverToClient"]
)
def test_what_the_server_sends_is_in_the_table(method: str) -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "serq_lsp/protocol").rglob("*.py")]
    sent = any(re.search(rf"\.{_function(method)}(_async)?\(", text) for text in sources)
    assert BY_METHOD[method].supported == sent, f"{method}: correct serq_lsp/protocol/features.py"
