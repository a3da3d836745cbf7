"""JSON text to values and back, without recursion and with places.

The standard decoder recurses per level and forgets where a value stood; an IR file
may nest deeply and its errors name a line and a column (spec 08 §7).  Objects and
lists read here remember the offset at which each of their values starts.
"""

from __future__ import annotations

import json
import marshal
import re
from math import inf, isfinite, isnan
from typing import Any

_TOKEN = re.compile(
    r"[ \t\r\n]*(?:(?P<mark>[{}\[\],:])"
    r'|(?P<string>"(?:[^"\\\x00-\x1f]|\\.)*")'
    r"|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)"
    r"|(?P<word>true|false|null))"
)
_WORDS = {"true": True, "false": False, "null": None}
_WITHOUT_REFERENCES = 2
"""A version of `marshal`'s format that does not depend on which objects are shared."""
_CUT_OFF = "the text ends inside a value: the file is cut off"
_NO_VALUE = "no JSON value starts here"


class JsonError(ValueError):
    """Text that is no JSON, or JSON of another shape: what is wrong, at an offset."""

    def __init__(self, what: str, offset: int) -> None:
        super().__init__(what)
        self.what = what
        self.offset = offset


class JsonObject(dict[str, Any]):
    """An object; `offset` is its start and `offsets` the start of each value."""

    __slots__ = ("offset", "offsets")

    def __init__(self, offset: int) -> None:
        super().__init__()
        self.offset = offset
        self.offsets: dict[str, int] = {}


class JsonList(list[Any]):
    """An array; `offset` is its start and `offsets` the start of each element."""

    __slots__ = ("offset", "offsets")

    def __init__(self, offset: int) -> None:
        super().__init__()
        self.offset = offset
        self.offsets: list[int] = []


def parse_json(text: str) -> Any:
    """The value of `text`.  Raises `JsonError` at the offending offset."""
    return _Parser(text).parse()


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """1-based line and column (in characters) of `offset`."""
    line = text.count("\n", 0, offset) + 1
    return line, offset - text.rfind("\n", 0, offset)


