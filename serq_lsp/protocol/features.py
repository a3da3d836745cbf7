"""What of the Language Server Protocol this server does: one row for every method of the specification.

The documentation's table is written from it (`docs/generate_site.py`), and a test compares it with the handlers that are
registered, so a handler is added together with its row.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Feature:
    """A method: what the server does with it, or, where it does nothing, why."""

    method: str
    does: str = ""
    why_not: str = ""

    @property
    def supported(self) -> bool:
        return bool(self.does)


def _no(method: str, why: str) -> Feature:
    return Feature(method, why_not=why)


FEATURES: tuple[Feature, ...] = (
    Feature("initialize", "negotiates positions (UTF-8, UTF-16, UTF-32); tells its protocol version"),
    Feature("initialized", "asks for the settings and to be told of their changes"),
    Feature("shutdown", "ends every background process"),
    Feature("exit", "ends the server"),
    Feature("$/cancelRequest", "a request that is cancelled is answered as cancelled"),
    Feature("$/setTrace", "accepted"),
    _no("$/logTrace", "messages are written to the server's log"),
    Feature("$/progress", "how far long commands and background runs are"),
    Feature("window/workDoneProgress/create", "before the progress of a background run"),
    Feature("window/workDoneProgress/cancel", "stops the run"),
    Feature("window/showMessage", "problems of the settings"),
    _no("window/logMessage", "the log goes to standard error or a file"),
    _no("window/showMessageRequest", "no question is asked"),
    Feature("window/showDocument", "opens the event log that was asked for"),
    _no("telemetry/event", "nothing is reported anywhere"),
    Feature("client/registerCapability", "changes of the settings, where the client offers it"),
    _no("client/unregisterCapability", "what was registered stays"),
    Feature("workspace/configuration", "the settings section `serq`"),
    Feature("workspace/didChangeConfiguration", "reads the settings again"),
    Feature("workspace/didChangeWatchedFiles", "checks again what uses a changed library"),
    Feature("workspace/didChangeWorkspaceFolders", "the folders that workspace symbols are looked up in"),
    _no("workspace/workspaceFolders", "the folders of `initialize` and their changes are used"),
    Feature("workspace/executeCommand", "the `serq.*` commands"),
    Feature("workspace/symbol", "pools, stages, queues, definitions … of all programs"),
    _no("workspaceSymbol/resolve", "symbols come whole"),
    _no("workspace/applyEdit", "edits come with the actions that were asked for"),
    _no("workspace/diagnostic", "open documents only"),
    Feature("workspace/diagnostic/refresh", "after a run, and after a library changed"),
    Feature("workspace/inlayHint/refresh", "when a run has new numbers"),
    Feature("workspace/codeLens/refresh", "when a run has new numbers"),
    _no("workspace/foldingRange/refresh", "folding depends on the text alone"),
    _no("workspace/inlineValue/refresh", "no debugger"),
    _no("workspace/semanticTokens/refresh", "tokens depend on the text alone"),
    _no("workspace/didCreateFiles", "watched files say the same"),
    _no("workspace/didDeleteFiles", "watched files say the same"),
    _no("workspace/didRenameFiles", "watched files say the same"),
    _no("workspace/willCreateFiles", "nothing depends on a file that is not there"),
    _no("workspace/willDeleteFiles", "a program that uses the file says so"),
    _no("workspace/willRenameFiles", "a program that uses the file says so"),
    _no("workspace/textDocumentContent", "no documents of our own"),
    _no("workspace/textDocumentContent/refresh", "no documents of our own"),
    Feature("textDocument/didOpen", "checks the text, starts a run"),
    Feature("textDocument/didChange", "incremental; what a change did not touch is kept"),
    Feature("textDocument/didSave", "starts a run where the settings say so"),
    Feature("textDocument/didClose", "ends the document's run"),
    _no("textDocument/willSave", "nothing to do before"),
    _no("textDocument/willSaveWaitUntil", "format on save is the client's"),
    Feature("textDocument/publishDiagnostics", "for clients that do not ask"),
    Feature("textDocument/diagnostic", "all findings at once, with related places, tags and pages"),
    Feature(
        "textDocument/completion",
        "what may be read or written *here*, by moment and position; snippets; paths after `use` and `trace`",
    ),
    Feature("completionItem/resolve", "the documentation of one item"),
    Feature("textDocument/hover", "meaning, unit, the moment of the place, the expansion, results"),
    Feature("textDocument/signatureHelp", "functions, distributions, definitions, entries of queues"),
    Feature("textDocument/declaration", "as definition"),
    Feature("textDocument/definition", "through definitions and libraries"),
    _no("textDocument/typeDefinition", "no types"),
    _no("textDocument/implementation", "a thing has one declaration"),
    Feature(
        "textDocument/references",
        "reads and writes; of a definition, in every program of the workspace that uses its library",
    ),
    Feature("textDocument/documentHighlight", "reads and writes apart"),
    Feature("textDocument/documentSymbol", "the outline, nested"),
    Feature("textDocument/prepareRename", "says why something cannot be renamed"),
    Feature("textDocument/rename", "with its uses in expansions, in libraries and in the programs that use them"),
    Feature("textDocument/prepareCallHierarchy", "definitions, the server, entries of queues"),
    Feature("callHierarchy/incomingCalls", "who uses or calls it"),
    Feature("callHierarchy/outgoingCalls", "what it uses or calls"),
    _no("textDocument/prepareTypeHierarchy", "no types"),
    _no("typeHierarchy/subtypes", "no types"),
    _no("typeHierarchy/supertypes", "no types"),
    Feature("textDocument/codeAction", "quick fixes, all safe fixes of a file, refactorings (extract, inline)"),
    _no("codeAction/resolve", "actions come whole"),
    Feature("textDocument/codeLens", "run, stop, compare and sweep, where they make sense"),
    Feature("codeLens/resolve", "lenses come whole and are answered as they are"),
    Feature("textDocument/documentLink", "`use` and `trace` paths"),
    _no("documentLink/resolve", "links come whole"),
    Feature("textDocument/foldingRange", "blocks, comments, runs of declarations"),
    Feature("textDocument/selectionRange", "from the token outwards along the tree"),
    Feature("textDocument/formatting", "the whole text"),
    Feature("textDocument/rangeFormatting", "the items of a range"),
    _no("textDocument/rangesFormatting", "one range at a time"),
    Feature("textDocument/onTypeFormatting", "after `}`, `;` and a new line"),
    Feature("textDocument/semanticTokens/full", "roles of names: pool, stage, attribute, hidden attribute …"),
    Feature("textDocument/semanticTokens/full/delta", "what changed since the last answer"),
    Feature("textDocument/semanticTokens/range", "the visible part"),
    Feature("textDocument/inlayHint", "results of runs at observations, pools, stages, gauges and claims"),
    Feature("inlayHint/resolve", "the tooltip of a result"),
    _no("textDocument/inlineValue", "no debugger"),
    _no("textDocument/inlineCompletion", "no generated text"),
    _no("textDocument/linkedEditingRange", "rename says more"),
    _no("textDocument/moniker", "no index across projects"),
    _no("textDocument/documentColor", "no colours"),
    _no("textDocument/colorPresentation", "no colours"),
    _no("notebookDocument/didOpen", "no notebooks"),
    _no("notebookDocument/didChange", "no notebooks"),
    _no("notebookDocument/didSave", "no notebooks"),
    _no("notebookDocument/didClose", "no notebooks"),
)
