"""Ranges in answers: the protocol knows how a client counts, the services only where something stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from serq_lsp.services.locations import Span

ToRange = Callable[[Span | None], Any]
"""A span of the document as the protocol's JSON range; `None` for none."""
