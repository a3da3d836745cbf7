"""Plain JSON values of IR 11 to a closed `Program`.

Every index is checked here.  Errors are `JsonError`s at the offset of the value at
fault; offset -1 means the file as a whole.  Unknown keys are ignored (spec 08 §7).
"""

from __future__ import annotations

from typing import Any

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.json_expressions import ExpressionReader, Sizes
from serq_interpreter.ir.json_fields import Fields, Variant, fail, finite, items, real, whole
from serq_interpreter.ir.json_statements import BlockReader
from serq_interpreter.ir.json_text import JsonError


def read_value(value: Any) -> ir.Program:
    """The program of a parsed IR file; run under `deep_recursion`."""
    root = Fields.of(value, 0, "an IR 11 program")
    extended = root.get("version") == ir.EXTENDED_VERSION
    version = ir.IR_VERSION if extended else root.whole("version")
    if version != ir.IR_VERSION:
        raise JsonError(f"the file is IR version {version}; version {ir.IR_VERSION} is read here", -1)
    _check_slots(root)
    attrs = root.strings("attrs")
    if len(attrs) < len(ir.BUILTIN_ATTRIBUTES):
        raise root.error("attrs", f"the first attributes are {', '.join(ir.BUILTIN_ATTRIBUTES)}")
    observes = root.strings("observes")
    registers = root.items("registers", optional=True)
    sizes = Sizes(len(attrs), len(observes), root.count("pools"), root.count("stages"), len(registers))
    reader = ExpressionReader(sizes)
    spawning = (
        _spawning(Fields.of(root.required("spawning"), root.offset_of("spawning"), "`spawning`"), sizes)
        if extended
        else None
    )
    blocks = BlockReader(reader, root.items("blocks"), None if spawning is None else len(spawning.groups))
    init, turn, session = (blocks.root(root.whole(key), root.offset_of(key)) for key in ("init", "turn", "session"))
    return ir.Program(
        attrs=attrs,
        observes=observes,
        pools=tuple(_pool(Fields.of(pool, at, "a pool"), reader) for pool, at in root.items("pools")),
        stages=tuple(_stage(Fields.of(stage, at, "a stage"), reader) for stage, at in root.items("stages")),
        arrival=_arrival(root, reader),
        trace=root.optional_string("trace"),
        trace_ordered=root.flag("trace_ordered", optional=False),
        init=init,
        turn=turn,
        session=session,
        horizon=root.finite("horizon"),
        warmup=root.finite("warmup"),
        seed=root.whole("seed", limit=2**64),
        arrivals=None if root.get("arrivals") is None else root.whole("arrivals", limit=2**64),
        hidden=tuple(sizes.slot(slot, at) for slot, at in root.items("hidden")),
        share=_share(root),
        gauges=tuple(_gauge(Fields.of(gauge, at, "a gauge"), reader) for gauge, at in root.items("gauges", True)),
        claims=tuple(_claim(Fields.of(claim, at, "a claim"), reader) for claim, at in root.items("claims", True)),
        registers=tuple(_register(Fields.of(register, at, "a register"), sizes) for register, at in registers),
        spawning=spawning,
        orphan_blocks=blocks.orphans(),
    )


def _spawning(fields: Fields, sizes: Sizes) -> ir.Spawning:
    """The extension's own part of a file of version v4b."""
    slots = [
        None if fields.get(name) is None else sizes.slot(fields.get(name), fields.offset_of(name))
        for name in ("parent", "depth")
    ]
    return ir.Spawning(fields.strings("groups"), *slots)


def _check_slots(root: Fields) -> None:
    for slot, name in enumerate(ir.BUILTIN_ATTRIBUTES):
        key = "slot_" + ("turn" if name == "turn_no" else name)
        if root.whole(key) != slot:
            raise root.error(key, f"`{key}` is {slot} in every program")


