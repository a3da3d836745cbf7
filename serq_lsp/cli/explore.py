"""`serq-lsp explore`: search every order of a small instance of a program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from serq_lsp.cli import exit_codes
from serq_lsp.cli.options import Seconds, Whole, overrides

if TYPE_CHECKING:
    from serq_lsp.cli.exploring import Outcome

KINDS = ("error", "deadlock", "livelock", "starvation", "claim", "stuck", "rejected")


class Capacity(click.ParamType):  # type: ignore[type-arg]  # generic only in newer releases of click
    """`POOL=N`."""

    name = "POOL=N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, float]:
        if isinstance(value, tuple):
            return value
        name, equals, number = str(value).partition("=")
        try:
            cap = float(number)
        except ValueError:
            self.fail(f"{value!r} is not of the form POOL=N", param, ctx)
        if not equals or not name.strip() or not cap >= 0.0:
            self.fail(f"{value!r} is not of the form POOL=N with N from 0", param, ctx)
        return name.strip(), cap


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--sessions", type=Whole(1, 1000), default=2, show_default=True, help="How many sessions come.")
@click.option(
    "--arrive",
    type=click.Choice(["law", "any"]),
    help="`any`: each at any time, in any order; `law`: all at time 0.  [default: any for poisson and renewal, else law]",
)
@click.option("--replace", is_flag=True, help="Whoever ends may be followed by another: so many are live at once.")
@click.option("--cap", "caps", type=Capacity(), multiple=True, help="Replace the capacity of a pool.")
@overrides
@click.option(
    "--values", type=Whole(1, 64), default=2, show_default=True, help="Values that stand for a continuous draw."
)
@click.option("--support", type=Whole(1, 1024), default=4, show_default=True, help="Most outcomes of a finite draw.")
@click.option("--find", "kinds", type=click.Choice(KINDS), multiple=True, help="Look for this only; repeatable.")
@click.option("--all", "every", is_flag=True, help="Go on after the first finding; tell each kind once.")
@click.option(
    "--states", type=Whole(1, 100_000_000), default=200_000, show_default=True, help="Stop after so many states."
)
@click.option("--depth", type=Whole(1, 1_000_000), help="Go no deeper than so many moves.")
@click.option("--seconds", type=Seconds(positive=True), default=60.0, show_default=True, help="Stop after so long.")
@click.option("--shrink", is_flag=True, help="Make sessions, constants and capacities smaller as long as it fails.")
@click.option("--semantics", type=click.Choice(["edition", "pure"]), default="edition", show_default=True)
@click.option("--reduction/--no-reduction", default=True, help="Without: tell apart what has the same future (slow).")
@click.option("--output", metavar="FILE", help="Write the way as a program (IR) whose run goes it.")
@click.option("--replay", metavar="FILE", help="Walk the way of an earlier `--format json` instead of searching.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(**given: Any) -> int:
    """Search every order of arrivals and events of a small instance of FILE, and the values of its draws.

    Finds deadlocks, livelocks, starvation, violated claims, sessions that are stuck or refused, and errors, and shows
    the shortest way there.

    Exit codes: 0 nothing found, 1 something found, 2 usage, unreadable input, an error of the program, or a search
    that its limits stopped before it had seen everything, 3 internal error, 130 interrupted.
    """
    from serq_lsp.cli.exploring import carry_out
    from serq_lsp.cli.loading import load

    given["sets"], given["defs"] = dict(given["sets"]), dict(given["defs"])
    if given["shrink"] and given["replay"]:
        raise click.UsageError("--shrink makes a search smaller; --replay does not search")
    loaded = load(given["file"], given)
    if loaded is None:
        return exit_codes.USAGE
    outcome = carry_out(loaded, given)
    click.echo(outcome.text, nl=False)
    return _status(outcome)


def _status(outcome: Outcome) -> int:
    if outcome.found:
        return exit_codes.FINDINGS
    return exit_codes.OK if outcome.complete else exit_codes.USAGE
