"""SQ0513, SQ0514, SQ0517: a register has a body that sets it, and only its own engine's body does (02 §11)."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Note

CODES = ("SQ0513", "SQ0514", "SQ0517")


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
