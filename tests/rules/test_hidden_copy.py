"""SQ1012: copies of hidden attributes that a scheduler reads, also those that a parent gives to its children."""

import pytest

from serq_interpreter.frontend.analysis import analyse


def names(spawned: str, header: str, session: str = "") -> list[object]:
    text = f"""// serq: edition v4b
pool kv {{ cap 100; }}
stage svc : fifo;
workload {{ arrive batch(2); hidden o; init {{ set o = ~uniform(1, 9); set need = 3; }} }}
session {{
  {session} hold kv ({header}) {{ run svc (o); }}
  branch (depth < 1) {{ spawn (2) into kids {{ {spawned} }} join kids; }}
  observe t = now;
  end;
}}
run {{ horizon 100; }}
"""
    found = analyse(text)
    assert not found.has_errors, [item.message for item in found.diagnostics]
    return [text[d.location.start_offset : d.location.end_offset] for d in found.diagnostics if d.code == "SQ1012"]


@pytest.mark.parametrize(
    ("spawned", "header", "session", "expected"),
    [
        ("set need = o + 1;", "need", "", ["need"]),
        ("set half = o; set need = half / 2;", "need", "", ["need"]),
        ("set need = o > 3;", "need", "", []),
        ("set need = 4;", "need", "", []),
        ("set need = o;", "need", "set need = 5;", []),
        ("set o = o;", "need", "", []),
    ],
)
def test_what_a_parent_gives_its_children(spawned: str, header: str, session: str, expected: list[str]) -> None:
    assert names(spawned, header, session) == expected
