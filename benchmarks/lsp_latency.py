"""How long the editor waits: a raw client over pipes, and beside it a server that only echoes.

    python benchmarks/lsp_latency.py                  every measurement
    python benchmarks/lsp_latency.py --rounds 50      fewer keystrokes
    python benchmarks/lsp_latency.py --json           one JSON object

A keystroke is an edit of one character followed by the request that shows its effect; the time is from writing the
edit to reading the answer.  The echo server is pygls alone: the same messages, no work, so that a ratio says what is
ours on a busy machine.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles
from time import perf_counter, sleep
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "interpreter"), str(HERE.parent / "grammar")]

import psutil  # noqa: E402 - the paths come first

from tests.support.raw_client import RawClient  # noqa: E402

ECHO = """
from lsprotocol import types
from pygls.lsp.server import LanguageServer
server = LanguageServer("echo", "1")

@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def opened(ls, params): pass

@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def changed(ls, params): pass

@server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, types.DiagnosticOptions(False, False))
def diagnostic(ls, params): return types.RelatedFullDocumentDiagnosticReport([])

@server.feature(types.TEXT_DOCUMENT_HOVER)
def hover(ls, params): return None

@server.feature(types.TEXT_DOCUMENT_COMPLETION)
def completion(ls, params): return types.CompletionList(False, [])

server.start_io()
"""

URI = "file:///bench/program.sq"
PULL = {"textDocument": {"diagnostic": {}}}

BLOCK = """
// stage number {n}: what it serves and why, in a comment as long as people write them
stage svc{n} : fifo;
pool kv{n} {{
  cap 64;
  evict lru;
}}
def work{n}(x) = max(1, x * {n} / 100);
gauge load{n} = used(kv{n});
"""
STEP = """  hold kv{n} (2) {{
    run svc{n} (work{n}(1));
  }}
  observe after{n} = now - born;
