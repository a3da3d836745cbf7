"""The command line: one module per command, imported only when the command is used."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from serq_interpreter.version import __version__
from serq_lsp.cli import exit_codes

COMMANDS: dict[str, tuple[str, str]] = {
    "check": ("serq_lsp.cli.check", "Report every fault of programs and libraries."),
    "run": ("serq_lsp.cli.run", "Simulate a program and print its report."),
    "sweep": ("serq_lsp.cli.sweep", "Run a program over a grid of constants."),
    "ir": ("serq_lsp.cli.ir", "Print a program's intermediate representation."),
    "fmt": ("serq_lsp.cli.fmt", "Format programs."),
    "explain": ("serq_lsp.cli.explain", "Explain a diagnostic code."),
    "draw": ("serq_lsp.cli.draw", "Draw a program's automaton or deployment."),
    "explore": ("serq_lsp.cli.explore", "Search every order of a small instance."),
    "lsp": ("serq_lsp.protocol.command", "Serve the Language Server Protocol."),
}
"""Command → (module that defines `command`, one-line help shown without importing it)."""


class LazyCommands(click.Group):
    """A group whose commands are imported on use, so that `check` does not pay for the server."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in COMMANDS if _exists(COMMANDS[name][0])]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        known = COMMANDS.get(cmd_name)
        if known is None or not _exists(known[0]):
            return None
        command: click.Command = import_module(known[0]).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, COMMANDS[name][1]) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def _exists(module: str) -> bool:
    from importlib.util import find_spec

    return find_spec(module) is not None


def _show_version(ctx: click.Context, times: int) -> None:
    if not times or ctx.resilient_parsing:
        return
    click.echo(f"serq-lsp, version {__version__}")
    if times > 1:
        from serq_interpreter.machine.native.loader import status

        click.echo(f"compiled loops (serq-lsp-native): {status()}")
        click.echo(f"numpy: {'installed' if _exists('numpy') else 'not installed'}")
    ctx.exit()


@click.group(cls=LazyCommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-V",
    "--version",
    count=True,
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, _param, times: _show_version(ctx, times),
    help="Show the version and exit; given twice (-VV), also which optional parts are used.",
)
def cli() -> None:
    """Check, run and edit serQ programs (`.sq`)."""


def run_command_line(arguments: list[str] | None = None) -> None:
    """Run one command and exit: 0 done, 1 findings, 2 usage or input, 3 our own fault, 130 interrupted."""
    _use_utf8()
    try:
        status = cli.main(args=arguments, prog_name="serq-lsp", standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(exit_codes.INTERRUPTED)
    except click.ClickException as error:
        error.show()
        sys.exit(exit_codes.USAGE)
    except KeyboardInterrupt:
        sys.exit(exit_codes.INTERRUPTED)
    except BrokenPipeError:
        # The reader went away (`| head`); nothing more can be said on this stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(exit_codes.OK)
    except Exception as error:  # noqa: BLE001 - the last line of defence: say that the fault is ours
        _report_own_fault(error)
        sys.exit(exit_codes.INTERNAL)
    sys.exit(status if isinstance(status, int) else exit_codes.OK)


def _use_utf8() -> None:
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def _report_own_fault(error: Exception) -> None:
    import traceback

    click.echo("serq-lsp: internal error: this is a fault of serq-lsp, not of your program.", err=True)
    click.echo(f"serq-lsp: {type(error).__name__}: {error}", err=True)
    if os.environ.get("SERQ_LSP_TRACEBACK"):
        traceback.print_exception(error)
    else:
        click.echo("serq-lsp: set SERQ_LSP_TRACEBACK=1 and run again for details to report.", err=True)
