"""SQ0513, SQ0514, SQ0517: a register has a body that sets it, and only its own engine's body does (02 §11)."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Note

NEEDS = ("Engine", "Register")
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0513",
        name="register-without-a-body",
        severity=Severity.ERROR,
        message="`{engine}` has no iteration body, so nothing ever sets register `{name}`",
        why="Only the `set` of the engine's own iteration body changes a register. Without a body it keeps its first "
        "value, and a constant says that better.",
        help="add `iteration {{ serve; set {name} = …; }}`, or declare the number with `let`",
        wrong="""stage e : step { cost 1 + k; state k = 2; }
                           //^^^^^^^^^^^^
session { run e decode (4); end; }
run { horizon 100; }
""",
        right="""let k = 2;
stage e : step { cost 1 + k; }
session { run e decode (4); end; }
run { horizon 100; }
""",
        spec="02 §11",
    ),
    Entry(
        code="SQ0514",
        name="register-beside-serve-only",
        severity=Severity.ERROR,
        message="`{engine}` serves by `serve only` and has no body of its own that could set register `{name}`",
        why="The option `serve only` stands for a fixed body, and that body sets nothing.",
        help="write the body out: `iteration {{ serve only (…); admit only (…) while (!preempted); set {name} = …; }}`",
        wrong="""stage e : step { cost 1; serve only (decoding); state k = 0; }
                                              //^^^^^^^^^^^^
session { run e decode (4); end; }
run { horizon 100; }
""",
        right="""stage e : step { cost 1; state k = 0; iteration { serve only (decoding); set k = k + 1; } }
session { run e decode (4); end; }
run { horizon 100; }
""",
        spec="02 §11",
    ),
    Entry(
        code="SQ0517",
        name="set-of-another-engine",
        severity=Severity.ERROR,
        message="the iteration of `{stage}` sets `{name}`, a register of engine `{engine}`",
        why="Two engines plan at different instants. A register that both set would hold whatever the last of them "
        "wrote, in an order that no one decided.",
        help="set it in the body of `{engine}`, or give `{stage}` a register of its own",
        wrong="""stage d : step { cost 1; state k = 0; iteration { serve; set k = 1; } }
stage e : step { cost 1; iteration { serve; set k = 2; } }
                                              //^
session { run d decode (4); run e decode (4); end; }
run { horizon 100; }
""",
        right="""stage d : step { cost 1; state k = 0; iteration { serve; set k = 1; } }
stage e : step { cost 1; state m = 0; iteration { serve; set m = 2; } }
session { run d decode (4); run e decode (4); end; }
run { horizon 100; }
""",
        spec="02 §11",
    ),
)


def check(survey: Survey) -> Iterator[Finding]:
    """Look at each register's engine, and at each engine's `set`s."""
    program = survey.program
    for register in program.registers.values():
        stage = program.stages.get(register.engine)
        engine = None if stage is None else stage.engine
        if engine is None or engine.damaged or engine.iteration_at is not None:
            continue
        args: dict[str, object] = {"name": register.name, "engine": register.engine}
        if engine.serve_only is not None:
            notes = () if engine.serve_at is None else (Note(engine.serve_at, "`serve only` stands for a body here"),)
            yield Finding("SQ0514", register.at, args, notes)
        elif engine.iteration is None:
            yield Finding("SQ0513", register.at, args)
    for stage in program.stages.values():
        if stage.engine is not None and stage.engine.iteration_at is not None:
            yield from _sets(program, stage.name, stage.engine.iteration or ())


def _sets(program: tree.Elaborated, stage: str, body: tuple[tree.IterStmt, ...]) -> Iterator[Finding]:
    stack = list(reversed(body))
    while stack:
        item = stack.pop()
        if isinstance(item, tree.IterBranch):
            stack.extend(reversed(item.otherwise))
            stack.extend(reversed(item.then))
        elif isinstance(item, tree.IterSet) and item.engine is not None and item.engine != stage:
            register = program.registers.get((item.engine, item.name))
            notes = () if register is None else (Note(register.name_at, f"`{item.name}` belongs to `{item.engine}`"),)
            args: dict[str, object] = {"name": item.name, "stage": stage, "engine": item.engine}
            yield Finding("SQ0517", item.name_at, args, notes)
