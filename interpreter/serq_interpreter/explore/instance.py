"""A program cut down to a small instance: so many sessions, smaller pools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from serq_interpreter.explore.subject import Arrivals, natural_arrivals
from serq_interpreter.ir import program as ir
from serq_interpreter.machine.expression_text import member_text


class UnknownPool(ValueError):
    """A capacity was given for a pool that the program does not declare."""

    def __init__(self, name: str, pools: tuple[ir.Pool, ...]) -> None:
        known = ", ".join(dict.fromkeys(f"`{pool.name}`" for pool in pools)) or "none"
        super().__init__(f"the program has no pool `{name}` (its pools: {known})")


def small(
    program: ir.Program, sessions: int, arrivals: Arrivals | None = None, caps: Mapping[str, float] | None = None
) -> tuple[ir.Program, Arrivals]:
    """The program with so many sessions and these capacities, and how its sessions come.

    `caps` names pools, or members as `kv[1]`.  Raises `UnknownPool`.
    """
    mode = arrivals or natural_arrivals(program)
    law = _law(program.arrival, sessions) if mode == "law" else ir.Poisson(1.0)
    return replace(program, arrival=law, pools=_pools(program.pools, caps or {})), mode


def _law(arrival: ir.Arrival, sessions: int) -> ir.Arrival:
    """The law with `sessions` sessions; an open one's come together."""
    match arrival:
        case ir.Closed():
            return ir.Closed(sessions)
        case ir.Sessions(sessions=scripts):
            return ir.Sessions(scripts[:sessions])
        case ir.NoArrival():
            return arrival
        case _:
            return ir.Batch(sessions)


def _pools(pools: tuple[ir.Pool, ...], caps: Mapping[str, float]) -> tuple[ir.Pool, ...]:
    known = {name for pool in pools for name in (pool.name, member_text(pool))}
    for name in caps:
        if name not in known:
            raise UnknownPool(name, pools)
    return tuple([_with_cap(pool, caps) for pool in pools])


def _with_cap(pool: ir.Pool, caps: Mapping[str, float]) -> ir.Pool:
    cap = caps.get(member_text(pool), caps.get(pool.name))
    return pool if cap is None else replace(pool, cap=cap)
