"""Messages between the server and its workers: JSON with its length before it, over pipes.

A message is a dictionary.  Numbers keep their infinities and NaN: both ends are this module.
"""

from __future__ import annotations

import json
import struct
from asyncio import IncompleteReadError, StreamReader
from typing import Any, BinaryIO

Message = dict[str, Any]

_HEADER = struct.Struct(">I")
LARGEST = 64 * 1024 * 1024
"""Bytes of a message beyond which the other end is taken to have gone wrong."""


class BrokenMessage(ValueError):
    """What came is no message."""


def encode(message: Message) -> bytes:
    """A message with its length before it."""
    body = json.dumps(message, separators=(",", ":")).encode()
    return _HEADER.pack(len(body)) + body


def read_message(stream: BinaryIO) -> Message | None:
    """The next message of a blocking stream; `None` at its end.  Raises `BrokenMessage`."""
    header = stream.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return None
    body = stream.read(_length(header))
    return _decode(body)


async def receive(stream: StreamReader) -> Message | None:
    """The next message of an asynchronous stream; `None` at its end.  Raises `BrokenMessage`."""
    try:
        header = await stream.readexactly(_HEADER.size)
        body = await stream.readexactly(_length(header))
    except IncompleteReadError:
        return None
    return _decode(body)


def _length(header: bytes) -> int:
    length: int = _HEADER.unpack(header)[0]
    if length > LARGEST:
        raise BrokenMessage(f"a message of {length} bytes")
    return length


def _decode(body: bytes) -> Message:
    try:
        message = json.loads(body)
    except ValueError as error:
        raise BrokenMessage(str(error)) from error
    if not isinstance(message, dict):
        raise BrokenMessage("a message is an object")
    return message
