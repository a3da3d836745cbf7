"""The rules about definitions: their names and parameters when they are read, their arguments when they are used.

Spec 02 §13.  What needs the whole program (SQ0242, SQ0252) is asked at its end.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise

from serq_interpreter.catalog.vocabulary import (
    BUILTIN_ATTRIBUTES,
    LANGUAGE_WORDS,
    PARAMETER_FORBIDDEN,
    RETIRED_WORDS,
)
from serq_interpreter.record import fact
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.macro import Facts, Macro, UnknownMacro, named_with
from serq_interpreter.syntax.tokens import Edit, Finding, Fix, Note, Place, Token, place_of


def name_findings(item: nodes.DefItem, known: Mapping[str, nodes.Definition]) -> list[Finding]:
    """SQ0240, SQ0129 and SQ0241: the name of a definition below `known`."""
    name = item.name
    args: dict[str, object] = {"name": name.text}
    if name.text in LANGUAGE_WORDS:
        return [Finding("SQ0240", place_of(name), args)]
    if name.text in RETIRED_WORDS:
        return [Finding("SQ0129", place_of(name), args)]
    first = known.get(name.text)
    if first is not None:
        return [Finding("SQ0241", place_of(name), args, (Note(place_of(first.item.name), "the first is here"),))]
    return []


def parameter_findings(item: nodes.DefItem) -> list[Finding]:
    """SQ0245, SQ0246, SQ0129 and SQ0247: the parameters of a definition, and what its body names with them."""
    found: list[Finding] = []
    seen: dict[str, int] = {}
    for index, token in enumerate(item.parameters):
        args: dict[str, object] = {"name": token.text, "definition": item.name.text}
        if token.text in seen:
            found.append(Finding("SQ0245", place_of(token), args))
        elif token.text in PARAMETER_FORBIDDEN:
            found.append(Finding("SQ0246", place_of(token), args))
        elif token.text in RETIRED_WORDS:
            found.append(Finding("SQ0129", place_of(token), {"name": token.text}))
        seen.setdefault(token.text, index)
    named = named_with(item.tokens or (), seen)
    if named is not None:
        found.append(Finding("SQ0247", place_of(named), {"name": named.text, "definition": item.name.text}))
    return found


def called_in(item: nodes.DefItem) -> frozenset[str]:
    """The names before a `(` in the body of a definition."""
    pairs = pairwise(item.tokens or ())
    return frozenset([token.text for token, following in pairs if token.kind == "NAME" and following.kind == "("])


def order_findings(item: nodes.DefItem, below: Collection[str]) -> list[Finding]:
    """SQ0243 and SQ0244: a body that uses its own definition, or one of those `below`; no parameter hides these names."""
    for token, following in pairwise(item.tokens or ()):
        if token.kind != "NAME" or following.kind != "(":
            continue
        args: dict[str, object] = {"name": token.text, "definition": item.name.text}
        if token.text == item.name.text:
            return [Finding("SQ0243", place_of(token), args, key=("SQ0243", item.name.text))]
        if token.text in below:
            return [Finding("SQ0244", place_of(token), args)]
    return []


@fact
class LateUse:
    """A use whose arguments may read what a `turn` or `request` in the body assigns (SQ0252)."""

    macro: Macro
    arguments: tuple[tuple[Token, ...], ...]
    reads: dict[str, Token]


def argument_findings(
    macro: Macro,
    use: Token,
    arguments: list[list[Token]],
    above: Mapping[str, Macro | UnknownMacro],
    statement: bool,
) -> tuple[list[Finding], LateUse | None]:
    """SQ0250, SQ0251 and SQ0253 about one use; and what is left to ask at the end of the program."""
    found: list[Finding] = []
    reads: dict[str, Token] = {}
    note = (Note(place_of(macro.definition.item.name), f"`{macro.name}` is defined here"),)
    for parameter, argument in zip(macro.definition.item.parameters, arguments, strict=True):
        facts = Facts(argument, above, {})
        args: dict[str, object] = {"name": macro.name, "parameter": parameter.text, "use": use.text}
        count = macro.counts.get(parameter.text, 0)
        if facts.draws and count > 1:
            fixes = copied(use, argument[0], argument[-1], parameter.text) if statement else ()
            found.append(Finding("SQ0250", _whole(argument), {**args, "count": count}, note, fixes))
            continue
        clash = next((name for name in facts.reads if name in macro.assigns), None)
        if clash is not None:
            fixes = copied(use, argument[0], argument[-1], parameter.text) if statement and _is_value(argument) else ()
            found.append(Finding("SQ0251", place_of(facts.reads[clash]), {**args, "name": clash}, note, fixes))
            continue
        if not macro.is_expression and facts.clock is not None:
            token, shown = facts.clock
            end = _call_end(argument, token)
            fixes = copied(use, token, end, parameter.text)
            found.append(Finding("SQ0253", place_of(token, end), {**args, "read": shown}, note, fixes))
            continue
        for name, token in facts.reads.items():
            reads.setdefault(name, token)
    late = LateUse(macro, tuple(map(tuple, arguments)), reads) if reads and (macro.turns or macro.requests) else None
    return found, late


def copied(use: Token, first: Token, last: Token, parameter: str) -> tuple[Fix, ...]:
    """Copy the value from `first` to `last` before the statement `use` and pass the copy."""
    chunk = use.chunk
    if use.via is not None or any(token.via is not None or token.chunk is not chunk for token in (first, last)):
        return ()
    name = f"{parameter}_now"
    value = chunk.text[first.start : last.end]
    edits = (
        Edit(Place(chunk, use.start, use.start), f"set {name} = {value}; "),
        Edit(Place(chunk, first.start, last.end), name),
    )
    return (Fix(f"copy it first: `set {name} = …;`", edits, safe=True),)


def _is_value(argument: list[Token]) -> bool:
    """Whether an argument cannot be meant as a pool's or a stage's reference."""
    return len(argument) == 1 or not any(token.kind in (".", "[") for token in argument[1:2])


def _call_end(tokens: list[Token], name: Token) -> Token:
    """The `)` of a call by its name, which is the end itself when it is no call."""
    depth = 0
    found = False
    for token in tokens:
        found = found or token is name
        if not found or token is name:
            continue
        if token.kind in ("(", "[", "{"):
            depth += 1
        elif token.kind in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                return token
        elif depth == 0:
            return name
    return name


def _whole(tokens: list[Token]) -> Place:
    return place_of(tokens[0], tokens[-1])


def program_findings(
    items: list[nodes.Item], definitions: Mapping[str, nodes.Definition], late: list[LateUse]
) -> list[Finding]:
    """SQ0242 and SQ0252: what only the whole program shows."""
    found = []
    for kind, name in _declared(items):
        definition = definitions.get(name.text)
        if definition is not None:
            args: dict[str, object] = {"name": name.text, "other": f"a {kind}"}
            note = Note(place_of(name), f"the {kind} is here")
            key = ("SQ0242", name.text)
            found.append(Finding("SQ0242", place_of(definition.item.name), args, (note,), key=key))
    if late:
        found.extend(_late_findings(items, late))
    return found


def _declared(items: list[nodes.Item]) -> list[tuple[str, Token]]:
    found: list[tuple[str, Token]] = []
    for item in items:
        match item:
            case nodes.PoolItem():
                found.append(("pool", item.name))
            case nodes.StageItem():
                found.append(("stage", item.name))
            case nodes.LetItem():
                found.append(("constant", item.name))
            case nodes.QueueItem():
                if any(isinstance(part, nodes.ServeDecl) and part.word.text == "serve" for part in item.parts):
                    found.append(("stage", item.name))
            case nodes.ErrorItem():
                found.extend((kind, name) for kind, name in item.declared if kind in ("pool", "stage"))
            case _:
                pass
    return found


def _late_findings(items: list[nodes.Item], late: list[LateUse]) -> list[Finding]:
    turn: set[str] = set(BUILTIN_ATTRIBUTES)
    served: dict[str, set[str]] = {}
    for item in items:
        if isinstance(item, nodes.WorkloadItem):
            for clause in item.clauses:
                if isinstance(clause, nodes.BlockClause) and clause.word.text == "turn":
                    turn |= _assigned(clause.body)
        elif isinstance(item, nodes.ServerItem):
            served.setdefault("", set()).update(_assigned(item.body))
        elif isinstance(item, nodes.QueueItem):
            for part in item.parts:
                if isinstance(part, nodes.EntryDecl) and part.verb.text == "route":
                    served.setdefault(item.name.text, set()).update(_assigned(part.body))
    found = []
    for use in late:
        by: list[tuple[str, set[str]]] = [("turn;", turn)] if use.macro.turns else []
        by.extend((f"request {name};" if name else "request;", served.get(name, set())) for name in use.macro.requests)
        for word, assigned in by:
            name = next((name for name in use.reads if name in assigned), None)
            if name is not None:
                args: dict[str, object] = {"name": name, "definition": use.macro.name, "by": word}
                found.append(Finding("SQ0252", place_of(use.reads[name]), args))
                break
    return found


def _assigned(body: nodes.Block) -> set[str]:
    """The names that the statements of a block, and of the blocks in it, assign or bind."""
    found: set[str] = set()
    stack = [body]
    while stack:
        for statement in stack.pop().statements:
            match statement:
                case nodes.SetStmt() | nodes.ChooseStmt():
                    found.add(statement.name.text)
                case nodes.HoldStmt():
                    found.update(binding.name.text for binding in statement.bindings)
                    stack.append(statement.body)
                case nodes.LoopStmt() | nodes.ForkStmt():
                    stack.append(statement.body)
                case nodes.BranchStmt():
                    stack.append(statement.then)
                    if statement.otherwise is not None:
                        stack.append(statement.otherwise)
                case nodes.ErrorStmt():
                    found.update(token.text for token in statement.assigned)
                case _:
                    pass
    return found
