"""Catalogue entries of queues and relations (SQ07xx), by theme."""
