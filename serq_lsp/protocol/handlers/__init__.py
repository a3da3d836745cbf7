"""Handlers: each module's `register(server)` adds the methods of one theme, a few lines each.

A handler converts in, calls one service with a snapshot, converts out.  `MODULES` lists them in order.
"""

MODULES = (
    "synchronisation",
    "configuration",
    "diagnostics",
    "language",
    "navigation",
    "structure",
    "editing",
    "formatting",
    "simulation",
    "hints",
    "lenses",
    "commands",
    "exploring",
)
