"""SQ0501 and SQ0502: a mode and `growing` belong to step engines (02 §9)."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules import edits
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Fix, Note

NEEDS = ("Run",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0501",
        name="run-mode-does-not-fit",
        severity=Severity.ERROR,
        message="{fault}",
        why="On a step engine a request is either computing its prompt or generating, and the engine schedules the two "
        "differently, so a run there says `prefill` or `decode`. Other kinds of stage know neither. Of a run over "
        "several stages the first one decides.",
        help="on a step engine write `run S prefill (w);` or `run S decode (w);`, elsewhere `run S (w);`",
        wrong="""stage svc : fifo;
session { run svc decode (1); end; }
                //^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (1); end; }
run { horizon 10; }
""",
        spec="02 §9",
    ),
    Entry(
        code="SQ0502",
        name="growing-off-an-engine",
        severity=Severity.ERROR,
        message="`growing` on `{name}`, which is a {kind} stage: only a step engine computes tokens one by one",
        why="`growing` lengthens an allocation as the engine computes each token. Other stages do their work as a "
        "whole; there is no progress that the allocation could follow.",
        help="delete the clause and `grow` the pool before or after the run",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (8) { run svc (1) growing kv; } end; }
                                  //^^^^^^^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (8) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §9",
    ),
)


def check(survey: Survey) -> Iterator[Finding]:
    """Compare each run with the kind of its first stage."""
    for visit in survey.of(tree.Run):
        run = visit.stmt
        assert isinstance(run, tree.Run)
        stage = survey.program.stages.get(run.stage.name or "")
        if stage is None or stage.kind == "unknown":
            continue
        note = Note(stage.name_at, f"`{stage.name}` is a {stage.kind} stage")
        args: dict[str, object] = {"name": edits.text_of(run.stage.at), "kind": stage.kind, "mode": run.mode or ""}
        if stage.kind == "step" and run.mode is None:
            if isinstance(run.work, tree.Unknown):
                continue  # what stands before the damaged work may have been the mode
            yield _missing(run, args, note)
        elif stage.kind != "step" and run.mode is not None:
            place = run.mode_at or run.stage.at
            args["fault"] = f"`{run.mode}` on `{edits.text_of(run.stage.at)}`, which is a {stage.kind} stage"
            yield Finding("SQ0501", place, args, (note,), edits.delete("delete the mode", place, safe=True))
        elif stage.kind != "step" and run.growing is not None:
            place = run.growing_at or run.growing.at
            yield Finding("SQ0502", place, args, (note,), edits.delete("delete the clause", place, safe=True))


def _missing(run: tree.Run, args: dict[str, object], note: Note) -> Finding:
    args["fault"] = f"`{edits.text_of(run.stage.at)}` is a step engine and the run has no mode"
    fixes: tuple[Fix, ...] = ()
    if edits.text_of(run.word_at) == "run":
        fixes = tuple(
            fix for mode in ("prefill", "decode") for fix in edits.append(f"insert `{mode}`", run.stage.at, f" {mode}")
        )
    return Finding("SQ0501", run.stage.at, args, (note,), fixes)
