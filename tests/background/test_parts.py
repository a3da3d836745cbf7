"""The parts of a background run that need no process."""

from __future__ import annotations

import io

import pytest

from serq_interpreter.frontend.analysis import analyse
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.json import read_program, write_program
from serq_interpreter.ir.numbering import node_at, nodes_in_order, number_of
from serq_lsp.background.meaning import meaning_of
from serq_lsp.background.messages import BrokenMessage, encode, read_message
from serq_lsp.background.pairing import MOST_BLOCKS, blocks_of
from serq_lsp.background.running import Order, Running, replication_seed
from serq_lsp.background.store import KEPT, Store
from serq_lsp.background.windows import CAPACITY, Windows

PROGRAM = """pool kv { cap 64; }
stage svc : fifo;
workload { arrive poisson(0.5); }
session { set t = now; hold kv (2) { run svc (~exp(1)); } observe response = now - t; end; }
gauge load = used(kv);
run { horizon 400; warmup 20; }
"""


def kernel(text: str) -> ir.Program:
    lowered = analyse(text, "program.sq").lowered
    assert lowered is not None
    return lowered.program


def test_messages_come_back_as_they_were() -> None:
    message = {"kind": "advance", "nan": float("inf"), "text": "é\n"}
    stream = io.BytesIO(encode(message) + encode({}))
    assert read_message(stream) == message
    assert read_message(stream) == {}
    assert read_message(stream) is None


@pytest.mark.parametrize("data", [b"\x00\x00\x00\x02[]", b"\x00\x00\x00\x01x", b"\xff\xff\xff\xff"])
def test_what_is_no_message_is_refused(data: bytes) -> None:
    with pytest.raises(BrokenMessage):
        read_message(io.BytesIO(data))


@pytest.mark.parametrize(
    ("edit", "same"),
    [
        (("svc", "server0"), True),
        (("response", "r"), True),
        (("kv", "memory0"), True),
        (("set t = now", "set born = now"), None),
        (("\n", "\n// a comment\n"), True),
        (("cap 64", "cap 65"), False),
        (("0.5", "0.50"), True),
        (("0.5", "0.6"), False),
        (("~exp(1)", "~exp(2)"), False),
    ],
)
def test_meaning_is_blind_to_names_only(edit: tuple[str, str], same: bool | None) -> None:
    text = PROGRAM.replace(*edit)
    if same is None:
        text, same = text.replace("now - t;", "now - born;"), True
    assert (meaning_of(kernel(text)) == meaning_of(kernel(PROGRAM))) is same


def test_meaning_knows_the_settings_of_the_run() -> None:
    assert meaning_of(kernel(PROGRAM), 1) != meaning_of(kernel(PROGRAM), 2)


def test_nodes_have_the_same_numbers_after_a_journey_through_text() -> None:
    program = kernel(PROGRAM)
    again = read_program(write_program(program))
    kinds = [type(node).__name__ for node in nodes_in_order(program)]
    assert kinds == [type(node).__name__ for node in nodes_in_order(again)]
    hold = program.session.statements[1]
    number = number_of(again, again.session.statements[1])
    assert node_at(program, number) is hold
    assert number_of(program, again) is None


def test_windows_are_means_of_levels() -> None:
    """A level of 2 for half of the time and 4 for the other, with an event every 1.5 time units."""
    windows = Windows(1, 0.0, 3000.0)
    time, area = 0.0, 0.0
    while time < 3000.0:
        level = 2.0 if time < 1500.0 else 4.0
        if time + 1.5 >= windows.boundary:
            windows.pass_to(time, time + 1.5, [area], [area + 1.5 * level])
        time, area = time + 1.5, area + 1.5 * level
    means = windows.means(0)
    assert CAPACITY // 2 <= len(means) <= CAPACITY
    half = len(means) // 2
    assert means[: half - 1] == pytest.approx([2.0] * (half - 1))
    assert means[half + 1 :] == pytest.approx([4.0] * (len(means) - half - 1))


