"""A soak: random edits and requests against one server.  `python -m tests.e2e.soak [COUNT] [SEED]`."""

from __future__ import annotations

import random
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from tests.support.raw_client import RawClient

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
PIECES = (
    " ",
    "\n",
    ";",
    "{",
    "}",
    "(",
    ")",
    "x",
    "kv",
    "1",
    "// c\n",
    "/*",
    "*/",
    '"',
    "set y = now;",
    "🚀",
    "~exp(1)",
    "use ",
)
REQUESTS = (
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/documentHighlight",
    "textDocument/signatureHelp",
    "textDocument/prepareRename",
    "textDocument/declaration",
    "textDocument/references",
    "textDocument/rename",
    "textDocument/prepareCallHierarchy",
    "textDocument/onTypeFormatting",
    "textDocument/selectionRange",
)
MORE: dict[str, dict[str, Any]] = {
    "references": {"context": {"includeDeclaration": True}},
    "rename": {"newName": "renamed"},
    "onTypeFormatting": {"ch": ";", "options": {"tabSize": 2, "insertSpaces": True}},
    "formatting": {"options": {"tabSize": 2, "insertSpaces": True}},
    "rangeFormatting": {"options": {"tabSize": 2, "insertSpaces": True}},
    "codeAction": {"context": {"diagnostics": []}},
    "delta": {"previousResultId": "1"},
}
"""What requests want beside a document and a place, by the last part of their method."""
RANGED = ("textDocument/codeAction", "textDocument/rangeFormatting", "textDocument/semanticTokens/range")
WHOLE = (
    "textDocument/diagnostic",
    "textDocument/documentSymbol",
    "textDocument/semanticTokens/full",
    "textDocument/foldingRange",
    "textDocument/formatting",
    "textDocument/inlayHint",
    "textDocument/codeLens",
    "textDocument/documentLink",
    "textDocument/semanticTokens/full/delta",
)


@dataclass(slots=True)
class Outcome:
    """Memory in bytes after a tenth of the soak and at its end; what the log says is wrong; processes left."""

    early: int
    late: int
    complaints: list[str]
    left: list[str]
    errors: int
    exit_code: int


def soak(count: int, seed: int, folder: Path, trusted: bool = False) -> Outcome:
    """Make `count` steps; raises `TimeoutError` when a request is not answered."""
    draw = random.Random(seed)
    log = folder / "server.log"
    with RawClient(log) as client:
        client.initialize(trusted=trusted)
        server = psutil.Process(client.process.pid)
        texts = {path.as_uri(): path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.sq"))[:4]}
        originals = dict(texts)
        versions = dict.fromkeys(texts, 1)
        for uri, text in texts.items():
            client.notify(
                "textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "serq", "version": 1, "text": text}}
            )
        early = errors = 0
        for step in range(count):
            uri = draw.choice(list(texts))
            if draw.random() < 0.5:
                _edit(client, draw, uri, texts, versions, originals)
            else:
                errors += "error" in client.request(*_request(draw, uri, texts[uri]))
            if step == count // 10:
                early = server.memory_info().rss
        late = server.memory_info().rss
        children = server.children(recursive=True)
        exit_code = client.shutdown()
    _, alive = psutil.wait_procs(children, timeout=10)
    complaints = [
        line for line in log.read_text(encoding="utf-8").splitlines() if "ERROR" in line or "Traceback" in line
    ]
    return Outcome(early, late, complaints, [" ".join(item.cmdline()) for item in alive], errors, exit_code)


def _edit(
    client: RawClient,
    draw: random.Random,
    uri: str,
    texts: dict[str, str],
    versions: dict[str, int],
    originals: dict[str, str],
) -> None:
    text = texts[uri]
    versions[uri] += 1
    if draw.random() < 0.05:
        new, change = originals[uri], {"text": originals[uri]}
    else:
        start = draw.randrange(len(text) + 1)
        end = min(len(text), start + draw.choice((0, 0, 1, 3)))
        piece = draw.choice(PIECES) if draw.random() < 0.7 else ""
        new = text[:start] + piece + text[end:]
        change = {"range": {"start": _position(text, start), "end": _position(text, end)}, "text": piece}
    texts[uri] = new
    document = {"uri": uri, "version": versions[uri]}
    client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})


def _position(text: str, offset: int) -> dict[str, int]:
    line = text.count("\n", 0, offset)
    start = text.rfind("\n", 0, offset) + 1
    return {"line": line, "character": len(text[start:offset].encode("utf-16-le")) // 2}


def _request(draw: random.Random, uri: str, text: str) -> tuple[str, dict[str, Any]]:
    document: dict[str, Any] = {"textDocument": {"uri": uri}}
    if draw.random() < 0.5:
        method = draw.choice(REQUESTS)
        position = _position(text, draw.randrange(len(text) + 1))
        places = {"positions": [position]} if method.endswith("selectionRange") else {"position": position}
        return method, document | places | MORE.get(method.rpartition("/")[2], {})
    method = draw.choice((*WHOLE, *RANGED))
    document |= MORE.get(method.rpartition("/")[2], {})
    if method in RANGED:
        first, last = sorted(draw.randrange(len(text) + 1) for _ in range(2))
        return method, {**document, "range": {"start": _position(text, first), "end": _position(text, last)}}
    if method.endswith("inlayHint"):
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": 9999, "character": 0}}
        return method, {**document, "range": everything}
    return method, document


if __name__ == "__main__":
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as place:
        print(soak(steps, int(sys.argv[2]) if len(sys.argv) > 2 else 1, Path(place)))
