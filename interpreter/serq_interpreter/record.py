"""`record`, `fact` and `struct`: dataclasses that cost almost nothing to import.

The trees, the kernel and the tables beside them are some 220 small classes.  `dataclasses.dataclass` compiles several
functions for each while it is imported, about a millisecond a class: half of the time that checking a small file may
take.  The decorators here give a class the same shape (slots, a positional and keyword constructor, defaults,
`__match_args__`, `dataclasses.fields`, `replace` and `is_dataclass`) by renaming the variables of one ready-made
constructor instead of compiling a new one.

`record` is for nodes: immutable, compared by identity, printed without their children.  `fact` is for small facts:
immutable, compared by their fields.  `struct` is for what grows: assignable, compared by identity.  Type checkers see
dataclasses and refuse assignments to the first two; nothing prevents them at run time.  A class with a `cached_property`
keeps its `__dict__`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from copy import copy
from functools import cache, cached_property
from types import CodeType, FunctionType
from typing import Any, TypeVar, cast, dataclass_transform

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
        defaults: tuple[Any, ...] = getattr(owner, "__field_defaults__", ())
        annotations: dict[str, Any] = {}
        for base in reversed(owner.__mro__):
            annotations.update(base.__dict__.get("__annotations__", {}))
        known = _FIELDS[owner] = {}
        for number, name in enumerate(names, len(defaults) - len(names)):
            known[name] = _field(name, annotations[name], defaults[number] if number >= 0 else dataclasses.MISSING)
    return known


def _field(name: str, annotation: Any, default: Any) -> dataclasses.Field[Any]:
    """A field like that of a true dataclass, without making one."""
    made = copy(_model())
    made.name, made.type = name, annotation
    if type(default) is _Factory:
        made.default_factory = default.make
    else:
        made.default = default
    return made


@cache
def _model() -> dataclasses.Field[Any]:
    return dataclasses.fields(dataclasses.make_dataclass("Model", ["field"]))[0]


# --------------------------------------------------------------------------- decorators


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(dataclasses.field,))
def record(cls: type[T]) -> type[T]:
    """Make `cls` a record of its annotated fields, those of its bases first."""
    return _made(cls, {"__repr__": _short_repr})


@dataclass_transform(frozen_default=True, eq_default=True, field_specifiers=(dataclasses.field,))
def fact(cls: type[T]) -> type[T]:
    """Make `cls` a record whose equality, hash and text are those of its fields."""
    return _made(cls, {"__repr__": _full_repr, "__eq__": _equal, "__hash__": _hash})


@dataclass_transform(frozen_default=False, eq_default=False, field_specifiers=(dataclasses.field,))
def struct(cls: type[T]) -> type[T]:
    """Make `cls` a record whose fields are assigned to."""
    return _made(cls, {"__repr__": _full_repr})


def changed(item: T, **changes: object) -> T:
    """The same record with other values in some fields: `dataclasses.replace` without its preparations."""
    kept = {name: getattr(item, name) for name in _names(item) if name not in changes}
    return type(item)(**kept, **changes)


def _names(item: object) -> tuple[str, ...]:
    names: tuple[str, ...] = type(item).__match_args__  # type: ignore[attr-defined]
    return names


def _equal(self: object, other: object) -> Any:
    if type(other) is not type(self):
        return NotImplemented
    return all(getattr(self, name) == getattr(other, name) for name in _names(self))


def _hash(self: object) -> int:
    return hash(tuple(getattr(self, name) for name in _names(self)))


def _full_repr(self: object) -> str:
    shown = (f"{name}={getattr(self, name)!r}" for name in _names(self))
    return f"{type(self).__name__}({', '.join(shown)})"


def _short_repr(self: object) -> str:
    shown = []
    for name in _names(self):
        item = getattr(self, name)
        simple = item is None or isinstance(item, bool | int | float | str)
        shown.append(f"{name}={item!r}" if simple else f"{name}=…")
    return f"{type(self).__name__}({', '.join(shown)})"


# --------------------------------------------------------------------------- making a class


class _Factory:
    """The default of a field that starts with something new each time."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], object]) -> None:
        self.make = make


def _made(cls: type[T], methods: dict[str, Any]) -> type[T]:
    own = list(cls.__dict__.get("__annotations__", ()))
    inherited: tuple[str, ...] = getattr(cls, "__match_args__", ())
    names = (*inherited, *(name for name in own if name not in inherited))
    namespace = {key: item for key, item in cls.__dict__.items() if key not in ("__dict__", "__weakref__")}
    defaults = list(getattr(cls, "__field_defaults__", ()))
    for name in own:
        if name in namespace:
            defaults.append(_default(namespace.pop(name)))
        elif defaults:
            raise TypeError(f"{cls.__name__}.{name}: a field without a default follows one with a default")
    if not any(isinstance(item, cached_property) for item in namespace.values()):
        namespace["__slots__"] = tuple(name for name in names if name not in inherited)
    for name, method in methods.items():
        namespace.setdefault(name, method)
    namespace["__match_args__"] = names
    namespace["__init__"] = _constructor(cls, names, tuple(defaults))
    namespace["__field_defaults__"] = tuple(defaults)
    namespace["__dataclass_fields__"] = _LazyFields()
    namespace["__qualname__"] = cls.__qualname__
    made: Any = type(cls)
    result: type[T] = made(cls.__name__, cls.__bases__, namespace)
    return result


def _default(given: object) -> object:
    if not isinstance(given, dataclasses.Field):
        return given
    if given.default_factory is dataclasses.MISSING:
        raise TypeError("a field here has a default or a default_factory")
    return _Factory(given.default_factory)


def _constructor(cls: type, names: tuple[str, ...], defaults: tuple[object, ...]) -> FunctionType:
    if any(type(default) is _Factory for default in defaults):
        return _filling_constructor(cls, names, defaults)
    if len(names) < len(_TEMPLATES):
        code = _TEMPLATES[len(names)].replace(co_varnames=("self", *names), co_names=names, co_name="__init__")
    else:
        arguments = ", ".join(names)
        body = "; ".join(f"self.{name} = {name}" for name in names)
        scope: dict[str, Any] = {}
        exec(f"def __init__(self, {arguments}): {body}", scope)
        code = scope["__init__"].__code__
    return FunctionType(code, {}, "__init__", defaults or None)


def _filling_constructor(cls: type, names: tuple[str, ...], defaults: tuple[object, ...]) -> FunctionType:
    """A constructor for records with factories: of these few are made, so it is general instead of fast."""
    optional = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))

    def __init__(self: object, *args: object, **given: object) -> None:
        values = dict(zip(names, args, strict=False))
        if len(args) > len(names) or values.keys() & given.keys() or given.keys() - set(names):
            raise TypeError(f"{cls.__name__}() takes {', '.join(names)}, each once")
        values.update(given)
        for name in names:
            if name in values:
                setattr(self, name, values[name])
            elif name in optional:
                default = optional[name]
                setattr(self, name, default.make() if type(default) is _Factory else default)
            else:
                raise TypeError(f"{cls.__name__}() is missing {name}")

    return cast(FunctionType, __init__)
