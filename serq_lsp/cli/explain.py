"""`serq-lsp explain CODE`: the page of one diagnostic."""

from __future__ import annotations

import click

from serq_interpreter.catalog import Entry, all_entries
from serq_lsp.cli import exit_codes


@click.command()
@click.argument("codes", nargs=-1, metavar="[CODE…]")
def command(codes: tuple[str, ...]) -> int:
    """Explain diagnostics by code (`SQ0301`) or name (`unused-pool`); without one, list them all.

    The start of a code (`SQ08`) explains its whole group.
    """
    if not codes:
        for item in all_entries():
            click.echo(f"{item.code}  {item.severity:<7}  {item.name}")
        return exit_codes.OK
    pages = [item for code in codes for item in _find(code)]
    click.echo("\n\n\n".join(page(item) for item in pages))
    return exit_codes.OK


def _find(text: str) -> list[Entry]:
    """The entry of a code or name; all of those whose codes start with `text` when it is the start of a code."""
    wanted = text.strip()
    found = [item for item in all_entries() if wanted.upper() == item.code or wanted.lower() == item.name]
    if not found and len(wanted) >= 3:
        found = [item for item in all_entries() if item.code.startswith(wanted.upper())]
    if found:
        return found
    from difflib import get_close_matches

    near = get_close_matches(wanted.lower(), [item.name for item in all_entries()], 1)
    hint = f"; did you mean `{near[0]}`?" if near else "; `serq-lsp explain` lists them all"
    raise click.ClickException(f"no diagnostic has the code or name `{text}`{hint}")


def page(item: Entry) -> str:
    """The explanation as text for a terminal."""
    parts = [f"{item.code} {item.name} ({item.severity})", _paragraphs(item.why)]
    if item.help:
        help = item.help.replace("{{", "{").replace("}}", "}")
        parts.append(f"What to do: {_paragraphs(help)}")
    if item.wrong:
        parts.append("Wrong:\n\n" + _indent(item.wrong))
    if item.right:
        parts.append("Right:\n\n" + _indent(item.right))
    if item.unshown:
        parts.append(f"No example: {item.unshown}")
    if item.spec:
        parts.append(f"Reference: {item.spec}")
    return "\n\n".join(part for part in parts if part)


def _paragraphs(text: str) -> str:
    import inspect

    return inspect.cleandoc(text)


def _indent(text: str) -> str:
    lines = text.strip("\n").splitlines()
    return "\n".join("    " + line for line in lines)
