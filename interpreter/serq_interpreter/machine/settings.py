"""What a run is asked to do: the program's own settings after overrides (06 §3)."""

from __future__ import annotations

from dataclasses import dataclass

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.numbers import number_text


@dataclass(frozen=True, slots=True)
class Settings:
    """Times in seconds; `arrivals` bounds a finite run."""

    seed: int
    horizon: float
    warmup: float
    arrivals: int | None


def run_settings(
    program: ir.Program,
    seed: int | None = None,
    horizon: float | None = None,
    warmup: float | None = None,
    arrivals: int | None = None,
) -> Settings:
    """The program's settings with overrides.  Raises `RunError` if they make no run."""
    settings = Settings(
        seed=program.seed if seed is None else seed,
        horizon=program.horizon if horizon is None else float(horizon),
        warmup=program.warmup if warmup is None else float(warmup),
        arrivals=program.arrivals if arrivals is None else arrivals,
    )
    if not settings.warmup < settings.horizon:
        raise RunError("SQ0812", "the warm-up is not below the horizon", program)
    if not (settings.warmup >= 0.0 and settings.horizon < float("inf")):
        shown = f"warmup {number_text(settings.warmup)}, horizon {number_text(settings.horizon)}"
        raise RunError("SQ0813", f"the warm-up is from 0 to below the horizon, not {shown}", program)
    if settings.arrivals is not None:
        if settings.arrivals < 1:
            raise RunError("SQ0815", "`arrivals` counts at least one arrival", program)
        if not isinstance(program.arrival, ir.Poisson | ir.Renewal):
            raise RunError("SQ0816", "`arrivals` counts the arrivals of `poisson` and `renewal` only", program)
    return settings
