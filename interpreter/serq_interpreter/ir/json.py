"""IR 11 JSON (spec 08): text to `Program` and back.

`read_program` checks form and indices, so that every `Program` it returns is closed;
what the language demands beyond that (moments, amounts, populations) is validation's.
"""

from __future__ import annotations

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.ir.json_read import read_value
from serq_interpreter.ir.json_text import JsonError, dump_json, line_and_column, parse_json
from serq_interpreter.ir.json_write import program_value


class IrJsonError(ValueError):
    """IR text that cannot be read.

    `what` is the bare message; `line` and `column` are 1-based, or `None` where the
    file as a whole is at fault (another version, a block reached twice).
    """

    def __init__(self, what: str, line: int | None, column: int | None) -> None:
        place = "" if line is None else f" at line {line} column {column}"
        super().__init__(f"IR: {what}{place}" if line is not None else what)
        self.what = what
        self.line = line
        self.column = column


def read_program(text: str) -> ir.Program:
    """The program of an IR 11 file.  Raises `IrJsonError` (spec 08 §7)."""
    with deep_recursion():
        try:
            return read_value(parse_json(text))
        except JsonError as error:
            if error.offset < 0:
                raise IrJsonError(error.what, None, None) from error
            line, column = line_and_column(text, error.offset)
            raise IrJsonError(error.what, line, column) from error


def write_program(program: ir.Program) -> str:
    """The canonical IR 11 text of a program, without a final newline."""
    with deep_recursion():
        return dump_json(program_value(program))
