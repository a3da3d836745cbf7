"""A `Program` as the plain JSON values of IR 11 (keys in the order of spec 08 §2)."""

from __future__ import annotations

from typing import Any, assert_never

from serq_interpreter.ir import program as ir

Json = Any


def program_value(program: ir.Program) -> dict[str, Json]:
    """The JSON object of a program; run under `deep_recursion`."""
    arena = _Arena()
    roots = [arena.add() for _ in range(3)]
    arena.fill(roots, (program.init, program.turn, program.session))
    value: dict[str, Json] = {
        "version": ir.IR_VERSION if program.spawning is None else ir.EXTENDED_VERSION,
        "attrs": list(program.attrs),
        "observes": list(program.observes),
        "pools": [_pool(pool) for pool in program.pools],
        "stages": [_stage(stage) for stage in program.stages],
        "arrival": _arrival(program.arrival),
        "trace": program.trace,
        "trace_ordered": program.trace_ordered,
        "init": 0,
        "turn": 1,
        "session": 2,
        "blocks": arena.blocks,
        "horizon": program.horizon,
        "warmup": program.warmup,
        "seed": program.seed,
    }
    if program.arrivals is not None:
        value["arrivals"] = program.arrivals
    for slot, name in enumerate(ir.BUILTIN_ATTRIBUTES):
        value["slot_" + ("turn" if name == "turn_no" else name)] = slot
    value["hidden"] = list(program.hidden)
    _add_measurements(value, program)
    return value


def _add_measurements(value: dict[str, Json], program: ir.Program) -> None:
    if program.spawning is not None:
        spawning = program.spawning
        value["spawning"] = {"groups": list(spawning.groups), "parent": spawning.parent, "depth": spawning.depth}
    if program.share is not None:
        value["share"] = program.share.value
    if program.gauges:
        value["gauges"] = [{"name": gauge.name, "expr": expression_value(gauge.value)} for gauge in program.gauges]
    if program.claims:
        value["claims"] = [_claim(claim) for claim in program.claims]
    if program.registers:
        value["registers"] = [
            {"name": register.name, "stage": register.stage, "init": register.initial} for register in program.registers
        ]


def _claim(claim: ir.Claim) -> dict[str, Json]:
    value: dict[str, Json] = {"name": claim.name}
    if claim.given is not None:
        value["given"] = expression_value(claim.given)
    at_end = claim.kind is ir.ClaimKind.AT_END
    value["kind"] = claim.kind.value if at_end else {claim.kind.value: claim.stage}
    value["expr"] = expression_value(claim.condition)
    return value


