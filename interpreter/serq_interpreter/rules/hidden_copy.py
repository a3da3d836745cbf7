"""SQ1012: a scheduler reads a copy of a hidden attribute.

What: an attribute is set from a hidden one, directly or through others, and read at a scheduler's moment.

Why: hiding is by name only.  `set y = o; hold kv (y)` is accepted, and the pool decides with knowledge of the future
all the same.  When the copy is a lawful estimate, give it a value that does not come from the hidden one.

Wrong: `hidden o; … set y = o; hold kv (y) { … }`.  Right: `hold kv (limit) { … }`.
"""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.semantics.moments import TABLE
from serq_interpreter.syntax.tokens import Finding, Note

CODES = ("SQ1012",)


def check(survey: Survey) -> Iterator[Finding]:
    """Find the attributes that get their value from a hidden one, then their reads where the hidden one is refused."""
    origins = _copies(survey)
    if not origins:
        return
    refused = TABLE["hidden"]
    for site in survey.sites:
        if refused[site.moment] != "SQ0302" or not survey.reads(site.expr).attributes & origins.keys():
            continue
        for part in survey.reads(site.expr).attrs:
            if part.name in origins:
                stmt, hidden = origins[part.name]
                args: dict[str, object] = {"name": part.name, "hidden": hidden, "part": site.part}
                note = Note(stmt.at, f"`{part.name}` is set from hidden `{hidden}` here")
                yield Finding("SQ1012", part.at, args, (note,), key=part.name)
                break


def _copies(survey: Survey) -> dict[str, tuple[tree.Set, str]]:
    """Attribute → the `set` that copies, and the hidden attribute it comes from."""
    hidden = survey.hidden_names.keys()
    sets = [visit.stmt for visit in survey.visits if isinstance(visit.stmt, tree.Set) and visit.stmt.name not in hidden]
    sources = {name: name for name in hidden}
    found: dict[str, tuple[tree.Set, str]] = {}
    changed = True
    while changed:
        changed = False
        for stmt in sets:
            if stmt.name in found:
                continue
            origin = next((sources[name] for name in _copied(stmt.value) if name in sources), None)
            if origin is not None:
                found[stmt.name] = (stmt, origin)
                sources[stmt.name] = origin
                changed = True
    return found


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
