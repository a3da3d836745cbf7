"""The catalogue entry of one diagnostic: everything about a code that is text."""

from __future__ import annotations

from enum import StrEnum

from serq_interpreter.record import fact


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    HINT = "hint"


@fact
class Entry:
    """One code.

    `message` is a `str.format` template filled with a finding's `args`; it says what is wrong with the
    thing's name in back quotes.  `why` names the fact that decides the rule and why it matters.  `help`
    says what to write instead.  `wrong` is a program that raises exactly this code where `//^^^` points,
    `right` the same program corrected; either may be empty only where no program text can show it, and
    `unshown` then says why.  `spec` is the chapter and section of the reference of serQ 0.1.3 (`05 §4`: chapter 5 is
    about stages and time), or empty when nothing there decides the rule.
    """

    code: str
    name: str
    severity: Severity
    message: str
    why: str
    help: str = ""
    wrong: str = ""
    right: str = ""
    unshown: str = ""
    spec: str = ""