def test_windows_passed_unseen_are_filled() -> None:
    windows = Windows(1, 0.0, 1228.8)
    windows.pass_to(0.0, 0.05, [0.0], [0.1])
    windows.pass_to(10.0, 10.05, [20.0], [20.1])
    assert windows.means(0) == pytest.approx([2.0] * 100)


def test_blocks_are_powers_of_two_and_lose_nothing() -> None:
    serials = list(range(5000))
    table = blocks_of(serials, [1.0] * 5000)
    assert table["size"] == 16 and len(table["sums"]) <= MOST_BLOCKS
    assert sum(table["counts"]) == 5000 and sum(table["sums"]) == 5000.0


def test_replications_have_the_seeds_that_the_command_line_gives_them() -> None:
    from serq_lsp.cli.simulation.seeds import replication_seed as of_command_line

    assert [replication_seed(7, i) for i in range(4)] == [of_command_line(7, i) for i in range(4)]


def test_a_run_in_slices_is_the_run_in_one() -> None:
    order = Order(write_program(kernel(PROGRAM)))
    whole = Running(order).advance(60.0, lambda: False)
    sliced = Running(order)
    data = sliced.advance(0.0, lambda: False)
    slices = 1
    while not data["final"]:
        data = sliced.advance(0.001, lambda: False)
        slices += 1
    assert data["status"] == "complete"
    assert data["report"] == whole["report"]
    assert data["windows"] == whole["windows"]


def test_a_run_ends_when_its_budget_of_events_is_used_up() -> None:
    data = Running(Order(write_program(kernel(PROGRAM)), events=100)).advance(60.0, lambda: False)
    assert (data["final"], data["status"]) == (True, "partial")
    assert data["report"]["events"] == 100


def test_a_run_ends_early_when_it_is_precise() -> None:
    long = kernel(PROGRAM.replace("horizon 400", "horizon 20000").replace("poisson(0.5)", "poisson(0.1)"))
    running = Running(Order(write_program(long), precision=0.5))
    data = running.advance(0.05, lambda: False)
    while not data["final"]:
        data = running.advance(0.2, lambda: False)
    assert data["reason"] == "precise" or data["status"] == "complete"
    assert data["report"]["end"] >= 2000.0, "a tenth of the horizon is run in any case"


def test_replications_are_run_one_after_the_other() -> None:
    running = Running(Order(write_program(kernel(PROGRAM)), replications=3))
    data = running.advance(60.0, lambda: False)
    assert not data["final"]
    while not data["final"]:
        data = running.advance(60.0, lambda: False)
    means = [replica["observations"][0] for replica in data["replicas"]]
    assert len(set(means)) == 3


def test_a_program_that_fails_tells_code_and_node() -> None:
    text = """stage svc : fifo;
workload { arrive batch(1); init { set x = 3; } }
session { branch (x - 1) { run svc (1); } end; }
run { horizon 10; }
"""
    program = kernel(text)
    data = Running(Order(write_program(program))).advance(60.0, lambda: False)
    assert (data["status"], data["error"]["code"]) == ("failed", "SQ0901")
    assert isinstance(node_at(program, data["error"]["node"]), ir.Binary)


def test_a_missing_trace_makes_no_run() -> None:
    text = PROGRAM.replace("arrive poisson(0.5);", 'arrive poisson(0.5); trace "no-such-file.csv";')
    program = analyse(text, "program.sq").lowered
    if program is None:
        pytest.skip("the trace clause is written differently")
    data = Running(Order(write_program(program.program), directory="/nonexistent")).advance(60.0, lambda: False)
    assert (data["final"], data["status"]) == (True, "failed")


def test_the_store_forgets_the_oldest() -> None:
    store = Store()
    for number in range(KEPT + 1):
        store.put(str(number), {"number": number})
    assert store.get("0") is None
    assert store.get("1") == {"number": 1}