class _Arena:
    """The block arena: the three roots first, then every block in pre-order (08 §3.5)."""

    def __init__(self) -> None:
        self.blocks: list[list[Json]] = []

    def add(self) -> int:
        self.blocks.append([])
        return len(self.blocks) - 1

    def fill(self, numbers: list[int], blocks: tuple[ir.Block, ...]) -> None:
        for number, block in zip(numbers, blocks, strict=True):
            self.blocks[number] = [self.statement(statement) for statement in block.statements]

    def inner(self, block: ir.Block) -> int:
        """Number a statement's block and, at once, everything inside it."""
        number = self.add()
        self.fill([number], (block,))
        return number

    def statement(self, statement: ir.Stmt) -> Json:
        match statement:
            case ir.Turn() | ir.End() | ir.Join():
                return type(statement).__name__
            case ir.Set():
                return {"Set": [statement.slot, expression_value(statement.value)]}
            case ir.Observe():
                return {"Observe": [statement.observation, expression_value(statement.value)]}
            case ir.Hold():
                return {"Hold": self._hold(statement)}
            case ir.Grow() | ir.Load():
                return {type(statement).__name__: [reference_value(statement.pool), expression_value(statement.units)]}
            case ir.Drop() | ir.Release():
                return {type(statement).__name__: reference_value(statement.pool)}
            case ir.Run():
                return {"Run": _run(statement)}
            case ir.Branch():
                guard = expression_value(statement.guard)
                return {"Branch": [guard, self.inner(statement.then), self.inner(statement.otherwise)]}
            case ir.Loop() | ir.Fork():
                return {type(statement).__name__: self.inner(statement.body)}
            case ir.Spawn():
                return {
                    "Spawn": {
                        "count": expression_value(statement.count),
                        "group": statement.group,
                        "inherit": None if statement.inherit is None else reference_value(statement.inherit),
                        "body": self.inner(statement.body),
                    }
                }
            case ir.JoinGroup():
                return {"JoinGroup": statement.group}
            case ir.Choose():
                key = [expression_value(key) for key in statement.keys]
                return {"Choose": {"var": statement.slot, "count": expression_value(statement.count), "key": key}}
            case _:
                assert_never(statement)

    def _hold(self, hold: ir.Hold) -> dict[str, Json]:
        lease = None if hold.lease is None else [reference_value(hold.lease.pool), expression_value(hold.lease.time)]
        return {
            "pools": [
                [reference_value(take.pool), expression_value(take.units), _optional(take.reserve)]
                for take in hold.admission.takes
            ],
            "reuse": _optional(hold.admission.reuse),
            "body": self.inner(hold.body),
            "cache": _optional(hold.cache),
            "lease": lease,
        }


def _run(run: ir.Run) -> dict[str, Json]:
    value: dict[str, Json] = {
        "stage": reference_value(run.stage),
        "mode": run.mode.value,
        "work": expression_value(run.work),
        "growing": None if run.growing is None else reference_value(run.growing),
    }
    if run.also:
        value["also"] = [reference_value(stage) for stage in run.also]
    return value


def _pool(pool: ir.Pool) -> dict[str, Json]:
    value: dict[str, Json] = {"name": pool.name}
    if pool.index is not None:
        value["index"] = pool.index
    value["cap"] = pool.cap
    # IR 11 has no infinite block; the reference writes it as an absent one.
    value["block"] = None if pool.block == float("inf") else pool.block
    value["evict"] = "Lru" if pool.evict_keys is None else {"By": [expression_value(key) for key in pool.evict_keys]}
    value["preempt"] = "None" if pool.preempt is None else {"By": _preempt(pool.preempt)}
    value["queue"] = None if pool.queue_keys is None else [expression_value(key) for key in pool.queue_keys]
    spill = pool.spill
    value["spill"] = (
        None
        if spill is None
        else {
            "to": spill.to,
            "via": spill.via,
            "work": expression_value(spill.work),
            "when": expression_value(spill.when),
        }
    )
    value["admit_via"] = pool.admit_via
    if pool.reserve_held:
        value["reserve_held"] = True
    return value


def _preempt(preempt: ir.PreemptBy) -> dict[str, Json]:
    value: dict[str, Json] = {"keys": [expression_value(key) for key in preempt.keys]}
    if preempt.requeue_tail:
        value["tail"] = True
    return value


def _stage(stage: ir.Stage) -> dict[str, Json]:
    value: dict[str, Json] = {"name": stage.name}
    if stage.index is not None:
        value["index"] = stage.index
    match stage.kind:
        case ir.Fifo():
            value["kind"] = {"Fifo": stage.kind.servers}
        case ir.Ps():
            value["kind"] = {"Ps": expression_value(stage.kind.capacity)}
        case ir.Delay():
            value["kind"] = "Delay"
        case ir.Step():
            value["kind"] = {"Step": _step(stage.kind)}
        case _:
            assert_never(stage.kind)
    return value


