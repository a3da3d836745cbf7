"""A workspace folder: symbols of files that are not open, and renames that reach them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.raw_client import RawClient

LIBRARY = "def half(x) = x / 2;\ndef twice(x) = half(x) * 4;\n"
PROGRAM = """use "lib/shared.sq";
stage disk : fifo;
workload { arrive poisson(half(1)); }
session { run disk (half(0.5)); observe seen = now; end; }
run { horizon 10; }
"""
OTHER = PROGRAM.replace("disk", "tape").replace("lib/shared.sq", "../lib/shared.sq")
OWN = "def half(x) = x;\n" + PROGRAM.partition("\n")[2]


def apply(edits: list[dict[str, Any]], text: str) -> str:
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda one: (-one["range"]["start"]["line"], -one["range"]["start"]["character"])):
        start, end = edit["range"]["start"], edit["range"]["end"]
        line = lines[start["line"]]
        assert start["line"] == end["line"]
        lines[start["line"]] = line[: start["character"]] + edit["newText"] + line[end["character"] :]
    return "\n".join(lines)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    texts = {"lib/shared.sq": LIBRARY, "a.sq": PROGRAM, "deep/b.sq": OTHER, "own.sq": OWN, ".hidden/c.sq": PROGRAM}
    found = {}
    for name, text in texts.items():
        path = found[name] = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return found


@pytest.fixture
def client(files: dict[str, Path], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RawClient]:
    log = tmp_path_factory.mktemp("log") / "server.log"
    with RawClient(log) as client:
        client.initialize(folder=tmp_path, trusted=False)
        yield client
        assert client.shutdown() == 0
    assert "Traceback" not in log.read_text(encoding="utf-8")


def open_file(client: RawClient, path: Path) -> dict[str, Any]:
    item = {"uri": path.as_uri(), "languageId": "serq", "version": 1, "text": path.read_text(encoding="utf-8")}
    client.notify("textDocument/didOpen", {"textDocument": item})
    return {"textDocument": {"uri": path.as_uri()}}


def test_symbols_of_closed_files_are_found(client: RawClient, files: dict[str, Path]) -> None:
    open_file(client, files["a.sq"])
    for _ in range(2):
        found = client.request("workspace/symbol", {"query": ""})["result"]
        names = sorted((item["name"], Path(item["location"]["uri"]).name) for item in found)
        assert ("twice", "shared.sq") in names and ("disk", "a.sq") in names and ("tape", "b.sq") in names
        assert not any(name == "c.sq" for _, name in names)
    assert not {"workload", "run"} & {name for name, _ in names}
    files["deep/b.sq"].write_text(OTHER.replace("tape", "drum"), encoding="utf-8")
    assert [item["name"] for item in client.request("workspace/symbol", {"query": "drm"})["result"]] == ["drum"]


@pytest.mark.parametrize(
    ("opened", "line", "character"), [pytest.param("lib/shared.sq", 0, 5, marks=pytest.mark.full), ("a.sq", 2, 28)]
)
def test_a_definition_of_a_library_is_renamed_in_every_program(
    client: RawClient, files: dict[str, Path], opened: str, line: int, character: int
) -> None:
    document = open_file(client, files[opened])
    place = document | {"position": {"line": line, "character": character}}
    references = client.request("textDocument/references", place | {"context": {"includeDeclaration": True}})["result"]
    assert len(references) == 6
    changes = client.request("textDocument/rename", place | {"newName": "part"})["result"]["changes"]
    uris = {name: path.as_uri() for name, path in files.items()}
    assert set(changes) == {uris["lib/shared.sq"], uris["a.sq"], uris["deep/b.sq"]}
    for name, text in (("lib/shared.sq", LIBRARY), ("a.sq", PROGRAM), ("deep/b.sq", OTHER)):
        assert apply(changes[uris[name]], text) == text.replace("half", "part")


@pytest.mark.full
def test_what_is_a_programs_own_stays_there(client: RawClient, files: dict[str, Path]) -> None:
    place = open_file(client, files["own.sq"]) | {"position": {"line": 0, "character": 5}}
    changes = client.request("textDocument/rename", place | {"newName": "part"})["result"]["changes"]
    assert set(changes) == {files["own.sq"].as_uri()}


def test_paths_are_completed_from_the_folders(client: RawClient, files: dict[str, Path]) -> None:
    document = open_file(client, files["a.sq"])

    def labels(line: str) -> list[str]:
        client.notify(
            "textDocument/didChange",
            {
                "textDocument": document["textDocument"] | {"version": len(line)},
                "contentChanges": [{"text": line + "\n" + PROGRAM}],
            },
        )
        position = {"line": 0, "character": line.index('"') + len(line.split('"')[1]) + 1}
        found = client.request("textDocument/completion", document | {"position": position})["result"]["items"]
        return [item["textEdit"]["newText"] for item in sorted(found, key=lambda item: item["sortText"])]

    assert labels('use "";') == ["own.sq", "deep/", "lib/", "../"]
    assert labels('use "lib/') == ["shared.sq"]
    assert labels('use "../nowhere/";') == []
    assert labels('use "./lib/../";')[:1] == ["own.sq"]
