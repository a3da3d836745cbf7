"""Does an installed serq-lsp work?  Run with the Python of the environment, from any folder; needs nothing else.

    python release/smoke.py

Checks, runs, formats and explains a program by the command line, and asks the language server for its diagnostics.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, Any

PROGRAM = """stage server : fifo;
workload { arrive poisson(0.5); }
session { set t = now; run server (~exp(1)); observe response = now - t; }
run { horizon 200; warmup 20; seed 1; }
"""
WRONG = PROGRAM.replace("~exp(1)", "~exp(tokens)")


def command(*arguments: str, status: int = 0, text: str | None = None) -> str:
    """Run `serq-lsp`; the standard output.  Ends the script when the exit code is another."""
    done = subprocess.run(
        [sys.executable, "-m", "serq_lsp", *arguments], input=text, capture_output=True, text=True, timeout=120
    )
    if done.returncode != status:
        sys.exit(f"serq-lsp {' '.join(arguments)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(truth: object, what: str) -> None:
    """Say that a step worked, or end the script."""
    if not truth:
        sys.exit(f"failed: {what}")
    print(f"ok: {what}")


class Client:
    """As much of a client as the smoke test needs."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "serq_lsp", "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self.sent: IO[bytes] = self.process.stdin
        self.received: IO[bytes] = self.process.stdout
        self.number = 0

    def notify(self, method: str, params: Any) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: Any) -> Any:
        """The answer to a request; what the server asks meanwhile is answered with nothing."""
        self.number += 1
        self._send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            message = self._receive()
            if "method" in message and "id" in message:
                self._send({"jsonrpc": "2.0", "id": message["id"], "result": None})
            elif message.get("id") == self.number:
                return message["result"]

    def _send(self, message: Any) -> None:
        body = json.dumps(message).encode()
        self.sent.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.sent.flush()

    def _receive(self) -> Any:
        length = 0
        while (line := self._line()) != b"\r\n":
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        body = b""
        while len(body) < length:
            body += self._some(length - len(body))
        return json.loads(body)

    def _line(self) -> bytes:
        line = b""
        while not line.endswith(b"\n"):
            line += self._some(1)
        return line

    def _some(self, most: int) -> bytes:
        data = self.received.read(most)
        if not data:
            sys.exit("failed: the server ended")
        return data


def main() -> None:
    """Every step, in order."""
    expect(command("--version").startswith("serq-lsp"), "version")
    with tempfile.TemporaryDirectory() as folder:
        right, wrong = Path(folder, "right.sq"), Path(folder, "wrong.sq")
        right.write_text(PROGRAM, encoding="utf-8")
        wrong.write_text(WRONG, encoding="utf-8")
        expect("OK:" in command("check", str(right)), "check accepts")
        expect("SQ0301" in command("check", str(wrong), status=1), "check refuses")
        report = json.loads(command("run", "--json", "--no-progress", str(right)))
        expect(report["observes"]["response"]["count"] > 50, "run")
        command("fmt", str(right))
        expect("OK:" in command("check", str(right)), "fmt")
        expect("SQ0411" in command("explain", "SQ0411"), "explain")
        client = Client()
        found = client.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        expect(found["serverInfo"]["name"] == "serq-lsp", "initialize")
        client.notify("initialized", {})
        uri = wrong.as_uri()
        document = {"uri": uri, "languageId": "serq", "version": 1, "text": WRONG}
        client.notify("textDocument/didOpen", {"textDocument": document})
        answer = client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        expect("SQ0301" in {item["code"] for item in answer["items"]}, "diagnostics of the server")
        client.ask("shutdown", None)
        client.notify("exit", None)
        expect(client.process.wait(timeout=30) == 0, "the server ends")


if __name__ == "__main__":
    main()
