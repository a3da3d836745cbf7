"""The fast execution of an automaton: iterations taken together, and source generated per program.

Everything here computes what the reference (`machine.engine` and its parts) computes, to the last bit of the report.
"""