class _Parser:
    """A push-down automaton: `stack` holds the open containers, `key` the pending key of the innermost object."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.start = 0
        self.stack: list[JsonObject | JsonList] = []
        self.keys: list[str] = []
        self.root: Any = None

    def parse(self) -> Any:
        self._value()
        while self.stack:
            self._continue(self.stack[-1])
        if self.text[self.position :].strip(" \t\r\n"):
            raise JsonError("the program has ended, but the text goes on", self._skip_blank())
        return self.root

    def _skip_blank(self) -> int:
        text, position = self.text, self.position
        while position < len(text) and text[position] in " \t\r\n":
            position += 1
        return position

    def _next(self) -> tuple[str, str]:
        match = _TOKEN.match(self.text, self.position)
        if match is None:
            offset = self._skip_blank()
            raise JsonError(_CUT_OFF if offset == len(self.text) else _NO_VALUE, offset)
        kind = match.lastgroup or ""
        self.start = match.start(kind)
        self.position = match.end()
        return kind, match.group(kind)

    def _value(self) -> None:
        """Read one value and put it in its place; containers are opened, not filled."""
        kind, token = self._next()
        start = self.start
        if kind == "number":
            self._place(_number(token, start), start)
        elif kind == "string":
            self._place(_string(token, start), start)
        elif kind == "word":
            self._place(_WORDS[token], start)
        elif token == "{":
            self._open(JsonObject(start), "}")
        elif token == "[":
            self._open(JsonList(start), "]")
        else:
            raise JsonError(_NO_VALUE, start)

    def _place(self, value: Any, start: int) -> None:
        if not self.stack:
            self.root = value
            return
        parent = self.stack[-1]
        if isinstance(parent, JsonObject):
            key = self.keys.pop()
            parent[key] = value
            parent.offsets[key] = start
        else:
            parent.append(value)
            parent.offsets.append(start)

    def _open(self, container: JsonObject | JsonList, closer: str) -> None:
        self._place(container, container.offset)
        match = _TOKEN.match(self.text, self.position)
        if match is not None and match.group("mark") == closer:
            self.position = match.end()
            return
        self.stack.append(container)
        if isinstance(container, JsonObject):
            self._key()
        self._value()

    def _key(self) -> None:
        kind, token = self._next()
        if kind != "string":
            raise JsonError("a key of an object is a string in double quotes", self.start)
        self.keys.append(_string(token, self.start))
        kind, token = self._next()
        if token != ":" or kind != "mark":
            raise JsonError("a `:` is missing after the key", self.start)

    def _continue(self, container: JsonObject | JsonList) -> None:
        kind, token = self._next()
        closer = "}" if isinstance(container, JsonObject) else "]"
        if kind == "mark" and token == closer:
            self.stack.pop()
        elif kind == "mark" and token == ",":
            if isinstance(container, JsonObject):
                self._key()
            self._value()
        else:
            raise JsonError(f"a `,` or `{closer}` is missing before this", self.start)


def _number(token: str, start: int) -> int | float:
    """A number; one that no double holds is refused, for it would silently become infinite."""
    value = float(token)
    if not isfinite(value):
        raise JsonError(f'the number {token[:24]} is too large; infinity is written "inf"', start)
    return int(token) if token.lstrip("-").isdigit() and token != "-0" else value


def _string(token: str, start: int) -> str:
    try:
        value = json.loads(token)
    except ValueError as error:
        raise JsonError("this string has a `\\` that starts no JSON escape", start) from error
    assert isinstance(value, str)
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise JsonError("this string has half of a surrogate pair, which is no character", start)
    return value


# --------------------------------------------------------------------------- writing


def real_text(value: float) -> str:
    """A real as the canonical IR spells it: `1.0`, `0.00001`, `1e+16`, `1e-6`; infinities as strings."""
    if isnan(value):
        raise ValueError("NaN has no spelling in IR JSON")
    if not isfinite(value):
        return '"inf"' if value == inf else '"-inf"'
    if value == 0.0:
        return repr(value)
    mantissa, _, exponent_text = f"{value!r}".partition("e")
    digits = mantissa.replace("-", "").replace(".", "").lstrip("0")
    if 1e-5 <= abs(value) < 1e16:
        return repr(value) if not exponent_text else _positional(value)
    return _scientific(value, digits)


def _positional(value: float) -> str:
    """Shortest digits without an exponent, for magnitudes that `repr` writes with one."""
    from decimal import Decimal

    text = format(Decimal(repr(value)), "f")
    return text if "." in text else text + ".0"


def _scientific(value: float, digits: str) -> str:
    from decimal import Decimal

    exponent = Decimal(repr(value)).adjusted()
    digits = digits.rstrip("0") or "0"
    mantissa = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
    sign = "-" if value < 0 else ""
    return f"{sign}{mantissa}e{'+' if exponent > 0 else '-'}{abs(exponent)}"


def dump_json(value: Any) -> str:
    """Two-space indented JSON of dicts, lists, strings, ints, bools, None and floats (reals spelt canonically)."""
    parts: list[str] = []
    stack: list[Any] = [(value, 0)]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        node, depth = item
        if isinstance(node, dict) and node:
            _push(stack, [(json.dumps(key) + ": ", child) for key, child in node.items()], depth, "{}")
        elif isinstance(node, list | tuple) and node:
            _push(stack, [("", child) for child in node], depth, "[]")
        else:
            parts.append(_leaf(node))
    return "".join(parts)


def comparable_bytes(value: Any) -> bytes:
    """Equal bytes for equal values, within one process: quicker than text.

    `marshal` refuses what nests too deeply for it; such values are written as text.
    """
    try:
        return marshal.dumps(value, _WITHOUT_REFERENCES)
    except ValueError:
        return dump_json(value).encode()


def _push(stack: list[Any], children: list[tuple[str, Any]], depth: int, marks: str) -> None:
    """Schedule a container's text: opening, each child on its own line, closing."""
    indent = "\n" + "  " * (depth + 1)
    pieces: list[Any] = [marks[0]]
    for number, (prefix, child) in enumerate(children):
        pieces.append(("," if number else "") + indent + prefix)
        pieces.append((child, depth + 1))
    pieces.append("\n" + "  " * depth + marks[1])
    stack.extend(reversed(pieces))


def _leaf(node: Any) -> str:
    if isinstance(node, bool):
        return "true" if node else "false"
    if isinstance(node, float):
        return real_text(node)
    if node is None:
        return "null"
    if isinstance(node, dict):
        return "{}"
    if isinstance(node, list | tuple):
        return "[]"
    return json.dumps(node, ensure_ascii=False)