"""
TAIL = "run {\n  horizon 200;\n  warmup 10;\n}\n"

BUSY = """stage svc : fifo;
workload { arrive poisson(0.5); }
session { set born = now; run svc (~exp(1)); observe response = now - born; end; }
run { horizon 100000000; }
"""


def program(lines: int) -> str:
    """A program of about so many lines, with stages, pools, definitions and gauges."""
    per_block = BLOCK.count("\n") + STEP.count("\n")
    numbers = range(max(1, (lines - 10) // per_block))
    head = "".join(BLOCK.format(n=n) for n in numbers)
    steps = "".join(STEP.format(n=n) for n in numbers)
    return f"{head}\nworkload {{ arrive poisson(0.01); }}\nsession {{\n  set born = now;\n{steps}  end;\n}}\n{TAIL}"


LONG_WARMUP = BUSY.replace("horizon 100000000;", "horizon 100000000; warmup 20000000;")
"""Its own numbers would come after minutes: what comes first is a shorter run."""


class Editor:
    """One server with one open document."""

    def __init__(self, client: RawClient, text: str, uri: str = URI) -> None:
        self.client = client
        self.text = text
        self.uri = uri
        self.version = 1
        item = {"uri": uri, "languageId": "serq", "version": 1, "text": text}
        client.notify("textDocument/didOpen", {"textDocument": item})

    def type(self, offset: int, piece: str, removed: int = 0) -> None:
        """Replace `removed` characters at an offset."""
        line, start = self.text.count("\n", 0, offset), self.text.rfind("\n", 0, offset) + 1
        self.version += 1
        place = {"line": line, "character": offset - start}
        end = {"line": line, "character": offset - start + removed}
        change = {"range": {"start": place, "end": end}, "text": piece}
        document = {"uri": self.uri, "version": self.version}
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        self.text = self.text[:offset] + piece + self.text[offset + removed :]

    def ask(self, method: str, offset: int | None = None) -> dict[str, Any]:
        """A request about the document, or a position of it."""
        params: dict[str, Any] = {"textDocument": {"uri": self.uri}}
        if offset is not None:
            line, start = self.text.count("\n", 0, offset), self.text.rfind("\n", 0, offset) + 1
            params["position"] = {"line": line, "character": offset - start}
        return self.client.request(method, params)


def timed(rounds: int, work: Callable[[int], None]) -> list[float]:
    """Milliseconds of each round; the first few are not counted."""
    times = []
    for number in range(rounds + 5):
        began = perf_counter()
        work(number)
        times.append(1000.0 * (perf_counter() - began))
        sleep(0.005)
    return times[5:]


def summary(times: list[float]) -> dict[str, float]:
    cuts = quantiles(times, n=20, method="inclusive")
    return {"p50": round(cuts[9], 2), "p95": round(cuts[18], 2)}


def keystrokes(editor: Editor, rounds: int) -> list[float]:
    """Type and delete a digit in the middle of the file, and ask for diagnostics each time."""
    middle = editor.text.index("cap 64", len(editor.text) // 3) + len("cap 64")

    def stroke(number: int) -> None:
        if number % 2:
            editor.type(middle, "", 1)
        else:
            editor.type(middle, "0")
        editor.ask("textDocument/diagnostic")

    return timed(rounds, stroke)


def pool_hovers(editor: Editor, rounds: int) -> list[float]:
    """Change an amount, which changes what the progress theorem says, and point at a pool at once."""
    amount = editor.text.index("hold kv0 (") + len("hold kv0 (")
    pool = editor.text.index("pool kv0") + len("pool ")

    def stroke(number: int) -> None:
        editor.type(amount, str(number % 9 + 1), 1)
        editor.ask("textDocument/diagnostic")
        began = perf_counter()
        editor.ask("textDocument/hover", pool)
        times.append(1000.0 * (perf_counter() - began))

    times: list[float] = []
    timed(rounds, stroke)
    return times[5:]


def questions(editor: Editor, method: str, rounds: int) -> list[float]:
    """The same request at places all over the file."""
    step = max(len(editor.text) // 40, 1)
    return timed(rounds, lambda number: editor.ask(method, (number * step) % len(editor.text)) and None)


def measure(command: list[str] | None, log: Path, rounds: int, trusted: bool) -> dict[str, Any]:
    """All latencies of one server."""
    found: dict[str, Any] = {}
    for lines in (300, 2000):
        with RawClient(log, command) as client:
            client.initialize(PULL, trusted=trusted)
            editor = Editor(client, program(lines))
            editor.ask("textDocument/diagnostic")
            found[f"diagnostics {lines}"] = summary(keystrokes(editor, rounds))
            guarded = Editor(client, program(lines).replace("evict lru;", "evict lru; preempt lifo;"), f"{URI}#{lines}")
            found[f"pool hover {lines}"] = summary(pool_hovers(guarded, rounds))
            if lines == 300:
                for name in ("hover", "completion"):
                    found[name] = summary(questions(editor, f"textDocument/{name}", rounds))
    return found


def start_up(log: Path) -> float:
    """Seconds from starting a process to the first diagnostics."""
    began = perf_counter()
    with RawClient(log) as client:
        client.initialize(PULL, trusted=False)
        Editor(client, program(300)).ask("textDocument/diagnostic")
        return perf_counter() - began


def first_of_all(log: Path) -> float:
    """Milliseconds from opening a file in a fresh server to the first results, the pause (250 ms) left out."""
    with RawClient(log) as client:
        client.initialize(PULL, trusted=True)
        began = perf_counter()
        Editor(client, BUSY)
        _until(client, "serq/results", 1)
        return 1000.0 * (perf_counter() - began) - 250.0


def in_warm_up(log: Path, rounds: int) -> list[float]:
    """Milliseconds from edits of a program with a long warm-up to their first numbers, those of shorter runs."""
    with RawClient(log) as client:
        client.initialize(PULL, trusted=True)
        editor = Editor(client, LONG_WARMUP)
        _until(client, "serq/results", 1)
        return [_first_number(client, editor, k) for k in range(rounds)]


def simulation(log: Path, rounds: int) -> dict[str, Any]:
    """Latencies while a run goes on, the first number after a pause, freed processors, memory."""
    found: dict[str, Any] = {}
    with RawClient(log) as client:
        client.initialize(PULL, trusted=True, settings={"simulation": {"budget": {"seconds": 600.0}}})
        other = Editor(client, program(300), "file:///bench/other.sq")
        other.ask("textDocument/diagnostic")
        _until(client, "serq/results", 1)
        editor = Editor(client, BUSY)
        _until(client, "serq/results", 1)
        for name in ("hover", "completion"):
            found[f"{name} while running"] = summary(questions(other, f"textDocument/{name}", rounds))
        found["first number"] = summary([_first_number(client, editor, k) for k in range(max(rounds // 10, 4))])
        server = psutil.Process(client.process.pid)
        found["server MiB"] = round(server.memory_info().rss / 2**20, 1)
        found["workers MiB"] = [round(one.memory_info().rss / 2**20, 1) for one in server.children(recursive=True)]
        found["freed"] = summary([_freed(client, editor, server, k) for k in range(max(rounds // 10, 4))])
        children = server.children(recursive=True)
        client.shutdown()
        _, alive = psutil.wait_procs(children, timeout=10)
        found["processes left"] = len(alive)
    return found


def _until(client: RawClient, method: str, count: int) -> None:
    """Wait for a number of notifications."""
    client.notifications.clear()
    while sum(message["method"] == method for message in client.notifications) < count:
        client._take(client.arrived.get(timeout=60.0))


def _first_number(client: RawClient, editor: Editor, number: int) -> float:
    """Milliseconds from an edit to the first results of its run, the pause (250 ms) left out."""
    before = _newest(client)
    _change_rate(editor, number)
    began = perf_counter()
    while _newest(client) == before:
        client._take(client.arrived.get(timeout=60.0))
    return 1000.0 * (perf_counter() - began) - 250.0


def _newest(client: RawClient) -> tuple[str, int]:
    """Document and generation of the newest results that have come."""
    while not client.arrived.empty():
        client._take(client.arrived.get())
    told = [message["params"] for message in client.notifications if message["method"] == "serq/results"]
    client.notifications[:] = client.notifications[-1000:]
    return (told[-1]["uri"], told[-1]["generation"]) if told else ("", 0)


def _freed(client: RawClient, editor: Editor, server: psutil.Process, number: int) -> float:
    """Milliseconds from an edit that breaks the program until no worker uses a processor any more."""
    _change_rate(editor, number + 100)
    _until(client, "serq/results", 2)
    workers = server.children(recursive=True)
    at = editor.text.index("fifo;") + 4
    editor.type(at, "", 1)
    began = perf_counter()
    before = _used(workers)
    last = began
    while perf_counter() - began < 1.0:
        sleep(0.005)
        now = _used(workers)
        if now > before:
            before, last = now, perf_counter()
    editor.type(at, ";")
    return 1000.0 * (last - began)


def _used(workers: list[psutil.Process]) -> float:
    total = 0.0
    for worker in workers:
        try:
            total += worker.cpu_times().user
        except psutil.NoSuchProcess:
            continue  # killed for its silence: it uses nothing
    return total


def _change_rate(editor: Editor, number: int) -> None:
    """Type another rate: number 0, too, differs from the program's own (0.5 and 0.5000 mean the same)."""
    start = editor.text.index("poisson(") + len("poisson(")
    old = editor.text[start : editor.text.index(")", start)]
    editor.type(start, f"0.5{number + 1:03d}", len(old))


