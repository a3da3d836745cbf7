"""The edition's oddities that break a law of the machine, by name (04 §17, 05 §13).

`--semantics edition` (the default) reproduces each of them exactly and notes the ones
that touched a run; `pure` follows the seed instead: every unit has one owner, every
instant settles.  An oddity that is merely an unusual rule is not a quirk: it is the rule.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quirk:
    """`cost` says what it does to a run's numbers; `case` is a corpus program that shows it."""

    name: str
    section: str
    explanation: str
    cost: str
    case: str


QUIRKS: dict[str, Quirk] = {
    quirk.name: quirk
    for quirk in (
        Quirk(
            "places_lost",
            "04 §17 Q1",
            "giving back any allocation of an actor removes all its places on the pool",
            "`holders` and `mean_holders` are too low and the remaining hold is no candidate for preemption",
            "pools_holders_count_places",
        ),
        Quirk(
            "first_place_in_ready_line",
            "04 §17 Q2",
            "an actor admitted, preempted before it ran and admitted again runs at its first place in the ready line",
            "the order of bodies at one instant",
            "preempt_readmitted_same_instant",
        ),
        Quirk(
            "preempted_prefix_over_cap",
            "04 §17 Q3",
            "a preempted hold keeps its position's units even if it took fewer than it consumed",
            "allocated and cached units exceed the cap until the next eviction",
            "preempt_exceeds_cap",
        ),
        Quirk(
            "growing_run_advances_twice",
            "04 §17 Q4",
            "a growing run that waited for memory is advanced at the grant and again by its tokens",
            "it caches too much, grows too early and may wait for ever",
            "preempt_none_growing_run_waits",
        ),
        Quirk(
            "tier_over_cap",
            "04 §17 Q5",
            "a spill makes room in its tier only for what is there already",
            "the tier stands above its cap by one piece until its next eviction",
            "spill_tier_overflow",
        ),
        Quirk(
            "settles_once",
            "05 §13.1 to §13.3",
            "what an iteration's admissions leave behind is not settled at the same instant",
            "jobs, waiting holds and engines declared earlier wait for the next event, or for ever",
            "settle_no_second_settling_after_an_iteration_starts",
        ),
        Quirk(
            "due_jobs_end_one_by_one",
            "05 §13.4",
            "an idle engine starts between two completions that are due together",
            "the second session misses the iteration",
            "ps_equal_tags_are_separate_events",
        ),
        Quirk(
            "no_pass_after_preemption",
            "05 §13.6",
            "memory freed by a preemption inside an iteration is seen by plain queues at the next event only",
            "a hold that fits waits",
            "settle_admitted_body_blocked_on_a_plain_pool_stalls",
        ),
    )
}


class Quirks:
    """Which oddities are reproduced, and which of them touched the run."""

    __slots__ = ("edition", "touched", *QUIRKS)

    places_lost: bool
    first_place_in_ready_line: bool
    preempted_prefix_over_cap: bool
    growing_run_advances_twice: bool
    tier_over_cap: bool
    settles_once: bool
    due_jobs_end_one_by_one: bool
    no_pass_after_preemption: bool

    def __init__(self, edition: bool) -> None:
        self.edition = edition
        self.touched: dict[str, int] = {}
        for name in QUIRKS:
            setattr(self, name, edition)

    def hit(self, name: str) -> None:
        """A quirk changed the course of the run."""
        self.touched[name] = self.touched.get(name, 0) + 1

    def notes(self) -> list[str]:
        """One sentence per quirk that touched the run."""
        return [
            f"the edition's oddity `{name}` ({QUIRKS[name].section}) touched this run {times} time(s): "
            f"{QUIRKS[name].explanation}"
            for name, times in self.touched.items()
        ]
