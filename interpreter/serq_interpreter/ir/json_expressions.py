"""Expressions and references of an IR file, every index checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.json_fields import Fields, Variant, fail, items, real, whole

EXPRESSIONS = ("Num", "Attr", "Ctx", "Sample", "Call", "Unary", "Binary", "Cond", "Agg", "Reg")
DISTRIBUTIONS = {"Exp": 1, "Det": 1, "Uniform": 2, "Erlang": 2, "H2": 2, "Bernoulli": 1}
CONTEXTS = [
    "Now",
    "Waited",
    "Size",
    "Age",
    "Last",
    "Queued",
    "N",
    "Ntok",
    "Ndec",
    "Npre",
    "Nres",
    "Kvb",
    "Kvp",
    "Attn",
    "Decoding",
    "Admission",
    "Remaining",
    "Position",
    "Admitted",
    "Preempted",
    "Demand",
    "Served",
    "Arrived",
]
BINARY = ("Add", "Sub", "Mul", "Div", "Pow", "Lt", "Le", "Gt", "Ge", "Eq", "Ne", "And", "Or")
AGGREGATES = ("Total", "Count", "Largest", "Smallest", "PrefixTotal")
FUNCTIONS = {
    **dict.fromkeys(("Min", "Max", "Pow"), ("Expr", "Expr")),
    **dict.fromkeys(("Abs", "Floor", "Ceil", "Sqrt", "Exp", "Ln"), ("Expr",)),
    **dict.fromkeys(("Queue", "Busy", "Work", "BudgetLeft", "EstLambda", "EstRho", "EstWait"), ("Stage",)),
    **dict.fromkeys(("Used", "Free", "CachedIn", "Holders", "Queued"), ("Pool",)),
    "Price": ("Stage", "Expr", "Expr"),
}


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many of each thing the program has; each method checks an index."""

    attributes: int
    observations: int
    pools: int
    stages: int
    registers: int

    def slot(self, value: Any, offset: int) -> int:
        return _below(value, offset, self.attributes, "attribute slot")

    def observation(self, value: Any, offset: int) -> int:
        return _below(value, offset, self.observations, "observation")

    def pool(self, value: Any, offset: int) -> int:
        return _below(value, offset, self.pools, "pool")

    def stage(self, value: Any, offset: int) -> int:
        return _below(value, offset, self.stages, "stage")

    def register(self, value: Any, offset: int) -> int:
        return _below(value, offset, self.registers, "register")


def _below(value: Any, offset: int, count: int, what: str) -> int:
    index = whole(value, offset)
    if index >= count:
        raise fail(f"{what} {index} is out of range: the program has {count}", offset)
    return index