TARGETS = {
    "diagnostics 300": (10.0, 25.0),
    "diagnostics 2000": (None, 60.0),
    "hover": (None, 15.0),
    "pool hover 300": (None, 15.0),
    "pool hover 2000": (None, 15.0),
    "completion": (None, 15.0),
    "hover while running": (None, 15.0),
    "completion while running": (None, 15.0),
    "first number": (None, 300.0),
    "first number at start": (None, 300.0),
    "first number in warm-up": (None, 300.0),
    "freed": (None, 50.0),
}
"""Milliseconds: median and 95th percentile that are wanted."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log, echo = Path(folder) / "server.log", Path(folder) / "echo.py"
        echo.write_text(ECHO, encoding="utf-8")
        beside = measure([sys.executable, str(echo)], log, options.rounds, trusted=False)
        found = measure(None, log, options.rounds, trusted=False) | simulation(log, options.rounds)
        found["first number at start"] = summary([first_of_all(log) for _ in range(max(options.rounds // 20, 4))])
        found["first number in warm-up"] = summary(in_warm_up(log, max(options.rounds // 10, 4)))
        found["start s"] = round(min(start_up(log) for _ in range(3)), 2)
    if options.json:
        print(json.dumps({"ours": found, "echo": beside}, indent=2))
        return
    print(f"{'':<26}{'p50':>9}{'p95':>9}{'wanted p95':>12}{'echo p95':>10}   (ms)")
    for name, value in found.items():
        if not isinstance(value, dict):
            print(f"{name:<26}{value}")
            continue
        wanted = TARGETS[name][1]
        other = beside.get(name, {}).get("p95", "")
        print(f"{name:<26}{value['p50']:>9}{value['p95']:>9}{wanted:>12}{other:>10}")


if __name__ == "__main__":
    main()
