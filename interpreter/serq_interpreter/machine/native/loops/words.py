"""The constants of `blocks`; `words.pxd` has them for the compiler, and a test compares them with `chacha`."""

from __future__ import annotations

MASK_32 = 0xFFFFFFFF
MASK_64 = 0xFFFFFFFFFFFFFFFF
PCG_MULTIPLIER = 6364136223846793005
PCG_INCREMENT = 11634580027462260723
GOLDEN_GAMMA = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB
