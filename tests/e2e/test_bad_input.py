"""What goes wrong in editors: an answer or a clear error, no crash, no process left, nothing but protocol on the pipe."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support.raw_client import RawClient

PROGRAM = """let rate = 0.5;
stage svc : fifo;
workload { arrive poisson(rate); }
session { set t = now; run svc (~exp(1)); observe response = now - t; end; }
run { horizon 3000; warmup 100; }
"""
URI = "file:///w/program.sq"
START = {"line": 0, "character": 0}
VSCODE = {
    "workspace": {
        "configuration": True,
        "inlayHint": {"refreshSupport": True},
        "codeLens": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    },
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "textDocument": {"diagnostic": {}},
}


@contextmanager
def session(tmp_path: Path, capabilities: dict[str, Any] | None = None, **options: Any) -> Iterator[RawClient]:
    """A session; afterwards the log is clean and no process is left."""
    log = tmp_path / "server.log"
    silent = options.pop("silent", False)
    with RawClient(log) as client:
        client.silent = silent
        client.initialize(capabilities, **options)
        yield client
        children = psutil.Process(client.process.pid).children(recursive=True)
        assert client.shutdown() == 0
        _, alive = psutil.wait_procs(children, timeout=20)
        assert alive == []
    text = log.read_text(encoding="utf-8")
    assert "Traceback" not in text and "ERROR" not in text, text


def open_text(client: RawClient, text: str = PROGRAM, uri: str = URI) -> None:
    item = {"uri": uri, "languageId": "serq", "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": item})


def change(client: RawClient, *changes: dict[str, Any], version: int = 2, uri: str = URI) -> None:
    document = {"uri": uri, "version": version}
    client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})


def ask(client: RawClient, method: str, uri: str = URI, **fields: Any) -> dict[str, Any]:
    return client.request(f"textDocument/{method}", {"textDocument": {"uri": uri}, **fields})


def codes(client: RawClient, uri: str = URI) -> list[str]:
    return [item["code"] for item in ask(client, "diagnostic", uri)["result"]["items"]]


def test_closed_and_unknown_documents(tmp_path: Path) -> None:
    with session(tmp_path, trusted=False) as client:
        for uri in (URI, "untitled:Untitled-1", "not a uri", ""):
            for method in ("hover", "completion", "definition", "rename", "signatureHelp"):
                assert ask(client, method, uri, position=START, newName="x").get("result") is None
            assert codes(client, uri) == []
            change(client, {"text": "x"}, uri=uri)
            client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
            client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        open_text(client)
        client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
        assert ask(client, "hover", position=START)["result"] is None


def test_edits_outside_the_text_and_out_of_order(tmp_path: Path) -> None:
    with session(tmp_path, trusted=False) as client:
        open_text(client)
        far = {"line": 9999, "character": 9999}
        change(client, {"range": {"start": far, "end": far}, "text": "\nlet more = 1;\n"}, version=5)
        change(client, {"range": {"start": far, "end": START}, "text": " "}, version=3)
        change(client, {"range": {"start": START, "end": {"line": 0, "character": 9999}}, "text": "x"}, version=4)
        assert "error" not in ask(client, "hover", position=far)
        assert "error" not in ask(client, "completion", position={"line": 2, "character": 4_000_000})
        change(client, {"text": PROGRAM}, version=1)
        assert codes(client) == []


def test_a_client_that_never_answers(tmp_path: Path) -> None:
    with session(tmp_path, VSCODE, silent=True) as client:
        open_text(client)
        assert codes(client) == []
        run = {"command": "serq.run", "arguments": [URI, {"wait": True}]}
        assert client.request("workspace/executeCommand", run)["result"]["state"] == "final"
        events = {"command": "serq.events", "arguments": [URI, {"limit": 5}]}
        assert client.request("workspace/executeCommand", events)["result"]["events"] == 5
        everything = {"start": START, "end": {"line": 99, "character": 0}}
        assert ask(client, "inlayHint", range=everything)["result"]
        assert {"client/registerCapability", "window/showDocument"} <= set(client.asked)


def test_a_client_with_minimal_capabilities(tmp_path: Path) -> None:
    with session(tmp_path) as client:
        open_text(client, PROGRAM.replace("rate)", "rat)"))
        ask(client, "hover", position=START)
        pushed = [one["params"] for one in client.notifications if one["method"] == "textDocument/publishDiagnostics"]
        assert "SQ0801" in [item["code"] for item in pushed[-1]["diagnostics"]]
        assert client.asked == []
        completed = ask(client, "completion", position={"line": 3, "character": 10})["result"]["items"]
        assert completed and not any(item.get("insertTextFormat") == 2 for item in completed)


WRONG: tuple[Any, ...] = (
    None,
    [],
    "x",
    {"simulation": 7},
    {"simulation": {"budget": {"seconds": -1}}, "values": {"a": {"b": []}}},
)


def test_invalid_settings(tmp_path: Path) -> None:
    with session(tmp_path, settings=3, trusted=False) as client:
        open_text(client)
        for settings in WRONG:
            client.notify("workspace/didChangeConfiguration", {"settings": {"serq": settings}})
            client.notify("workspace/didChangeConfiguration", {"settings": settings})
        assert "error" not in ask(client, "hover", position={"line": 0, "character": 5})
        said = [one["params"]["message"] for one in client.notifications if one["method"] == "window/showMessage"]
        for part in ("not 3", "not 'x'", "`serq.simulation.budget.seconds` is above 0", "`serq.values` has for `b`"):
            assert sum(part in message for message in said) == 1, (part, said)


@pytest.mark.full
def test_files_that_vanish(tmp_path: Path) -> None:
    library, program = tmp_path / "lib.sq", tmp_path / "program.sq"
    library.write_text("def f(x) = x;\n", encoding="utf-8")
    program.write_text('use "lib.sq";\n' + PROGRAM.replace("rate)", "f(rate))"), encoding="utf-8")
    with session(tmp_path, folder=tmp_path, trusted=False) as client:
        uri = program.as_uri()
        open_text(client, program.read_text(encoding="utf-8"), uri)
        assert codes(client, uri) == []
        library.unlink()
        program.unlink()
        gone = [{"uri": path.as_uri(), "type": 3} for path in (library, program)]
        client.notify("workspace/didChangeWatchedFiles", {"changes": gone})
        assert "SQ0151" in codes(client, uri)
        assert client.request("workspace/symbol", {"query": "svc"})["result"]
        assert "error" not in ask(client, "documentLink", uri)


@pytest.mark.full
def test_rapid_edits_with_cancels(tmp_path: Path) -> None:
    """Two documents are typed in at once; most requests are cancelled before they are answered."""
    with session(tmp_path, {"textDocument": {"diagnostic": {}}}) as client:
        uris = (URI, "file:///w/other.sq")
        for uri in uris:
            open_text(client, uri=uri)
        numbers = []
        for number in range(100):
            uri = uris[number % 2]
            change(client, {"text": PROGRAM.replace("0.5", f"0.{100 + number}")}, version=number + 2, uri=uri)
            for method in ("diagnostic", "inlayHint", "codeLens", "hover"):
                fields = {"position": START, "range": {"start": START, "end": START}}
                numbers.append(client.start(f"textDocument/{method}", {"textDocument": {"uri": uri}, **fields}))
                client.notify("$/cancelRequest", {"id": numbers[-1]})
        for one in numbers:
            answer = client.wait(one)
            assert "result" in answer or answer["error"]["code"] == -32800
        run = {"command": "serq.run", "arguments": [uris[1], {"wait": True}]}
        assert client.request("workspace/executeCommand", run)["result"]["stale"] is False


@pytest.mark.full
def test_two_hundred_files(tmp_path: Path) -> None:
    with session(tmp_path, {"textDocument": {"diagnostic": {}}}, trusted=False) as client:
        uris = [f"file:///w/p{number}.sq" for number in range(200)]
        for uri in uris:
            open_text(client, uri=uri)
        assert codes(client, uris[0]) == codes(client, uris[-1]) == []
        assert len(client.request("workspace/symbol", {"query": "svc"})["result"]) == 200
        assert psutil.Process(client.process.pid).memory_info().rss < 200 * 2**20


@pytest.mark.full
def test_twenty_thousand_lines(tmp_path: Path) -> None:
    long = "".join(f"let value{number} = {number};\n" for number in range(20_000)) + PROGRAM
    with session(tmp_path, {"textDocument": {"diagnostic": {}}}, trusted=False) as client:
        open_text(client, long)
        assert set(codes(client)) == {"SQ1005"}
        began = time.monotonic()
        change(
            client,
            {"range": {"start": {"line": 9000, "character": 4}, "end": {"line": 9000, "character": 5}}, "text": "w"},
        )
        place = {"line": 9000, "character": 6}
        assert "walue9000" in str(ask(client, "hover", position=place)["result"])
        assert time.monotonic() - began < 60.0
        assert ask(client, "documentSymbol")["result"]


@pytest.mark.full
def test_nothing_but_protocol_is_written(tmp_path: Path) -> None:
    """Every byte of the output belongs to a message: the client reads headers and bodies and nothing else."""
    with session(tmp_path) as client:
        open_text(client, PROGRAM.replace("horizon 3000", "horizon 1e9"))
        codes(client)
        deadline = time.monotonic() + 20.0
        while not any(one["method"] == "serq/results" for one in client.notifications):
            assert time.monotonic() < deadline
            ask(client, "hover", position=START)
            time.sleep(0.05)
        assert client.strays == []
