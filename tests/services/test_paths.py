"""Completion of paths: `$0` marks the cursor; the folders are a dictionary."""

from __future__ import annotations

from posixpath import normpath

import pytest

from serq_lsp.services.paths import path_completion
from serq_lsp.services.snapshot import Snapshot
from tests.support.markers import fixture

FOLDERS: dict[str, list[tuple[str, bool]]] = {
    "/w": [
        ("main.sq", False),
        ("parts.sq", False),
        ("lib", True),
        ("load.csv", False),
        (".git", True),
        ('q".sq', False),
    ],
    "/w/lib": [("queues.sq", False), ("README.md", False), ("deep", True)],
    "/": [("w", True)],
}
OF_FOLDER = ["parts.sq", "lib/", "load.csv", "../"]


def entries_of(folder: str) -> list[tuple[str, bool]]:
    return FOLDERS.get(normpath(folder), [])


def offered(line: str) -> list[str] | None:
    """The lines that accepting each entry makes."""
    given = fixture(f"//- /w/main.sq\nlet a = 1;\n{line}\nlet b = 2;\n")
    assert given.cursor is not None
    found = path_completion(given.snapshot(), given.cursor, entries_of)
    if found is None:
        return None
    text = given.text
    return [(text[: item.start] + item.label + text[item.end :]).splitlines()[1] for item in found]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('use "$0";', [f'use "{name}";' for name in OF_FOLDER]),
        ('use "$0', [f'use "{name}' for name in OF_FOLDER]),
        ('use "pa$0rtial.sq";', [f'use "{name}";' for name in OF_FOLDER]),
        ('use "lib/$0";', ['use "lib/queues.sq";', 'use "lib/deep/";', 'use "lib/README.md";']),
        ('use "l$0/queues.sq";', ['use "lib/queues.sq";', 'use "../queues.sq";']),
        ('use "../$0";', ['use "../w/";', 'use "../../";']),
        ('use ".$0";', ['use "parts.sq";', 'use ".git/";', 'use "lib/";', 'use "load.csv";', 'use "../";']),
        ('use "/$0";', ['use "/w/";']),
        ('use "nowhere/$0";', []),
        (
            'workload { trace "$0"; }',
            [f'workload {{ trace "{name}"; }}' for name in ("load.csv", "lib/", "parts.sq", "../")],
        ),
        ('let x = 2; use   "$0";', [f'let x = 2; use   "{name}";' for name in OF_FOLDER]),
    ],
)
def test_the_entries_of_the_folder(line: str, expected: list[str]) -> None:
    found = offered(line)
    assert found is not None
    assert found == expected


@pytest.mark.parametrize(
    "line", ['use $0"a.sq";', 'use "a.sq"$0;', '// use "$0"', 'let reuse = 1; let c = "$0";', "let c = $0;"]
)
def test_elsewhere_there_are_no_paths(line: str) -> None:
    assert offered(line) is None


def test_a_text_without_a_file_has_no_folder() -> None:
    given = fixture('use "$0";\n')
    snapshot = given.snapshot()
    assert given.cursor is not None
    untitled = Snapshot("untitled:Untitled-1", 1, snapshot.analysis)
    assert path_completion(untitled, given.cursor, entries_of) is None
