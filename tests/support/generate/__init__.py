"""Generated programs: well formed by construction as far as a generator can know, and damaged ones.

`program(random)` is one text; `programs` gives the same to hypothesis, which then shrinks the choices.
"""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from tests.support.generate.mutation import mutated
from tests.support.generate.program import program

__all__ = ["damaged_programs", "mutated", "program", "programs"]


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Well-formed programs."""
    return program(draw(st.randoms(use_true_random=False)))


@st.composite
def damaged_programs(draw: st.DrawFn) -> str:
    """Programs with one mutation."""
    random: Random = draw(st.randoms(use_true_random=False))
    return mutated(program(random), random)[1]
