"""`serq-lsp lsp`: serve the protocol over standard input and output, a socket or a web socket."""

from __future__ import annotations

import logging
import sys

import click


@click.command()
@click.option("--stdio", is_flag=True, help="Serve over standard input and output (the default).")
@click.option("--tcp", metavar="HOST:PORT", help="Serve one client over a socket.")
@click.option("--ws", metavar="HOST:PORT", help="Serve over a web socket (browsers, tests).")
@click.option("--log-file", type=click.Path(dir_okay=False), help="Write the log there instead of to standard error.")
@click.option("--log-level", type=click.Choice(["debug", "info", "warning", "error"]), default="warning")
def command(stdio: bool, tcp: str | None, ws: str | None, log_file: str | None, log_level: str) -> int:
    """Serve the Language Server Protocol.  Standard output carries the protocol only."""
    if sum((stdio, tcp is not None, ws is not None)) > 1:
        raise click.UsageError("--stdio, --tcp and --ws exclude each other")
    address = _address(tcp or ws)
    _log_to(log_file, log_level)
    from serq_lsp.protocol.server import create_server

    server = create_server()
    server.tidying.start()
    if address is None:
        server.start_io()
    elif tcp is not None:
        server.start_tcp(*address)
    else:
        server.start_ws(*address)
    return 0


def _address(text: str | None) -> tuple[str, int] | None:
    if text is None:
        return None
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdigit() or int(port) > 65535:
        raise click.UsageError(f"{text!r} is not of the form HOST:PORT")
    return host.strip("[]") or "127.0.0.1", int(port)


def _log_to(log_file: str | None, level: str) -> None:
    form = "%(asctime)s %(levelname)s %(name)s: %(message)s"
    if log_file is None:
        logging.basicConfig(stream=sys.stderr, level=level.upper(), format=form)
        return
    try:
        logging.basicConfig(filename=log_file, level=level.upper(), format=form, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{log_file}: cannot be written: {error.strerror}") from error
