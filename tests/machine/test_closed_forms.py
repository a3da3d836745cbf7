"""Runs against queueing theory: the machine's means lie within intervals that are narrow enough to mean something."""

from __future__ import annotations

from math import factorial

import pytest

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.run import run_program
from serq_lsp.cli.simulation.confidence import Estimate, estimate
from serq_lsp.cli.simulation.seeds import replication_seed

N_REPLICATIONS = 12
WIDEST = 0.12
"""Half-width over mean above which an agreement would prove nothing."""

BEGAN = len(ir.BUILTIN_ATTRIBUTES)


def number(x: float) -> ir.Num:
    return ir.Num(float(x))


def draw(distribution: str, *arguments: float) -> ir.Sample:
    return ir.Sample(distribution, tuple(map(number, arguments)))


def run_at(stage: int, work: ir.Expr) -> ir.Run:
    return ir.Run(ir.StageRef(stage, 1, None), ir.RunMode.PLAIN, work, None)


def timed(*statements: ir.Stmt) -> tuple[ir.Stmt, ...]:
    """Statements whose duration is observed."""
    response = ir.Binary("Sub", ir.Ctx("Now"), ir.Attr(BEGAN))
    return (ir.Set(BEGAN, ir.Ctx("Now")), *statements, ir.Observe(0, response))


def program(
    arrival: ir.Arrival, stages: tuple[ir.StageKind, ...], session: tuple[ir.Stmt, ...], horizon: float
) -> ir.Program:
    return ir.Program(
        attrs=(*ir.BUILTIN_ATTRIBUTES, "began"),
        observes=("response",),
        pools=(),
        stages=tuple(ir.Stage(f"s{i}", None, kind) for i, kind in enumerate(stages)),
        arrival=arrival,
        trace=None,
        trace_ordered=False,
        init=ir.Block(),
        turn=ir.Block(),
        session=ir.Block(session),
        horizon=horizon,
        warmup=horizon / 10,
        seed=1,
    )


def open_queue(rate: float, stage: ir.StageKind, work: ir.Expr, horizon: float = 3000.0) -> ir.Program:
    return program(ir.Poisson(rate), (stage,), timed(run_at(0, work)), horizon)


def responses(what: ir.Program, first_seed: int = 1) -> Estimate:
    means = []
    for index in range(N_REPLICATIONS):
        result = run_program(what, seed=replication_seed(first_seed, index), clock="f64")
        assert result.status == "complete"
        means.append(result.report["observes"]["response"]["mean"])
    return estimate(means)


def check_mean(what: ir.Program, theory: float) -> None:
    measured = responses(what)
    assert measured.relative <= WIDEST, measured
    # Half again as wide as 95 %: seven programs must all agree, with seeds that nobody chose.
    assert abs(measured.mean - theory) <= 1.5 * measured.ci, (measured, theory)


def erlang_c(servers: int, load: float) -> float:
    """The probability to wait in M/M/c; `load` is the offered load in servers."""
    busy = load**servers / factorial(servers) * servers / (servers - load)
    return busy / (sum(load**k / factorial(k) for k in range(servers)) + busy)


def closed_throughput(population: int, think: float, service: float) -> float:
    """Sessions per clock unit of the machine-repair model, from its birth and death equations."""
    weights = [1.0]
    for k in range(1, population + 1):
        weights.append(weights[-1] * (population - k + 1) * service / think)
    return (1.0 - weights[0] / sum(weights)) / service


@pytest.mark.parametrize("load", [0.5, 0.7])
def test_single_exponential_server(load: float) -> None:
    check_mean(open_queue(load, ir.Fifo(1), draw("Exp", 1.0)), 1.0 / (1.0 - load))


@pytest.mark.parametrize(
    ("work", "second_moment"),
    [
        (draw("Det", 1.0), 1.0),
        (draw("Erlang", 4, 1.0), 1.25),
        (draw("H2", 1.0, 3.0), 4.0),
        (draw("Uniform", 0.5, 1.5), 1.0 + 1.0 / 12.0),
    ],
    ids=["deterministic", "erlang", "hyperexponential", "uniform"],
)
def test_pollaczek_and_khinchine(work: ir.Expr, second_moment: float) -> None:
    load = 0.6
    check_mean(open_queue(load, ir.Fifo(1), work, 4000.0), 1.0 + load * second_moment / (2.0 * (1.0 - load)))


@pytest.mark.parametrize(("servers", "load"), [(2, 1.4), (5, 4.0)])
def test_several_servers(servers: int, load: float) -> None:
    theory = 1.0 + erlang_c(servers, load) / (servers - load)
    check_mean(open_queue(load, ir.Fifo(servers), draw("Exp", 1.0), 2000.0), theory)


@pytest.mark.parametrize("work", [draw("Exp", 1.0), draw("H2", 1.0, 3.0)], ids=["exponential", "hyperexponential"])
def test_processor_sharing_is_insensitive(work: ir.Expr) -> None:
    check_mean(open_queue(0.6, ir.Ps(number(1.0)), work, 2500.0), 1.0 / (1.0 - 0.6))


@pytest.mark.parametrize("population", [3, 8])
def test_closed_population(population: int) -> None:
    think, service = 4.0, 1.0
    session = (ir.Loop(ir.Block((run_at(1, draw("Exp", think)), *timed(run_at(0, draw("Exp", service)))))),)
    what = program(ir.Closed(population), (ir.Fifo(1), ir.Delay()), session, 2500.0)
    check_mean(what, population / closed_throughput(population, think, service) - think)
