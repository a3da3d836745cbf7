"""`serq-lsp draw`: the automaton or the deployment of a program as a graph."""

from __future__ import annotations

import shutil
import subprocess
from typing import Any

import click

from serq_lsp.cli import exit_codes
from serq_lsp.cli.options import overrides


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--view", type=click.Choice(["automaton", "deployment"]), default="deployment", show_default=True)
@click.option("--format", "form", type=click.Choice(["mermaid", "dot", "svg"]), default="mermaid", show_default=True)
@click.option("--out", "output", type=click.Path(dir_okay=False), help="Write there instead of to standard output.")
@overrides
def command(**given: Any) -> int:
    """Draw FILE (`.sq`, IR `.json`, or `-`).  SVG needs Graphviz' `dot` on the PATH."""
    from serq_lsp.cli.check import write_output
    from serq_lsp.cli.loading import load
    from serq_lsp.services.drawing.graph import to_dot, to_mermaid

    loaded = load(given["file"], given)
    if loaded is None:
        return exit_codes.FINDINGS
    graph = _graph(loaded.program, given["view"])
    text = to_mermaid(graph) if given["form"] == "mermaid" else to_dot(graph)
    write_output(_svg(text) if given["form"] == "svg" else text, given["output"])
    return exit_codes.OK


def _graph(program: Any, view: str) -> Any:
    if view == "deployment":
        from serq_lsp.services.drawing.deployment_graph import deployment_graph

        return deployment_graph(program)
    from serq_interpreter.machine.compile_automaton import compile_automaton
    from serq_lsp.services.drawing.automaton_graph import automaton_graph

    return automaton_graph(compile_automaton(program))


def _svg(dot: str) -> str:
    program = shutil.which("dot")
    if program is None:
        raise click.ClickException("SVG needs Graphviz: install it, or use --format dot or mermaid")
    done = subprocess.run([program, "-Tsvg"], input=dot, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise click.ClickException(f"dot failed: {done.stderr.strip()}")
    return done.stdout
