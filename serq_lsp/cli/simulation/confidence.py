"""Confidence intervals of a mean over independent replications, without a statistics package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, fsum, inf, isfinite, lgamma, log, nan, sqrt


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of `n` replications and the half-width of its 95 % interval (`inf` below two)."""

    n: int
    mean: float
    ci: float
    min: float
    max: float

    @property
    def relative(self) -> float:
        """Half-width over the mean's size; 0 for a metric that is constantly 0."""
        if self.ci == 0.0:
            return 0.0
        return self.ci / abs(self.mean) if self.mean else inf


def estimate(values: Sequence[float]) -> Estimate:
    """The estimate from one value per replication; a value that is not finite makes mean and interval NaN."""
    n = len(values)
    if n == 0 or not all(isfinite(x) for x in values):
        return Estimate(n, nan, nan, nan, nan)
    mean = fsum(values) / n
    if n == 1:
        return Estimate(1, mean, inf, values[0], values[0])
    variance = fsum((x - mean) ** 2 for x in values) / (n - 1)
    return Estimate(n, mean, student_t(n - 1) * sqrt(variance / n), min(values), max(values))


def student_t(degrees: int, level: float = 0.95) -> float:
    """The two-sided quantile of Student's t: half the tails hold (1 - level) / 2 each."""
    tails = 1.0 - level
    low, high = 0.0, 1.0
    while _two_tails(high, degrees) > tails:
        high *= 2.0
    for _ in range(80):
        middle = (low + high) / 2.0
        if _two_tails(middle, degrees) > tails:
            low = middle
        else:
            high = middle
    return high


def _two_tails(t: float, degrees: int) -> float:
    """P(|T| > t), which is the regularised incomplete beta function I(ν/(ν+t²); ν/2, ½)."""
    return _incomplete_beta(degrees / (degrees + t * t), degrees / 2.0, 0.5)


def _incomplete_beta(x: float, a: float, b: float) -> float:
    if x <= 0.0 or x >= 1.0:
        return 0.0 if x <= 0.0 else 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1.0 - x))
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _continued_fraction(x, a, b) / a
    return 1.0 - front * _continued_fraction(1.0 - x, b, a) / b


def _continued_fraction(x: float, a: float, b: float) -> float:
    """Lentz's evaluation of the fraction in Abramowitz and Stegun 26.5.8."""
    tiny = 1e-300
    c, d = 1.0, 1.0 / (1.0 - (a + b) * x / (a + 1.0) or tiny)
    fraction = d
    for m in range(1, 300):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1.0 / (1.0 + term * d or tiny)
            c = 1.0 + term / c or tiny
            fraction *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return fraction
