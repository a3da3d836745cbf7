"""Shorter runs before a long one, so that there are numbers while the long one is still in its warm-up.

The run of a share of the horizon with the same share of the warm-up is the beginning of the long run (one seed, one
sequence of events): only the moment from which on it measures is another.  Its draws stay memoised, so that the long run
does not make them again.  Shares are powers of a quarter: the first is the largest that is expected within `AT_ONCE`,
each next one takes four times as long.  Where the long run has measured as long by itself before they could help, they
are not made: without a warm-up its own beginning is the shorter run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any

from serq_interpreter.machine.run import Budget, Run
from serq_lsp.background.measuring import measure
from serq_lsp.background.sampling import Sampling

PROBE = 0.04
"""Seconds that the long run is given first, to see how fast it goes."""
SOON = 0.3
"""Seconds of a whole run within which nobody waits for numbers: none of its parts are shown."""
AT_ONCE = 0.1
"""Seconds within which numbers should be there: of the first shorter run, or of the long one itself."""
GAIN = 1.5
"""How much later than a shorter run the long one would have measured as long, for the shorter to be made."""
STEP = 4
_LEAST = STEP**-12


def shares(warm: float, seconds: float, reached: float = 1.0) -> list[float]:
    """The shares of the horizon that are run first, in their order; none where that would not help.

    `warm` is the warm-up as a share of the horizon, `seconds` what the whole run is expected to take, `reached` the share
    of the horizon at which its budget ends it.  A shorter run of share s has measured s (1 - warm) of the horizon after
    s of the work, the long run after warm + s (1 - warm): the ratio is to be `GAIN` at least.
    """
    if seconds * reached <= SOON or warm * seconds <= AT_ONCE:
        return []
    most = min(warm / (GAIN - 1.0 + warm), reached / STEP)
    found = []
    share = 1.0 / STEP
    while share >= _LEAST:
        if share <= most:
            found.append(share)
        if share * seconds <= AT_ONCE:
            break
        share /= STEP
    return found[::-1]


@dataclass(slots=True)
class _Short:
    """A shorter run that is under way."""

    run: Run
    sampling: Sampling


class Shorter:
    """The shorter runs of one run.  `make` starts the run of a horizon and a warm-up, seconds."""

    def __init__(self, make: Callable[[float, float], Run], whole: Run, wanted: list[float]) -> None:
        self.make = make
        self.horizon, self.warmup = whole.settings.horizon, whole.settings.warmup
        self.left = wanted
        self.data: dict[str, Any] | None = None
        """What the longest one so far has measured."""
        self.measured = 0.0
        """Simulated seconds that this stands for."""
        self._now: _Short | None = None

    def skip_to(self, measured: float) -> None:
        """The long run has measured for so many simulated seconds: what measures no longer is not made any more."""
        length = self.horizon - self.warmup
        while self.left and self.left[0] * length <= measured:
            self.left.pop(0)
            self._now = None

    def give_up(self) -> None:
        """No more of them: one has failed, as the long run will, or there is no room."""
        self.left, self._now = [], None

    def advance(self, deadline: float, cancelled: Callable[[], bool]) -> dict[str, Any] | None:
        """Go on until `deadline` (`monotonic`), or to the end of a shorter run: what it has measured, `None` if nothing.

        What `cancelled` raises ends the work; it can be gone on with.
        """
        if self._now is None:
            share = self.left[0]
            run = self.make(self.horizon * share, self.warmup * share)
            self._now = _Short(run, Sampling(run))
        run, sampling = self._now.run, self._now.sampling

        def looking() -> bool:
            sampling.look()
            return cancelled()

        result = run.go(Budget(seconds=max(deadline - monotonic(), 0.0)), looking)
        if result.status == "failed":
            self.give_up()
            return None
        if result.status == "complete":
            self.left.pop(0)
            self._now = None
        measured = measured_seconds(run)
        if measured <= self.measured:
            return None
        sampling.look()
        data = measure(run, result, sampling, cancelled)
        whole = {"horizon": self.horizon, "warmup": self.warmup}
        # Claims and stuck sessions are judged by the whole run; this one stands for its own, shorter time.
        data |= {"status": "partial", "reason": SHORTER, "waiting": None, "instead_of": whole}
        self.data, self.measured = data, measured
        return data


SHORTER = "the numbers are those of a shorter run"
"""Why what is shown is not the whole run."""


def measured_seconds(run: Run) -> float:
    """Simulated seconds since the warm-up."""
    return max(run.machine.seconds - run.settings.warmup, 0.0)
