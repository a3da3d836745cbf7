"""The console script `serq-lsp`, also `python -m serq_lsp`."""

from __future__ import annotations


def main() -> None:
    """Run the command line; never returns normally."""
    from serq_lsp.cli.main import run_command_line

    run_command_line()


if __name__ == "__main__":
    main()
