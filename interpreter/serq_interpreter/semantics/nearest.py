"""The one name that a misspelt one probably means."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The unique candidate within a small edit distance of `name`: 1 for names up to 4 letters, 2 above, `None` else."""
    limit = 1 if len(name) <= 4 else 2
    if len(name) < 2:
        return None
    best: str | None = None
    best_distance = limit + 1
    tied = False
    letters = set(name)
    for candidate in candidates:
        if candidate == name or abs(len(candidate) - len(name)) > limit:
            continue
        if len(letters.difference(candidate)) > limit:
            continue
        found = distance(name, candidate, limit)
        if found < best_distance:
            best, best_distance, tied = candidate, found, False
        elif found == best_distance and candidate != best:
            tied = True
    return None if tied or best_distance > limit else best


def distance(a: str, b: str, limit: int) -> int:
    """Edit distance with swaps of neighbours (optimal string alignment); `limit + 1` stands for anything larger."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        earlier, before, row = before, row, [i]
        for j, right in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == b[j - 2] and a[i - 2] == right:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
    return row[-1]
