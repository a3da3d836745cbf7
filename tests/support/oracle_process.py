"""The reference implementation as a judge that may crash or hang: one child that answers program after program."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
from dataclasses import dataclass
from enum import StrEnum
from types import TracebackType
from typing import Any, Self

_CHILD = """
import json, sys
import pyserq
for line in sys.stdin:
    try:
        answer = ["accepted", pyserq.compile(source=json.loads(line)).to_json()]
    except ValueError as error:
        answer = ["refused", str(error)]
    except BaseException as error:
        answer = ["crashed", type(error).__name__]
    sys.stdout.write(json.dumps(answer) + chr(10))
    sys.stdout.flush()
"""


class Verdict(StrEnum):
    ACCEPTED = "accepted"
    REFUSED = "refused"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"


@dataclass(frozen=True, slots=True)
class Answer:
    """`text` is the IR of an accepted program, the message about a refused one."""

    verdict: Verdict
    text: str

    @property
    def ir(self) -> Any:
        """The IR as a JSON value; only of an accepted program."""
        return json.loads(self.text)


class OracleProcess:
    """A context manager; the child starts with the first question and again after a crash or a time-out."""

    def __init__(self, seconds: float = 10.0) -> None:
        self.seconds = seconds
        self._child: subprocess.Popen[bytes] | None = None
        self._buffer = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.stop()

    def compile(self, text: str) -> Answer:
        """What the reference makes of a program given as text, within `seconds`."""
        child = self._child or self._start()
        assert child.stdin is not None
        try:
            child.stdin.write(json.dumps(text).encode() + b"\n")
            child.stdin.flush()
            line = self._line(child)
        except BrokenPipeError:
            line = b""
        if line is None:
            self.stop()
            return Answer(Verdict.TIMED_OUT, "")
        if not line:
            self.stop()
            return Answer(Verdict.CRASHED, "")
        verdict, said = json.loads(line)
        return Answer(Verdict(verdict), said)

    def stop(self) -> None:
        """End the child, if there is one."""
        child, self._child, self._buffer = self._child, None, b""
        if child is None:
            return
        child.kill()
        child.wait()
        for stream in (child.stdin, child.stdout):
            if stream is not None:
                stream.close()

    def _start(self) -> subprocess.Popen[bytes]:
        self._child = subprocess.Popen(
            [sys.executable, "-c", _CHILD],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        return self._child

    def _line(self, child: subprocess.Popen[bytes]) -> bytes | None:
        """The next line of the child: empty at its end, `None` when time is over."""
        assert child.stdout is not None
        descriptor = child.stdout.fileno()
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                if not selector.select(self.seconds):
                    return None
                part = os.read(descriptor, 1 << 16)
                if not part:
                    return b""
                self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line
