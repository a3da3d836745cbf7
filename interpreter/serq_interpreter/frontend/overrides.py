"""Overrides from outside, as the elaboration takes them: `--set NAME=EXPR` and run settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq_interpreter.semantics.context import Request
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.document import parse_document
from serq_interpreter.syntax.tokens import Chunk, Finding, Place

if TYPE_CHECKING:
    from serq_interpreter.frontend.analysis import Options


def request_of(options: Options) -> tuple[Request, list[Finding]]:
    """The request, and what is wrong with the overrides themselves (SQ0831, SQ0832)."""
    constants: dict[str, nodes.Expr] = {}
    complaints: list[Finding] = []
    for name, text in options.sets.items():
        expression = _expression(name, text, f"--set {name}", complaints)
        if expression is not None:
            constants[name] = expression
    request = Request(
        constants=constants,
        horizon=options.horizon,
        warmup=options.warmup,
        seed=None if options.seed is None or options.seed > 2**53 else options.seed,
        arrivals=options.arrivals,
    )
    return request, complaints


def _expression(name: str, text: str, source: str, complaints: list[Finding]) -> nodes.Expr | None:
    if not name.isidentifier():
        complaints.append(Finding("SQ0831", _all_of(source, name), {"name": name}))
        return None
    head = "let value = "
    document = parse_document(f"{head}{text};", source)
    items = document.tree.items
    if document.findings or len(items) != 1 or not isinstance(items[0], nodes.LetItem):
        problem = document.findings[0].code if document.findings else "it is more than one expression"
        complaints.append(Finding("SQ0832", _all_of(source, text), {"name": name, "text": text, "problem": problem}))
        return None
    return items[0].value


def _all_of(source: str, text: str) -> Place:
    return Place(Chunk(source, text), 0, len(text))
