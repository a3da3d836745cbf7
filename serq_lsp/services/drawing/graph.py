"""A graph with boxes, as both formats write it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Node:
    """`shape` is box, round, diamond, cylinder or circle; `group` the id of the box around it."""

    id: str
    label: str
    shape: str = "box"
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """`dashed` edges are what the scheduler does, not the session."""

    start: str
    end: str
    label: str = ""
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """A box; `parent` is the box around it."""

    id: str
    label: str
    parent: str | None = None


@dataclass(slots=True)
class Graph:
    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)


_DOT_SHAPES = {"box": "box", "round": "ellipse", "diamond": "diamond", "cylinder": "cylinder", "circle": "circle"}
_MERMAID_SHAPES = {
    "box": ("[", "]"),
    "round": ("([", "])"),
    "diamond": ("{", "}"),
    "cylinder": ("[(", ")]"),
    "circle": ("((", "))"),
}


def to_dot(graph: Graph) -> str:
    """Graphviz DOT."""
    lines = ["digraph serq {", "  rankdir=TB;", '  node [fontname="sans-serif", fontsize=11];', "  compound=true;"]
    _dot_group(graph, None, lines, "  ")
    for edge in graph.edges:
        style = ', style=dashed, color="gray40"' if edge.dashed else ""
        lines.append(f"  {edge.start} -> {edge.end} [label={_dot(edge.label)}, fontsize=10{style}];")
    return "\n".join([*lines, "}"]) + "\n"


def _dot_group(graph: Graph, parent: str | None, lines: list[str], indent: str) -> None:
    for node in graph.nodes:
        if node.group == parent:
            lines.append(f"{indent}{node.id} [label={_dot(node.label)}, shape={_DOT_SHAPES[node.shape]}];")
    for group in graph.groups:
        if group.parent == parent:
            lines.append(f"{indent}subgraph cluster_{group.id} {{")
            lines.append(f"{indent}  label={_dot(group.label)}; style=rounded; fontsize=11;")
            _dot_group(graph, group.id, lines, indent + "  ")
            lines.append(f"{indent}}}")


def _dot(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def to_mermaid(graph: Graph) -> str:
    """A Mermaid flowchart."""
    lines = ["flowchart TB"]
    _mermaid_group(graph, None, lines, "  ")
    for edge in graph.edges:
        arrow = "-.->" if edge.dashed else "-->"
        label = f"|{_mermaid(edge.label)}|" if edge.label else ""
        lines.append(f"  {edge.start} {arrow}{label} {edge.end}")
    return "\n".join(lines) + "\n"


def _mermaid_group(graph: Graph, parent: str | None, lines: list[str], indent: str) -> None:
    for node in graph.nodes:
        if node.group == parent:
            before, after = _MERMAID_SHAPES[node.shape]
            lines.append(f"{indent}{node.id}{before}{_mermaid(node.label)}{after}")
    for group in graph.groups:
        if group.parent == parent:
            lines.append(f"{indent}subgraph {group.id}[{_mermaid(group.label)}]")
            _mermaid_group(graph, group.id, lines, indent + "  ")
            lines.append(f"{indent}end")


def _mermaid(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
    return '"' + escaped.replace("\n", "<br/>") + '"'
