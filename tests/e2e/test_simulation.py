"""Background simulation through the protocol: numbers, diagnostics of runs, and which edits start runs."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.uris import to_fs_path
from pytest_lsp import ClientServerConfig, LanguageClient, make_test_lsp_client

from serq_interpreter.catalog import Entry, all_entries
from tests.rules.examples import marked

ENTRIES = [item for item in all_entries() if item.code in ("SQ1201", "SQ1202", "SQ1203", "SQ1205", "SQ1206", "SQ1207")]
PATIENCE = 60.0
"""Seconds after which a test gives up waiting."""

MM1 = """stage svc : fifo;
workload { arrive poisson(0.5); }
session { set t = now; run svc (~exp(1)); observe response = now - t; end; }
run { horizon 3000; warmup 100; }
"""


class Listener:
    """The client's ear for `serq/…` notifications."""

    def __init__(self) -> None:
        self.status: list[dict[str, Any]] = []
        self.results: list[dict[str, Any]] = []
        self.changed = asyncio.Event()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until the condition holds."""

        async def watch() -> None:
            while not condition():
                self.changed.clear()
                await self.changed.wait()

        await asyncio.wait_for(watch(), PATIENCE)

    async def settled(self, generation: int = 1) -> None:
        """Wait until the run of this generation, or a later one, has ended."""
        await self.until(
            lambda: (
                bool(self.status)
                and self.status[-1]["generation"] >= generation
                and self.status[-1]["state"] in ("idle", "failed")
            )
        )


def plain(value: Any) -> Any:
    """What the protocol library makes of an unknown object, as dictionaries."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


class Session:
    """One document in one client."""

    def __init__(self, client: LanguageClient, listener: Listener, uri: str) -> None:
        self.client = client
        self.heard = listener
        self.uri = uri
        self.version = 0

    def open(self, text: str) -> None:
        self.version = 1
        item = types.TextDocumentItem(self.uri, "serq", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, text: str) -> None:
        self.version += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version=self.version, uri=self.uri),
                [types.TextDocumentContentChangeWholeDocument(text=text)],
            )
        )

    def configure(self, section: dict[str, Any]) -> None:
        """Push settings."""
        self.client.workspace_did_change_configuration(types.DidChangeConfigurationParams({"serq": section}))

    async def hints(self) -> list[str]:
        everything = types.Range(types.Position(0, 0), types.Position(10_000, 0))
        params = types.InlayHintParams(types.TextDocumentIdentifier(self.uri), everything)
        return [str(hint.label) for hint in await self.client.text_document_inlay_hint_async(params) or ()]

    async def run_diagnostics(self) -> list[types.Diagnostic]:
        params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(self.uri))
        report = await self.client.text_document_diagnostic_async(params)
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        return [item for item in report.items if item.source == "serq-sim"]

    async def command(self, name: str, *arguments: Any) -> Any:
        params = types.ExecuteCommandParams(name, [self.uri, *arguments])
        return plain(await self.client.workspace_execute_command_async(params))


