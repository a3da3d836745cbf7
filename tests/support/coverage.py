"""What a run of generated programs met: productions of the grammar, variants of the IR, cells of the moment table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from enum import Enum
from typing import Any

from serq_interpreter.catalog import vocabulary
from serq_interpreter.ir import program as ir
from serq_interpreter.semantics.moments import TABLE
from tests.rules.moment_programs import POSITIONS, program
from tests.support.cases import all_cases
from tests.support.comparison import Comparison, compare
from tests.support.oracle_process import OracleProcess, Verdict
from tests.support.productions import Productions

NEVER_ACCEPTED = {
    "program:$": "a program has a horizon (SQ0811)",
    "use_item:|item: use_item": "a program given as text uses no library (SQ0150)",
    "step_options:$": "a step engine has a cost (SQ0123)",
    "statement: `run` references `\\(` expr `\\)` growing": "a run without a mode is at no step engine (SQ0501)",
    "statement: `transfer`(?!.*movement)": "a transfer moves units between pools (SQ0161)",
    "statement: `transfer`.*growing": "a transfer grows nothing (SQ0162)",
    "statement: NAME (size )?`\\.` NAME `\\(` `\\)`": "an entry that can be called takes an argument (SQ0746)",
    "statement: NAME (size )?`\\.` NAME `\\(` expressions `\\)` target": "a transfer names both pools (SQ0763)",
    "hold_statement:.*reuse(?!.*cache)": "what is to be reused was cached (SQ0413)",
    "queue_part: `pool` NAME size": "a queue's own pool is no array (SQ0713)",
    "queue_part: `nic` .*latency": "a latency belongs to the serve of a link (SQ0720)",
    "queue_part: NAME `from`": "an entry that a request is handed to takes a parameter (SQ0710)",
    "reference: NAME `\\[` expr `\\]` `\\.` NAME": "no statement reaches a pool of a queue's member (SQ0740)",
    "factor: `~` NAME `\\(` `\\)`": "every distribution takes an argument (SQ0222)",
}
"""Productions (as patterns) that the grammar reads so that a rule can refuse them, and the rule."""

REFUSED_SHAPES = (
    "queue d : decode { decode (n) { run s (n); } decode from p { run s (1); } }",
    *(
        f"session {{ {called}.decode () {clauses}; }}"
        for called in ("q", "q[1]")
        for clauses in ("", "from p", "to kv (1)", "from p to kv (1)")
    ),
    *(
        f"session {{ {called}.decode (1) {clauses}; }}"
        for called in ("q", "q[1]")
        for clauses in ("to kv (1)", "from p to kv (1)")
    ),
    *(
        f"session {{ hold kv (1) reuse (1) {bound} {{ run s (1); }} {lease}{end} }}"
        for bound in ("", "at admission (b = 1)")
        for lease in ("", "lease kv (1)")
        for end in ("", ";")
    ),
    *(
        f"session {{ transfer {where} 1 {growing} {move}; }}"
        for where in ("", "on s")
        for growing in ("", "growing kv")
        for move in ("", "from kv to kv (1)")
    ),
    *(f"queue q {{ nic {kind} latency 1; }}" for kind in ("fifo", "step { cost 1; }")),
    "queue q { nic step { cost 1; } latency 1 }",
    "queue q { pool kv[2] { } }",
    "session { run s (1) growing kv; }",
    "session { decode on s 1 growing kv; }",
    "stage e : step { }",
    "session { set x = ~exp(); }",
    "session { hold q[0].kv (1) { } }",
    "session { run s (1); run s[0].t (1); }",
    "share pull p share maxmin;",
)
"""Items that the language refuses, for productions that no accepted program has and the corpus lacks."""

_SHAPE = "stage s : fifo; pool kv { } $ run { horizon 1; }"
_LONG = 4000
"""Characters of a case beyond which it is left out."""

NOT_FROM_TEXT = frozenset({"Sessions", "ScriptedSession"})
"""Variants of the IR that no source text gives (08 §6)."""

NOT_OF_THE_REFERENCE = frozenset({"Spawn", "JoinGroup", "Spawning", "Program.spawning"})
"""Variants of our own extension, which no program that the reference reads can have."""

_DISCRIMINATORS: dict[type, str] = {
    ir.Ctx: "name",
    ir.Sample: "distribution",
    ir.Call: "function",
    ir.Unary: "op",
    ir.Binary: "op",
    ir.Agg: "kind",
    ir.Run: "mode",
    ir.Claim: "kind",
}


class Coverage:
    """Counts, per production and verdict, per variant, and per cell and verdict."""

    def __init__(self) -> None:
        self._grammar = Productions()
        self.productions: dict[str, Counter[Verdict]] = {name: Counter() for name in self._grammar.names}
        self.variants: Counter[str] = Counter()
        self.cells: dict[tuple[str, str], Counter[Verdict]] = {
            (read, moment): Counter() for read in TABLE for moment in POSITIONS
        }
        self.wrong_cells: list[str] = []

    def add(self, comparison: Comparison) -> None:
        """Count what one program has; in a refused one, what was read before its first syntax error."""
        for name in self._grammar.met(comparison.text):
            self.productions[name][comparison.answer.verdict] += 1
        if comparison.program is not None and comparison.answer.verdict is Verdict.ACCEPTED:
            self.variants.update(set(variants(comparison.program)))

    def ask_known(self, reference: OracleProcess) -> None:
        """Count the corpus, which has every shape that a rule refuses, and a few shapes that it has not."""
        shapes = [_SHAPE.replace("$", shape) for shape in REFUSED_SHAPES]
        for text in [*(case.text for case in all_cases() if len(case.text) < _LONG), "", *shapes]:
            self.add(compare(text, reference))

    def ask_cells(self, reference: OracleProcess, *, every_position: bool = True) -> None:
        """Ask both judges about every cell of the moment table."""
        for read, moment in self.cells:
            for position in POSITIONS[moment][: None if every_position else 1]:
                comparison = compare(program(read, moment, position), reference)
                self.cells[read, moment][comparison.answer.verdict] += 1
                if comparison.difference:
                    self.wrong_cells.append(f"{read} at {position}: {comparison.difference}")

    # ---------------------------------------------------------------- the report

    def missing(self) -> list[str]:
        """What was never met, and cells that were met with a verdict that the table does not give."""
        found = []
        for name, verdicts in self.productions.items():
            if not verdicts[Verdict.ACCEPTED] and not _never_accepted(name):
                found.append(f"production never accepted: {name}")
            if not verdicts[Verdict.REFUSED]:
                found.append(f"production never refused: {name}")
        found += [f"variant never met: {name}" for name in all_variants() if not self.variants[name]]
        for (read, moment), counts in self.cells.items():
            legal = TABLE[read][moment]
            if (legal == "" or (legal == "via" and read == "register_own")) and not counts[Verdict.ACCEPTED]:
                found.append(f"cell never accepted: {read} at {moment}")
            if legal != "" and not counts[Verdict.REFUSED]:
                found.append(f"cell never refused: {read} at {moment}")
        return found + self.wrong_cells

    def report(self) -> str:
        """Counts and what is missing, in lines."""
        accepted = sum(1 for counts in self.productions.values() if counts[Verdict.ACCEPTED])
        refused = sum(1 for counts in self.productions.values() if counts[Verdict.REFUSED])
        known = all_variants()
        lines = [
            f"productions  {len(self.productions)}: {accepted} met in accepted programs, {refused} in refused ones",
            f"IR variants  {len(known)}: {sum(1 for name in known if self.variants[name])} met",
            f"moment table {len(self.cells)} cells: {sum(1 for counts in self.cells.values() if counts)} asked",
        ]
        return "\n".join(lines + [f"  {line}" for line in self.missing()])


def _never_accepted(name: str) -> bool:
    return any(re.match(pattern, name) for pattern in NEVER_ACCEPTED)


def variants(program: ir.Program) -> Iterator[str]:
    """Every variant of the IR in a program: classes, what tells their kinds apart, and optional parts that are there."""
    stack: list[Any] = [program]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(node)
        elif type(node).__module__ == ir.__name__ and not isinstance(node, Enum):
            kind = type(node)
            yield kind.__name__
            if kind in _DISCRIMINATORS:
                yield f"{kind.__name__} {getattr(node, _DISCRIMINATORS[kind])}"
            for name in kind.__annotations__:
                value = getattr(node, name)
                if value is not None:
                    if "None" in kind.__annotations__[name]:
                        yield f"{kind.__name__}.{name}"
                    if isinstance(value, tuple) or type(value).__module__ == ir.__name__:
                        stack.append(value)


def all_variants() -> list[str]:
    """Every variant that a source text of the reference's edition can give."""
    classes = [
        kind
        for kind in vars(ir).values()
        if isinstance(kind, type) and kind.__module__ == ir.__name__ and not issubclass(kind, Enum)
    ]
    names = [kind.__name__ for kind in classes]
    names += [
        f"{kind.__name__}.{name}" for kind in classes for name, of in kind.__annotations__.items() if "None" in of
    ]
    names += [f"Ctx {name}" for name in vocabulary.IR_CONTEXT.values()]
    names += [f"Sample {name}" for name in ("Exp", "Det", "Uniform", "Erlang", "H2", "Bernoulli")]
    names += [f"Call {name}" for name in _FUNCTIONS.split()]
    names += [f"Unary {name}" for name in ("Neg", "Not")]
    names += [
        f"Binary {name}"
        for name in ["Add", "Sub", "Mul", "Div", "Pow", "Lt", "Le", "Gt", "Ge", "Eq", "Ne", "And", "Or"]
    ]
    names += [f"Agg {name}" for name in ("Total", "Count", "Largest", "Smallest", "PrefixTotal")]
    names += [f"Run {mode.value}" for mode in ir.RunMode]
    names += [f"Claim {kind.value}" for kind in ir.ClaimKind]
    left_out = NOT_FROM_TEXT | NOT_OF_THE_REFERENCE
    return [name for name in names if name not in left_out and name.split(".")[0] not in left_out]


_FUNCTIONS = (
    "Min Max Abs Floor Ceil Sqrt Exp Ln Pow Queue Busy Work Used Free CachedIn Holders Queued Price BudgetLeft EstLambda "
    "EstRho EstWait"
)
