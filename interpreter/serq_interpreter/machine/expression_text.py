"""Expressions as messages print them: the names of the program, constants as numbers."""

from __future__ import annotations

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.numbers import number_text

_OPERATORS = {
    "Add": ("+", 5),
    "Sub": ("-", 5),
    "Mul": ("*", 6),
    "Div": ("/", 6),
    "Pow": ("^", 8),
    "Lt": ("<", 4),
    "Le": ("<=", 4),
    "Gt": (">", 4),
    "Ge": (">=", 4),
    "Eq": ("==", 4),
    "Ne": ("!=", 4),
    "And": ("&&", 3),
    "Or": ("||", 2),
}
_UNARY_LEVEL = 7
_ATOM = 9

CONTEXT_NAMES = {
    "Now": "now",
    "Waited": "waited",
    "Size": "size",
    "Age": "age",
    "Last": "last",
    "Queued": "waiting",
    "N": "present",
    "Ntok": "tokens",
    "Ndec": "decoders",
    "Npre": "prefilled",
    "Nres": "residents",
    "Kvb": "kv_decode",
    "Kvp": "kv_prefill",
    "Attn": "attention",
    "Decoding": "decoding",
    "Admission": "admission",
    "Remaining": "remaining",
    "Position": "position",
    "Admitted": "admitted",
    "Preempted": "preempted",
    "Demand": "demand",
    "Served": "served",
    "Arrived": "arrived",
}
_FUNCTIONS = {
    "CachedIn": "cachedin",
    "BudgetLeft": "budget_left",
    "EstLambda": "est_lambda",
    "EstRho": "est_rho",
    "EstWait": "est_wait",
}
_AGGREGATES = {"PrefixTotal": "prefix_total"}
_LONGEST = 200


def expression_text(program: ir.Program, expression: ir.Expr) -> str:
    """The expression in the language's syntax; very long ones are cut.  Run under `deep_recursion`."""
    text = _text(program, expression, 0)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def group_text(program: ir.Program, group: int) -> str:
    """The name of a group of children (edition v4b)."""
    assert program.spawning is not None, "only a program that spawns has groups"
    return program.spawning.groups[group]


def pool_text(program: ir.Program, reference: ir.PoolRef) -> str:
    """`kv`, or `kv[i]` when an index is written."""
    return program.pools[reference.base].name + _index(program, reference.index)


def stage_text(program: ir.Program, reference: ir.StageRef) -> str:
    """`line`, or `line[i]` when an index is written."""
    return program.stages[reference.base].name + _index(program, reference.index)


def member_text(thing: ir.Pool | ir.Stage) -> str:
    """`kv`, or `kv[1]` for a member of a family."""
    return thing.name if thing.index is None else f"{thing.name}[{thing.index}]"


def _index(program: ir.Program, index: ir.Expr | None) -> str:
    return "" if index is None else f"[{expression_text(program, index)}]"


def _text(program: ir.Program, expression: ir.Expr, level: int) -> str:
    text, own = _parts(program, expression)
    return f"({text})" if own < level else text


def _parts(program: ir.Program, expression: ir.Expr) -> tuple[str, int]:
    match expression:
        case ir.Num():
            return number_text(expression.value), _ATOM if expression.value >= 0 else _UNARY_LEVEL
        case ir.Attr():
            return program.attrs[expression.slot], _ATOM
        case ir.Ctx():
            return CONTEXT_NAMES[expression.name], _ATOM
        case ir.Reg():
            return program.registers[expression.index].name, _ATOM
        case ir.Agg():
            name = _AGGREGATES.get(expression.kind, expression.kind.lower())
            return f"{name}({program.observes[expression.observation]})", _ATOM
        case ir.Sample():
            return f"~{expression.distribution.lower()}({_arguments(program, expression.args)})", _ATOM
        case ir.Call():
            name = _FUNCTIONS.get(expression.function, expression.function.lower())
            return f"{name}({_arguments(program, expression.args)})", _ATOM
        case ir.Unary():
            sign = "-" if expression.op == "Neg" else "!"
            return sign + _text(program, expression.operand, _UNARY_LEVEL), _UNARY_LEVEL
        case ir.Binary():
            sign, level = _OPERATORS[expression.op]
            left_level = level + 1 if sign == "^" or level == 4 else level
            right_level = level if sign == "^" else level + 1
            left = _text(program, expression.left, left_level)
            return f"{left} {sign} {_text(program, expression.right, right_level)}", level
    then = _text(program, expression.then, 1)
    return f"{_text(program, expression.test, 2)} ? {then} : {_text(program, expression.otherwise, 1)}", 1


def _arguments(program: ir.Program, arguments: tuple[ir.Expr | ir.PoolRef | ir.StageRef, ...]) -> str:
    texts = []
    for argument in arguments:
        if isinstance(argument, ir.PoolRef):
            texts.append(pool_text(program, argument))
        elif isinstance(argument, ir.StageRef):
            texts.append(stage_text(program, argument))
        else:
            texts.append(_text(program, argument, 0))
    return ", ".join(texts)
