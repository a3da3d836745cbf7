"""The static rules: checks of an elaborated program, one module for a rule or a small family.

`registry.check` runs the modules whose constructs occur in the program; `findings.finalize` merges what all layers
found.  The texts of the findings are in `serq_interpreter.catalog`.
"""
