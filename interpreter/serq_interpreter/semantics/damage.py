"""What a damaged text may still declare (spec 03 §4): names in regions that could not be read, names left out.

An error that says that something is missing from the whole program stays silent about a name that such a region
mentions, and about any name of a kind whose declaration has lost its name (`stage : fifo;`).
"""

from __future__ import annotations

import re

from serq_interpreter.syntax import nodes

_KINDS = {
    "pool": ("pool", "queue"),
    "stage": ("stage", "queue"),
    "constant": ("let",),
    "function": ("def",),
    "attribute": ("set", "choose", "let", "state", "("),
    "observation": ("observe", "("),
    "register": ("state",),
}
"""What is missing → the words that declare it."""

_NAMELESS = re.compile(
    r"\b(?:(pool|stage|let|def|set|choose|observe|state)\s*(?=[^\w\s])|(queue)\s*(?=[:{\[]))|(?<=[;{}])\s*(\()"
)
"""A word that declares without a name behind it; a `(` that starts a statement, which has lost a definition's name."""


_LET = re.compile(r"\blet\s+(\w+)")


class Damage:
    """What the unreadable regions of one program may hold."""

    def __init__(self, source: nodes.Tree) -> None:
        self.unparsed = source.unparsed | _in_mentioned_definitions(source)
        self.nameless: frozenset[str] = frozenset()
        """Words that declare a name, somewhere in the program without one."""
        self.redeclared: frozenset[str] = frozenset()
        """Names in items that lost their first word: what they were is unknown."""
        self.constants: frozenset[str] = frozenset()
        """Names after a `let`, also where it could not be read."""
        if source.damaged:
            texts = {item.first.chunk: item.first.chunk.text for item in source.items}.values()
            found = [match for text in texts for match in _NAMELESS.finditer(text)]
            self.constants = frozenset(match[1] for text in texts for match in _LET.finditer(text))
            self.nameless = frozenset(match[1] or match[2] or match[3] for match in found)
            lost = [item.first for item in source.items if isinstance(item, nodes.ErrorItem)]
            if any(token.text == "use" or token.kind == "STRING" for token in lost):
                self.nameless |= {"def"}  # a library was meant, and what it defines is unknown
            self.redeclared = frozenset(
                item.first.text for item in source.items if isinstance(item, nodes.ErrorItem) and not item.declared
            )

    def may_declare(self, kind: str, *names: str) -> bool:
        """Whether something of `kind` named by one of `names` may stand where the text could not be read."""
        if not self.unparsed and not self.nameless:
            return False
        return any(name in self.unparsed for name in names) or any(word in self.nameless for word in _KINDS[kind])


def _in_mentioned_definitions(source: nodes.Tree) -> frozenset[str]:
    """The names in the bodies of definitions that an unreadable region may use."""
    bodies = [definition.item.tokens or () for definition in source.definitions if definition.name in source.unparsed]
    return frozenset(token.text for body in bodies for token in body if token.kind == "NAME")
