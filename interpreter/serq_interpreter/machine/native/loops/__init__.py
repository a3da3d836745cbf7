"""Loops that are worth a compiler: plain Python modules, which `native/` of the repository compiles for those who want it.

A module here needs nothing of the project but its neighbours' constants, and gives the same bits interpreted and compiled:
the `.pxd` file beside it says the types of C.  Interpreted they are slower than what the product does without them, so
they serve only when they are compiled (`loader`).
"""
