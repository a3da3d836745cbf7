"""The instructions of `kernel`: each is followed by one whole number, its argument.

Values are on a stack of doubles.  `opcodes.pxd` has the same numbers for the compiler, and a test compares them.
"""

from __future__ import annotations

# An event's or a statement's place in the agenda: what is no stage's.
ARRIVAL = -1
WARMUP = -2
VOID = -3
"""An event that a re-timing made void."""

NOBODY = -1
"""No session."""

# Sizes.
SAMPLES = 4096
"""Samples of an observation that are kept before they are handed over."""
UNIFORMS = 8
"""Uniforms of a block."""
ROWS = 64
"""Sessions there is room for at first."""

# Kinds of stages.
ONE_SERVER = 0
SERVERS = 1
UNLIMITED = 2
SHARED = 3

# Where uniforms come from.
FROM_BLOCK = 0
FROM_OWN = 1
FROM_ARRIVALS = 2

# Kinds of substreams (06 §10.2).
KIND_WORKLOAD = 1
KIND_SESSION = 2

# Operands.
CONST = 0
"""Push a constant."""
ATTR = 1
"""Push an attribute of the session."""
NOW = 2
"""Push the time in seconds."""

# Operators: pop one or two, push the result.
ADD = 3
SUB = 4
MUL = 5
DIV = 6
NEG = 7
NOT = 8
LT = 9
LE = 10
GT = 11
GE = 12
EQ = 13
NE = 14
MIN = 15
MAX = 16
ABS = 17
FLOOR = 18
CEIL = 19
CALL_1 = 20
"""A function of one argument, from the table of functions."""
CALL_2 = 21

# Draws: pop the arguments, push the value.
DRAW_EXP = 22
DRAW_UNIFORM = 23
DRAW_BERNOULLI = 24
DRAW_H2 = 25
DRAW_ERLANG = 26

# The way through the code.
JUMP = 27
JUMP_FALSE = 28
"""Pop; go there if it is 0."""

# Statements.
STORE = 29
DROP = 30
OBSERVE = 31
RUN = 32
"""Pop the work; the argument is the number of the state."""
BRANCH = 33
"""Pop the guard; go on when it is 1, to the other state's code when it is 0."""
TURN = 34
"""A turn begins; its block follows if the argument is 1."""
INIT = 35
"""The block of a new session follows."""
OWN = 36
"""The block is over: the session draws from its own stream again."""
END = 37
GAP = 38
"""Pop the gap to the next arrival, which was asked for."""
