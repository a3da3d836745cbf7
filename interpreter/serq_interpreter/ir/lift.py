"""From the kernel back to an elaborated program, so that the static rules judge IR files as they judge text.

Indices become names: a pool or stage is called by its name, or by its name and number where several share one.  Nodes get
artificial places, each of its own: an IR file has no text to point at, and rules tell findings apart by their places.
"""

from __future__ import annotations

from serq_interpreter.catalog.vocabulary import IR_CONTEXT, IR_DISTRIBUTIONS, IR_FUNCTIONS
from serq_interpreter.ir import program as ir
from serq_interpreter.semantics import tree
from serq_interpreter.semantics.closed import closed_value
from serq_interpreter.semantics.constants import is_whole, show
from serq_interpreter.syntax.tokens import Chunk, Finding, Place

_FUNCTION = {name: word for word, name in IR_FUNCTIONS.items()}
_DISTRIBUTION = {name: word for word, name in IR_DISTRIBUTIONS.items()}
_CONTEXT = {name: word for word, name in IR_CONTEXT.items()}
_AGGREGATE = {
    "Total": "total",
    "Count": "count",
    "Largest": "largest",
    "Smallest": "smallest",
    "PrefixTotal": "prefix_total",
}
_OPERATOR = {
    "Add": "+",
    "Sub": "-",
    "Mul": "*",
    "Div": "/",
    "Pow": "^",
    "Lt": "<",
    "Le": "<=",
    "Gt": ">",
    "Ge": ">=",
    "Eq": "==",
    "Ne": "!=",
    "And": "&&",
    "Or": "||",
    "Neg": "-",
    "Not": "!",
}


def lift(program: ir.Program, file: str) -> tree.Elaborated:
    """The elaborated program of a kernel; names that repeat are told apart by a number."""
    return _Lift(program, file).elaborated()


