"""`serq.explore` through a real client: the answer, the diagnostic with its way, the lens."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from lsprotocol import types

from tests.e2e.test_simulation import Session, started
from tests.explore.instances import CROSSED

ONE_ORDER = CROSSED.replace("hold b (1) { run think (1); hold a (1)", "hold a (1) { run think (1); hold b (1)")


@pytest_asyncio.fixture
async def session(tmp_path: Path) -> AsyncIterator[Session]:
    async with started(tmp_path) as session:
        yield session


async def diagnostics(session: Session) -> list[types.Diagnostic]:
    """What exploring has found, as the client is told when it asks."""
    report = await session.client.text_document_diagnostic_async(
        types.DocumentDiagnosticParams(types.TextDocumentIdentifier(session.uri))
    )
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
    return [item for item in report.items if item.source == "serq-explore"]


@pytest.mark.asyncio
async def test_a_deadlock_is_shown_where_it_happens(session: Session) -> None:
    session.open(CROSSED)
    lenses = await session.client.text_document_code_lens_async(
        types.CodeLensParams(types.TextDocumentIdentifier(session.uri))
    )
    assert "explore" in [lens.command.title for lens in lenses or () if lens.command is not None]
    assert await diagnostics(session) == []
    found = await session.command("serq.explore")
    assert (found["outcome"], found["complete"]) == ("violated", False)
    violation = found["violations"][0]
    assert violation["kind"] == "deadlock"
    assert violation["range"]["start"] == {"line": 7, "character": 42}
    assert any("waits" in step["label"] and step["range"]["start"]["line"] == 7 for step in violation["trace"])
    told = await diagnostics(session)
    assert [item.code for item in told] == ["SQ1301"]
    assert any("session 0 takes 1 of `b`" in related.message for related in told[0].related_information or ())
    session.change(CROSSED + "// another text")
    assert await diagnostics(session) == []


@pytest.mark.asyncio
async def test_nothing_is_found_in_one_order_or_with_room(session: Session) -> None:
    session.open(ONE_ORDER)
    found = await session.command("serq.explore", {"sessions": 3})
    assert (found["outcome"], found["complete"], found["violations"]) == ("holds", True, [])
    session.change(CROSSED)
    roomy = await session.command("serq.explore", {"caps": {"a": 2}})
    assert roomy["outcome"] == "holds"
    part = await session.command("serq.explore", {"maxStates": 5})
    assert part["outcome"] == "limit"


@pytest.mark.asyncio
async def test_what_cannot_be_explored_is_said(session: Session) -> None:
    session.open("pool kv { cap 1; }")
    with pytest.raises(Exception, match=r"library|run"):
        await session.command("serq.explore")
    session.change(CROSSED)
    with pytest.raises(Exception, match="no pool `c`"):
        await session.command("serq.explore", {"caps": {"c": 2}})
    with pytest.raises(Exception, match="sessions"):
        await session.command("serq.explore", {"sessions": 0})
