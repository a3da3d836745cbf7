"""Choices of a generator: a thin layer over `Random`, which hypothesis may drive."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """Every decision of one generated program."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.random.random() < probability

    def pick(self, values: Sequence[T]) -> T:
        """One of the values."""
        return values[self.random.randrange(len(values))]

    def word(self, values: str) -> str:
        """One of the words of a text."""
        return self.pick(values.split())

    def maybe(self, text: Callable[[], str] | str, probability: float = 0.3) -> str:
        """A text or nothing."""
        if not self.chance(probability):
            return ""
        return text if isinstance(text, str) else text()

    def several(self, make: Callable[[], T], low: int, high: int) -> list[T]:
        """Between `low` and `high` things."""
        return [make() for _ in range(self.random.randint(low, high))]

    def joined(self, make: Callable[[], str], low: int = 1, high: int = 3) -> str:
        """A list with commas."""
        return ", ".join(self.several(make, low, high))

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """The values in some order."""
        order = list(values)
        self.random.shuffle(order)
        return order
