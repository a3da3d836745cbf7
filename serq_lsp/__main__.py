"""The console script `serq-lsp`, also `python -m serq_lsp`."""

from __future__ import annotations

import gc

_YOUNG_OBJECTS = 10_000
"""New objects after which the cyclic collector looks at them.  Python's own 700 is reached 50 times while modules load,
and nothing is ever found there."""


def main() -> None:
    """Run the command line; never returns normally."""
    gc.set_threshold(_YOUNG_OBJECTS)
    from serq_lsp.cli.main import run_command_line

    run_command_line()


if __name__ == "__main__":
    main()
