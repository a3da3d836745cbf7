"""Document symbols: the outline of a text, also of a damaged one."""

from __future__ import annotations

from dataclasses import dataclass

from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Token, place_of
from serq_lsp.services.locations import span_of
from serq_lsp.services.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Outline:
    """One entry: `kind` is pool, stage, queue, entry, constant, definition, gauge, claim, block, workload, run, relation,
    attribute, observation or group; `start`, `end` its whole range, `name_start`, `name_end` its name's, in characters."""

    name: str
    kind: str
    detail: str
    start: int
    end: int
    name_start: int
    name_end: int
    children: tuple[Outline, ...] = ()


def outline(snapshot: Snapshot) -> list[Outline]:
    """The items of the text, in its order."""
    found = [_item(snapshot, item) for item in snapshot.document.tree.items]
    return [item for group in found for item in group]


def _item(snapshot: Snapshot, item: nodes.Item) -> list[Outline]:
    match item:
        case nodes.LetItem():
            return _entry(snapshot, item, item.name, "constant", _text(snapshot, item.value))
        case nodes.DefItem():
            detail = f"({', '.join(name.text for name in item.parameters)})"
            return _entry(snapshot, item, item.name, "definition", detail)
        case nodes.PoolItem():
            return _entry(snapshot, item, item.name, "pool", _pool_detail(snapshot, item))
        case nodes.StageItem():
            return _entry(snapshot, item, item.name, "stage", item.kind.word)
        case nodes.QueueItem():
            children = [part for one in item.parts for part in _queue_part(snapshot, one)]
            detail = ", ".join(role.text for role in item.roles)
            return _entry(snapshot, item, item.name, "queue", detail, children)
        case nodes.WorkloadItem():
            children = [part for clause in item.clauses for part in _clause(snapshot, clause)]
            return _entry(snapshot, item, item.word, "workload", "", children)
        case nodes.SessionItem() | nodes.ServerItem():
            return _entry(snapshot, item, item.word, "block", "", _block(snapshot, item.body))
        case nodes.GaugeItem():
            return _entry(snapshot, item, item.name, "gauge", _text(snapshot, item.value))
        case nodes.ClaimItem():
            return _entry(snapshot, item, item.name, "claim", _text(snapshot, item.condition))
        case nodes.RunItem():
            return _entry(snapshot, item, item.word, "run", "")
        case nodes.RelationItem():
            return _entry(snapshot, item, item.left, "relation", f"{item.verb.text} {item.right.text}")
        case nodes.ErrorItem():
            return [one for kind, name in item.declared for one in _entry(snapshot, item, name, _KINDS[kind], "")]
        case nodes.UseItem() | nodes.ShareItem():
            return []


_KINDS = {
    "let": "constant",
    "def": "definition",
    "pool": "pool",
    "stage": "stage",
    "queue": "queue",
    "gauge": "gauge",
    "claim": "claim",
}


def _entry(
    snapshot: Snapshot,
    node: nodes.Node,
    name: Token,
    kind: str,
    detail: str,
    children: list[Outline] | None = None,
) -> list[Outline]:
    whole = span_of(snapshot, node.place)
    own = span_of(snapshot, place_of(name))
    if whole is None or own is None or whole.file != snapshot.file or own.file != snapshot.file:
        return []
    start, end = min(whole.start, own.start), max(whole.end, own.end)
    inside = tuple(child for child in children or () if start <= child.start and child.end <= end)
    return [Outline(name.text, kind, detail, start, end, own.start, own.end, inside)]


def _queue_part(snapshot: Snapshot, part: nodes.QueuePart) -> list[Outline]:
    match part:
        case nodes.PoolItem():
            return _entry(snapshot, part, part.name, "pool", _pool_detail(snapshot, part))
        case nodes.ServeDecl():
            return _entry(snapshot, part, part.word, "stage", part.kind.word)
        case nodes.EntryDecl():
            detail = f"({', '.join(name.text for name in part.parameters or ())})"
            return _entry(snapshot, part, part.verb, "entry", detail, _block(snapshot, part.body))


def _clause(snapshot: Snapshot, clause: nodes.WorkloadClause) -> list[Outline]:
    if isinstance(clause, nodes.BlockClause):
        return _entry(snapshot, clause, clause.word, "block", "", _block(snapshot, clause.body))
    return []


def _block(snapshot: Snapshot, block: nodes.Block) -> list[Outline]:
    """The attributes and observations that a block assigns, nested blocks included."""
    found: list[Outline] = []
    stack: list[nodes.Stmt] = list(reversed(block.statements))
    while stack:
        statement = stack.pop()
        match statement:
            case nodes.SetStmt():
                found += _entry(snapshot, statement, statement.name, "attribute", _text(snapshot, statement.value))
            case nodes.ObserveStmt():
                found += _entry(snapshot, statement, statement.name, "observation", _text(snapshot, statement.value))
            case nodes.SpawnStmt():
                children = _block(snapshot, statement.body)
                found += _entry(
                    snapshot, statement, statement.group, "group", _text(snapshot, statement.count), children
                )
            case nodes.HoldStmt() | nodes.LoopStmt() | nodes.ForkStmt():
                stack.extend(reversed(statement.body.statements))
            case nodes.BranchStmt():
                if statement.otherwise is not None:
                    stack.extend(reversed(statement.otherwise.statements))
                stack.extend(reversed(statement.then.statements))
            case _:
                pass
    return found


def _pool_detail(snapshot: Snapshot, item: nodes.PoolItem) -> str:
    for option in item.options:
        if isinstance(option, nodes.ValueOption) and option.word.text == "cap":
            return f"cap {_text(snapshot, option.value)}"
    return ""


def _text(snapshot: Snapshot, node: nodes.Node) -> str:
    span = span_of(snapshot, node.place)
    if span is None:
        return ""
    text = " ".join(snapshot.analysis.texts[span.file][span.start : span.end].split())
    return text if len(text) <= 60 else text[:57] + "…"
