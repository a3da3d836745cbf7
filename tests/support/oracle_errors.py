"""Which of our codes a run-time error of the reference has, told by what its message says.

Messages are each implementation's own; what is compared is the kind of the error (03 §9).
"""

from __future__ import annotations

import re

_PATTERNS: tuple[tuple[str, str], ...] = (
    (r"the guard is .*, not 0 or 1", "SQ0901"),
    (r"the amount is ", "SQ0902"),
    (r"a member of an array of", "SQ0903"),
    (r"name the same member", "SQ0904"),
    (r"outside a hold of", "SQ0905"),
    (r"a load must fit the allocation", "SQ0906"),
    (r"the count is .*, not a whole number", "SQ0907"),
    (r"a test is 1 or 0", "SQ0908"),
    (r"a register holds a finite number", "SQ0909"),
    (r"does not settle|without reaching a `run`|would never end|without end", "SQ0910"),
    (r"lasts a positive time", "SQ0911"),
    (r"interarrival time", "SQ0912"),
    (r"while a leg it forked runs", "SQ0913"),
    (r"wait for each other", "SQ0914"),
    (r"reached before requested arrivals", "SQ0915"),
    (r"failed to drain", "SQ0916"),
    (r"no measurement interval", "SQ0917"),
    (r"^cannot read trace", "SQ0918"),
    (r"^trace ", "SQ0919"),
)


def code_of(message: str) -> str | None:
    """The code of the first pattern that the message's first line has, `None` when it is of no known kind."""
    first = message.split("\n")[0]
    return next((code for pattern, code in _PATTERNS if re.search(pattern, first)), None)