class _Lift:
    def __init__(self, program: ir.Program, file: str) -> None:
        self.program = program
        self.chunk = Chunk(file, "")
        self.count = 0
        self.findings: list[Finding] = []
        self.attrs = _distinct((*ir.BUILTIN_ATTRIBUTES, *program.attrs[len(ir.BUILTIN_ATTRIBUTES) :]))
        self.observes = _distinct(program.observes)
        self.groups = () if program.spawning is None else _distinct(program.spawning.groups)
        self.pools = _families(program.pools)
        self.stages = _families(program.stages)
        self.registers = [(self.stage_name(item.stage), item.name) for item in program.registers]

    def at(self) -> Place:
        """A place that no other node has."""
        self.count += 1
        return Place(self.chunk, self.count, self.count)

    def elaborated(self) -> tree.Elaborated:
        program = self.program
        out = tree.Elaborated()
        for base, (name, size) in self.pools.items():
            out.pools[name] = self.pool(name, size, program.pools[base])
        for base, (name, size) in self.stages.items():
            out.stages[name] = self.stage(name, size, program.stages[base])
        for (engine, name), register in zip(self.registers, program.registers, strict=True):
            out.registers[engine, name] = tree.Register(name, engine, register.initial, self.at(), self.at())
        out.attributes = {name: self.at() for name in self.attrs[len(ir.BUILTIN_ATTRIBUTES) :]}
        out.groups = {name: self.at() for name in self.groups}
        out.extended = program.spawning is not None
        out.observations = {name: self.at() for name in self.observes}
        out.hidden = [tree.Hidden(self.attrs[slot], self.at()) for slot in program.hidden]
        out.gauges = [tree.Gauge(gauge.name, self.expr(gauge.value), self.at(), self.at()) for gauge in program.gauges]
        out.claims = [self.claim(claim) for claim in program.claims]
        out.arrival = self.arrival(program.arrival)
        if program.share is not None:
            out.share = "maxmin" if program.share is ir.Share.MAX_MIN else "bottleneck"
            out.share_at = self.at()
            out.share_places = [out.share_at]
        out.init, out.turn, out.session = (self.block(block) for block in (program.init, program.turn, program.session))
        out.settings = tree.Settings(program.horizon, program.warmup, float(program.seed), program.arrivals)
        out.findings = self.findings
        return out

    def stage_name(self, index: int) -> str:
        """The name of the stage (or family) that `index` belongs to."""
        return _owner(self.stages, index)

    def pool(self, name: str, size: int | None, pool: ir.Pool) -> tree.Pool:
        preempt = None
        if pool.preempt is not None:
            preempt = tree.Preempt(self.exprs(pool.preempt.keys), pool.preempt.requeue_tail)
        spill = None
        if pool.spill is not None:
            target, via = _owner(self.pools, pool.spill.to), self.stage_name(pool.spill.via)
            spill = tree.Spill(target, via, self.expr(pool.spill.work), self.expr(pool.spill.when), self.at())
        admit_via = None if pool.admit_via is None else self.stage_name(pool.admit_via)
        return tree.Pool(
            name=name,
            size=size,
            size_known=True,
            cap=pool.cap,
            cap_at=self.at(),
            block=pool.block,
            evict=None if pool.evict_keys is None else self.exprs(pool.evict_keys),
            preempt=preempt,
            queue=None if pool.queue_keys is None else self.exprs(pool.queue_keys),
            admit_via=admit_via,
            admit_via_at=None if admit_via is None else self.at(),
            reserve_held=pool.reserve_held,
            spill=spill,
            at=self.at(),
            name_at=self.at(),
        )

    def stage(self, name: str, size: int | None, stage: ir.Stage) -> tree.Stage:
        servers: int | None = None
        capacity: tree.Expr | None = None
        engine: tree.Engine | None = None
        match stage.kind:
            case ir.Fifo(count):
                kind, servers = "fifo", count
            case ir.Ps(expr):
                kind, capacity = "ps", self.expr(expr)
            case ir.Delay():
                kind = "delay"
            case ir.Step() as step:
                kind, engine = "step", self.engine(step)
        return tree.Stage(name, size, True, kind, servers, capacity, engine, self.at(), self.at())

    def engine(self, step: ir.Step) -> tree.Engine:
        return tree.Engine(
            cost=self.expr(step.cost),
            budget=self.expr(step.budget),
            chunk=self.expr(step.chunk),
            granule=step.granule,
            granule_at=None if step.granule is None else self.at(),
            chunk_at=self.at(),
            serve=None if step.serve is None else self.exprs(step.serve),
            serve_only=None,
            serve_at=self.at(),
            memory=None if step.memory is None else _owner(self.pools, step.memory),
            memory_at=None if step.memory is None else self.at(),
            iteration=None if step.iteration is None else self.iteration(step.iteration),
            iteration_at=None if step.iteration is None else self.at(),
        )

    def iteration(self, body: tuple[ir.IterStmt, ...]) -> tuple[tree.IterStmt, ...]:
        found: list[tree.IterStmt] = []
        for item in body:
            match item:
                case ir.IterServe(only, by):
                    order = None if by is None else self.exprs(by)
                    found.append(tree.IterServe(self.optional(only), order, self.at()))
                case ir.IterAdmit(only, gate):
                    found.append(tree.IterAdmit(self.optional(only), self.optional(gate), self.at()))
                case ir.IterBranch(guard, then, otherwise):
                    arms = self.iteration(then), self.iteration(otherwise)
                    found.append(tree.IterBranch(self.expr(guard), *arms, self.at()))
                case ir.IterSet(register, value):
                    engine, name = self.registers[register]
                    found.append(tree.IterSet(name, engine, self.expr(value), self.at(), self.at()))
        return tuple(found)

    def claim(self, claim: ir.Claim) -> tree.Claim:
        forms = {ir.ClaimKind.EVERY_ITERATION: "every", ir.ClaimKind.SOME_ITERATION: "some", ir.ClaimKind.AT_END: "end"}
        stage = None
        if claim.stage is not None:
            stage = self.stage_ref(ir.StageRef(claim.stage, 1, None))
        given = self.optional(claim.given)
        return tree.Claim(claim.name, given, forms[claim.kind], stage, self.expr(claim.condition), self.at(), self.at())

    def arrival(self, arrival: ir.Arrival) -> tree.Arrival:
        form, value, gap = "none", None, None
        match arrival:
            case ir.Poisson(rate):
                form, value = "poisson", rate
            case ir.Renewal(expr):
                form, gap = "renewal", self.expr(expr)
            case ir.Closed(sessions):
                form, value = "closed", float(sessions)
            case ir.Batch(sessions):
                form, value = "batch", float(sessions)
            case ir.Sessions() | ir.NoArrival():
                pass
        return tree.Arrival(form, value, gap, self.at(), self.at())

    # ------------------------------------------------------------------- statements

    def block(self, block: ir.Block) -> tree.Block:
        return tree.Block(tuple(self.statement(item) for item in block.statements), self.at())

    def statement(self, item: ir.Stmt) -> tree.Stmt:
        at, word = self.at(), self.at()
        match item:
            case ir.Turn():
                return tree.Turn(at, word)
            case ir.End():
                return tree.End(at, word)
            case ir.Join():
                return tree.Join(at, word)
            case ir.Set(slot, value):
                return tree.Set(at, word, self.attrs[slot], self.expr(value), self.at())
            case ir.Observe(observation, value):
                return tree.Observe(at, word, self.observes[observation], self.expr(value), self.at())
            case ir.Hold():
                return self.hold(item, at, word)
            case ir.Grow(pool, units):
                return tree.Grow(at, word, self.pool_ref(pool), self.expr(units))
            case ir.Load(pool, units):
                return tree.Load(at, word, self.pool_ref(pool), self.expr(units))
            case ir.Drop(pool):
                return tree.Drop(at, word, self.pool_ref(pool))
            case ir.Release(pool):
                return tree.Release(at, word, self.pool_ref(pool))
            case ir.Run():
                return self.run(item, at, word)
            case ir.Branch(guard, then, otherwise):
                return tree.Branch(at, word, self.expr(guard), self.block(then), self.block(otherwise))
            case ir.Loop(body):
                return tree.Loop(at, word, self.block(body))
            case ir.Fork(body):
                return tree.Fork(at, word, self.block(body))
            case ir.Spawn(count, group, inherit, body):
                source = None if inherit is None else self.pool_ref(inherit)
                return tree.Spawn(at, word, self.expr(count), self.groups[group], self.at(), source, self.block(body))
            case ir.JoinGroup(group):
                return tree.JoinGroup(at, word, self.groups[group], self.at())
            case ir.Choose(slot, count, keys):
                return tree.Choose(at, word, self.attrs[slot], self.expr(count), self.exprs(keys), self.at())

    def hold(self, item: ir.Hold, at: Place, word: Place) -> tree.Hold:
        takes = tuple(
            tree.Take(self.pool_ref(take.pool), self.expr(take.units), self.optional(take.reserve), self.at())
            for take in item.admission.takes
        )
        lease = None
        if item.lease is not None:
            lease = tree.Lease(self.pool_ref(item.lease.pool), self.expr(item.lease.time), self.at())
        reuse = self.optional(item.admission.reuse)
        reuse_at = None if reuse is None else self.at()
        cache = self.optional(item.cache)
        return tree.Hold(at, word, takes, reuse, reuse_at, self.block(item.body), cache, lease)

    def run(self, item: ir.Run, at: Place, word: Place) -> tree.Run:
        modes = {ir.RunMode.PLAIN: None, ir.RunMode.PREFILL: "prefill", ir.RunMode.DECODE: "decode"}
        mode = modes[item.mode]
        growing = None if item.growing is None else self.pool_ref(item.growing)
        return tree.Run(
            at,
            word,
            self.stage_ref(item.stage),
            mode,
            None if mode is None else self.at(),
            self.expr(item.work),
            growing,
            None if growing is None else self.at(),
            tuple(self.stage_ref(ref) for ref in item.also),
        )

    # ------------------------------------------------------------------- expressions

    def optional(self, expr: ir.Expr | None) -> tree.Expr | None:
        return None if expr is None else self.expr(expr)

    def exprs(self, found: tuple[ir.Expr, ...]) -> tuple[tree.Expr, ...]:
        return tuple(self.expr(expr) for expr in found)

    def expr(self, expr: ir.Expr) -> tree.Expr:
        at = self.at()
        match expr:
            case ir.Num(value):
                return tree.Num(value, at)
            case ir.Attr(slot):
                return tree.Attr(self.attrs[slot], at)
            case ir.Ctx(name):
                return tree.Ctx(_CONTEXT[name], at)
            case ir.Sample(distribution, args):
                return tree.Draw(_DISTRIBUTION[distribution], self.exprs(args), at)
            case ir.Call(function, args):
                return tree.Call(_FUNCTION[function], tuple(self.argument(arg) for arg in args), at, at)
            case ir.Unary(op, operand):
                return tree.Unary(_OPERATOR[op], self.expr(operand), at)
            case ir.Binary(op, left, right):
                return tree.Binary(_OPERATOR[op], self.expr(left), self.expr(right), at)
            case ir.Cond(test, then, otherwise):
                return tree.Cond(self.expr(test), self.expr(then), self.expr(otherwise), at)
            case ir.Agg(kind, observation):
                return tree.Agg(_AGGREGATE[kind], self.observes[observation], at)
            case ir.Reg(index):
                engine, name = self.registers[index]
                return tree.Reg(name, engine, at)

    def argument(self, arg: ir.Expr | ir.PoolRef | ir.StageRef) -> tree.Expr | tree.PoolRef | tree.StageRef:
        if isinstance(arg, ir.PoolRef):
            return self.pool_ref(arg)
        return self.stage_ref(arg) if isinstance(arg, ir.StageRef) else self.expr(arg)

    def pool_ref(self, ref: ir.PoolRef) -> tree.PoolRef:
        name, index = _reference(self.pools, ref.base, ref.count)
        self.check_index(ref, self.program.pools[ref.base].name)
        lifted = tree.Num(float(index), self.at()) if index is not None else self.optional(ref.index)
        return tree.PoolRef(name, lifted, (name or ref.base, _spelling(ref, index)), self.at(), self.at())

    def stage_ref(self, ref: ir.StageRef) -> tree.StageRef:
        name, index = _reference(self.stages, ref.base, ref.count)
        self.check_index(ref, self.program.stages[ref.base].name)
        lifted = tree.Num(float(index), self.at()) if index is not None else self.optional(ref.index)
        return tree.StageRef(name, lifted, (name or ref.base, _spelling(ref, index)), self.at(), self.at())

    def check_index(self, ref: ir.PoolRef | ir.StageRef, name: str) -> None:
        """An index that is the same in every run names a member (SQ0226)."""
        value = None if ref.index is None else closed_value(self.expr(ref.index))
        if value is not None and not is_whole(value, 0.0, ref.count - 1.0):
            args: dict[str, object] = {"name": name, "value": show(value), "members": ref.count}
            self.findings.append(Finding("SQ0226", self.at(), args))