@asynccontextmanager
async def started(
    folder: Path, trusted: bool = True, window: types.WindowClientCapabilities | None = None
) -> AsyncIterator[Session]:
    """A server with one document that is not open yet."""
    config = ClientServerConfig(
        server_command=[sys.executable, "-m", "serq_lsp", "lsp"],
        client_factory=make_test_lsp_client,
        server_env={"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    client = await config.start()
    listener = Listener()

    @client.feature("serq/status")
    def on_status(params: Any) -> None:
        listener.status.append(plain(params))
        listener.changed.set()

    @client.feature("serq/results")
    def on_results(params: Any) -> None:
        listener.results.append(plain(params))
        listener.changed.set()

    capabilities = types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(diagnostic=types.DiagnosticClientCapabilities()),
        window=window,
    )
    await client.initialize_session(
        types.InitializeParams(capabilities, initialization_options={"protocol": 1, "trusted": trusted})
    )
    yield Session(client, listener, (folder / "program.sq").as_uri())
    await client.shutdown_session()


@pytest_asyncio.fixture
async def session(tmp_path: Path) -> AsyncIterator[Session]:
    async with started(tmp_path) as session:
        yield session


@pytest.mark.asyncio
@pytest.mark.parametrize("item", ENTRIES, ids=lambda item: item.code)
async def test_a_fault_of_a_run_is_shown_at_its_place_until_it_is_mended(session: Session, item: Entry) -> None:
    session.open(item.wrong)
    await session.heard.settled()
    found = await session.run_diagnostics()
    assert [one.code for one in found] == [item.code]
    at = found[0].range
    assert (at.start.line + 1, at.start.character + 1, at.end.character + 1) == marked(item.wrong)
    session.change(item.right)
    await session.heard.settled(generation=2)
    assert await session.run_diagnostics() == []


@pytest.mark.asyncio
async def test_numbers_stand_beside_their_statements(session: Session) -> None:
    session.open(MM1)
    await session.heard.settled()
    hints = await session.hints()
    assert [text.split()[1] for text in hints] == ["busy", "mean", "steady"]
    assert "±" in hints[1] and "p99" in hints[1]


LONG = MM1.replace("horizon 3000; warmup 100", "horizon 100000000; warmup 50000000")


@pytest.mark.asyncio
async def test_a_long_run_shows_shorter_ones_first_until_it_is_edited(session: Session) -> None:
    """The whole run would still be in its warm-up after an hour."""
    session.open(LONG)
    await session.heard.until(lambda: bool(session.heard.results))
    hints = await session.hints()
    assert all(text.startswith("≈ ") for text in hints) and hints[-1].endswith(" of 1e+08 s")
    first = await session.command("serq.results")
    assert first["insteadOf"] == {"horizon": 1e8, "warmup": 5e7} and first["state"] == "running"
    longest = first["run"]["end"]
    await session.heard.until(lambda: len(session.heard.results) > 2)
    later = await session.command("serq.results")
    assert later["run"]["end"] >= longest and later["observations"][0]["count"] > 0
    session.change(MM1)
    await session.heard.settled(generation=2)
    assert all(text.startswith("= ") for text in await session.hints())


@pytest.mark.asyncio
async def test_shorter_runs_can_be_switched_off(session: Session) -> None:
    session.configure({"simulation": {"shorterRuns": False, "budget": {"seconds": 0.5}}})
    session.open(LONG)
    await session.heard.settled()
    assert not any(text.startswith("≈") for text in await session.hints())
    assert (await session.command("serq.results", {"timeline": False}))["insteadOf"] is None
    session.configure({"simulation": {"shorterRuns": True, "budget": {"seconds": 1.5}}})
    await session.heard.settled(generation=2)
    found = await session.command("serq.results", {"timeline": False})
    assert found["state"] == "partial" and found["insteadOf"] == {"horizon": 1e8, "warmup": 5e7}


@pytest.mark.asyncio
async def test_an_edit_of_a_comment_or_a_name_starts_no_run(session: Session) -> None:
    session.open(MM1)
    await session.heard.settled()
    before = await session.hints()
    session.change("// what a queue does\n" + MM1)
    assert await session.hints() == before
    renamed = "// what a queue does\n" + MM1.replace("svc", "server0").replace("response", "time_in_system")
    session.change(renamed)
    assert await session.hints() == before
    answer = await session.command("serq.run")
    assert answer == {"generation": 1}
    results = await session.command("serq.results", {"timeline": False})
    assert (results["generation"], results["stale"]) == (1, False)
    assert results["observations"][0]["name"] == "time_in_system"
    assert results["stages"][0]["name"] == "server0"
    assert max(status["generation"] for status in session.heard.status) == 1


@pytest.mark.asyncio
async def test_an_edit_of_a_constant_makes_hints_stale_before_new_ones_come(session: Session) -> None:
    session.open(MM1)
    await session.heard.settled()
    session.change(MM1.replace("poisson(0.5)", "poisson(0.7)"))
    stale = await session.hints()
    assert stale and all(text.startswith("~") for text in stale)
    await session.heard.settled(generation=2)
    fresh = await session.hints()
    assert all(text.startswith("=") for text in fresh)
    assert len(fresh) == len(stale) and len(fresh[0]) == len(stale[0])
    results = await session.command("serq.results", {"timeline": False})
    delta = results["observations"][0]["delta"]
    assert delta["significant"] and delta["mean"] > 0


@pytest.mark.asyncio
async def test_many_edits_start_a_handful_of_runs_and_leave_one(session: Session) -> None:
    session.open(MM1)
    await session.heard.settled()
    for number in range(20):
        session.change(MM1.replace("poisson(0.5)", f"poisson(0.{100 + number})"))
        await asyncio.sleep(0.05)
    last = MM1.replace("poisson(0.5)", "poisson(0.119)")
    session.change(last)
    answer = await session.command("serq.run", {"wait": True})
    assert answer["state"] == "final" and not answer["stale"]
    assert answer["generation"] <= 8
    await session.heard.settled(generation=answer["generation"])
    assert session.heard.status[-1]["state"] == "idle"


@pytest.mark.asyncio
async def test_a_library_and_a_broken_program_are_answered_with_an_error(session: Session) -> None:
    session.open("stage svc : fifo\nworkload { arrive poisson(; }\n")
    with pytest.raises(Exception, match="line"):
        await session.command("serq.run")
    assert await session.command("serq.results") is None


@pytest.mark.asyncio
@pytest.mark.parametrize("support", [True, False])
async def test_the_event_log_is_opened_as_a_document(tmp_path: Path, support: bool) -> None:
    window = types.WindowClientCapabilities(show_document=types.ShowDocumentClientCapabilities(support))
    async with started(tmp_path, window=window) as session:
        session.open(MM1)
        with pytest.raises(Exception, match="nothing has run"):
            await session.command("serq.events")
        await session.heard.settled()
        session.change(MM1.replace("svc", "server0"))
        answer = await session.command("serq.events", {"limit": 40, "from": 10})
        assert (answer["events"], answer["truncated"]) == (40, True)
        shown = [params.uri for params in session.client.shown_documents]
        assert shown == ([answer["uri"]] if support else [])
        path = Path(to_fs_path(answer["uri"]) or "")
        lines = path.read_text(encoding="utf-8").splitlines()
        assert len(lines) == 3 + 40 + 1 and any("joins server0" in line for line in lines)
        assert support or any(str(path) in message.message for message in session.client.messages)
        lenses = await session.client.text_document_code_lens_async(
            types.CodeLensParams(types.TextDocumentIdentifier(session.uri))
        )
        assert "open events" in [lens.command.title for lens in lenses or () if lens.command is not None]
    assert not path.exists()


SWEPT = "let lam = 0.5;\n" + MM1.replace("poisson(0.5)", "poisson(lam)")


@pytest.mark.asyncio
async def test_what_is_made_of_runs(session: Session) -> None:
    session.open(SWEPT)
    await session.heard.settled()
    results = await session.command("serq.results", {"timeline": {"first": 3, "limit": 2}})
    assert [one["serial"] for one in results["timeline"]["sessions"]] == [3, 4]
    slowest = await session.command("serq.explainSlowest", {"observation": "response"})
    assert sum(part["share"] for part in slowest["parts"]) == pytest.approx(1.0, abs=0.01)
    assert slowest["value"] == pytest.approx(results["observations"][0]["p99"], rel=0.001)
    sweep = await session.command("serq.sweep", {"constant": "lam", "factors": [0.5, 1, 3]})
    assert [point["value"] for point in sweep["points"]] == [0.25, 0.5, 1.5]
    assert sweep["points"][2]["verdict"] == "overloaded" and sweep["cliff"] == 1.5
    lenses = await session.client.text_document_code_lens_async(
        types.CodeLensParams(types.TextDocumentIdentifier(session.uri))
    )
    titles = [lens.command.title for lens in lenses or () if lens.command is not None]
    assert sweep["text"] in titles and "▶ run" in titles
    automaton = await session.command("serq.automaton")
    assert [state["kind"] for state in automaton["states"]][:3] == ["set", "run", "observe"]
    assert any("breaks away" in message.message for message in session.client.messages)


@pytest.mark.asyncio
async def test_before_and_after(session: Session) -> None:
    session.open(SWEPT)
    await session.heard.settled()
    with pytest.raises(Exception, match="no baseline"):
        await session.command("serq.compare")
    pinned = await session.command("serq.pinBaseline")
    assert pinned["baseline"]["pinned"] and pinned["baseline"]["generation"] == 1
    session.change(SWEPT.replace("lam = 0.5", "lam = 0.7"))
    await session.heard.settled(generation=2)
    compared = await session.command("serq.compare")
    assert compared["rows"][0]["name"] == "response" and compared["rows"][0]["delta"]["significant"]
    assert any("Δ" in text for text in await session.hints())
    hover = await session.client.text_document_hover_async(
        types.HoverParams(
            types.TextDocumentIdentifier(session.uri), types.Position(3, SWEPT.split("\n")[3].index("response"))
        )
    )
    assert hover is not None and isinstance(hover.contents, types.MarkupContent)
    assert "Against the baseline" in hover.contents.value and "histogram" in hover.contents.value


@pytest.mark.asyncio
@pytest.mark.parametrize("given", [(), (3,), ("file:///not-open.sq",)])
async def test_arguments_that_make_no_sense_are_refused(session: Session, given: tuple[Any, ...]) -> None:
    session.open(MM1)
    for name in ("serq.run", "serq.stop", "serq.results", "serq.sweep", "serq.tests"):
        with pytest.raises(Exception, match="open"):
            await session.client.workspace_execute_command_async(types.ExecuteCommandParams(name, list(given)))
    for options in ({"points": "many"}, {"points": 1}):
        with pytest.raises(Exception, match="points"):
            await session.command("serq.run", {"wait": True})
            await session.command("serq.results", options)


@pytest.mark.asyncio
async def test_an_untrusted_workspace_runs_nothing_by_itself(tmp_path: Path) -> None:
    async with started(tmp_path, trusted=False) as session:
        session.open(MM1)
        await session.hints()
        await session.heard.until(lambda: bool(session.heard.status))
        await asyncio.sleep(0.6)
        assert {status["state"] for status in session.heard.status} == {"idle"}
        answer = await session.command("serq.run", {"wait": True})
        assert answer["state"] == "final"


@pytest.mark.asyncio
async def test_settings_give_values_and_severities(session: Session, tmp_path: Path) -> None:
    session.open(SWEPT)
    await session.heard.settled()
    instance = tmp_path / "busy.toml"
    instance.write_text("lam = 3\n", encoding="utf-8")
    session.configure({"values": {"program.sq": "busy.toml"}})
    await session.heard.settled(generation=2)
    assert (await session.hints())[-1].endswith("with busy.toml")
    assert [item.code for item in await session.run_diagnostics()] == ["SQ1206"]
    session.configure({"values": {"program.sq": "busy.toml"}, "simulation": {"severity": {"overloaded": "off"}}})
    assert await session.run_diagnostics() == []
    instance.write_text("lam = 0.25\n", encoding="utf-8")
    change = types.FileEvent(instance.as_uri(), types.FileChangeType.Changed)
    session.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
    assert all(text.startswith("~") for text in await session.hints())
    await session.heard.settled(generation=3)
    results = await session.command("serq.results", {"timeline": False})
    assert results["stamp"]["instance"] == "busy.toml" and results["verdict"]["state"] == "steady"


TRACED = """stage user : delay;
workload {
  arrive poisson(0.8);
  trace "load.csv";
  session { turn; request; }
}
server { run user (new); observe said = new; }
run { horizon 100; }
"""
HEAD = "session,turn,new,out,think\n"


@pytest.mark.asyncio
async def test_a_trace_that_is_written_anew_is_run_again(session: Session, tmp_path: Path) -> None:
    trace = tmp_path / "load.csv"
    trace.write_text(HEAD + "1,1,4,2,0\n", encoding="utf-8")
    session.open(TRACED)
    await session.heard.settled()
    trace.write_text(HEAD + "1,1,4,2,0\n2,1,400,2,0\n", encoding="utf-8")
    change = types.FileEvent(trace.as_uri(), types.FileChangeType.Changed)
    session.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
    await session.heard.settled(generation=2)
