"""Every method a client may ask for, over standard input and output and over a socket."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from serq_lsp.protocol.features import FEATURES
from tests.support.raw_client import RawClient

TEXT = """let rate = 0.5;
def twice(x) = 2 * x;
pool kv { cap 64; }
stage svc : fifo;
workload { arrive poisson(rate); }
session {
  set t = now;
  hold kv (twice(1)) {
    run svc (~exp(1));
  }
  observe response = now - t;
  end;
}
run { horizon 300; warmup 10; }
"""
DOCUMENT = {"uri": "file:///w/program.sq"}
OPTIONS = {"tabSize": 2, "insertSpaces": True}
EVERYTHING = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}


def place(word: str, more: int = 0) -> dict[str, Any]:
    index = TEXT.index(word) + more
    start = TEXT.rfind("\n", 0, index) + 1
    return {"line": TEXT.count("\n", 0, index), "character": index - start}


def at(word: str, more: int = 0, **fields: Any) -> dict[str, Any]:
    return {"textDocument": DOCUMENT, "position": place(word, more), **fields}


def whole(**fields: Any) -> dict[str, Any]:
    return {"textDocument": DOCUMENT, **fields}


ASKED: dict[str, dict[str, Any]] = {
    "textDocument/diagnostic": whole(),
    "textDocument/completion": at("run svc", 4),
    "textDocument/hover": at("kv (tw"),
    "textDocument/signatureHelp": at("exp(1", 4),
    "textDocument/declaration": at("kv (tw"),
    "textDocument/definition": at("kv (tw"),
    "textDocument/references": at("kv (tw", context={"includeDeclaration": True}),
    "textDocument/documentHighlight": at("kv (tw"),
    "textDocument/documentSymbol": whole(),
    "textDocument/prepareRename": at("kv (tw"),
    "textDocument/rename": at("kv (tw", newName="memory_of_it"),
    "textDocument/prepareCallHierarchy": at("twice(1"),
    "textDocument/codeAction": whole(range={"start": place("rate"), "end": place("rate")}, context={"diagnostics": []}),
    "textDocument/codeLens": whole(),
    "textDocument/documentLink": whole(),
    "textDocument/foldingRange": whole(),
    "textDocument/selectionRange": whole(positions=[place("exp")]),
    "textDocument/formatting": whole(options=OPTIONS),
    "textDocument/rangeFormatting": whole(range=EVERYTHING, options=OPTIONS),
    "textDocument/onTypeFormatting": at("end;", 4, ch=";", options=OPTIONS),
    "textDocument/semanticTokens/full": whole(),
    "textDocument/semanticTokens/full/delta": whole(previousResultId="0"),
    "textDocument/semanticTokens/range": whole(range=EVERYTHING),
    "textDocument/inlayHint": whole(range=EVERYTHING),
    "workspace/symbol": {"query": "kv"},
    "workspace/executeCommand": {"command": "serq.tests", "arguments": [DOCUMENT["uri"]]},
}
"""Requests of one message."""
FOLLOWING = {
    "completionItem/resolve": ("textDocument/completion", lambda answer: answer["items"][0]),
    "callHierarchy/incomingCalls": ("textDocument/prepareCallHierarchy", lambda answer: {"item": answer[0]}),
    "callHierarchy/outgoingCalls": ("textDocument/prepareCallHierarchy", lambda answer: {"item": answer[0]}),
    "codeLens/resolve": ("textDocument/codeLens", lambda answer: answer[0]),
    "inlayHint/resolve": ("textDocument/inlayHint", lambda answer: answer[0]),
}
"""Requests about an answer to another one."""
EMPTY = {"textDocument/documentLink", "textDocument/onTypeFormatting", "callHierarchy/outgoingCalls"}
"""Methods that have nothing to say about this program."""


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@pytest.fixture(scope="module", params=["stdio", pytest.param("tcp", marks=pytest.mark.full)])
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RawClient]:
    """A session whose document has run once."""
    log = tmp_path_factory.mktemp(request.param) / "server.log"
    address = None if request.param == "stdio" else ("127.0.0.1", free_port())
    with RawClient(log, address=address) as client:
        client.initialize(trusted=False)
        item = {**DOCUMENT, "languageId": "serq", "version": 1, "text": TEXT}
        client.notify("textDocument/didOpen", {"textDocument": item})
        run = {"command": "serq.run", "arguments": [DOCUMENT["uri"], {"wait": True}]}
        assert client.request("workspace/executeCommand", run)["result"]["state"] == "final"
        yield client
        assert client.shutdown() == 0
    assert "Traceback" not in log.read_text(encoding="utf-8")


@pytest.mark.parametrize("method", [*ASKED, *FOLLOWING])
def test_the_method_is_answered(client: RawClient, method: str) -> None:
    if method in ASKED:
        answer = client.request(method, ASKED[method])
    else:
        first, make = FOLLOWING[method]
        answer = client.request(method, make(client.request(first, ASKED[first])["result"]))
    assert "error" not in answer, answer
    assert bool(answer["result"]) is (method not in EMPTY), answer


def test_every_request_of_a_client_is_here() -> None:
    others = ("$/", "window/", "client/", "initialize", "shutdown", "exit", "workspace/did", "textDocument/did")
    to_the_client = {"workspace/configuration", "textDocument/publishDiagnostics"}
    wanted = {one.method for one in FEATURES if one.supported and not one.method.startswith(others)}
    wanted = {method for method in wanted if not method.endswith("/refresh")} - to_the_client
    assert wanted == {*ASKED, *FOLLOWING}


def test_a_method_that_is_not_there_is_an_error(client: RawClient) -> None:
    assert client.request("textDocument/moniker", at("kv (tw"))["error"]["code"] == -32601
    client.notify("$/unheardOf", {})
    client.notify("textDocument/unheardOf", {})
    assert client.request("textDocument/hover", ASKED["textDocument/hover"])["result"]


def test_the_address_is_checked(tmp_path: Path) -> None:
    for flags in (["--tcp", "nowhere"], ["--ws", "a:b"], ["--tcp", "a:99999"], ["--stdio", "--tcp", "a:1"]):
        done = subprocess.run([sys.executable, "-m", "serq_lsp", "lsp", *flags], capture_output=True, timeout=60)
        assert done.returncode == 2 and done.stdout == b"" and b"Traceback" not in done.stderr
