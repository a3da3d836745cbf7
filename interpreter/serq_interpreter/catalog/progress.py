"""Catalogue entries of one family of codes; long because it is a table."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry

ENTRIES: tuple[Entry, ...] = ()