def _step(step: ir.Step) -> dict[str, Json]:
    value: dict[str, Json] = {
        "budget": expression_value(step.budget),
        "cost": expression_value(step.cost),
        "chunk": expression_value(step.chunk),
    }
    if step.granule is not None:
        value["granule"] = {"Num": step.granule}
    value["serve"] = "ExclusivePrefill" if step.serve is None else {"By": [expression_value(key) for key in step.serve]}
    value["memory"] = step.memory
    if step.iteration is not None:
        value["iteration"] = [_iteration(statement) for statement in step.iteration]
    return value


def _iteration(statement: ir.IterStmt) -> dict[str, Json]:
    match statement:
        case ir.IterServe():
            serve: dict[str, Json] = {}
            if statement.only is not None:
                serve["only"] = expression_value(statement.only)
            if statement.by is not None:
                serve["by"] = [expression_value(key) for key in statement.by]
            return {"Serve": serve}
        case ir.IterAdmit():
            admit: dict[str, Json] = {}
            if statement.only is not None:
                admit["only"] = expression_value(statement.only)
            if statement.gate is not None:
                admit["gate"] = expression_value(statement.gate)
            return {"Admit": admit}
        case ir.IterBranch():
            then = [_iteration(inner) for inner in statement.then]
            return {
                "Branch": [
                    expression_value(statement.guard),
                    then,
                    [_iteration(inner) for inner in statement.otherwise],
                ]
            }
        case ir.IterSet():
            return {"Set": [statement.register, expression_value(statement.value)]}
        case _:
            assert_never(statement)


def _arrival(arrival: ir.Arrival) -> Json:
    match arrival:
        case ir.Poisson():
            return {"Poisson": arrival.rate}
        case ir.Renewal():
            return {"Renewal": expression_value(arrival.gap)}
        case ir.Closed() | ir.Batch():
            return {type(arrival).__name__: arrival.sessions}
        case ir.Sessions():
            return {"Sessions": [_scripted(session) for session in arrival.sessions]}
        case ir.NoArrival():
            return "None"
        case _:
            assert_never(arrival)


def _scripted(session: ir.ScriptedSession) -> dict[str, Json]:
    value: dict[str, Json] = {"attrs": [list(pair) for pair in session.attrs]}
    if session.turns is not None:
        value["turns"] = [[list(pair) for pair in turn] for turn in session.turns]
    return value


def reference_value(reference: ir.PoolRef | ir.StageRef) -> dict[str, Json]:
    """A reference to a member of a family."""
    return {"base": reference.base, "count": reference.count, "index": _optional(reference.index)}


def _optional(expression: ir.Expr | None) -> Json:
    return None if expression is None else expression_value(expression)


def expression_value(expression: ir.Expr) -> dict[str, Json]:
    """An expression; recursive, run under `deep_recursion`."""
    match expression:
        case ir.Num():
            return {"Num": expression.value}
        case ir.Attr():
            return {"Attr": expression.slot}
        case ir.Ctx():
            return {"Ctx": expression.name}
        case ir.Sample():
            return {"Sample": [expression.distribution, [expression_value(arg) for arg in expression.args]]}
        case ir.Call():
            return {"Call": [expression.function, [_argument(arg) for arg in expression.args]]}
        case ir.Unary():
            return {"Unary": [expression.op, expression_value(expression.operand)]}
        case ir.Binary():
            return {"Binary": [expression.op, expression_value(expression.left), expression_value(expression.right)]}
        case ir.Cond():
            return {
                "Cond": [
                    expression_value(expression.test),
                    expression_value(expression.then),
                    expression_value(expression.otherwise),
                ]
            }
        case ir.Agg():
            return {"Agg": [expression.kind, expression.observation]}
        case ir.Reg():
            return {"Reg": expression.index}
        case _:
            assert_never(expression)


def _argument(argument: ir.Expr | ir.PoolRef | ir.StageRef) -> dict[str, Json]:
    if isinstance(argument, ir.PoolRef):
        return {"Pool": reference_value(argument)}
    if isinstance(argument, ir.StageRef):
        return {"Stage": reference_value(argument)}
    return {"Expr": expression_value(argument)}
