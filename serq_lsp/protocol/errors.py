"""Errors that a request is answered with; their messages can be shown as they are."""

from __future__ import annotations

import logging

from pygls.exceptions import JsonRpcException


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
    return isinstance(error, RequestFailed | InvalidParams)


def without_answers(record: logging.LogRecord) -> bool:
    """A filter of log records: errors that are answers are not logged."""
    return not (record.exc_info and is_answer(record.exc_info[1]))
