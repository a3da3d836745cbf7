"""Signature help: the function, distribution, definition or entry whose arguments the cursor stands in."""

from __future__ import annotations

from dataclasses import dataclass

from serq_interpreter.catalog.vocabulary import DISTRIBUTIONS, FUNCTIONS, Word
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Token
from serq_lsp.services.snapshot import Snapshot
from serq_lsp.services.tokens import tokens_before

LOOK_BACK = 400
"""How many tokens before the cursor are looked at."""


@dataclass(frozen=True, slots=True)
class Signature:
    """`label` is the whole signature, `parameters` ranges of it; `active` counts from 0."""

    label: str
    parameters: tuple[tuple[int, int], ...]
    active: int
    documentation: str


def signature_help(snapshot: Snapshot, offset: int) -> Signature | None:
    """The call around the cursor; `None` outside of any."""
    before = [at.token for at in tokens_before(snapshot, offset, LOOK_BACK)]
    depth = commas = 0
    for position, token in enumerate(before):
        if token.kind in (")", "]", "}"):
            depth += 1
        elif token.kind in ("(", "[", "{"):
            if depth:
                depth -= 1
                continue
            if token.kind != "(":
                return None
            return _signature(snapshot, before[position + 1 : position + 4], commas)
        elif token.kind == "," and depth == 0:
            commas += 1
        elif token.kind == ";" and depth == 0:
            return None
    return None


def _signature(snapshot: Snapshot, before: list[Token], active: int) -> Signature | None:
    """From the tokens before the bracket, the nearest first."""
    if not before or before[0].kind != "NAME":
        return None
    name = before[0].text
    if len(before) > 1 and before[1].kind == "~" and name in DISTRIBUTIONS:
        return _of_word(DISTRIBUTIONS[name], active)
    if len(before) > 2 and before[1].kind == ".":
        return _of_entry(snapshot, before[2].text, name, active)
    for definition in snapshot.document.tree.definitions:
        if definition.name == name:
            names = [token.text for token in definition.item.parameters]
            return _build(name, names, active, "definition: its body replaces the use")
    if name in FUNCTIONS:
        return _of_word(FUNCTIONS[name], active)
    return None


def _of_word(word: Word, active: int) -> Signature:
    return _build(word.name, [part.name for part in word.parameters], active, word.doc)


def _of_entry(snapshot: Snapshot, queue: str, verb: str, active: int) -> Signature | None:
    for item in snapshot.document.tree.items:
        if isinstance(item, nodes.QueueItem) and item.name.text == queue:
            for part in item.parts:
                if isinstance(part, nodes.EntryDecl) and part.verb.text == verb:
                    names = [token.text for token in part.parameters or ()]
                    return _build(f"{queue}.{verb}", names, active, "entry of the queue")
    return None


def _build(name: str, parameters: list[str], active: int, documentation: str) -> Signature:
    label = f"{name}("
    ranges = []
    for number, parameter in enumerate(parameters):
        label += ", " if number else ""
        ranges.append((len(label), len(label) + len(parameter)))
        label += parameter
    return Signature(label + ")", tuple(ranges), min(active, max(0, len(parameters) - 1)), documentation)
