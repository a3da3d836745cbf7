"""Run-time errors: a code of the catalogue, the message, and where it happened."""

from __future__ import annotations

from typing import Any


class RunError(Exception):
    """The run cannot go on (03 §9xx).

    `node` is the kernel node at fault (a statement, an expression, a reference, or the
    `Program` itself for the run's settings), so that a front end can point at the source;
    `session` is the session's serial, where one is at fault; `time` when it happened.
    """

    def __init__(self, code: str, message: str, node: Any = None, session: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.node = node
        self.session = session
        self.time: float | None = None


class Interrupted(Exception):
    """The run stopped before its end because its budget was used up or it was cancelled."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