def _spelling(ref: ir.PoolRef | ir.StageRef, index: int | None) -> object:
    """Closed indices by value, others by their IR text (spec 02 §8)."""
    from serq_interpreter.ir.json_write import expression_value

    if index is not None:
        return float(index)
    if ref.index is None:
        return None
    return ref.index.value if isinstance(ref.index, ir.Num) else repr(expression_value(ref.index))


def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return tuple(found)


def _families(members: tuple[ir.Pool, ...] | tuple[ir.Stage, ...]) -> dict[int, tuple[str, int | None]]:
    """Index of the first member → (a name of its own, size); members 0, 1, … of one name side by side are a family."""
    found: dict[int, tuple[str, int | None]] = {}
    used: dict[str, int] = {}
    base = 0
    while base < len(members):
        name = members[base].name
        size = 0
        while base + size < len(members) and members[base + size].name == name and members[base + size].index == size:
            size += 1
        used[name] = used.get(name, 0) + 1
        own = name if used[name] == 1 else f"{name}#{used[name]}"
        found[base] = (own, size or None)
        base += max(size, 1)
    return found


def _owner(families: dict[int, tuple[str, int | None]], index: int) -> str:
    base = max(first for first in families if first <= index)
    return families[base][0]


def _reference(families: dict[int, tuple[str, int | None]], base: int, count: int) -> tuple[str | None, int | None]:
    """The family's name and, where one member is meant, its number; no name for a range that is no family."""
    first = max(start for start in families if start <= base)
    name, size = families[first]
    if size is None:
        return name, None
    if count == size and first == base:
        return name, None
    return (name, base - first) if count == 1 else (None, None)
