"""The front end beside the reference implementation: time and memory of a check, from scratch and after an edit.

    python benchmarks/front_end.py            every figure, seven rounds
    python benchmarks/front_end.py -n 15      fifteen rounds

Each figure is the median of its rounds (the lowest in brackets), beside its target.  Times are processor time, which on
an idle machine is what a clock shows and on a busy one still means something (everything here runs on one core).  A round
measures every program once with us and once with the reference.  `cold` is a whole process, from its start to its end;
the reference's is a Python process that imports it and compiles the same text.  The byte code of the project is written
before, as an installation does.
"""

from __future__ import annotations

import argparse
import compileall
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import process_time

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "interpreter"), str(HERE.parent / "grammar")]

import pyserq  # noqa: E402 - the paths come first

from serq_interpreter.frontend.analysis import Analysis, analyse  # noqa: E402

_UNIT = """\
// replica $: a memory, an engine and what it serves
pool kv$ { cap 1000; block 16; evict lru; preempt lifo; queue by (-waited); admit via engine$; }
stage engine$ : step {
  cost 0.01 + 0.0002 * tokens + 0.00001 * kv_decode;
  budget 2048;
  memory kv$;
}
def serve$(prompt, answer) {
  hold kv$ (prompt) {
    run engine$ prefill (prompt) growing kv$;
    run engine$ decode (answer) growing kv$;
    observe latency$ = now - started$;
  } cache (prompt + answer)
}
gauge used$ = used(kv$);
claim served$ : at end (count(latency$) >= 0);
"""


def program(lines: int) -> str:
    """A program of about this many lines: replicas with a memory and an engine each, and a session that visits all."""
    units = max(1, round((lines - 14) / 18))
    numbers = range(units)
    starts = " ".join(f"set started{number} = 0;" for number in numbers)
    visits = "\n".join(f"  set started{number} = now; serve{number}(10, 20);" for number in numbers)
    return (
        "stage desk : fifo;\n"
        + "".join(_UNIT.replace("$", str(number)) for number in numbers)
        + f"workload {{\n  arrive poisson(1);\n  init {{ {starts} }}\n}}\n"
        + f"session {{\n{visits}\n  run desk (1);\n  end;\n}}\nrun {{ horizon 100; warmup 10; }}\n"
    )


@dataclass(slots=True)
class Row:
    """One figure: seconds of ours and, where it has any, of the reference, one per round."""

    name: str
    target: float
    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)

    def line(self) -> str:
        """The figure as a line of the table."""
        own = f"{median(self.ours) * 1e3:8.1f} ({min(self.ours) * 1e3:.1f}) ms"
        met = "meets" if median(self.ours) <= self.target else "misses"
        text = f"{self.name:34} {own:>22}   {met} {self.target * 1e3:.0f} ms"
        if self.theirs:
            ratio = median(own / other for own, other in zip(self.ours, self.theirs, strict=True))
            text += f"   reference {median(self.theirs) * 1e3:.1f} ms, {ratio:.1f} times as long"
        return text


def _timed(action: Callable[[], object]) -> float:
    start = process_time()
    action()
    return process_time() - start


def _warm(row: Row, text: str) -> None:
    row.ours.append(_timed(lambda: analyse(text, "benchmark.sq")))
    row.theirs.append(_timed(lambda: pyserq.compile(source=text)))


def _edited(row: Row, before: Analysis, old: str, new: str, number: int) -> None:
    """One edit inside one item; every round makes another one."""
    text = before.text.replace(old, new.format(number), 1)
    row.ours.append(_timed(lambda: analyse(text, "benchmark.sq", previous=before)))
    row.theirs.append(_timed(lambda: pyserq.compile(source=text)))


def _process(command: list[str]) -> float:
    """Processor seconds of a process that is to end with 0 or 1."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)}: exit code {child.returncode}")
    return usage.ru_utime + usage.ru_stime


_MEMORY = """\
import atexit, re, sys
def report():
    with open("/proc/self/status") as status:
        print(re.search(r"VmHWM:\\s*(\\d+)", status.read())[1], file=sys.stderr)
atexit.register(report)
from serq_lsp.__main__ import main
sys.argv = ["serq-lsp", "check", sys.argv[1]]
main()
"""
"""The peak is the process's own word: what `wait4` says includes the parent that it was forked from."""


def _peak(path: Path) -> float:
    """MiB that a cold check has at most (Linux; elsewhere NaN)."""
    if not Path("/proc/self/status").exists():
        return float("nan")
    done = subprocess.run([sys.executable, "-c", _MEMORY, str(path)], capture_output=True, text=True, check=True)
    return int(done.stderr.split()[-1]) / 1024


_REFERENCE = "import sys, pyserq; pyserq.compile(source=open(sys.argv[1], encoding='utf-8').read())"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("-n", "--rounds", type=int, default=7)
    rounds: int = parser.parse_args().rounds
    texts = {lines: program(lines) for lines in (100, 300, 5000)}
    cold = Row("check, 100 lines, cold process", 0.180)
    warm = {lines: Row(f"from scratch, {lines} lines", target) for lines, target in ((300, 0.070), (5000, 1.2))}
    edits = {
        "one option of a pool": ("cap 1000", "cap 1{:03}"),
        "one statement of a definition": ("now - started0", "now - started0 + {}"),
        "one statement of the session": ("run desk (1)", "run desk ({})"),
        "a comment": ("// replica 3", "// member {}"),
    }
    edited = {name: Row(f"after an edit: {name}", 0.008) for name in edits}
    before = analyse(texts[300], "benchmark.sq")
    for package in ("serq_lsp", "interpreter/serq_interpreter"):
        compileall.compile_dir(HERE.parent / package, quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hundred.sq"
        path.write_text(texts[100], encoding="utf-8")
        peak = _peak(path)
        for number in range(rounds):
            cold.ours.append(_process([sys.executable, "-m", "serq_lsp", "check", str(path)]))
            cold.theirs.append(_process([sys.executable, "-c", _REFERENCE, str(path)]))
            for lines, row in warm.items():
                _warm(row, texts[lines])
            for name, (old, new) in edits.items():
                _edited(edited[name], before, old, new, number)
    counts = ", ".join(f"{lines}: {text.count(chr(10))}" for lines, text in texts.items())
    print(f"lines of the programs: {counts}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for row in (cold, *warm.values(), *edited.values()):
        print(row.line())
    print(f"{'peak memory of the cold check':34} {peak:8.1f} MiB; target 60 MiB")
    growth = median(warm[5000].ours) / median(warm[300].ours)
    size = texts[5000].count("\n") / texts[300].count("\n")
    print(f"{'growth from 300 to 5000 lines':34} {growth:8.1f} times the time for {size:.1f} times the lines")


if __name__ == "__main__":
    main()
