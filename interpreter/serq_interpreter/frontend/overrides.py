"""Overrides from outside, as reading and elaboration take them: `--def`, `--set` (`NAME=EXPR`) and run settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq_interpreter.catalog import entry
from serq_interpreter.frontend.wording import OVERRIDE_HEAD, Arguments
from serq_interpreter.semantics.context import Request
from serq_interpreter.semantics.overrides import choice
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.document import Document, parse_document
from serq_interpreter.syntax.tokens import Chunk, Finding, Place, Token

if TYPE_CHECKING:
    from serq_interpreter.frontend.analysis import Options


def request_of(options: Options, extended: bool) -> tuple[Request, list[Finding]]:
    """The request for a text of an `extended` edition or not, and what is wrong with the overrides themselves (SQ0831, SQ0832)."""
    constants: dict[str, nodes.Expr] = {}
    complaints: list[Finding] = []
    for name, text in options.sets.items():
        expression = _expression(name, text, f"--set {name}", complaints)
        if expression is not None:
            constants[name] = expression
    request = Request(
        constants=constants,
        extended=extended,
        horizon=options.horizon,
        warmup=options.warmup,
        seed=None if options.seed is None or options.seed > 2**53 else options.seed,
        arrivals=options.arrivals,
    )
    return request, complaints


def bodies_of(options: Options) -> tuple[dict[str, tuple[Token, ...]], list[Finding]]:
    """The bodies that `--def` gives, and what is wrong with them as text (SQ0831, SQ0832)."""
    bodies: dict[str, tuple[Token, ...]] = {}
    complaints: list[Finding] = []
    for name, text in options.defs.items():
        source = f"--def {name}"
        if _expression(name, text, source, complaints) is None:
            continue
        document = parse_document(f"def {name}() = {text};", source)
        item = document.tree.items[0] if document.tree.items else None
        if isinstance(item, nodes.DefItem) and item.tokens:
            bodies[name] = item.tokens
    return bodies, complaints


def unknown_definitions(options: Options, document: Document) -> list[Finding]:
    """Overrides of what the program does not define (SQ0835) or defines as statements (SQ0836)."""
    if not options.defs:
        return []
    kinds = {one.name: one.item.is_expression for one in document.tree.definitions}
    found = []
    for name, text in options.defs.items():
        if not name.isidentifier() or kinds.get(name):
            continue
        code = "SQ0836" if name in kinds else "SQ0835"
        help = "" if name in kinds else choice(name, [one for one, is_expression in kinds.items() if is_expression])
        found.append(Finding(code, _all_of(f"--def {name}", text), {"name": name}, help=help))
    return found


def _expression(name: str, text: str, source: str, complaints: list[Finding]) -> nodes.Expr | None:
    if not name.isidentifier():
        complaints.append(Finding("SQ0831", _all_of(source, name), {"name": name}))
        return None
    document = parse_document(f"{OVERRIDE_HEAD}{text};", source)
    items = document.tree.items
    if document.findings:
        first = document.findings[0]
        problem = entry(first.code).message.format_map(Arguments(first.args)).replace("found `;`", "found the end")
        complaints.append(Finding("SQ0832", first.place, {"name": name, "problem": problem}))
        return None
    if len(items) != 1 or not isinstance(items[0], nodes.LetItem):
        problem = "it is more than one expression"
        complaints.append(Finding("SQ0832", _all_of(source, text), {"name": name, "problem": problem}))
        return None
    return items[0].value


def _all_of(source: str, text: str) -> Place:
    return Place(Chunk(source, text), 0, len(text))
