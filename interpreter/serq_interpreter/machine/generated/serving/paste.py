"""Texts of generated functions: templates with places for names and for blocks of lines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import dedent

_PLACE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_NAME = re.compile(r"\w+")
_SEVERAL = re.compile(r"\s*\w+(?:,\s*\w+)*,\s*(?:\w+\s*)?=(?!=)")
"""An assignment to several names."""
_WHOLE_LINE = re.compile(r"( *)\$(\w+)$")


def fill(template: str, **parts: str | Iterable[str]) -> list[str]:
    """The lines of a template.

    `$name` inside a line becomes the part's text; on a line of its own the part's lines, at the line's indentation.
    """
    lines: list[str] = []
    for line in dedent(template).strip("\n").split("\n"):
        whole = _WHOLE_LINE.match(line)
        if whole is None:
            lines.append(_PLACE.sub(lambda found: _text(parts[found.group(1) or found.group(2)]), line))
            continue
        part = parts[whole.group(2)]
        inside = part.split("\n") if isinstance(part, str) else part
        lines += [whole.group(1) + text for text in inside if text]
    return [line for line in lines if line.strip()]


def _text(part: str | Iterable[str]) -> str:
    return part if isinstance(part, str) else "; ".join(part)


def indented(lines: Iterable[str], levels: int = 1) -> list[str]:
    """The lines, so many levels deeper."""
    return ["    " * levels + line for line in lines]


class Scope:
    """The functions of one scope, which share its variables."""

    def __init__(self, variables: Iterable[str]) -> None:
        self.variables = list(variables)
        names = "|".join(sorted(self.variables, key=len, reverse=True))
        self._assigned = re.compile(rf"(?<![\w.\[])({names})\s*(?:[-+*/|]=|=(?!=))") if names else None

    def function(self, head: str, body: list[str], outer: Scope | None = None) -> list[str]:
        """A function whose assignments to the scope's variables are the scope's."""
        written = set()
        for scope in (self, outer):
            if scope is not None and scope._assigned is not None:
                for line in body:
                    written |= set(scope._assigned.findall(line))
                    if _SEVERAL.match(line):
                        written |= set(scope.variables) & set(_NAME.findall(line.partition("=")[0]))
        declared = [f"    nonlocal {', '.join(sorted(written))}"] if written else []
        return [f"def {head}:", *declared, *indented(body)]
