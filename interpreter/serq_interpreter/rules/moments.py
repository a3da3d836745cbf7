"""SQ0301 to SQ0326: every read is legal at the moment at which its expression is read.

The verdicts are `semantics.moments.TABLE`; this module classifies what is read and words the findings.
"""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.vocabulary import ARITHMETIC_FUNCTIONS, BUILTIN_ATTRIBUTES, OBSERVABLES
from serq_interpreter.rules import edits
from serq_interpreter.rules.expressions import children
from serq_interpreter.rules.survey import Site, Survey
from serq_interpreter.semantics import tree
from serq_interpreter.semantics.moments import MOMENTS, TABLE, VIA, whereabouts
from serq_interpreter.syntax.tokens import Edit, Finding, Fix, Note

Part = tree.Attr | tree.Ctx | tree.Reg | tree.Draw | tree.Call | tree.Agg
"""What a moment may refuse."""

CODES = tuple(f"SQ03{number:02}" for number in range(1, 27))

_BUILTIN = frozenset(BUILTIN_ATTRIBUTES)


def check(survey: Survey) -> Iterator[Finding]:
    """Judge every read of every expression."""
    for site in survey.sites:
        # A statement may read all but these, and most expressions stand in statements.
        if site.moment == "stmt" and not survey.reads(site.expr).others:
            continue
        if survey.facts.is_legal(site.expr, site.moment, site.engine):
            continue
        found = list(_judge(survey, site))
        if not found:
            survey.facts.set_legal(site.expr, site.moment, site.engine)
        yield from found


def _judge(survey: Survey, site: Site) -> Iterator[Finding]:
    """The findings of one expression; a hidden attribute is reported once in it."""
    seen_hidden = False
    stack: list[object] = [site.expr]
    while stack:
        node = stack.pop()
        code = ""
        if isinstance(node, Part) and not _undeclared(survey, node):
            read = _row(node, site, survey.hidden_names)
            code = "" if read is None else _verdict(read, node, site)
            if read is not None and code and not (code == "SQ0302" and seen_hidden):
                yield _finding(survey, site, node, read, code)
                seen_hidden = seen_hidden or code == "SQ0302"
        if site.moment in _SYSTEM_MOMENTS and isinstance(node, tree.Call) and node.function in OBSERVABLES:
            if not code:
                yield from _open_index(survey, site, node)
                stack.extend(part for part in reversed(node.args) if not isinstance(part, tree.PoolRef | tree.StageRef))
            continue
        stack.extend(reversed(children(node)))


def _undeclared(survey: Survey, node: Part) -> bool:
    """Whether a name means nothing: that is reported as such (SQ0201)."""
    return isinstance(node, tree.Attr) and node.name not in survey.program.attributes and node.name not in _BUILTIN


_SYSTEM_MOMENTS = frozenset({"gauge", "given", "every", "end"})
"""Moments at which no session is meant: an index inside an observable is a number, whatever it reads (SQ0325)."""


def _open_index(survey: Survey, site: Site, call: tree.Call) -> Iterator[Finding]:
    for argument in call.args:
        if not isinstance(argument, tree.PoolRef | tree.StageRef) or argument.index is None or argument.name is None:
            continue
        if not isinstance(argument.index, tree.Num) and not survey.reads(argument.index).unknown:
            args: dict[str, object] = {"name": argument.name or "", "part": site.part}
            yield Finding("SQ0325", argument.index.at, args)


def _row(part: Part, site: Site, hidden: dict[str, tree.Hidden]) -> str | None:
    """The row of the table that `part` belongs to, `None` when it is always legal or unknown."""
    match part:
        case tree.Ctx():
            return part.name
        case tree.Attr():
            if part.name in hidden and part.name not in ("cached", "computed"):
                return "hidden"
            return part.name if part.name in _BUILTIN else "attribute"
        case tree.Reg():
            return "register_own" if part.engine == site.engine else "register_other"
        case tree.Draw():
            return "draw"
        case tree.Agg():
            return part.kind
        case tree.Call():
            if part.function in ARITHMETIC_FUNCTIONS:
                return None
            if part.function == "budget_left":
                return "budget_own" if _stage_of(part) == site.engine else "budget_other"
            return part.function


