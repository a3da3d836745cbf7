"""Every method of the language server, end to end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient

pytestmark = pytest.mark.asyncio(loop_scope="module")

PROGRAM = """let limit = 10;
pool kv { cap limit; }
stage eng : step { cost 1; memory kv; }
def twice(x) = 2 * x;
workload { arrive batch(1); hidden o; turn { set o = 3; } session { turn; request; } }
server { hold kv (1) { prefill twice(2) growing kv; observe seen = now; } }
run { horizon 10; }
"""


async def opened(client: LanguageClient, tmp_path: Path, text: str = PROGRAM) -> str:
    """Open a file with `text`; its URI."""
    path = tmp_path / "program.sq"
    path.write_text(text, encoding="utf-8")
    uri = path.as_uri()
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "serq", 1, text)))
    return uri


def place(text: str, word: str, offset: int = 0) -> types.Position:
    """The position of the first occurrence of `word`."""
    index = text.index(word) + offset
    line = text.count("\n", 0, index)
    return types.Position(line, index - (text.rfind("\n", 0, index) + 1))


def at(uri: str, word: str, offset: int = 0) -> dict[str, Any]:
    return {"text_document": types.TextDocumentIdentifier(uri), "position": place(PROGRAM, word, offset)}


async def pull(client: LanguageClient, uri: str) -> list[types.Diagnostic]:
    report = await client.text_document_diagnostic_async(
        types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
    )
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
    return list(report.items)


async def test_diagnostics_follow_the_text(client: LanguageClient, tmp_path: Path) -> None:
    uri = await opened(client, tmp_path)
    assert [item for item in await pull(client, uri) if item.severity is types.DiagnosticSeverity.Error] == []
    change = types.TextDocumentContentChangePartial(
        range=types.Range(place(PROGRAM, "(1) {", 1), place(PROGRAM, "(1) {", 2)), text="o"
    )
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(2, uri), [change])
    )
    errors = [item for item in await pull(client, uri) if item.severity is types.DiagnosticSeverity.Error]
    assert [item.code for item in errors] == ["SQ0302"]
    assert errors[0].range.start == place(PROGRAM, "(1) {", 1)
    assert errors[0].related_information
    assert errors[0].code_description is not None


async def test_hover(client: LanguageClient, tmp_path: Path) -> None:
    uri = await opened(client, tmp_path)
    found = await client.text_document_hover_async(types.HoverParams(**at(uri, "growing kv", 8)))
    assert found is not None
    assert "cap 10" in found.contents.value  # type: ignore[union-attr]


async def test_the_lens_of_a_pool_says_what_is_guaranteed(client: LanguageClient, tmp_path: Path) -> None:
    uri = await opened(client, tmp_path, PROGRAM.replace("cap limit;", "cap limit; preempt lifo;"))
    found = await client.text_document_code_lens_async(types.CodeLensParams(types.TextDocumentIdentifier(uri)))
    (lens,) = [item for item in found or () if item.command is None]
    resolved = await client.code_lens_resolve_async(lens)
    assert resolved.command is not None
    assert resolved.command.title.startswith("not guaranteed: `kv` does not keep reserves")


async def test_completion_and_resolve(client: LanguageClient, tmp_path: Path) -> None:
    uri = await opened(client, tmp_path)
    found = await client.text_document_completion_async(types.CompletionParams(**at(uri, "cost 1", 5)))
    assert isinstance(found, types.CompletionList)
    tokens = next(item for item in found.items if item.label == "tokens")
    resolved = await client.completion_item_resolve_async(tokens)
    assert resolved.documentation is not None


async def test_signature_help(client: LanguageClient, tmp_path: Path) -> None:
    uri = await opened(client, tmp_path)
    found = await client.text_document_signature_help_async(types.SignatureHelpParams(**at(uri, "twice(2)", 6)))
    assert found is not None
    assert found.signatures[0].label == "twice(x)"


async def test_definition_declaration_references_highlight(client: LanguageClient, tmp_path: Path) -> None:
    uri = await opened(client, tmp_path)
    definition = await client.text_document_definition_async(types.DefinitionParams(**at(uri, "memory kv", 7)))
    declaration = await client.text_document_declaration_async(types.DeclarationParams(**at(uri, "memory kv", 7)))
    assert definition == declaration
    assert isinstance(definition, list)
    assert definition[0].range.start == place(PROGRAM, "kv")  # type: ignore[union-attr]
    found = await client.text_document_references_async(
        types.ReferenceParams(context=types.ReferenceContext(True), **at(uri, "memory kv", 7))
    )
    assert found is not None
    assert len(found) == 4
    marks = await client.text_document_document_highlight_async(
        types.DocumentHighlightParams(**at(uri, "memory kv", 7))
    )
    assert marks is not None
    assert len(marks) == 4


async def test_rename(client: LanguageClient, tmp_path: Path) -> None:
    uri = await opened(client, tmp_path)
    prepared = await client.text_document_prepare_rename_async(types.PrepareRenameParams(**at(uri, "limit")))
    assert prepared is not None
    edit = await client.text_document_rename_async(types.RenameParams(new_name="capacity", **at(uri, "limit")))
    assert edit is not None
    assert edit.changes is not None
    assert len(edit.changes[uri]) == 2


async def test_symbols(client: LanguageClient, tmp_path: Path) -> None:
    uri = await opened(client, tmp_path)
    document = types.TextDocumentIdentifier(uri)
    found = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert found is not None
    assert [item.name for item in found] == ["limit", "kv", "eng", "twice", "workload", "server", "run"]
    everywhere = await client.workspace_symbol_async(types.WorkspaceSymbolParams("en"))
    assert everywhere is not None
    assert {item.name for item in everywhere} == {"eng"}


async def test_folding_and_selection(client: LanguageClient, tmp_path: Path) -> None:
    uri = await opened(client, tmp_path)
    document = types.TextDocumentIdentifier(uri)
    assert await client.text_document_folding_range_async(types.FoldingRangeParams(document)) in ([], ())
    found = await client.text_document_selection_range_async(
        types.SelectionRangeParams(document, [place(PROGRAM, "growing kv", 8)])
    )
    assert found is not None
    assert found[0].parent is not None


async def test_semantic_tokens_full_delta_range(client: LanguageClient, tmp_path: Path) -> None:
    uri = await opened(client, tmp_path)
    document = types.TextDocumentIdentifier(uri)
    full = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    assert full is not None
    assert full.result_id is not None
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(2, uri),
            [
                types.TextDocumentContentChangePartial(
                    types.Range(types.Position(0, 0), types.Position(0, 0)), "// new\n"
                )
            ],
        )
    )
    delta = await client.text_document_semantic_tokens_full_delta_async(
        types.SemanticTokensDeltaParams(document, full.result_id)
    )
    assert isinstance(delta, types.SemanticTokensDelta)
    data = list(full.data)
    for edit in delta.edits:
        data[edit.start : edit.start + edit.delete_count] = edit.data or []
    again = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    assert again is not None
    assert data == list(again.data)
    part = await client.text_document_semantic_tokens_range_async(
        types.SemanticTokensRangeParams(document, types.Range(types.Position(0, 0), types.Position(1, 0)))
    )
    assert part is not None
    assert 0 < len(part.data) < len(again.data)


async def test_code_action_repairs(client: LanguageClient, tmp_path: Path) -> None:
    text = "stage e : step { cost ntok; }\nrun { horizon 10; }\n"
    uri = await opened(client, tmp_path, text)
    span = types.Range(place(text, "ntok"), place(text, "ntok"))
    found = await client.text_document_code_action_async(
        types.CodeActionParams(types.TextDocumentIdentifier(uri), span, types.CodeActionContext([]))
    )
    assert found
    first = found[0]
    assert isinstance(first, types.CodeAction)
    assert first.edit is not None
    assert first.edit.changes is not None
    assert first.edit.changes[uri][0].new_text == "tokens"


async def test_links_of_libraries(client: LanguageClient, tmp_path: Path) -> None:
    (tmp_path / "lib.sq").write_text("def f(x) = x;\n", encoding="utf-8")
    uri = await opened(client, tmp_path, 'use "lib.sq";\nrun { horizon 10; }\n')
    found = await client.text_document_document_link_async(types.DocumentLinkParams(types.TextDocumentIdentifier(uri)))
    assert found is not None
    assert found[0].target == (tmp_path / "lib.sq").as_uri()


async def test_an_open_library_re_checks_its_users(client: LanguageClient, tmp_path: Path) -> None:
    library = tmp_path / "lib.sq"
    library.write_text("def f(x) = x;\n", encoding="utf-8")
    uri = await opened(
        client, tmp_path, 'use "lib.sq";\nstage s : fifo;\nsession { run s (f(1)); }\nrun { horizon 10; }\n'
    )
    assert not any(item.severity is types.DiagnosticSeverity.Error for item in await pull(client, uri))
    other = library.as_uri()
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(other, "serq", 1, "def g(x) = x;\n"))
    )
    assert any(item.code == "SQ0204" for item in await pull(client, uri))


async def test_call_hierarchy(client: LanguageClient, tmp_path: Path) -> None:
    uri = await opened(client, tmp_path)
    prepared = await client.text_document_prepare_call_hierarchy_async(
        types.CallHierarchyPrepareParams(**at(uri, "twice(2)"))
    )
    assert prepared
    calls = await client.call_hierarchy_incoming_calls_async(types.CallHierarchyIncomingCallsParams(prepared[0]))
    assert calls is not None
    assert [call.from_.name for call in calls] == ["server"]
    out = await client.call_hierarchy_outgoing_calls_async(types.CallHierarchyOutgoingCallsParams(prepared[0]))
    assert not out


async def test_unknown_documents_and_wild_positions_are_answered(client: LanguageClient, tmp_path: Path) -> None:
    uri = await opened(client, tmp_path)
    nowhere = types.TextDocumentIdentifier("file:///nowhere.sq")
    wild = types.Position(10_000, 10_000)
    assert await client.text_document_hover_async(types.HoverParams(nowhere, wild)) is None
    document = types.TextDocumentIdentifier(uri)
    assert await client.text_document_hover_async(types.HoverParams(document, wild)) is None
    assert await client.text_document_definition_async(types.DefinitionParams(document, wild)) in ([], (), None)
    assert await client.text_document_completion_async(types.CompletionParams(document, wild)) is not None


async def test_non_bmp_characters_shift_utf16_positions(client: LanguageClient, tmp_path: Path) -> None:
    text = "/* 🚀 */ let a = b;\nrun { horizon 10; }\n"
    uri = await opened(client, tmp_path, text)
    error = next(item for item in await pull(client, uri) if item.code == "SQ0801")
    assert error.range.start.character == text.index("b;") + 1