class ExpressionReader:
    """Reads expressions against the sizes of one program."""

    def __init__(self, sizes: Sizes) -> None:
        self.sizes = sizes

    def field(self, fields: Fields, key: str) -> ir.Expr:
        return self.read(fields.required(key), fields.offset_of(key))

    def optional_field(self, fields: Fields, key: str) -> ir.Expr | None:
        return None if fields.get(key) is None else self.field(fields, key)

    def optional(self, value: Any, offset: int) -> ir.Expr | None:
        return None if value is None else self.read(value, offset)

    def many(self, values: list[tuple[Any, int]]) -> tuple[ir.Expr, ...]:
        return tuple([self.read(value, offset) for value, offset in values])

    def keys(self, fields: Fields, key: str) -> tuple[ir.Expr, ...]:
        """The keys of an order; one without any is no order."""
        found = fields.items(key)
        if not found:
            raise fields.error(key, f"`{key}` of {fields.what} has at least one key")
        return self.many(found)

    def read(self, value: Any, offset: int) -> ir.Expr:
        """One expression; recursive, run under `deep_recursion`.

        No argument of a recursive call is unpacked with `*`: such calls would use the C stack.
        """
        variant = Variant.of(value, offset, EXPRESSIONS)
        data, at = variant.data, variant.offset
        match variant.name:
            case "Num":
                return ir.Num(real(data, at))
            case "Attr":
                return ir.Attr(self.sizes.slot(data, at))
            case "Ctx":
                return ir.Ctx(_one_of(data, at, CONTEXTS, "context variable"))
            case "Reg":
                return ir.Reg(self.sizes.register(data, at))
            case "Sample":
                return self._sample(variant)
            case "Call":
                return self._call(variant)
            case "Unary":
                (op, op_at), (operand, operand_at) = variant.tuple(2)
                return ir.Unary(_one_of(op, op_at, ("Neg", "Not"), "operator"), self.read(operand, operand_at))
            case "Binary":
                (op, op_at), (left, left_at), (right, right_at) = variant.tuple(3)
                operator = _one_of(op, op_at, BINARY, "operator")
                return ir.Binary(operator, self.read(left, left_at), self.read(right, right_at))
            case "Cond":
                (test, test_at), (then, then_at), (other, other_at) = variant.tuple(3)
                return ir.Cond(self.read(test, test_at), self.read(then, then_at), self.read(other, other_at))
        (kind, kind_at), observation = variant.tuple(2)
        return ir.Agg(_one_of(kind, kind_at, AGGREGATES, "aggregate"), self.sizes.observation(*observation))

    def _sample(self, variant: Variant) -> ir.Sample:
        (name, at), (arguments, arguments_at) = variant.tuple(2)
        distribution = _one_of(name, at, DISTRIBUTIONS, "distribution")
        args = self.many(items(arguments, arguments_at))
        if len(args) != DISTRIBUTIONS[distribution]:
            raise fail(f"`{distribution}` takes {DISTRIBUTIONS[distribution]} argument(s)", arguments_at)
        return ir.Sample(distribution, args)

    def _call(self, variant: Variant) -> ir.Call:
        (name, at), (arguments, arguments_at) = variant.tuple(2)
        function = _one_of(name, at, FUNCTIONS, "function")
        kinds = FUNCTIONS[function]
        values = items(arguments, arguments_at)
        if len(values) != len(kinds):
            raise fail(f"`{function}` takes {len(kinds)} argument(s)", arguments_at)
        pairs = zip(values, kinds, strict=True)
        return ir.Call(function, tuple([self._argument(value, offset, kind) for (value, offset), kind in pairs]))

    def _argument(self, value: Any, offset: int, kind: str) -> ir.Expr | ir.PoolRef | ir.StageRef:
        variant = Variant.of(value, offset, ("Expr", "Pool", "Stage"))
        if variant.name != kind:
            raise fail(f"unexpected `{variant.name}` argument, expected `{kind}`", offset)
        if kind == "Pool":
            return self.pool_ref(variant.data, variant.offset)
        if kind == "Stage":
            return self.stage_ref(variant.data, variant.offset)
        return self.read(variant.data, variant.offset)

    def pool_ref(self, value: Any, offset: int) -> ir.PoolRef:
        base, count, index = self._reference(value, offset, self.sizes.pools, "pool")
        return ir.PoolRef(base, count, index)

    def stage_ref(self, value: Any, offset: int) -> ir.StageRef:
        base, count, index = self._reference(value, offset, self.sizes.stages, "stage")
        return ir.StageRef(base, count, index)

    def _reference(self, value: Any, offset: int, available: int, what: str) -> tuple[int, int, ir.Expr | None]:
        fields = Fields.of(value, offset, f"a {what} reference")
        base, count = fields.whole("base"), fields.whole("count")
        if count < 1 or base + count > available:
            raise fail(f"{what} reference {base}+{count} is out of range: the program has {available}", offset)
        return base, count, self.optional_field(fields, "index")


def _one_of(value: Any, offset: int, allowed: Any, what: str) -> str:
    if not isinstance(value, str) or value not in allowed:
        listed = ", ".join(f"`{name}`" for name in allowed)
        given = f"`{value[:40]}`" if isinstance(value, str) else "this"
        raise fail(f"{given} is no {what}: it is one of {listed}", offset)
    return value
