"""A bare client: the protocol over pipes or a socket, nothing interpreted.  For soaks and benchmarks."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from queue import Empty, Queue
from typing import Any

TIMEOUT = 60.0
"""Seconds after which a missing answer is a failure."""


class RawClient:
    """Starts a server and talks to it.  Use as a context manager."""

    def __init__(self, log: Path, command: list[str] | None = None, address: tuple[str, int] | None = None) -> None:
        """`address`: over a socket at this host and port."""
        self.command = command or [sys.executable, "-m", "serq_lsp", "lsp", "--log-file", str(log)]
        if address is not None:
            self.command += ["--tcp", f"{address[0]}:{address[1]}"]
        self.log = log
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.answers: dict[int, dict[str, Any]] = {}
        self.asked: list[str] = []
        """Methods of the server's own requests."""
        self.silent = False
        """Whether those stay without an answer."""
        self.strays: list[bytes] = []
        """Lines that belong to no message."""
        self.notifications: list[dict[str, Any]] = []
        self.arrived: Queue[dict[str, Any]] = Queue()
        self.last_id = 0
        self.stderr = b""
        self.sink, self.source = self.process.stdin, self.process.stdout
        if address is not None:
            stream = _connected(address)
            self.sink, self.source = stream.makefile("wb"), stream.makefile("rb")  # type: ignore[assignment]
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._drain, daemon=True).start()

    def __enter__(self) -> RawClient:
        return self

    def __exit__(self, *exception: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(10)

    def initialize(
        self, capabilities: dict[str, Any] | None = None, folder: Path | None = None, **options: Any
    ) -> dict[str, Any]:
        """The handshake; `folder` is the workspace's, `options` are the initialization options."""
        folders = None if folder is None else [{"uri": folder.as_uri(), "name": folder.name}]
        parameters = {"processId": None, "rootUri": None, "workspaceFolders": folders}
        answer = self.request(
            "initialize", {**parameters, "capabilities": capabilities or {}, "initializationOptions": options}
        )
        self.notify("initialized", {})
        return answer

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def start(self, method: str, params: Any) -> int:
        """Send a request without waiting; its number."""
        self.last_id += 1
        self._send({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
        return self.last_id

    def wait(self, number: int) -> dict[str, Any]:
        """The answer to request `number`; raises `TimeoutError`."""
        while number not in self.answers:
            try:
                message = self.arrived.get(timeout=TIMEOUT)
            except Empty:
                raise TimeoutError(f"no answer to request {number}; stderr: {self.stderr[-2000:]!r}") from None
            self._take(message)
        return self.answers.pop(number)

    def request(self, method: str, params: Any) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        return self.wait(self.start(method, params))

    def shutdown(self) -> int:
        """End the session in order; the exit code."""
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(20)

    def _take(self, message: dict[str, Any]) -> None:
        if "method" in message and "id" in message:
            self.asked.append(message["method"])
            if self.silent:
                return
            self._send({"jsonrpc": "2.0", "id": message["id"], "result": None})
        elif "method" in message:
            self.notifications.append(message)
        else:
            self.answers[message["id"]] = message

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        assert self.sink is not None
        self.sink.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.sink.flush()

    def _read(self) -> None:
        stream = self.source
        assert stream is not None
        while True:
            length = 0
            while line := stream.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
                elif name.lower() != b"content-type":
                    self.strays.append(line)
            if not length:
                return
            self.arrived.put(json.loads(stream.read(length)))

    def _drain(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.stderr += line


def _connected(address: tuple[str, int]) -> socket.socket:
    """Connect to a server that is just starting; raises `TimeoutError`."""
    until = time.monotonic() + TIMEOUT
    while time.monotonic() < until:
        try:
            return socket.create_connection(address)
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise TimeoutError(f"nobody listens at {address}")
