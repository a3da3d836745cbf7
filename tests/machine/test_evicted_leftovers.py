"""What blocks such as 0.1 leave of an entry, up to 1e-9 units, is nothing: the entry counts as evicted (04 §5.2)."""

import pytest

from serq_interpreter import compile

PROGRAM = """
pool tier {{ cap 3; block 1 - {left}; }}
pool kv {{ cap 1; block 1; spill tier via link (0) when (1); }}
stage link : fifo;
stage think : delay;
workload {{ arrive batch(2); }}
session {{
  branch (serial == 0) {{ hold kv (1) {{ }} cache (1) }}
  else {{ run think (1); hold kv (1) {{ }} hold tier (2.5) {{ observe b = used(tier); }} }}
}}
run {{ horizon 10; }}
"""


@pytest.mark.parametrize(
    ("left", "evicted"), [("0.00000000000001", 1), ("0.0000000009", 1), ("0.0000000011", 0), ("0.1", 0)]
)
def test_an_entry_of_which_almost_nothing_is_left_is_evicted(left: str, evicted: int) -> None:
    tier = compile(PROGRAM.format(left=left)).run().pools[0]
    assert tier.evicted_entries == evicted


def test_an_entry_goes_block_by_block() -> None:
    text = """
    pool kv { cap 1; block 0.1; }
    stage think : delay;
    workload { arrive batch(2); }
    session { branch (serial == 0) { hold kv (0.8) { } cache (0.8) } else { run think (1); hold kv (1) { } } }
    run { horizon 10; }
    """
    assert compile(text).run().pools[0].evicted_entries == 1
