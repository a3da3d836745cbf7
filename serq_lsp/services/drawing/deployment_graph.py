"""The deployment as a graph: workload, stages, pools, and who uses, admits, grows and spills what."""

from __future__ import annotations

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.walk import blocks
from serq_lsp.services.drawing.graph import Edge, Graph, Node


def deployment_graph(program: ir.Program) -> Graph:
    """One node a stage or pool family, with the number of its members."""
    graph = Graph()
    graph.nodes.append(Node("workload", f"workload\n{_arrival(program.arrival)}", "round"))
    pools = _families(program.pools)
    stages = _families(program.stages)
    for base, count in pools.items():
        pool = program.pools[base]
        cap = "no cap" if pool.cap == float("inf") else f"cap {pool.cap:g}"
        graph.nodes.append(Node(f"p{base}", f"{_name(pool.name, count)}\n{cap}", "cylinder"))
    for base, count in stages.items():
        stage = program.stages[base]
        graph.nodes.append(Node(f"t{base}", f"{_name(stage.name, count)}\n{_kind(stage.kind)}"))
    graph.edges.extend(_declared(program, pools, stages))
    graph.edges.extend(_used(program, pools, stages))
    return graph


def _families(members: tuple[ir.Pool, ...] | tuple[ir.Stage, ...]) -> dict[int, int]:
    """Index of the first member → how many members of that name follow it."""
    found: dict[int, int] = {}
    base = 0
    while base < len(members):
        count = 1
        while base + count < len(members) and members[base + count].name == members[base].name:
            count += 1
        found[base] = count
        base += count
    return found


def _owner(families: dict[int, int], index: int) -> int:
    return max(base for base in families if base <= index)


def _name(name: str, count: int) -> str:
    return name if count == 1 else f"{name}[{count}]"


def _kind(kind: ir.StageKind) -> str:
    match kind:
        case ir.Fifo(servers):
            return "fifo" if servers == 1 else f"fifo({servers})"
        case ir.Ps():
            return "processor sharing"
        case ir.Delay():
            return "delay"
        case ir.Step():
            return "step engine"


def _arrival(arrival: ir.Arrival) -> str:
    match arrival:
        case ir.Poisson(rate):
            return f"poisson({rate:g})"
        case ir.Renewal():
            return "renewal"
        case ir.Closed(sessions):
            return f"closed({sessions})"
        case ir.Batch(sessions):
            return f"batch({sessions})"
        case ir.Sessions(sessions):
            return f"{len(sessions)} sessions"
        case ir.NoArrival():
            return "no arrivals"


def _declared(program: ir.Program, pools: dict[int, int], stages: dict[int, int]) -> list[Edge]:
    found: list[Edge] = []
    for base in pools:
        pool = program.pools[base]
        if pool.admit_via is not None:
            found.append(Edge(f"t{_owner(stages, pool.admit_via)}", f"p{base}", "admits", dashed=True))
        if pool.spill is not None:
            found.append(Edge(f"p{base}", f"p{_owner(pools, pool.spill.to)}", "spills", dashed=True))
    for base in stages:
        kind = program.stages[base].kind
        if isinstance(kind, ir.Step) and kind.memory is not None:
            found.append(Edge(f"t{base}", f"p{_owner(pools, kind.memory)}", "memory", dashed=True))
    return found


def _used(program: ir.Program, pools: dict[int, int], stages: dict[int, int]) -> list[Edge]:
    """What sessions do, each pair once."""
    found: dict[tuple[str, str, str], Edge] = {}

    def add(target: str, label: str) -> None:
        found.setdefault(("workload", target, label), Edge("workload", target, label))

    for block in blocks(program.session):
        for statement in block.statements:
            match statement:
                case ir.Hold():
                    for take in statement.admission.takes:
                        add(f"p{_owner(pools, take.pool.base)}", "holds")
                case ir.Run():
                    for stage in (statement.stage, *statement.also):
                        label = "runs" if statement.mode is ir.RunMode.PLAIN else f"{statement.mode.value.lower()}s"
                        add(f"t{_owner(stages, stage.base)}", label)
                case ir.Load():
                    add(f"p{_owner(pools, statement.pool.base)}", "loads")
                case _:
                    pass
    return list(found.values())
