"""The kinds of stages (05 §4, §6, §8)."""
