"""The language server: pygls wired to the services.  It only translates."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from importlib import import_module
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from serq_interpreter.ir.program import IR_VERSION
from serq_interpreter.syntax.edition import BASE as EDITION
from serq_interpreter.syntax.lines import LineIndex
from serq_interpreter.version import __version__
from serq_lsp.protocol.documents import Documents
from serq_lsp.protocol.errors import is_answer, without_answers
from serq_lsp.protocol.events import Events
from serq_lsp.protocol.guarantees import Guarantees
from serq_lsp.protocol.handlers import MODULES
from serq_lsp.protocol.live import LiveResults
from serq_lsp.protocol.positions import Converter
from serq_lsp.protocol.programs import Programs
from serq_lsp.protocol.progress import COMMAND_TOKEN
from serq_lsp.protocol.showing import Showing
from serq_lsp.protocol.tidying import Tidying
from serq_lsp.services.snapshot import Snapshot

logger = logging.getLogger(__name__)

PROTOCOL = 1
"""Version of what clients and this server say beyond the standard (editors/PROTOCOL.md)."""


class Pending(dict[Any, Any]):
    """What has not been answered yet.  pygls cancels everything in a loop over the items, which changes them."""

    def items(self) -> Any:
        """As they are now."""
        return list(super().items())


class SerqProtocol(LanguageServerProtocol):
    """The protocol, with what this server offers beyond the standard in its capabilities."""

    _capabilities = types.ServerCapabilities()

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._request_futures = Pending()

    @property
    def server_capabilities(self) -> types.ServerCapabilities:
        return self._capabilities

    @server_capabilities.setter
    def server_capabilities(self, capabilities: types.ServerCapabilities) -> None:
        capabilities.experimental = experimental()
        self._capabilities = capabilities

    def _execute_handler(self, msg_id: Any, handler: Any, callback: Any, args: Any = None, kwargs: Any = None) -> None:
        """Run a handler, and forget it when it has ended: pygls keeps what it knows of each notification for ever."""
        if isinstance(self._server, SerqServer):
            self._server.tidying.worked()
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.add_done_callback(lambda ended: self._forget_handler(msg_id, ended))

    def _forget_handler(self, msg_id: Any, ended: Any) -> None:
        if self._request_futures.get(msg_id) is ended:
            del self._request_futures[msg_id]

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Generator[Any, Any, None]:
        """A document is closed; closing one that is not open is no fault of ours."""
        if params.text_document.uri in self.workspace.text_documents:
            yield from super().lsp_text_document__did_close(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        """A document is changed; nobody knows the rest of one that is not open."""
        if params.text_document.uri in self.workspace.text_documents:
            yield from super().lsp_text_document__did_change(params)

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(self, params: types.ExecuteCommandParams) -> Generator[Any, Any, Any]:
        """Execute a command; what it reports goes under the client's token."""
        COMMAND_TOKEN.set(params.work_done_token)
        return (yield from super().lsp_workspace__execute_command(params))


class SerqServer(LanguageServer):
    """One server for one client."""

    def __init__(self) -> None:
        super().__init__("serq-lsp", __version__, protocol_cls=SerqProtocol, converter_factory=default_converter)
        self.documents = Documents(self._text_of)
        self.events = Events()
        self.hover_hooks: list[Callable[[Snapshot, int], str]] = []
        """More to say at a place: Markdown, or an empty text."""
        self.diagnostic_hooks: list[Callable[[Snapshot], list[types.Diagnostic]]] = []
        """More diagnostics of a snapshot, from runs."""
        self.live = LiveResults(self)
        """Background runs and what they found."""
        self.guarantees = Guarantees(self)
        self.showing = Showing(self)
        self.programs = Programs(self)
        self.tidying = Tidying()
        self.options: dict[str, Any] = {}
        """`initializationOptions` of the client."""
        self._converter: Converter | None = None

    @property
    def converter(self) -> Converter:
        """Converts positions in the encoding negotiated at the start."""
        if self._converter is None:
            encoding = self.server_capabilities.position_encoding
            self._converter = Converter(types.PositionEncodingKind(encoding or types.PositionEncodingKind.Utf16))
        return self._converter

    @property
    def trusted(self) -> bool:
        """Whether background runs may be started without being asked for."""
        return self.options.get("trusted", True) is not False

    def snapshot(self, uri: str) -> Snapshot | None:
        """The current snapshot of an open document."""
        return self.documents.snapshot(uri)

    def offset(self, snapshot: Snapshot, position: types.Position) -> int:
        """Where a position of the client stands in the snapshot's text."""
        return self.converter.offset(snapshot.lines, position)

    def range(self, lines: LineIndex, start: int, end: int) -> types.Range:
        """A range of a text for the client."""
        return self.converter.range(lines, start, end)

    def _text_of(self, uri: str) -> tuple[int, str] | None:
        document = self.workspace.text_documents.get(uri)
        return None if document is None else (document.version or 0, document.source)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """A failing feature is logged and answered with an error; it does not take the server down."""
        if is_answer(error):
            return
        logger.error("%s: %s", type(error).__name__, error, exc_info=error)
        del source


def create_server() -> SerqServer:
    """A server with every handler registered."""
    for name in ("pygls.protocol.json_rpc", "asyncio"):
        logging.getLogger(name).addFilter(without_answers)
    server = SerqServer()
    for name in MODULES:
        import_module(f"serq_lsp.protocol.handlers.{name}").register(server)

    @server.feature(types.INITIALIZE)
    def initialize(ls: SerqServer, params: types.InitializeParams) -> None:
        if isinstance(params.initialization_options, dict):
            ls.options = params.initialization_options

    return server


def experimental() -> dict[str, Any]:
    """What `capabilities.experimental` tells a client that knows this server."""
    return {"serq": {"protocol": PROTOCOL, "language": EDITION, "ir": IR_VERSION}}
