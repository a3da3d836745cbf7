"""Texts: open, change, save, close, and files that change on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from serq_lsp.protocol.documents import file_of

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer


def register(server: SerqServer) -> None:
    """Add the methods of text synchronisation."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: SerqServer, params: types.DidOpenTextDocumentParams) -> None:
        ls.documents.opened(params.text_document.uri)
        _changed(ls, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: SerqServer, params: types.DidChangeTextDocumentParams) -> None:
        _changed(ls, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(ls: SerqServer, params: types.DidSaveTextDocumentParams) -> None:
        ls.events.saved(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: SerqServer, params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        ls.documents.closed(uri)
        ls.events.closed(uri)
        _refresh_users(ls, uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(ls: SerqServer, params: types.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            _refresh_users(ls, change.uri)


def _changed(ls: SerqServer, uri: str) -> None:
    ls.events.changed(uri)
    _refresh_users(ls, uri)


def _refresh_users(ls: SerqServer, uri: str) -> None:
    """A library changed: the open programs that use it are analysed again."""
    for user in ls.documents.users_of(file_of(uri)):
        if user != uri:
            ls.documents.forget(user)
            ls.events.changed(user)
