"""The random streams and distributions, bit for bit (06 §10, §11)."""

from __future__ import annotations

from random import Random

import pytest

from serq_interpreter.machine import chacha, substreams
from serq_interpreter.machine.compile_automaton import compile_automaton
from serq_interpreter.machine.draws import DISTRIBUTIONS, DrawError, Draws, Picks, Stream
from serq_interpreter.machine.foresight import going_on
from tests.support.cases import CASES
from tests.support.compiling import program_from
from tests.support.expected import expected_samples

LARGEST = 2**64 - 1


@pytest.fixture(params=["plain", "numpy"])
def execution(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Blocks of many streams made in plain Python, or in numpy."""
    substreams.forget()
    if request.param == "plain":
        monkeypatch.setattr(substreams, "_numpy_kernel", lambda _n_blocks: None)
    else:
        kernel = pytest.importorskip("serq_interpreter.machine.chacha_numpy")
        monkeypatch.setattr(substreams, "_numpy_kernel", lambda _n_blocks: kernel)
    return str(request.param)


# --------------------------------------------------------------------------- generator


@pytest.mark.parametrize(
    ("seed", "words"),
    [
        (0, (0xCD2C6F7F, 0xBB2A3FB2, 0x8E27697B, 0xC6017C94)),
        (1, (0xD3301861, 0xF9681A64, 0xCC0D694A, 0xB0F4D125)),
        (LARGEST, (0x2E3D5FB8, 0x0FA79848, 0x4112469E, 0x0A3370B4)),
    ],
)
def test_first_words(seed: int, words: tuple[int, ...]) -> None:
    first, second = chacha.block(chacha.key_words(seed), 0)[:2]
    assert words == (first & chacha.MASK_32, first >> 32, second & chacha.MASK_32, second >> 32)


@pytest.mark.parametrize("counter", [0, 1, 2**32 - 1, 2**32 + 5, LARGEST])
def test_block_equals_lanes(counter: int) -> None:
    key = chacha.key_words(7)
    columns = chacha.blocks_of_stream(key, counter, 5)
    assert list(zip(*columns, strict=True)) == [chacha.block(key, counter + i & LARGEST) for i in range(5)]


@pytest.mark.parametrize(("seed", "turn", "kind"), [(0, 0, 1), (7, 3, 2), (LARGEST, 1, 3), (LARGEST - 2, 0, 2)])
def test_substreams_made_together_equal_those_made_alone(seed: int, turn: int, kind: int) -> None:
    together = list(zip(*chacha.first_blocks(seed, 90, 12, turn, kind), strict=True))
    alone = [
        chacha.block(chacha.key_words(chacha.substream_seed(seed, serial, turn, kind)), 0) for serial in range(90, 102)
    ]
    assert together == alone


def test_numpy_equals_plain_python() -> None:
    kernel = pytest.importorskip("serq_interpreter.machine.chacha_numpy")
    plain = chacha.first_blocks(LARGEST, 5, 40, 2, 1)
    assert [tuple(column) for column in kernel.first_blocks(LARGEST, 5, 40, 2, 1).tolist()] == plain
    key = chacha.key_words(3)
    stream = chacha.blocks_of_stream(key, 2**32 - 3, 9)
    assert [tuple(column) for column in kernel.blocks_of_stream(key, 2**32 - 3, 9).tolist()] == stream


def test_substream_seeds() -> None:
    assert chacha.substream_seed(0, 0, 1, 1) == 0xAC1A201F5AE37988
    assert chacha.substream_seed(7, 3, 2, 1) == 0x27EE7575506161ED
    assert chacha.substream_seed(7, 3, 0, 2) == 0x6C577B215B233C9C
    assert chacha.substream_seed(LARGEST, 1, 0, 2) == 0x9328BE5EFF96922F
    assert chacha.substream_seed(7, 3, 1, 3) == 0xB09DB5E1877BA397


# --------------------------------------------------------------------------- streams


@pytest.mark.usefixtures("execution")
def test_streams_of_a_run() -> None:
    draws = Draws(42)
    assert [draws.workload(s, 0).uniform() for s in (0, 1)] == [0.8463894025701183, 0.11298603156207798]
    assert [draws.workload(s, 1).uniform() for s in (0, 1)] == [0.18819026406610428, 0.11205348838003415]
    assert [draws.workload(s, 2).uniform() for s in (0, 1)] == [0.11686609739335874, 0.5387280563418088]
    assert [draws.session(s).uniform() for s in (0, 1)] == [0.15712007062623734, 0.1470584230136538]
    assert [draws.leg(s, 0).uniform() for s in (0, 1)] == [0.6894007696155315, 0.4466848457329966]
    assert draws.evict.uniform() == 0.2156308880517861
    assert draws.machine.uniform() + draws.machine.uniform() == 0.3148755255983202
    assert [draws.picks.below(1000) for _ in range(5)] == [326, 857, 983, 718, 259]


@pytest.mark.usefixtures("execution")
def test_a_long_stream_is_the_sequence_of_its_blocks() -> None:
    stream, key = Stream(11), chacha.key_words(11)
    expected = [(output >> 11) * 2.0**-53 for i in range(400) for output in chacha.block(key, i)]
    assert [stream.uniform() for _ in expected] == expected


@pytest.mark.usefixtures("execution")
def test_a_session_draws_on_past_its_first_block() -> None:
    seed = chacha.substream_seed(5, 1000, 0, 2)
    stream, alone = Draws(5).session(1000), Stream(seed)
    assert [stream.uniform() for _ in range(200)] == [alone.uniform() for _ in range(200)]


@pytest.mark.usefixtures("execution")
def test_order_of_asking_does_not_matter() -> None:
    forward, backward = Draws(3), Draws(3)
    serials = [*range(40), 513, 5000, 2047, 2048]
    first = {s: forward.workload(s, 1).uniform() for s in serials}
    assert {s: backward.workload(s, 1).uniform() for s in reversed(serials)} == first


@pytest.mark.usefixtures("execution")
def test_rarely_reached_turns_are_made_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    real = substreams._first_blocks
    monkeypatch.setattr(substreams, "_first_blocks", lambda *a: (made.append(a[2]), real(*a))[1])
    draws = Draws(77)
    for serial in range(0, 200_000, 2_000):
        draws.workload(serial, 9)
    assert sum(made) < 10_000


@pytest.mark.usefixtures("execution")
def test_sessions_that_come_out_of_order_are_no_rare_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two chunks in turn are two chunks, however often they take turns."""
    substreams.forget()
    monkeypatch.setattr(substreams.Family, "_single", lambda *_: pytest.fail("made by itself"))
    draws, rng = Draws(78), Random(3)
    serials = [serial for serial in range(4000) if rng.random() < 0.3]
    for serial in sorted(serials, key=lambda serial: serial + rng.uniform(0.0, 80.0)):
        draws.workload(serial, 5)


def test_repeated_runs_share_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    substreams.forget()
    before = [Draws(9).workload(s, 0).uniform() for s in range(100)]

    def none_made(*_arguments: object) -> None:
        raise AssertionError("a block was made again")

    monkeypatch.setattr(substreams, "_first_blocks", none_made)
    assert [Draws(9).workload(s, 0).uniform() for s in range(100)] == before


def test_the_memory_of_blocks_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    substreams.forget()
    monkeypatch.setattr(substreams, "MEMO_BYTES", 100_000)
    draws = Draws(1)
    for serial in range(0, 20_000, 100):
        draws.workload(serial, 0)
    assert substreams._MEMO.bytes <= 100_000 + substreams.LARGEST_CHUNK * 128
    assert substreams._MEMO.bytes == sum(map(substreams.size_of, substreams._MEMO.chunks.values()))


@pytest.mark.parametrize("serial", [0, 7, 8, 100, 2047, 2048, 4095, 4096, 10**6])
def test_chunks_partition_the_serials(serial: int) -> None:
    start, stop = substreams.chunk_of(serial)
    assert start <= serial < stop <= start + substreams.LARGEST_CHUNK
    assert substreams.chunk_of(start) == substreams.chunk_of(stop - 1) == (start, stop)
    assert substreams.chunk_of(stop)[0] == stop


@pytest.mark.usefixtures("execution")
def test_a_chunk_holds_the_uniforms_of_neighbouring_sessions() -> None:
    draws = Draws(6)
    chunk, at, first, stop = draws.first_uniforms(100, 0, 1)
    assert at == 8 * (100 - first)
    for serial in (first, 100, stop - 1):
        stream = draws.workload(serial, 0)
        at = 8 * (serial - first)
        assert [stream.uniform() for _ in range(8)] == list(chunk[at : at + 8])


@pytest.mark.usefixtures("execution")
def test_uniforms_are_worked_out_as_they_are_needed() -> None:
    """A chunk of which two of eight were asked has the same numbers when somebody reads on, in this run or another."""
    substreams.forget()
    draws, expected = Draws(8), {serial: Stream(chacha.substream_seed(8, serial, 3, 1)) for serial in (70, 71, 90)}
    chunk, at, first, _ = draws.first_uniforms(70, 3, 1, 0, 2)
    blocks = {serial: [stream.uniform() for _ in range(8)] for serial, stream in expected.items()}
    for serial, block in blocks.items():
        at = 8 * (serial - first)
        assert list(chunk[at : at + 2]) == block[:2]
    more = Draws(8).first_uniforms(71, 3, 1, 0, 5)
    assert list(more[0][more[1] : more[1] + 5]) == blocks[71][:5]
    stream = draws.workload(90, 3)
    assert [stream.uniform() for _ in range(8)] == blocks[90]


def test_a_stream_of_a_block_is_valid_until_the_next() -> None:
    draws = Draws(6)
    first = draws.workload(1, 0)
    kept = [first.uniform() for _ in range(20)]
    second = draws.workload(2, 3)
    assert second is first
    again = Draws(6)
    assert [again.workload(1, 0).uniform()] == kept[:1]
    assert second.uniform() == again.workload(2, 3).uniform()


def test_picks_below_large_numbers() -> None:
    """A bound near 2^32 takes the second word often."""
    picks = Picks(5)
    assert all(0 <= picks.below(3 << 30) < 3 << 30 for _ in range(500))
    assert {Picks(5).below(1) for _ in range(3)} == {0}


# --------------------------------------------------------------------------- distributions


@pytest.mark.parametrize(
    ("name", "arguments", "values"),
    [
        ("Exp", (2.5,), (0.42732690914711907, 0.5341058270715296, 3.995984725673183)),
        ("Uniform", (0.3, 1.7), (0.5199680988767322, 0.5693079195832826, 1.4168905348982637)),
        ("Erlang", (3, 0.7), (0.46269229644323756, 0.7181696659953374, 0.7781804724052489)),
        ("H2", (1.5, 4), (0.18058384859918264, 0.13862091952657424, 2.370543619963523)),
        ("Bernoulli", (0.3,), (1.0, 1.0, 0.0, 1.0, 1.0)),
        ("Det", (4.5,), (4.5, 4.5)),
    ],
)
def test_distribution(name: str, arguments: tuple[float, ...], values: tuple[float, ...]) -> None:
    stream = Draws(42).session(0)
    assert tuple(DISTRIBUTIONS[name](stream, *arguments) for _ in values) == values


def test_arguments_are_not_checked() -> None:
    stream = Draws(1).session(0)
    inf, nan = float("inf"), float("nan")
    assert DISTRIBUTIONS["Exp"](stream, inf) == inf
    assert DISTRIBUTIONS["Exp"](stream, -1.0) < 0.0
    assert DISTRIBUTIONS["H2"](stream, 1.0, inf) != DISTRIBUTIONS["H2"](stream, 1.0, inf)
    assert DISTRIBUTIONS["H2"](stream, 1.0, nan) > 0.0
    assert DISTRIBUTIONS["Erlang"](stream, nan, 1.0) > 0.0
    assert DISTRIBUTIONS["Erlang"](stream, -3.0, 1.0) > 0.0
    assert DISTRIBUTIONS["Bernoulli"](stream, nan) == 0.0
    assert DISTRIBUTIONS["Uniform"](stream, 3.0, 3.0) == 3.0


def test_a_draw_without_end_is_refused() -> None:
    with pytest.raises(DrawError, match="phases"):
        DISTRIBUTIONS["Erlang"](Draws(1).session(0), float("inf"), 1.0)


# --------------------------------------------------------------------------- cases


def test_case_exponential_draws_of_two_sessions() -> None:
    samples = expected_samples(CASES / "rng" / "rng_dist_exp.expect.json")
    draws = Draws(samples.seed)
    streams: dict[int, Stream] = {}
    assert samples.series
    for name, series in samples.series.items():
        for serial, value in zip(series.sessions, series.values, strict=True):
            if name != "x":
                continue
            stream = streams.setdefault(serial, draws.session(serial))
            assert DISTRIBUTIONS["Exp"](stream, 2.5) == value
            stream.uniform()


@pytest.mark.parametrize("numpy", [False, True])
def test_what_is_foreseen_changes_no_draw(numpy: bool) -> None:
    """Sessions of whom the turn before says that they go on, others, and the same ones again, in any order."""
    rng = Random(5)
    order = [(serial, turn) for serial in (*range(40), *range(90, 130), 3000) for turn in range(1, 6)]
    rng.shuffle(order)
    substreams.forget()
    substreams.use_numpy(numpy)
    try:
        plain, foreseen = Draws(11), Draws(11)
        foreseen.foresee(2, 0.6)
        for serial, turn in order + order[:20]:
            one, other = plain.workload(serial, turn), foreseen.workload(serial, turn)
            assert [one.uniform() for _ in range(10)] == [other.uniform() for _ in range(10)]
            chunk, at, _, _ = foreseen.first_uniforms(serial, turn, 1, 0, 3)
            alone, place, _, _ = plain.first_uniforms(serial, turn, 1, 0, 3)
            assert list(chunk[at : at + 3]) == list(alone[place : place + 3])
    finally:
        substreams.use_numpy(None)
        substreams.forget()


def test_who_goes_on_is_read_from_the_program() -> None:
    text = """
    stage s : fifo(1);
    workload { arrive poisson(1); turn { set n = ~exp(1); set m = ~h2(1, 4); TURN }
      session { turn; loop { request; branch (more) { turn; } else { end; } } } }
    server { run s (n + m); observe x = n; }
    run { horizon 10; warmup 1; seed 3; }
    """
    for line, expected in (
        ("set more = ~bernoulli(0.7);", (3, 0.7)),
        ("set more = ~bernoulli(n);", None),
        ("set more = 1 - ~bernoulli(0.7);", None),
        ("set more = ~bernoulli(0.2); set more = ~bernoulli(0.7);", None),
    ):
        program = program_from(text.replace("TURN", line))
        assert going_on(compile_automaton(program)) == expected
