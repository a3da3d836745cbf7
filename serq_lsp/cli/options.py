"""Options that several commands share: overrides of a program and settings of its run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., Any])


class Assignment(click.ParamType):  # type: ignore[type-arg]  # generic only in newer releases of click
    """`NAME=EXPR`."""

    name = "NAME=EXPR"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        if isinstance(value, tuple):
            return value
        name, equals, expression = str(value).partition("=")
        if not equals or not name.strip():
            self.fail(f"{value!r} is not of the form NAME=EXPR", param, ctx)
        return name.strip(), expression.strip()


class Whole(click.ParamType):  # type: ignore[type-arg]  # generic only in newer releases of click
    """A whole number in a range; underscores are allowed."""

    name = "N"

    def __init__(self, low: int, high: int) -> None:
        self.low = low
        self.high = high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            number = int(str(value))
        except ValueError:
            self.fail(f"{value!r} is not a whole number", param, ctx)
        if not self.low <= number <= self.high:
            self.fail(f"{value} is not between {self.low} and {self.high}", param, ctx)
        return number


class Seconds(click.ParamType):  # type: ignore[type-arg]  # generic only in newer releases of click
    """A finite number of simulated seconds."""

    name = "T"

    def __init__(self, positive: bool) -> None:
        self.positive = positive

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number = float(value)
        except ValueError:
            self.fail(f"{value!r} is not a number", param, ctx)
        if number != number or number in (float("inf"), float("-inf")):
            self.fail(f"{value} is not finite", param, ctx)
        if number < 0 or (self.positive and number == 0):
            self.fail(f"{value} is not {'above 0' if self.positive else '0 or more'}", param, ctx)
        return number


def overrides(function: Function) -> Function:
    """Add `--set` and `--def`."""
    function = click.option(
        "--def", "defs", type=Assignment(), multiple=True, help="Replace the body of an expression definition."
    )(function)
    return click.option(
        "--set", "sets", type=Assignment(), multiple=True, help="Replace the value of a constant (`let`)."
    )(function)


def run_settings(function: Function) -> Function:
    """Add `--seed --horizon --warmup --arrivals --trace`."""
    for option in (
        click.option("--trace", metavar="FILE", help="Replace the program's trace path."),
        click.option("--arrivals", type=Whole(1, 2**53), help="End after this many arrivals (open workloads)."),
        click.option("--warmup", type=Seconds(positive=False), help="Replace the warm-up."),
        click.option("--horizon", type=Seconds(positive=True), help="Replace the horizon."),
        click.option("--seed", type=Whole(0, 2**64 - 1), help="Replace the seed."),
    ):
        function = option(function)
    return function


def last_of(assignments: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The last value of each name."""
    return dict(assignments)