def _stage_of(call: tree.Call) -> str | None:
    argument = call.args[0] if call.args else None
    return argument.name if isinstance(argument, tree.StageRef) else None


def _verdict(read: str, part: Part, site: Site) -> str:
    """The code of the table's cell; the reader's engine decides the cells marked `via`."""
    row = TABLE.get(read)
    if row is None:
        return ""
    cell = row[site.moment]
    if read.startswith("register") and site.engine is None:
        return ""
    if cell == VIA:
        return "" if isinstance(part, tree.Reg) and part.engine == site.engine else "SQ0304"
    return cell


def _finding(survey: Survey, site: Site, part: Part, read: str, code: str) -> Finding:
    name = _name(part)
    args: dict[str, object] = {"name": name, "part": site.part}
    if isinstance(part, tree.Reg):
        args["engine"] = part.engine
    notes = _notes(survey, part, code)
    return Finding(code, part.at, args, notes, _fixes(survey, site, part, code), _help(site, name, read, code))


def _name(part: Part) -> str:
    match part:
        case tree.Call():
            return part.function
        case tree.Agg():
            return part.kind
        case tree.Draw():
            return part.distribution
        case tree.Attr() | tree.Ctx() | tree.Reg():
            return part.name


def _notes(survey: Survey, part: Part, code: str) -> tuple[Note, ...]:
    if code == "SQ0302" and isinstance(part, tree.Attr):
        mention = survey.hidden_names[part.name]
        return (Note(mention.at, f"`{part.name}` is hidden here: only the session itself may read it"),)
    if isinstance(part, tree.Reg):
        register = survey.program.registers.get((part.engine, part.name))
        if register is not None:
            return (Note(register.name_at, f"`{part.name}` is a register of engine `{part.engine}`"),)
    return ()


def _help(site: Site, name: str, read: str, code: str) -> str:
    moment = MOMENTS[site.moment]
    if code == "SQ0301":
        return f"`{name}` exists in {whereabouts(read)}. {moment.decides}"
    if code == "SQ0302":
        return f"{moment.decides} Read a bound that is known instead, or remove `{name}` from `hidden`."
    if code == "SQ0305":
        return f"Observations are complete when the run is over: aggregate `{name}(…)` in a claim `at end`."
    return moment.decides


def _fixes(survey: Survey, site: Site, part: Part, code: str) -> tuple[Fix, ...]:
    if code == "SQ0302" and isinstance(part, tree.Attr):
        mention = survey.hidden_names[part.name]
        return edits.drop_from_list(f"let the scheduler read `{part.name}`: take it out of `hidden`", mention.at)
    if code == "SQ0301" and isinstance(site.owner, tree.Set | tree.Observe):
        return edits.delete("delete the statement", site.owner.at)
    if code == "SQ0318":
        return edits.replace("read `position` instead", part.at, "position", safe=True)
    if code == "SQ0306" and isinstance(site.owner, tree.Hold):
        return _draw_above(survey, site.owner, part)
    return ()


def _draw_above(survey: Survey, hold: tree.Hold, part: Part) -> tuple[Fix, ...]:
    """Draw once into an attribute above the hold and read that; not in an entry, whose headers read no attribute."""
    place = part.at
    if edits.in_entry(hold.at) or hold.at.via is not None:
        return ()
    name = edits.fresh_name(survey.program, place.chunk.text, "drawn")
    before = edits.statement_before(hold.at, f"set {name} = {edits.text_of(place)};")
    swap = Edit(place, name)
    return edits.together(f"draw it above the hold, into `{name}`", (before, swap), safe=True)
