"""Typed access to the values of an IR file: objects, variants, numbers, with places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from serq_interpreter.ir.json_text import JsonError, JsonList, JsonObject

_MISSING = object()


def fail(what: str, offset: int) -> JsonError:
    """The error to raise for the value that starts at `offset`."""
    return JsonError(what, offset)


def _describe(value: Any) -> str:
    match value:
        case None:
            return "`null`"
        case bool():
            return f"`{str(value).lower()}`"
        case int() | float():
            return f"the number {value}"
        case str():
            return f'the string "{_short(value)}"'
        case list():
            return "an array"
    return "an object"


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "…"


def real(value: Any, offset: int) -> float:
    """A real: a JSON number, or the string `inf` or `-inf`."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        if value in ("inf", "-inf"):
            return float(value)
        raise fail(f'this is a number, "inf" or "-inf", not {_describe(value)}', offset)
    return float(value)


def finite(value: Any, offset: int) -> float:
    """A real that may not be infinite: a JSON number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise fail(f"this is a finite number, not {_describe(value)}", offset)
    return float(value)


def whole(value: Any, offset: int, limit: int = 2**63) -> int:
    """A non-negative integer below `limit`."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise fail(f"this is a whole number from 0, not {_describe(value)}", offset)
    if not 0 <= value < limit:
        raise fail(f"this is a whole number from 0 to {limit - 1}, not {value}", offset)
    return value


def items(value: Any, offset: int) -> list[tuple[Any, int]]:
    """The elements of an array with their offsets."""
    if not isinstance(value, JsonList):
        raise fail(f"this is an array, not {_describe(value)}", offset)
    return list(zip(value, value.offsets, strict=True))


@dataclass(frozen=True, slots=True)
class Variant:
    """An enum value: its name, its data (`None` for a bare name) and where the data starts."""

    name: str
    data: Any
    offset: int

    @staticmethod
    def of(value: Any, offset: int, allowed: tuple[str, ...]) -> Variant:
        """Read `"Name"` or `{"Name": data}`; the name is one of `allowed`."""
        if isinstance(value, str):
            variant = Variant(value, None, offset)
        elif isinstance(value, JsonObject) and len(value) == 1:
            ((name, data),) = value.items()
            variant = Variant(name, data, value.offsets[name])
        else:
            raise fail(f"this is one of {_listed(allowed)}, not {_describe(value)}", offset)
        if variant.name not in allowed:
            raise fail(f"there is no `{_short(variant.name)}` here: it is one of {_listed(allowed)}", offset)
        return variant

    def tuple(self, length: int) -> list[tuple[Any, int]]:
        """The data as an array of exactly `length` values."""
        values = items(self.data, self.offset)
        if len(values) != length:
            raise fail(f"`{self.name}` has {length} elements, not {len(values)}", self.offset)
        return values


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


class Fields:
    """The fields of one object; `what` names it in messages."""

    __slots__ = ("offset", "values", "what")

    def __init__(self, values: JsonObject, offset: int, what: str) -> None:
        self.values = values
        self.offset = offset
        self.what = what

    @staticmethod
    def of(value: Any, offset: int, what: str) -> Fields:
        """The fields of `value`, which must be an object."""
        if not isinstance(value, JsonObject):
            raise fail(f"{what} is an object, not {_describe(value)}", offset)
        return Fields(value, offset, what)

    def offset_of(self, key: str) -> int:
        return self.values.offsets.get(key, self.offset)

    def error(self, key: str, what: str) -> JsonError:
        return fail(what, self.offset_of(key))

    def get(self, key: str, default: Any = None) -> Any:
        return self.values.get(key, default)

    def required(self, key: str) -> Any:
        value = self.values.get(key, _MISSING)
        if value is _MISSING:
            raise fail(f"{self.what} has no `{key}`, which every one has", self.offset)
        return value

    def whole(self, key: str, limit: int = 2**63) -> int:
        return whole(self.required(key), self.offset_of(key), limit)

    def optional_whole(self, key: str) -> int | None:
        return None if self.get(key) is None else self.whole(key)

    def real(self, key: str) -> float:
        return real(self.required(key), self.offset_of(key))

    def finite(self, key: str) -> float:
        return finite(self.required(key), self.offset_of(key))

    def string(self, key: str) -> str:
        value = self.required(key)
        if not isinstance(value, str):
            raise self.error(key, f"`{key}` is a string, not {_describe(value)}")
        return value

    def optional_string(self, key: str) -> str | None:
        return None if self.get(key) is None else self.string(key)

    def flag(self, key: str, optional: bool = True) -> bool:
        value = self.get(key, False) if optional else self.required(key)
        if not isinstance(value, bool):
            raise self.error(key, f"`{key}` is `true` or `false`, not {_describe(value)}")
        return value

    def items(self, key: str, optional: bool = False) -> list[tuple[Any, int]]:
        if optional and key not in self.values:
            return []
        return items(self.required(key), self.offset_of(key))

    def count(self, key: str) -> int:
        return len(self.items(key))

    def strings(self, key: str) -> tuple[str, ...]:
        names = self.items(key)
        for name, offset in names:
            if not isinstance(name, str):
                raise fail(f"a name is a string, not {_describe(name)}", offset)
        return tuple(name for name, _ in names)
