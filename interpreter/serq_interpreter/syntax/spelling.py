"""Nearly the same word: for the words of the language (names have their own in semantics)."""

from __future__ import annotations

from collections.abc import Iterable


def nearest_word(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that differs from `word` by the least slip of a finger, `None` when none is near or two are."""
    candidates = tuple(candidates)
    if word.lower() in candidates:
        return word.lower()
    if len(word) < 3:
        return None
    best: list[str] = []
    best_distance = 3 if len(word) > 5 else 2
    for candidate in candidates:
        distance = _distance(word, candidate, best_distance + 1)
        if distance < best_distance:
            best, best_distance = [candidate], distance
        elif distance == best_distance and best:
            best.append(candidate)
    return best[0] if len(best) == 1 else None


def _distance(a: str, b: str, limit: int) -> int:
    """Insertions, deletions, changes and swaps of neighbours; `limit` when at least that many."""
    if abs(len(a) - len(b)) >= limit:
        return limit
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, before, row = before, row, [i]
        for j, y in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
    return min(row[-1], limit)
