"""SQ1012: a scheduler reads a copy of a hidden attribute.

What: an attribute is set from a hidden one, directly or through others, and read at a scheduler's moment: set in `init` or
`turn`, given to a child by its parent, or set by the session just before, without any work in between.
"""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.semantics.moments import TABLE
from serq_interpreter.syntax.tokens import Finding, Note

NEEDS = ("Hidden",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ1012",
        name="copy-of-a-hidden-attribute",
        severity=Severity.INFO,
        message="{part} reads `{name}`, whose value comes from hidden `{hidden}`",
        why="`hidden` works by name: a copy under another name is not hidden, and a scheduler that reads it knows the "
        "future all the same. The language accepts it, because the copy may be a lawful estimate.",
        help="read something that is known at that moment, or hide the copy too",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
workload { arrive batch(2); hidden o; init { set o = ~uniform(1, 9); set need = o + 1; } }
session { hold kv (need) { run svc (o); } observe t = now; end; }
                 //^^^^
run { horizon 100; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
workload { arrive batch(2); hidden o; init { set o = ~uniform(1, 9); set need = 10; } }
session { hold kv (need) { run svc (o); } observe t = now; end; }
run { horizon 100; }
""",
        spec="02 §7",
    ),
)

Copies = dict[str, tuple[tree.Set, str]]
"""Attribute → the `set` that copies, and the hidden attribute that the value comes from."""


def check(survey: Survey) -> Iterator[Finding]:
    """Judge the keys and options by what `init` and `turn` copy, and the headers by what the session copies too."""
    early = _early(survey)
    if early:
        refused = TABLE["hidden"]
        for site in survey.sites:
            if site.moment != "head" and refused[site.moment] == "SQ0302":
                yield from _reads(survey, site.expr, site.part, early)
    if survey.program.session is not None:
        yield from _session(survey, survey.program.session, early)


def _early(survey: Survey) -> Copies:
    """What `init` and `turn` copy, and a parent for its children, of the attributes that nothing else assigns."""
    given = {id(stmt) for visit in survey.of(tree.Spawn) for stmt in visit.stmt.body.statements}  # type: ignore[union-attr]
    sets: list[tree.Set] = []
    later: set[str] = set()
    for visit in survey.of(tree.Set, tree.Choose):
        stmt = visit.stmt
        if isinstance(stmt, tree.Set) and (visit.block != "session" or id(stmt) in given):
            sets.append(stmt)
        elif visit.block == "session":
            later.add(stmt.name)  # type: ignore[union-attr]
    found: Copies = {}
    changed = True
    while changed:
        changed = False
        for stmt in sets:
            if stmt.name in found or stmt.name in survey.hidden_names or stmt.name in later:
                continue
            origin = _origin(survey, stmt.value, found)
            if origin is not None:
                found[stmt.name] = (stmt, origin)
                changed = True
    return found


def _origin(survey: Survey, expr: tree.Expr, copies: Copies) -> str | None:
    """The hidden attribute whose value passes into that of `expr`."""
    for name in _copied(expr):
        if name in survey.hidden_names:
            return name
        if name in copies:
            return copies[name][1]
    return None


def _session(survey: Survey, session: tree.Block, early: Copies) -> Iterator[Finding]:
    pending: list[tuple[tree.Block, Copies]] = [(session, dict(early))]
    while pending:
        block, copies = pending.pop()
        for stmt in block.statements:
            match stmt:
                case tree.Set():
                    origin = _origin(survey, stmt.value, copies)
                    copies.pop(stmt.name, None)
                    if origin is not None and stmt.name not in survey.hidden_names:
                        copies[stmt.name] = (stmt, origin)
                case tree.Choose():
                    copies.pop(stmt.name, None)
                case tree.Hold():
                    for take in stmt.takes:
                        yield from _reads(survey, take.units, "the units of a hold", copies)
                        yield from _reads(survey, take.reserve, "`reserve`", copies)
                    yield from _reads(survey, stmt.reuse, "`reuse`", copies)
                    pending.append((stmt.body, dict(copies)))
                case tree.Branch():
                    pending.append((stmt.then, dict(copies)))
                    pending.extend([] if stmt.otherwise is None else [(stmt.otherwise, dict(copies))])
                case tree.Loop() | tree.Fork():
                    pending.append((stmt.body, dict(early)))
                case _:
                    pass
            if not isinstance(stmt, tree.Set | tree.Choose | tree.Observe):
                copies = dict(early)


def _reads(survey: Survey, expr: tree.Expr | None, part: str, copies: Copies) -> Iterator[Finding]:
    for attr in survey.reads(expr).attrs if copies else ():
        if attr.name in copies:
            stmt, hidden = copies[attr.name]
            args: dict[str, object] = {"name": attr.name, "hidden": hidden, "part": part}
            note = Note(stmt.at, f"`{attr.name}` is set from hidden `{hidden}` here")
            yield Finding("SQ1012", attr.at, args, (note,), key=attr.name)
            return


def _copied(expr: tree.Expr) -> Iterator[str]:
    """The attributes whose value passes into that of `expr`: tests and comparisons tell less and do not count."""
    stack: list[object] = [expr]
    while stack:
        node = stack.pop()
        match node:
            case tree.Attr():
                yield node.name
            case tree.Cond():
                stack.extend((node.otherwise, node.then))
            case tree.Unary(op="-"):
                stack.append(node.operand)
            case tree.Binary(op="+" | "-" | "*" | "/" | "^"):
                stack.extend((node.right, node.left))
            case tree.Call(function="min" | "max" | "floor" | "ceil" | "abs"):
                stack.extend(reversed(node.args))
            case _:
                pass
