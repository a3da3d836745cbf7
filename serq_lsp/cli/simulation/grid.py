"""The points of a sweep: `--set NAME=a..b:steps`, lists and single values (their product)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import isfinite

import click

MOST_POINTS = 100_000


@dataclass(frozen=True, slots=True)
class Axis:
    """One constant and the texts it takes, in order."""

    name: str
    values: tuple[str, ...]


class AxisType(click.ParamType):  # type: ignore[type-arg]
    """`NAME=a..b:steps` (`steps` values from a to b, evenly spaced, ends included), `NAME=a,b,c`, or `NAME=EXPR`."""

    name = "NAME=a..b:steps"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Axis:
        if isinstance(value, Axis):
            return value
        name, equals, text = str(value).partition("=")
        if not equals or not name.strip() or not text.strip():
            self.fail(f"{value!r} is not of the form NAME=a..b:steps, NAME=a,b,c or NAME=EXPR", param, ctx)
        try:
            return Axis(name.strip(), _values(text.strip()))
        except ValueError as error:
            self.fail(f"{value!r}: {error}", param, ctx)


_RANGE = re.compile(r"(?P<low>.+?)\.\.(?P<high>[^:]+)(?::(?P<steps>.+))?")


def _values(text: str) -> tuple[str, ...]:
    match = _RANGE.fullmatch(text)
    if match is not None:
        return tuple(_range(match["low"], match["high"], match["steps"]))
    if "(" in text:  # a comma inside a call is no separator
        return (text,)
    values = tuple(part.strip() for part in text.split(","))
    if not all(values):
        raise ValueError("an empty value")
    return values


def _range(low: str, high: str, steps: str | None) -> Iterator[str]:
    start, stop = _number(low), _number(high)
    if steps is None:
        if start != int(start) or stop != int(stop) or stop < start:
            raise ValueError("without `:steps` a range counts whole numbers upwards")
        n = int(stop - start) + 1
    else:
        n = int(_number(steps))
        if n != _number(steps) or n < 1:
            raise ValueError("steps is a whole number of values, 1 or more")
    if n > MOST_POINTS:
        raise ValueError(f"more than {MOST_POINTS} values")
    for i in range(n):
        # Both ends are met exactly.
        value = stop if i == n - 1 > 0 else start + (stop - start) * i / max(n - 1, 1)
        yield f"{int(value)}" if value == int(value) and abs(value) < 2**53 else repr(value)


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"`{text.strip()}` is no number") from None
    if not isfinite(value):
        raise ValueError(f"{text} is not finite")
    return value


def points(axes: Sequence[Axis]) -> list[dict[str, str]]:
    """Every combination, the last axis fastest.  Raises `click.UsageError` for none, a repeated or a huge one."""
    names = [axis.name for axis in axes]
    for name in names:
        if names.count(name) > 1:
            raise click.UsageError(f"`--set {name}=…` is given twice")
    size = 1
    for axis in axes:
        size *= len(axis.values)
    if size > MOST_POINTS:
        raise click.UsageError(f"the grid has {size} points; at most {MOST_POINTS} are run")
    return [dict(zip(names, values, strict=True)) for values in product(*(axis.values for axis in axes))]
