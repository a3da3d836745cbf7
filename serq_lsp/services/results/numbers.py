"""Numbers as far as their uncertainty supports them."""

from __future__ import annotations

from math import floor, isfinite, log10
from typing import Any

FIGURE_SPACE = "\u2007"
"""As wide as a digit: hints keep their width while numbers change."""
WIDTH = 7
_DIGITS = 4
"""Significant digits of a number whose uncertainty is not known."""


def known(value: Any) -> float | None:
    """A finite number, or `None`."""
    if value is None or isinstance(value, bool):
        return None
    number = float(value)
    return number if isfinite(number) else None


def supported(value: Any, ci: Any = None) -> float | None:
    """A value rounded to the second significant digit of its half-width; to four digits without one."""
    number, half = known(value), known(ci)
    if number is None or number == 0.0:
        return number
    if half is None or half <= 0.0:
        return significant(number, _DIGITS if half is None else 6)
    return _tidy(round(number, 1 - floor(log10(half))))


def half_width(ci: Any) -> float | None:
    """A half-width with two significant digits."""
    half = known(ci)
    return None if half is None else significant(half, 2)


def significant(number: float, digits: int) -> float:
    """A number with so many significant digits."""
    if number == 0.0 or not isfinite(number):
        return number
    return _tidy(round(number, digits - 1 - floor(log10(abs(number)))))


def _tidy(number: float) -> float:
    return float(f"{number:.12g}")


def shown(value: Any, ci: Any = None) -> str:
    """A number for people: the digits that `supported` keeps, no more."""
    number, half = known(value), known(ci)
    if number is None:
        return "–"
    if half is not None and half > 0.0:
        places = -floor(log10(half)) + (1 if half < 10 ** floor(log10(half)) * 2 else 0)
        return _plain(round(number, places), max(places, 0))
    return _short(number)


def amount(value: Any) -> str:
    """Units, counts and instants: exact, as far as six digits go."""
    number = known(value)
    return "∞" if number is None and value == float("inf") else "–" if number is None else f"{number:.6g}"


def shown_half(ci: Any) -> str:
    """A half-width for people, `?` where there are too few samples."""
    half = known(ci)
    if half is None:
        return "?"
    digits = 2 if f"{half:e}"[0] == "1" else 1
    return _short(significant(half, digits), digits)


def _plain(number: float, places: int) -> str:
    if number and (abs(number) >= 1e7 or abs(number) < 1e-5):
        return f"{number:.3g}"
    return f"{number:.{places}f}"


def _short(number: float, digits: int = 3) -> str:
    if number == 0.0:
        return "0"
    if abs(number) >= 1e6 or abs(number) < 1e-3:
        return f"{number:.{digits - 1}e}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")
    if abs(number) >= 10 ** (digits - 1):
        return f"{number:.0f}"
    return f"{significant(number, digits):.{max(digits - 1 - floor(log10(abs(number))), 0)}f}"


def level(value: Any) -> str:
    """A mean number of things, never longer than five characters."""
    number = known(value)
    if number is None:
        return "–"
    if 0.0 < number < 0.01:
        return "<0.01"
    return _short(number) if number < 1e5 else f"{number:.0e}".replace("e+0", "e")


def fixed(text: str, width: int = WIDTH) -> str:
    """A text padded on the left, so that it always takes the same room."""
    return text.rjust(width, FIGURE_SPACE)


def percent(share: Any) -> str:
    """A fraction as whole percents, three digits wide."""
    number = known(share)
    if number is None:
        return fixed("–", 3) + " %"
    digits = f"{100.0 * number:.0f}" if number == 0.0 or number >= 0.01 else "<1"
    return fixed(digits, 3) + " %"