def _share(root: Fields) -> ir.Share | None:
    if root.get("share") is None:
        return None
    name = Variant.of(root.get("share"), root.offset_of("share"), tuple(share.value for share in ir.Share)).name
    return ir.Share(name)


def _gauge(fields: Fields, reader: ExpressionReader) -> ir.Gauge:
    return ir.Gauge(fields.string("name"), reader.field(fields, "expr"))


def _claim(fields: Fields, reader: ExpressionReader) -> ir.Claim:
    kinds = tuple(kind.value for kind in ir.ClaimKind)
    variant = Variant.of(fields.required("kind"), fields.offset_of("kind"), kinds)
    kind = ir.ClaimKind(variant.name)
    stage = None if kind is ir.ClaimKind.AT_END else reader.sizes.stage(variant.data, variant.offset)
    return ir.Claim(
        name=fields.string("name"),
        given=reader.optional_field(fields, "given"),
        kind=kind,
        stage=stage,
        condition=reader.field(fields, "expr"),
    )


def _register(fields: Fields, sizes: Sizes) -> ir.Register:
    stage = sizes.stage(fields.required("stage"), fields.offset_of("stage"))
    return ir.Register(fields.string("name"), stage, fields.finite("init"))


# --------------------------------------------------------------------------- pools


def _pool(fields: Fields, reader: ExpressionReader) -> ir.Pool:
    via = fields.get("admit_via")
    return ir.Pool(
        name=fields.string("name"),
        index=fields.optional_whole("index"),
        cap=fields.real("cap"),
        block=None if fields.get("block") is None else fields.finite("block"),
        evict_keys=_evict(fields, reader),
        preempt=_preempt(fields, reader),
        queue_keys=None if fields.get("queue") is None else reader.keys(fields, "queue"),
        spill=_spill(fields, reader),
        admit_via=None if via is None else reader.sizes.stage(via, fields.offset_of("admit_via")),
        reserve_held=fields.flag("reserve_held"),
    )


def _evict(fields: Fields, reader: ExpressionReader) -> tuple[ir.Expr, ...] | None:
    variant = Variant.of(fields.required("evict"), fields.offset_of("evict"), ("Lru", "By"))
    return None if variant.name == "Lru" else reader.many(items(variant.data, variant.offset))


def _preempt(fields: Fields, reader: ExpressionReader) -> ir.PreemptBy | None:
    variant = Variant.of(fields.required("preempt"), fields.offset_of("preempt"), ("None", "By"))
    if variant.name == "None":
        return None
    inner = Fields.of(variant.data, variant.offset, "a preemption rule")
    return ir.PreemptBy(reader.keys(inner, "keys"), inner.flag("tail"))


def _spill(fields: Fields, reader: ExpressionReader) -> ir.Spill | None:
    if fields.get("spill") is None:
        return None
    inner = Fields.of(fields.get("spill"), fields.offset_of("spill"), "a spill rule")
    return ir.Spill(
        to=reader.sizes.pool(inner.required("to"), inner.offset_of("to")),
        via=reader.sizes.stage(inner.required("via"), inner.offset_of("via")),
        work=reader.field(inner, "work"),
        when=reader.field(inner, "when"),
    )


# --------------------------------------------------------------------------- stages


def _stage(fields: Fields, reader: ExpressionReader) -> ir.Stage:
    variant = Variant.of(fields.required("kind"), fields.offset_of("kind"), ("Fifo", "Ps", "Delay", "Step"))
    kind: ir.StageKind
    if variant.name == "Fifo":
        kind = ir.Fifo(whole(variant.data, variant.offset))
    elif variant.name == "Ps":
        kind = ir.Ps(reader.read(variant.data, variant.offset))
    elif variant.name == "Delay":
        kind = ir.Delay()
    else:
        kind = _step(Fields.of(variant.data, variant.offset, "a step engine"), reader)
    return ir.Stage(fields.string("name"), fields.optional_whole("index"), kind)


