"""Which legs may still run when the session reaches a `join`.

A forward analysis over the structured program: a `fork` adds a leg, a `join` waits for all of them, the arms of a
branch are united, and a loop's body begins with what an earlier pass may have left.
"""

from __future__ import annotations

from serq_interpreter.semantics import tree

Effect = tuple[frozenset[tree.Fork], bool]
"""The legs that a block may leave running, and whether legs from before it may still run after it."""

_NOTHING: Effect = (frozenset(), True)


def pending_legs(session: tree.Block) -> dict[int, tuple[tree.Fork, ...]]:
    """`id` of a `join` → the legs that may run when it is reached, in the order of the text.

    Recursive: call it inside `deep_recursion()`.
    """
    effects: dict[int, Effect] = {}
    _effect(session, effects)
    found: dict[int, set[tree.Fork]] = {}
    stack: list[tuple[tree.Block, frozenset[tree.Fork]]] = [(session, frozenset())]
    while stack:
        block, running = stack.pop()
        for stmt in block.statements:
            match stmt:
                case tree.Join():
                    found.setdefault(id(stmt), set()).update(running)
                case tree.Branch():
                    stack.append((stmt.then, running))
                    if stmt.otherwise is not None:
                        stack.append((stmt.otherwise, running))
                case tree.Hold():
                    stack.append((stmt.body, running))
                case tree.Loop():
                    stack.append((stmt.body, running | effects[id(stmt.body)][0]))
                case _:
                    pass
            made, passes = _of(stmt, effects)
            running = made | running if passes else made
    return {key: tuple(sorted(legs, key=lambda leg: leg.word_at.start)) for key, legs in found.items()}


def _effect(block: tree.Block, effects: dict[int, Effect]) -> Effect:
    made: frozenset[tree.Fork] = frozenset()
    passes = True
    for stmt in block.statements:
        more, through = _of(stmt, effects)
        made = made | more if through else more
        passes = passes and through
    effects[id(block)] = (made, passes)
    return made, passes


def _of(stmt: tree.Stmt, effects: dict[int, Effect]) -> Effect:
    match stmt:
        case tree.Fork():
            return frozenset((stmt,)), True
        case tree.Join() | tree.End():
            return frozenset(), False
        case tree.Hold() | tree.Loop():
            return effects.get(id(stmt.body)) or _effect(stmt.body, effects)
        case tree.Branch():
            then = effects.get(id(stmt.then)) or _effect(stmt.then, effects)
            if stmt.otherwise is None:
                return then[0], True
            other = effects.get(id(stmt.otherwise)) or _effect(stmt.otherwise, effects)
            return then[0] | other[0], then[1] or other[1]
        case _:
            return _NOTHING
