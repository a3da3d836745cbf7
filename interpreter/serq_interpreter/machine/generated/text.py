"""Python text, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from types import CodeType


class Text:
    """Lines at a depth of nesting."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 0

    def put(self, *lines: str) -> None:
        """Add lines at the present depth."""
        indent = "    " * self.depth
        self.lines += [indent + line for line in lines]

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """What is added inside stands below `head`."""
        self.put(head)
        self.depth += 1
        yield
        self.depth -= 1

    def choice(self, variable: str, bodies: dict[int, list[str]]) -> None:
        """The body whose number the variable has, found by halving."""
        numbers = sorted(bodies)
        if len(numbers) <= 3:
            for place, number in enumerate(numbers):
                head = f"{'if' if place == 0 else 'elif'} {variable} == {number}:"
                with self.block(head if place < len(numbers) - 1 or not place else "else:"):
                    self.put(*bodies[number])
            return
        middle = len(numbers) // 2
        with self.block(f"if {variable} < {numbers[middle]}:"):
            self.choice(variable, {number: bodies[number] for number in numbers[:middle]})
        with self.block("else:"):
            self.choice(variable, {number: bodies[number] for number in numbers[middle:]})


@lru_cache(maxsize=64)
def compiled(source: str) -> CodeType:
    """The code of a module's text; runs of one program that differ in their settings share it."""
    return compile(source, "<generated>", "exec")