def _step(fields: Fields, reader: ExpressionReader) -> ir.Step:
    serve = Variant.of(fields.required("serve"), fields.offset_of("serve"), ("By", "ExclusivePrefill"))
    keys = () if serve.name == "ExclusivePrefill" else reader.many(items(serve.data, serve.offset))
    memory = fields.get("memory")
    body = fields.get("iteration")
    return ir.Step(
        budget=reader.field(fields, "budget"),
        cost=reader.field(fields, "cost"),
        chunk=reader.field(fields, "chunk"),
        serve=None if serve.name == "ExclusivePrefill" else keys,
        granule=_granule(fields, reader),
        memory=None if memory is None else reader.sizes.pool(memory, fields.offset_of("memory")),
        iteration=None if body is None else _iteration(fields.items("iteration"), reader),
    )


def _granule(fields: Fields, reader: ExpressionReader) -> float | None:
    if fields.get("granule") is None:
        return None
    granule = reader.field(fields, "granule")
    if not isinstance(granule, ir.Num):
        raise fields.error("granule", "a granule is a number")
    return granule.value


def _iteration(statements: list[tuple[Any, int]], reader: ExpressionReader) -> tuple[ir.IterStmt, ...]:
    return tuple([_iteration_statement(value, offset, reader) for value, offset in statements])


def _iteration_statement(value: Any, offset: int, reader: ExpressionReader) -> ir.IterStmt:
    variant = Variant.of(value, offset, ("Serve", "Admit", "Branch", "Set"))
    if variant.name == "Branch":
        guard, then, otherwise = variant.tuple(3)
        return ir.IterBranch(
            reader.read(*guard), _iteration(items(*then), reader), _iteration(items(*otherwise), reader)
        )
    if variant.name == "Set":
        register, new_value = variant.tuple(2)
        return ir.IterSet(reader.sizes.register(*register), reader.read(*new_value))
    fields = Fields.of(variant.data, variant.offset, f"`{variant.name}`")
    only = reader.optional_field(fields, "only")
    if variant.name == "Admit":
        return ir.IterAdmit(only, reader.optional_field(fields, "gate"))
    return ir.IterServe(only, None if fields.get("by") is None else reader.many(fields.items("by")))


# --------------------------------------------------------------------------- workload


def _arrival(root: Fields, reader: ExpressionReader) -> ir.Arrival:
    names = ("Poisson", "Renewal", "Closed", "Batch", "Sessions", "None")
    variant = Variant.of(root.required("arrival"), root.offset_of("arrival"), names)
    data, offset = variant.data, variant.offset
    match variant.name:
        case "Poisson":
            return ir.Poisson(finite(data, offset))
        case "Renewal":
            return ir.Renewal(reader.read(data, offset))
        case "Closed":
            return ir.Closed(whole(data, offset))
        case "Batch":
            return ir.Batch(whole(data, offset))
        case "Sessions":
            return ir.Sessions(tuple(_scripted(value, at, reader.sizes) for value, at in items(data, offset)))
        case "None":
            return ir.NoArrival()
    raise fail(f"unknown arrival `{variant.name}`", offset)


def _scripted(value: Any, offset: int, sizes: Sizes) -> ir.ScriptedSession:
    fields = Fields.of(value, offset, "a session")
    turns = fields.items("turns", optional=True)
    return ir.ScriptedSession(
        attrs=_presets(fields.items("attrs"), sizes),
        turns=tuple(_presets(items(turn, at), sizes) for turn, at in turns) if turns else None,
    )


def _presets(pairs: list[tuple[Any, int]], sizes: Sizes) -> tuple[tuple[int, float], ...]:
    result = []
    for value, offset in pairs:
        pair = items(value, offset)
        if len(pair) != 2:
            raise fail(f"this is a slot and a value, not {len(pair)} values", offset)
        result.append((sizes.slot(*pair[0]), real(*pair[1])))
    return tuple(result)
