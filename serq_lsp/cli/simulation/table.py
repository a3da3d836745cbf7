"""The tidy table of a sweep: one row per point, replication and metric-bearing run; CSV or Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from serq_interpreter.machine.numbers import number_text


@dataclass(frozen=True, slots=True)
class Table:
    """Named columns and rows of numbers, texts and `None`."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def write_table(table: Table, path: str) -> None:
    """Write CSV, or Parquet for a name that ends in `.parquet`.

    Raises `click.ClickException` (exit code 2) when the file cannot be written or pyarrow is missing.
    """
    try:
        if path.endswith(".parquet"):
            _write_parquet(table, path)
        else:
            Path(path).write_text(csv_text(table), encoding="utf-8", newline="")
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be written: {error.strerror or error}") from error


def csv_text(table: Table) -> str:
    """RFC 4180 rows with a header; numbers in shortest digits, an absent or undefined number empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([_cell(value) for value in row] for row in table.rows)
    return text.getvalue()


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and value != value):
        return ""
    return number_text(value) if isinstance(value, float) else str(value)


def _write_parquet(table: Table, path: str) -> None:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise click.ClickException(
            f"{path}: Parquet needs pyarrow: pip install 'serq-lsp[cluster]', or name the file .csv"
        ) from error
    columns = zip(*table.rows, strict=True) if table.rows else ((),) * len(table.columns)
    arrays = {name: _typed(list(column)) for name, column in zip(table.columns, columns, strict=True)}
    # A column without any error is still one of texts.
    texts = {name: pyarrow.array(column, pyarrow.string()) for name, column in arrays.items() if name == "error"}
    parquet.write_table(pyarrow.table(arrays | texts), path)


def _typed(column: Sequence[Any]) -> list[Any]:
    """Numbers as doubles where a column mixes whole and real ones."""
    kinds = {type(value) for value in column if value is not None}
    return [float(value) for value in column] if kinds == {int, float} else list(column)
