"""JUnit XML: one test case a file, one failure a diagnostic."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from serq_interpreter.catalog import Severity
from serq_lsp.cli.outcome import Outcome

FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot carry."""


def render(outcome: Outcome) -> str:
    """The document as text."""
    suites = ElementTree.Element("testsuites", name="serq-lsp")
    files = sorted(set(outcome.texts) | {item.file for item in outcome.diagnostics})
    errors = outcome.count(Severity.ERROR)
    failures = len(outcome.diagnostics) - errors
    suite = ElementTree.SubElement(
        suites, "testsuite", name="check", tests=str(len(files)), failures=str(failures), errors=str(errors)
    )
    for file in files:
        case = ElementTree.SubElement(suite, "testcase", name=_clean(file), classname="serq-lsp.check")
        for item in outcome.diagnostics:
            if item.file != file:
                continue
            tag = "error" if item.severity is Severity.ERROR else "failure"
            node = ElementTree.SubElement(case, tag, type=item.code, message=_clean(item.message))
            at = item.location
            node.text = _clean(f"{file}:{at.start.line}:{at.start.column}: {item.message}")
    ElementTree.indent(suites)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suites, encoding="unicode")


def _clean(text: str) -> str:
    return FORBIDDEN.sub("\ufffd", text)
