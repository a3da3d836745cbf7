"""Fixtures as programs with markers: `$0` is the cursor, `//^^^ text` underlines the line above, `//- /name.sq` starts a file."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from serq_interpreter.files import FileError, library_loader
from serq_interpreter.frontend.analysis import Options, analyse
from serq_lsp.services.settings import Settings
from serq_lsp.services.snapshot import Snapshot

CURSOR = "$0"
MARK = re.compile(r"^(?P<before>\s*)//(?P<carets>\^+) ?(?P<label>.*)$")


@dataclass(frozen=True, slots=True)
class Marked:
    """A range that carets underline, in characters of the file's text without markers."""

    file: str
    start: int
    end: int
    label: str = ""


@dataclass(slots=True)
class Fixture:
    """`text` is the first file's; `cursor` is `None` where there is no `$0`."""

    text: str
    cursor: int | None
    marks: list[Marked]
    files: dict[str, str] = field(default_factory=dict)

    def snapshot(self, editor: bool = True) -> Snapshot:
        """The first file analysed, the others being its libraries."""
        main = next(iter(self.files))
        loader = library_loader(main, self._read)
        analysis = analyse(self.text, main, options=Options(editor=editor), load_library=loader)
        return Snapshot(f"file://{main}", 1, analysis, Settings())

    def _read(self, path: str) -> str:
        if path not in self.files:
            raise FileError(path, "there is no such file")
        return self.files[path]


def fixture(source: str) -> Fixture:
    """Read the markers of a source."""
    source = source.lstrip("\n")
    pieces = re.split(r"^//- (/\S+)\n", source, flags=re.MULTILINE)
    named = [("/main.sq", pieces[0])] if pieces[0].strip() else []
    named += list(zip(pieces[1::2], pieces[2::2], strict=True))
    files: dict[str, str] = {}
    marks: list[Marked] = []
    cursor: int | None = None
    for name, content in named:
        text, own_marks, own_cursor = _read(name, content)
        files[name] = text
        marks += own_marks
        if own_cursor is not None:
            assert cursor is None, "one cursor only"
            assert not files or name == named[0][0], "the cursor stands in the first file"
            cursor = own_cursor
    return Fixture(files[named[0][0]], cursor, marks, files)


def _read(name: str, content: str) -> tuple[str, list[Marked], int | None]:
    lines: list[str] = []
    marks: list[Marked] = []
    cursor: int | None = None
    for line in content.splitlines(keepends=True):
        match = MARK.match(line.rstrip("\n"))
        if match:
            previous = sum(map(len, lines[:-1]))
            start = previous + len(match["before"]) + 2
            marks.append(Marked(name, start, start + len(match["carets"]), match["label"]))
            continue
        if CURSOR in line:
            cursor = sum(map(len, lines)) + line.index(CURSOR)
            line = line.replace(CURSOR, "")
        lines.append(line)
    return "".join(lines), marks, cursor
