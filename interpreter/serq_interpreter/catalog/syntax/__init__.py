"""Catalogue entries of the text itself (SQ01xx), by theme."""
