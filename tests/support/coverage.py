"""What a run of generated programs met: productions of the grammar, variants of the IR, cells of the moment table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import Enum
from typing import Any

from lark.exceptions import UnexpectedInput

from serq_grammar import reference_parser
from serq_interpreter.catalog import vocabulary
from serq_interpreter.ir import program as ir
from serq_interpreter.semantics.moments import TABLE
from tests.rules.moment_programs import POSITIONS, program
from tests.support.comparison import Comparison, compare
from tests.support.oracle_process import OracleProcess, Verdict

NEVER_ACCEPTED = {
    "transfer_statement: transfer expr ;": "a transfer moves units between pools (SQ0161)",
    "transfer_statement: transfer where expr ;": "a transfer moves units between pools (SQ0161)",
    "growing on a transfer": "a transfer grows nothing (SQ0162)",
}
"""Beginnings of productions that the grammar reads so that a rule can refuse them, and which."""

NOT_FROM_TEXT = frozenset({"Sessions", "ScriptedSession"})
"""Variants of the IR that no source text gives (08 §6)."""

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
        self._parser = reference_parser()
        self._met: set[str] = set()
        self.productions: dict[str, Counter[Verdict]] = {}
        self.variants: Counter[str] = Counter()
        self.cells: dict[tuple[str, str], Counter[Verdict]] = {
            (read, moment): Counter() for read in TABLE for moment in POSITIONS
        }
        self.wrong_cells: list[str] = []
        self._listen()

    def _listen(self) -> None:
        """Note every production that the reference parser reduces."""
        callbacks: dict[Any, Any] = self._parser.parser.parser.parser.callbacks
        for rule, build in list(callbacks.items()):
            origin = getattr(rule, "origin", None)
            if origin is None or origin.name.startswith(("__", "$")):
                continue
            name = f"{origin.name}: {' '.join(_shown(symbol) for symbol in rule.expansion)}".strip()
            self.productions[name] = Counter()
            callbacks[rule] = self._noting(name, build)

    def _noting(self, name: str, build: Any) -> Any:
        def noted(children: Any) -> Any:
            self._met.add(name)
            return build(children)

        return noted

    def add(self, comparison: Comparison) -> None:
        """Count what one program has."""
        self._met.clear()
        try:
            self._parser.parse(comparison.text, start="program")
        except UnexpectedInput:
            # What was read before the fault counts: as refused.
            pass
        for name in self._met:
            self.productions[name][comparison.answer.verdict] += 1
        if comparison.program is not None and comparison.answer.verdict is Verdict.ACCEPTED:
            self.variants.update(set(variants(comparison.program)))

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
            if legal in ("", "via") and not counts[Verdict.ACCEPTED]:
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


def _shown(symbol: Any) -> str:
    name: str = symbol.name
    return name


def _never_accepted(name: str) -> bool:
    return any(name.startswith(beginning) for beginning in NEVER_ACCEPTED)


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
    """Every variant that a source text can give."""
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
    names += [f"Binary {name}" for name in "Add Sub Mul Div Pow Lt Le Gt Ge Eq Ne And Or".split()]
    names += [f"Agg {name}" for name in ("Total", "Count", "Largest", "Smallest", "PrefixTotal")]
    names += [f"Run {mode.value}" for mode in ir.RunMode]
    names += [f"Claim {kind.value}" for kind in ir.ClaimKind]
    return [name for name in names if name.split(".")[0] not in NOT_FROM_TEXT]


_FUNCTIONS = (
    "Min Max Abs Floor Ceil Sqrt Exp Ln Pow Queue Busy Work Used Free CachedIn Holders Queued Price BudgetLeft EstLambda "
    "EstRho EstWait"
)
