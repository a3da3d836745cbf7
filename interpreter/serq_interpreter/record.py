"""`record`: frozen dataclasses that cost almost nothing to import.

The trees and the kernel are some 170 small classes.  `dataclasses.dataclass` compiles several functions for each while
it is imported, about half of the time that checking a small file may take.  `record` gives a class the same shape
(slots, a positional and keyword constructor, defaults, `__match_args__`, `dataclasses.fields`, `replace` and
`is_dataclass`) by renaming the variables of one ready-made constructor instead of compiling a new one.  Type checkers see
a frozen dataclass and refuse assignments; nodes are compared by identity and printed without their children.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


# fmt: off
def _init0(self): pass  # type: ignore[no-untyped-def]
def _init1(self, a): self.a = a  # type: ignore[no-untyped-def]
def _init2(self, a, b): self.a = a; self.b = b  # type: ignore[no-untyped-def]  # noqa: E702
def _init3(self, a, b, c): self.a = a; self.b = b; self.c = c  # type: ignore[no-untyped-def]  # noqa: E702
def _init4(self, a, b, c, d): self.a = a; self.b = b; self.c = c; self.d = d  # type: ignore[no-untyped-def]  # noqa: E702
def _init5(self, a, b, c, d, e):  # type: ignore[no-untyped-def]
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e  # noqa: E702
def _init6(self, a, b, c, d, e, f):  # type: ignore[no-untyped-def]
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f  # noqa: E702
def _init7(self, a, b, c, d, e, f, g):  # type: ignore[no-untyped-def]
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g  # noqa: E702
def _init8(self, a, b, c, d, e, f, g, h):  # type: ignore[no-untyped-def]
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h  # noqa: E702
def _init9(self, a, b, c, d, e, f, g, h, i):  # type: ignore[no-untyped-def]
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i  # noqa: E702
# fmt: on

_TEMPLATES: tuple[CodeType, ...] = tuple(
    function.__code__ for function in (_init0, _init1, _init2, _init3, _init4, _init5, _init6, _init7, _init8, _init9)
)


class _LazyFields:
    """`__dataclass_fields__`, made when somebody asks."""

    def __get__(self, instance: object, owner: type) -> dict[str, dataclasses.Field[Any]]:
        return _fields_of(owner)


_FIELDS: dict[type, dict[str, dataclasses.Field[Any]]] = {}


def _fields_of(owner: type) -> dict[str, dataclasses.Field[Any]]:
    known = _FIELDS.get(owner)
    if known is None:
        names: tuple[str, ...] = getattr(owner, "__match_args__", ())
        defaults: tuple[Any, ...] = owner.__init__.__defaults__ or ()  # type: ignore[misc]
        annotations: dict[str, Any] = {}
        for base in reversed(owner.__mro__):
            annotations.update(base.__dict__.get("__annotations__", {}))
        twin = dataclasses.make_dataclass(
            owner.__name__,
            [
                (name, annotations[name])
                if number < len(names) - len(defaults)
                else (name, annotations[name], dataclasses.field(default=defaults[number - len(names) + len(defaults)]))
                for number, name in enumerate(names)
            ],
        )
        known = _FIELDS[owner] = {item.name: item for item in dataclasses.fields(twin)}
    return known


def _repr(self: object) -> str:
    shown = []
    for name in type(self).__match_args__:  # type: ignore[attr-defined]
        value = getattr(self, name)
        simple = value is None or isinstance(value, bool | int | float | str)
        shown.append(f"{name}={value!r}" if simple else f"{name}=…")
    return f"{type(self).__name__}({', '.join(shown)})"


@dataclass_transform(frozen_default=True, eq_default=False)
def record(cls: type[T]) -> type[T]:
    """Make `cls` a record of its annotated fields, those of its bases first."""
    own = list(cls.__dict__.get("__annotations__", ()))
    inherited: tuple[str, ...] = getattr(cls, "__match_args__", ())
    names = (*inherited, *(name for name in own if name not in inherited))
    namespace = {key: value for key, value in cls.__dict__.items() if key not in ("__dict__", "__weakref__")}
    base_init: Callable[..., None] | None = getattr(cls, "__init__", None) if inherited else None
    defaults = list(getattr(base_init, "__defaults__", None) or ())
    for name in own:
        if name in namespace:
            defaults.append(namespace.pop(name))
        elif defaults:
            raise TypeError(f"{cls.__name__}.{name}: a field without a default follows one with a default")
    namespace["__slots__"] = tuple(name for name in names if name not in inherited)
    namespace["__match_args__"] = names
    namespace["__init__"] = _constructor(cls, names, tuple(defaults))
    namespace["__dataclass_fields__"] = _LazyFields()
    namespace["__repr__"] = _repr
    namespace["__qualname__"] = cls.__qualname__
    made: Any = type(cls)
    result: type[T] = made(cls.__name__, cls.__bases__, namespace)
    return result


def _constructor(cls: type, names: tuple[str, ...], defaults: tuple[object, ...]) -> FunctionType:
    if len(names) < len(_TEMPLATES):
        code = _TEMPLATES[len(names)].replace(co_varnames=("self", *names), co_names=names, co_name="__init__")
    else:
        arguments = ", ".join(names)
        body = "; ".join(f"self.{name} = {name}" for name in names)
        scope: dict[str, Any] = {}
        exec(f"def __init__(self, {arguments}): {body}", scope)
        code = scope["__init__"].__code__
    return FunctionType(code, {}, "__init__", defaults or None)
