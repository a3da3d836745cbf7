"""SQ0520, SQ0521, SQ0523, SQ0524: a run over several stages shares their capacity (02 §9)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules import edits
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.semantics.closed import closed_value
from serq_interpreter.syntax.tokens import Edit, Finding, Fix, Note, Place

NEEDS = ("Run", "Share")
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0520",
        name="flow-without-share",
        severity=Severity.ERROR,
        message="a run over several stages needs the program's `share`",
        why="Such a run is a flow: it occupies all its stages at once, and its rate depends on how the flows divide "
        "the capacities. The two answers, `maxmin` and `bottleneck`, give different times, so one must be chosen.",
        help="add `share maxmin;` or `share bottleneck;` at the top level",
        wrong="""stage a : ps(2);
stage b : ps(3);
session { run a, b (6); end; }
        //^^^^^^^^^^^^^
run { horizon 10; }
""",
        right="""stage a : ps(2);
stage b : ps(3);
share maxmin;
session { run a, b (6); end; }
run { horizon 10; }
""",
        spec="02 §9",
    ),
    Entry(
        code="SQ0521",
        name="share-without-flow",
        severity=Severity.ERROR,
        message="no run crosses several stages, so there is nothing to share",
        why="`share` (and a relation of queues) says how flows divide their stages. A flow is a run over two or more "
        "stages that the program reaches; in an entry that nobody calls it does not count.",
        help="delete it, or call the entry whose transfer uses it",
        wrong="""stage a : ps(2);
  share maxmin;
//^^^^^^^^^^^^^
session { run a (6); end; }
run { horizon 10; }
""",
        right="""stage a : ps(2);
session { run a (6); end; }
run { horizon 10; }
""",
        spec="02 §9",
    ),
    Entry(
        code="SQ0523",
        name="flow-over-an-unshared-stage",
        severity=Severity.ERROR,
        message="`{name}` is {kind}, and a flow crosses only `ps` stages with one positive number",
        why="The rates of all flows are computed together from the capacities of their stages. A capacity must "
        "therefore be one fixed number: a literal, a constant's name or `inf`, not an expression or a queue of jobs.",
        help="declare it as `ps(c)` with a number or a constant",
        wrong="""stage a : ps(2);
stage b : ps(3 * 1);
share maxmin;
session { run a, b (6); end; }
               //^
run { horizon 10; }
""",
        right="""stage a : ps(2);
stage b : ps(3);
share maxmin;
session { run a, b (6); end; }
run { horizon 10; }
""",
        spec="02 §9",
    ),
    Entry(
        code="SQ0524",
        name="flow-names-an-array-twice",
        severity=Severity.ERROR,
        message="this run names `{name}` twice",
        why="A flow takes a share of each stage that it names. Two members of one array could be the same one at run "
        "time, and a flow that crosses a stage twice has no defined share of it.",
        help="name each stage or array once",
        wrong="""stage a[2] : ps(2);
share maxmin;
session { run a[0], a[1] (6); end; }
                  //^^^^
run { horizon 10; }
""",
        right="""stage a[2] : ps(2);
stage b : ps(2);
share maxmin;
session { run a[0], b (6); end; }
run { horizon 10; }
""",
        spec="02 §9",
    ),
)


def check(survey: Survey) -> Iterator[Finding]:
    """Compare the runs over several stages with the program's share and with their stages."""
    program = survey.program
    flows = [visit.stmt for visit in survey.of(tree.Run) if visit.stmt.also]  # type: ignore[union-attr]
    unclear = program.damaged or "Opaque" in survey.kinds
    if flows and not program.share_places and not unclear:
        yield Finding("SQ0520", flows[0].at, {}, fixes=_add_share(flows[0].at))
    if not flows and program.share_places and not unclear:
        place = program.share_at or program.share_places[0]
        is_share = edits.text_of(place).startswith("share")
        fixes = edits.delete("delete the share", place, safe=True) if is_share else ()
        yield Finding("SQ0521", place, {}, fixes=fixes)
    for flow in flows:
        assert isinstance(flow, tree.Run)
        yield from _twice(flow)
        yield from _stages(survey, flow)


def _add_share(place: Place) -> tuple[Fix, ...]:
    """A `share` item after the one that holds the run."""
    text = place.chunk.text
    end = len(text.rstrip())
    return edits.together(
        "add `share maxmin;`", (Edit(Place(place.chunk, end, end, place.via), "\nshare maxmin;"),), safe=True
    )


def _twice(flow: tree.Run) -> Iterator[Finding]:
    seen: dict[str, tree.StageRef] = {}
    for ref in (flow.stage, *flow.also):
        if ref.name is None:
            continue
        first = seen.setdefault(ref.name, ref)
        if first is not ref:
            note = Note(first.at, "it is named here already")
            yield Finding("SQ0524", ref.at, {"name": ref.name}, (note,))


def _stages(survey: Survey, flow: tree.Run) -> Iterator[Finding]:
    """Each stage that a flow crosses is `ps` with one positive number."""
    for ref in (flow.stage, *flow.also):
        stage = survey.program.stages.get(ref.name or "")
        if stage is None or stage.kind == "unknown" or isinstance(stage.capacity, tree.Unknown):
            continue
        capacity = stage.capacity
        bare = isinstance(capacity, tree.Num) and capacity.bare and capacity.value > 0.0
        if stage.kind == "ps" and (capacity is None or bare):
            continue
        kind = f"a {stage.kind} stage" if stage.kind != "ps" else "`ps` with a capacity that is not one positive number"
        note = Note(stage.name_at, f"`{stage.name}` is {kind}")
        args: dict[str, object] = {"name": edits.text_of(ref.at), "kind": kind}
        yield Finding("SQ0523", ref.at, args, (note,), _named_capacity(survey, stage), key=stage.name)


_LITERAL = re.compile(r"[\d.\s()+*/^-]+")


def _named_capacity(survey: Survey, stage: tree.Stage) -> tuple[Fix, ...]:
    """Give the number a name: a constant's name is one number."""
    value = None if stage.capacity is None else closed_value(stage.capacity)
    if stage.kind != "ps" or stage.capacity is None or value is None or not value > 0.0:
        return ()
    text = edits.text_of(stage.capacity.at)
    name = edits.fresh_name(survey.program, stage.at.chunk.text, "capacity")
    changes = (edits.statement_before(stage.at, f"let {name} = {text};"), Edit(stage.capacity.at, name))
    return edits.together("give the capacity a name", changes, safe=_LITERAL.fullmatch(text) is not None)
