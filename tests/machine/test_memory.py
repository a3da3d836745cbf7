"""A long run keeps a double per sample and no session that has left: a million sessions stay below 200 MiB."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

# `ru_maxrss` would be the peak of the process that started it, if that is larger; a program's own peak is `VmHWM`.
_CHILD = """
import json, sys
import serq_interpreter
program = serq_interpreter.compile(sys.argv[1], horizon=1_250_000)
report = program.run(record=False).fields
lines = dict(line.split(':', 1) for line in open('/proc/self/status'))
peak = int(lines['VmHWM'].split()[0]) // 1024
print(json.dumps({"arrivals": report["arrivals"], "peak MiB": peak}))
"""
_MM1 = """stage svc : fifo(1);
workload { arrive poisson(0.8); init { set s = ~exp(1); } session { request; end; } }
server { set t0 = now; run svc (s); observe response = now - t0; }
run { horizon 1000; warmup 100; seed 3; }
"""
_HELD = """stage svc : delay; pool places { cap 8; }
workload { arrive poisson(0.8); init { set s = ~exp(1); } session { request; end; } }
server { set t0 = now; hold places (1) { run svc (s); } observe response = now - t0; }
run { horizon 1000; warmup 100; seed 3; }
"""


@pytest.mark.full
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read where Linux tells it")
@pytest.mark.parametrize("text", [_MM1, _HELD], ids=["in local names", "with pools"])
def test_a_million_sessions(text: str) -> None:
    done = subprocess.run([sys.executable, "-c", _CHILD, text], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert found["arrivals"] > 990_000
    assert found["peak MiB"] <= 200, found
