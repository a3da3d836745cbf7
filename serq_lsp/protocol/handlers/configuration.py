"""Settings: asked from the client where it answers, taken from what it pushes where it does not."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from serq_lsp.protocol.handlers.simulation import refresh
from serq_lsp.services.settings import read_settings

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer

logger = logging.getLogger(__name__)

SETTINGS_CHANGES = types.Registration("serq-settings", types.WORKSPACE_DID_CHANGE_CONFIGURATION, {"section": "serq"})

FILE_CHANGES = types.Registration(
    "serq-files",
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
    {"watchers": [{"globPattern": "**/*.{sq,csv,toml,json}"}]},
)
"""Libraries, traces and instance files."""


def register(server: SerqServer) -> None:
    """Add the methods of configuration."""

    @server.feature(types.INITIALIZED)
    async def initialized(ls: SerqServer, params: types.InitializedParams) -> None:
        del params
        take(ls, ls.options.get("settings"))
        try:
            wishes = list(_registrations(ls))
            if wishes:
                await ls.client_register_capability_async(types.RegistrationParams(wishes))
            await ask(ls)
        except JsonRpcException as error:
            logger.warning("the client refused to talk about settings: %s", error)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change_configuration(ls: SerqServer, params: types.DidChangeConfigurationParams) -> None:
        pushed = params.settings
        if isinstance(pushed, dict) and "serq" in pushed:
            take(ls, pushed["serq"])
        await ask(ls)


async def ask(ls: SerqServer) -> None:
    """Ask the client for the section `serq`, when it answers such questions."""
    workspace = ls.client_capabilities.workspace
    if workspace is None or not workspace.configuration:
        return
    items = [types.ConfigurationItem(section="serq")]
    answer = await ls.workspace_configuration_async(types.ConfigurationParams(items))
    if answer:
        take(ls, answer[0])


def take(ls: SerqServer, section: object) -> None:
    """Use new settings; what is wrong with them is said once."""
    settings, problems = read_settings(section)
    for problem in problems:
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Warning, f"serq settings: {problem}"))
    if settings.values == ls.documents.default_settings.values:
        return
    ls.documents.default_settings = settings
    for uri in list(ls.documents.open_uris):
        ls.events.changed(uri)
        refresh(ls, uri)


def _registrations(ls: SerqServer) -> Iterator[types.Registration]:
    """What this client can be asked to tell."""
    workspace = ls.client_capabilities.workspace
    settings = workspace.did_change_configuration if workspace is not None else None
    if settings is not None and settings.dynamic_registration:
        yield SETTINGS_CHANGES
    files = workspace.did_change_watched_files if workspace is not None else None
    if files is not None and files.dynamic_registration:
        yield FILE_CHANGES
