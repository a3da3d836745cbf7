"""When Python looks for garbage in cycles: between keystrokes, not while one is answered.

An analysis makes tens of thousands of objects that stay; the collector would look at all of them right after each, at a
tenth of its time.  Here it looks a moment after a message instead, once for all the messages of that moment.
"""

from __future__ import annotations

import asyncio
import gc

AFTER = 0.04
"""Seconds after a message: the requests that come with a keystroke are answered by then."""
EVERYTHING_EVERY = 50
"""Looks at young objects between two looks at everything."""


class Tidying:
    """One per server; does nothing before `start`."""

    def __init__(self) -> None:
        self.started = False
        self.looks = 0
        self._waiting = False

    def start(self) -> None:
        """From now on collection happens here.  What exists already stays for good and is not looked at again."""
        gc.collect()
        gc.freeze()
        gc.disable()
        self.started = True

    def worked(self) -> None:
        """A message is being handled: look soon."""
        if self.started and not self._waiting:
            self._waiting = True
            asyncio.get_running_loop().call_later(AFTER, self._look)

    def _look(self) -> None:
        self._waiting = False
        self.looks += 1
        gc.collect(2 if self.looks % EVERYTHING_EVERY == 0 else 1)
