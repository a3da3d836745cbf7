"""Catalogue entries of names, definitions and bindings (SQ02xx), by theme."""
