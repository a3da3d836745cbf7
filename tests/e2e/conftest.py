"""A real client and a real server over standard input and output."""

from __future__ import annotations

import sys

import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

COMMAND = [sys.executable, "-m", "serq_lsp", "lsp"]


@pytest_lsp.fixture(config=ClientServerConfig(server_command=COMMAND), scope="module", loop_scope="module")
async def client(lsp_client: LanguageClient):  # type: ignore[no-untyped-def]
    """A session with a client that can do what VS Code can, one for all tests of a module."""

    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(params: types.RegistrationParams) -> None:
        """Accept whatever the server wants to be told about."""

    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities("visual-studio-code"),
            root_uri=None,
            initialization_options={"protocol": 1, "trusted": False},
        )
    )
    yield
    await lsp_client.shutdown_session()
