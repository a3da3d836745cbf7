"""Print a digest of what every program comes to: `python -m tests.machine.digests [--events] [--generated N] [AREA…]`.

Two processes, with and without the log of events, must print the same.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.report import report_json
from serq_interpreter.machine.run import Budget, Run
from serq_lsp.cli.simulation.event_file import event_file
from tests.machine.forms import CLOCKS, corpus_programs, generated_programs

MOST_EVENTS = Budget(events=50_000)
LARGEST = ("cases/constants/constants_batch-largest.sq",)
"""A million sessions at once: the log alone would have a gigabyte."""


def digests(areas: Sequence[str], generated: int, events: bool) -> Iterator[tuple[str, str]]:
    """Name and digest of the report's JSON, for both clocks."""
    programs = [*corpus_programs(), *generated_programs(0, generated)]
    with tempfile.TemporaryDirectory() as folder:
        for name, make, options in programs:
            if name in LARGEST or (areas and "/" in name and name.split("/")[-2] not in areas):
                continue
            try:
                program = make()
            except ValueError:  # a case whose point is a compile-time error
                continue
            for clock in CLOCKS:
                try:
                    run = Run(program, clock=clock, **options)  # type: ignore[arg-type]
                except RunError as error:
                    yield f"{name} [{clock}]", error.code
                    continue
                with ExitStack() as stack:
                    if events:
                        stack.enter_context(event_file(run, str(Path(folder) / "events.jsonl"), ()))
                    result = run.go(MOST_EVENTS)
                failure = "" if result.error is None else f"{result.error.code} {result.error.message}"
                text = report_json(result.report) + failure
                yield f"{name} [{clock}]", hashlib.sha256(text.encode()).hexdigest()


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", action="store_true")
    parser.add_argument("--generated", type=int, default=0)
    parser.add_argument("areas", nargs="*")
    options = parser.parse_args(arguments)
    for name, digest in digests(options.areas, options.generated, options.events):
        print(digest, name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
