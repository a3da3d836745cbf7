"""The wait-for graph of sessions that are stuck at the end of a run, with its cycles marked."""

from __future__ import annotations

from typing import Any

from serq_lsp.services.results.numbers import amount
from serq_lsp.services.results.ranges import ToRange
from serq_lsp.services.results.view import RunView

Json = dict[str, Any]


def wait_for_value(view: RunView, to_range: ToRange) -> Json | None:
    """The `WaitFor` of a run, `None` where nobody is stuck."""
    waiting = view.data.get("waiting")
    if waiting is None:
        return None
    pools = {pool["index"]: pool for pool in waiting["pools"]}
    edges = _edges(view, to_range, waiting["actors"], pools)
    on_cycle = _on_cycle(edges)
    for edge in edges:
        edge["cycle"] = edge["from"] in on_cycle and edge["to"] in on_cycle
    named = {end for edge in edges for end in (edge["from"], edge["to"])}
    nodes = [_session(view, to_range, actor) for actor in waiting["actors"]]
    nodes += [_pool(view, to_range, pool) for index, pool in pools.items() if f"pool:{index}" in named]
    count = waiting["total"]
    many = "1 session waits" if count == 1 else f"{count} sessions wait"
    circle = " in a circle" if on_cycle else " for what does not come"
    message = f"{many}{circle} at t = {amount(waiting['at'])}"
    return {"at": waiting["at"], "nodes": nodes, "edges": edges, "message": message}


def _id(actor: Json) -> str:
    leg = "" if actor["leg"] is None else f".{actor['leg']}"
    return f"session:{actor['session']}{leg}"


def _session(view: RunView, to_range: ToRange, actor: Json) -> Json:
    label = (
        f"session {actor['session']}" if actor["leg"] is None else f"leg {actor['leg']} of session {actor['session']}"
    )
    detail = {"queue": "waits in a queue", "grow": "waits to grow", "join": "waits at a join"}[actor["kind"]]
    if actor["kind"] == "queue" and actor["ahead"]:
        detail += f", {actor['ahead']} ahead"
    place = view.sites.hold_word(actor["state"])
    return {"id": _id(actor), "kind": "session", "label": label, "detail": detail, "range": to_range(view.span(place))}


def _pool(view: RunView, to_range: ToRange, pool: Json) -> Json:
    site = view.sites.pools[pool["index"]]
    return {
        "id": f"pool:{pool['index']}",
        "kind": "pool",
        "label": site.label,
        "detail": f"{amount(pool['used'])} of {amount(pool['cap'])} used, {pool['queue']} waiting",
        "range": to_range(view.span(site.name_at)),
    }


def _edges(view: RunView, to_range: ToRange, actors: list[Json], pools: dict[int, Json]) -> list[Json]:
    edges: list[Json] = []
    for actor in actors:
        for pool, units in actor["asks"]:
            free = max(pools[pool]["cap"] - pools[pool]["used"], 0.0)
            if units <= free:
                continue
            place = view.sites.hold_word(actor["state"], pool)
            label = f"asks {amount(units)}, {amount(free)} free"
            edges.append(_edge(_id(actor), f"pool:{pool}", "waits", label, to_range(view.span(place))))
        for pool, units, state in actor["holds"]:
            place = view.sites.hold_word(state, pool)
            label = f"{amount(units)} held"
            edges.append(_edge(f"pool:{pool}", _id(actor), "holds", label, to_range(view.span(place))))
    return edges


def _edge(start: str, end: str, kind: str, label: str, where: Any) -> Json:
    return {"from": start, "to": end, "kind": kind, "label": label, "range": where, "cycle": False}


def _on_cycle(edges: list[Json]) -> set[str]:
    """Nodes that can be reached from themselves: what remains after taking away ends until nothing changes."""
    remaining = [(edge["from"], edge["to"]) for edge in edges]
    while True:
        starts, ends = {start for start, _ in remaining}, {end for _, end in remaining}
        kept = [(start, end) for start, end in remaining if end in starts and start in ends]
        if len(kept) == len(remaining):
            return {node for edge in kept for node in edge}
        remaining = kept
