"""The statement arena of an IR file to a tree of blocks."""

from __future__ import annotations

from typing import Any

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.json_expressions import ExpressionReader
from serq_interpreter.ir.json_fields import Fields, Variant, fail, items, whole
from serq_interpreter.ir.json_text import JsonError

_STATEMENTS = (
    "Turn",
    "End",
    "Join",
    "Set",
    "Observe",
    "Hold",
    "Grow",
    "Load",
    "Drop",
    "Release",
    "Run",
    "Branch",
    "Loop",
    "Fork",
    "Choose",
)
_EXTENDED = (*_STATEMENTS, "Spawn", "JoinGroup")


class BlockReader:
    """Follows blocks from the roots; each block is reached once, so they form a tree."""

    def __init__(self, reader: ExpressionReader, blocks: list[tuple[Any, int]], groups: int | None = None) -> None:
        """`groups` is how many groups of children an extended file declares; `None` for IR 11."""
        self.groups = groups
        self.reader = reader
        self.blocks = blocks
        self.reached: set[int] = set()

    def root(self, number: int, offset: int) -> ir.Block:
        return self.block(number, offset)

    def orphans(self) -> int:
        """How many blocks no root reaches."""
        return len(self.blocks) - len(self.reached)

    def block(self, value: Any, offset: int) -> ir.Block:
        number = whole(value, offset)
        if number >= len(self.blocks):
            raise fail(f"block {number} is out of range: the program has {len(self.blocks)}", offset)
        if number in self.reached:
            raise JsonError(
                f"block {number} is reached twice: the blocks of a program form a tree, each reached from one place", -1
            )
        self.reached.add(number)
        statements = items(*self.blocks[number])
        return ir.Block(tuple([self.statement(statement, at) for statement, at in statements]))

    def statement(self, value: Any, offset: int) -> ir.Stmt:
        variant = Variant.of(value, offset, _STATEMENTS if self.groups is None else _EXTENDED)
        reader = self.reader
        match variant.name:
            case "Turn":
                return ir.Turn()
            case "End":
                return ir.End()
            case "Join":
                return ir.Join()
            case "Set":
                slot, new_value = variant.tuple(2)
                return ir.Set(reader.sizes.slot(*slot), reader.read(*new_value))
            case "Observe":
                observation, new_value = variant.tuple(2)
                return ir.Observe(reader.sizes.observation(*observation), reader.read(*new_value))
            case "Grow" | "Load":
                pool, units = variant.tuple(2)
                node = ir.Grow if variant.name == "Grow" else ir.Load
                return node(reader.pool_ref(*pool), reader.read(*units))
            case "Drop":
                return ir.Drop(reader.pool_ref(variant.data, variant.offset))
            case "Release":
                return ir.Release(reader.pool_ref(variant.data, variant.offset))
            case "Loop":
                return ir.Loop(self.block(variant.data, variant.offset))
            case "Fork":
                return ir.Fork(self.block(variant.data, variant.offset))
            case "Branch":
                guard, (then, then_at), (otherwise, otherwise_at) = variant.tuple(3)
                return ir.Branch(reader.read(*guard), self.block(then, then_at), self.block(otherwise, otherwise_at))
            case "Hold":
                return self._hold(Fields.of(variant.data, variant.offset, "`Hold`"))
            case "Run":
                return self._run(Fields.of(variant.data, variant.offset, "`Run`"))
            case "Spawn":
                return self._spawn(Fields.of(variant.data, variant.offset, "`Spawn`"))
            case "JoinGroup":
                return ir.JoinGroup(self._group(variant.data, variant.offset))
        return self._choose(Fields.of(variant.data, variant.offset, "`Choose`"))

    def _hold(self, fields: Fields) -> ir.Hold:
        reader = self.reader
        takes = tuple([self._take(value, offset) for value, offset in fields.items("pools")])
        if not takes:
            raise fields.error("pools", "a hold takes at least one pool")
        lease = None
        if fields.get("lease") is not None:
            pair = items(fields.get("lease"), fields.offset_of("lease"))
            if len(pair) != 2:
                raise fields.error("lease", f"a lease is a pool and a time, not {len(pair)} values")
            lease = ir.Lease(reader.pool_ref(*pair[0]), reader.read(*pair[1]))
        return ir.Hold(
            admission=ir.Admission(takes, reader.optional_field(fields, "reuse")),
            body=self.block(fields.required("body"), fields.offset_of("body")),
            cache=reader.optional_field(fields, "cache"),
            lease=lease,
        )

    def _take(self, value: Any, offset: int) -> ir.Take:
        parts = items(value, offset)
        if len(parts) != 3:
            raise fail(f"this is a pool, its units and its reserve, not {len(parts)} values", offset)
        pool, units, reserve = parts
        return ir.Take(self.reader.pool_ref(*pool), self.reader.read(*units), self.reader.optional(*reserve))

    def _run(self, fields: Fields) -> ir.Run:
        reader = self.reader
        modes = tuple(mode.value for mode in ir.RunMode)
        mode = Variant.of(fields.required("mode"), fields.offset_of("mode"), modes)
        growing = fields.get("growing")
        return ir.Run(
            stage=reader.stage_ref(fields.required("stage"), fields.offset_of("stage")),
            mode=ir.RunMode(mode.name),
            work=reader.field(fields, "work"),
            growing=None if growing is None else reader.pool_ref(growing, fields.offset_of("growing")),
            also=tuple([reader.stage_ref(*value) for value in fields.items("also", optional=True)]),
        )

    def _spawn(self, fields: Fields) -> ir.Spawn:
        at = fields.offset_of("body")
        body = self.block(fields.required("body"), at)
        if not all(isinstance(statement, ir.Set) for statement in body.statements):
            raise fail("the block of a `Spawn` holds `Set` statements only", at)
        pool = fields.get("inherit")
        return ir.Spawn(
            count=self.reader.field(fields, "count"),
            group=self._group(fields.required("group"), fields.offset_of("group")),
            inherit=None if pool is None else self.reader.pool_ref(pool, fields.offset_of("inherit")),
            body=body,
        )

    def _group(self, value: Any, offset: int) -> int:
        number = whole(value, offset)
        if number >= (self.groups or 0):
            raise fail(f"group {number} is out of range: the program has {self.groups}", offset)
        return number

    def _choose(self, fields: Fields) -> ir.Choose:
        reader = self.reader
        slot = reader.sizes.slot(fields.required("var"), fields.offset_of("var"))
        return ir.Choose(slot, reader.field(fields, "count"), reader.keys(fields, "key"))
