"""Errors that a request is answered with; their messages can be shown as they are."""

from __future__ import annotations

import logging

from pygls.exceptions import JsonRpcException, JsonRpcMethodNotFound


class RequestFailed(JsonRpcException):
    """The request made sense and cannot be done now (-32803)."""

    CODE = -32803
    MESSAGE = "Request failed"

    def __init__(self, message: str) -> None:
        super().__init__(message, self.CODE)


class InvalidParams(JsonRpcException):
    """The request's parameters make no sense (-32602)."""

    CODE = -32602
    MESSAGE = "Invalid parameters"

    def __init__(self, message: str) -> None:
        super().__init__(message, self.CODE)


def is_answer(error: object) -> bool:
    """Whether an error is an answer to the client, and no fault of ours that belongs into the log."""
    return isinstance(error, RequestFailed | InvalidParams | JsonRpcMethodNotFound)


def without_answers(record: logging.LogRecord) -> bool:
    """A filter of log records: errors that are answers are not logged, nor is the end that a client asked for."""
    error = record.exc_info[1] if record.exc_info else None
    return not (is_answer(error) or isinstance(error, SystemExit))
