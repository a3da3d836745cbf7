"""Write the drawings of the documentation, `docs/images/*.svg`; the automaton is drawn from a program's own states.

python docs/drawings.py           write them
python docs/drawings.py --check   exit 1 when one of them is not what it would be
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS.parent / part) for part in ("", "interpreter", "grammar")]

import serq_interpreter  # noqa: E402 - the path comes first
from serq_interpreter.machine import automaton as a  # noqa: E402
from serq_interpreter.machine.compile_automaton import compile_automaton  # noqa: E402

INK, LINE, PAPER = "#1f2937", "#64748b", "#f8fafc"
BLUE, GREEN, AMBER, ROSE, GREY = "#bfdbfe", "#bbf7d0", "#fde68a", "#fecdd3", "#e2e8f0"

AUTOMATON_PROGRAM = """pool kv { cap 100; preempt lifo; }
stage gpu : step { cost 1; memory kv; }
stage user : delay;
workload { arrive poisson(1); turn { set n = 8; } }
session {
  loop {
    turn;
    hold kv (n) { run gpu prefill (n); run gpu decode (4) growing kv; } cache (n)
    branch (turn_no == 3) { end; }
    run user (~exp(5));
  }
}
run { horizon 10; }
"""


class Drawing:
    """An SVG that grows by boxes, texts and arrows on light paper, legible on light and dark pages."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
            f'font-family="sans-serif" font-size="14"><title>{escape(title)}</title>'
            f'<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
            f'orient="auto-start-reverse"><path d="M0 0 10 5 0 10z" fill="{LINE}"/></marker></defs>'
            f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>'
        )
        self.parts: list[str] = []

    def box(self, x: float, y: float, w: float, h: float, label: str = "", fill: str = GREY, small: str = "") -> None:
        """A rectangle with a label in its middle and a smaller line below it."""
        self.parts.append(
            f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="5" fill="{fill}" stroke="{LINE}" stroke-width="1"/>'
        )
        middle = y + h / 2 + 5 - (8 if small else 0)
        if label:
            self.text(x + w / 2, middle, label)
        if small:
            self.text(x + w / 2, middle + 17, small, size=11)

    def text(self, x: float, y: float, label: str, size: int = 14, anchor: str = "middle", mono: bool = False) -> None:
        font = ' font-family="monospace"' if mono else ""
        self.parts.append(
            f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}" fill="{INK}"{font}>{escape(label)}</text>'
        )

    def arrow(self, *points: tuple[float, float], dashed: bool = False, both: bool = False) -> None:
        """A line through the points, with a head at its end."""
        path = " ".join(f"{'L' if i else 'M'}{x} {y}" for i, (x, y) in enumerate(points))
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        start = ' marker-start="url(#arrow)"' if both else ""
        self.parts.append(
            f'<path d="{path}" fill="none" stroke="{LINE}" stroke-width="1.5"{dash} marker-end="url(#arrow)"{start}/>'
        )

    def line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self.parts.append(f'<path d="M{x1} {y1} L{x2} {y2}" stroke="{LINE}" stroke-width="1.5"/>')

    def __str__(self) -> str:
        return self.head + "\n" + "\n".join(self.parts) + "\n</svg>\n"


def drawings() -> Iterator[tuple[str, str]]:
    """Every drawing: file below `docs/images`, text."""
    yield "pool.svg", str(pool())
    yield "disaggregated.svg", str(disaggregated())
    yield "automaton.svg", str(automaton())
    yield "ticks.svg", str(ticks())
    yield "instant.svg", str(instant())
    yield "iteration.svg", str(iteration())
    yield "layers.svg", str(layers())


def pool() -> Drawing:
    """The three states of a pool's units and the moves between them."""
    d = Drawing(720, 190, "A pool: allocated, cached and free units")
    d.box(20, 60, 260, 60, "allocated", BLUE, "to holds and leases")
    d.box(280, 60, 190, 60, "cached", AMBER, "prefixes nobody holds")
    d.box(470, 60, 230, 60, "free", GREEN)
    d.text(360, 178, "cap = allocated + cached + free", size=13)
    d.arrow((560, 60), (560, 30), (150, 30), (150, 60))
    d.text(355, 24, "admission, grow", size=12)
    d.arrow((250, 120), (250, 145), (330, 145), (330, 120))
    d.text(290, 161, "end of a hold: cache", size=12)
    d.arrow((430, 120), (430, 145), (520, 145), (520, 120))
    d.text(475, 161, "evict", size=12)
    d.arrow((320, 60), (320, 44), (240, 44), (240, 60))
    d.text(280, 55, "reuse", size=11)
    return d


def disaggregated() -> Drawing:
    """Two prefill and two decode replicas with their network cards."""
    d = Drawing(720, 300, "Two prefill replicas, two decode replicas and the transfer between them")
    d.box(15, 120, 90, 60, "requests", GREY)
    for row, y in enumerate((30, 170)):
        d.box(150, y, 200, 100, "", BLUE)
        d.text(160, y + 20, f"p[{row}] : prefill", anchor="start", mono=True, size=13)
        d.box(162, y + 34, 80, 50, "p.kv", AMBER, "leased")
        d.box(255, y + 34, 80, 50, "p.nic", GREY, "ps(bandwidth)")
        d.box(440, y, 200, 100, "", GREEN)
        d.text(450, y + 20, f"d[{row}] : decode", anchor="start", mono=True, size=13)
        d.box(455, y + 34, 80, 50, "d.nic", GREY, "ps(bandwidth)")
        d.box(547, y + 34, 80, 50, "d.kv", AMBER)
        d.arrow((105, 150), (150, y + 50))
        for other in (30, 170):
            d.arrow((335, y + 60), (455, other + 60), dashed=True)
    d.arrow((640, 80), (700, 80))
    d.arrow((640, 220), (700, 220))
    d.text(395, 20, "transfer", size=12)
    d.text(675, 70, "answer", size=12)
    return d


def ticks() -> Drawing:
    """The exact clock: durations are whole numbers of ticks."""
    d = Drawing(720, 170, "Instants are integers, durations are rounded when they start")
    d.arrow((30, 90), (700, 90))
    for i in range(16):
        x = 50 + 40 * i
        d.line(x, 84, x, 96)
        d.text(x, 112, str(i), size=11)
    d.text(690, 112, "ticks", size=11)
    for start, end, label, fill in ((0, 5, "cost 1.25", BLUE), (5, 10, "cost 1.25", BLUE), (10, 15, "cost 1.25", BLUE)):
        d.box(50 + 40 * start, 40, 40 * (end - start), 30, label, fill)
    d.text(360, 140, "unit 1/4: three iterations of 1.25 end at tick 15, which is exactly 3.75", size=13)
    d.text(360, 25, "no sum of rounded numbers: k equal durations last exactly k times one", size=12)
    return d


def instant() -> Drawing:
    """What happens at one instant."""
    d = Drawing(720, 250, "One event and its settling")
    d.box(20, 30, 150, 60, "take an event", BLUE, "least (time, sequence)")
    d.box(210, 30, 150, 60, "ready sessions", GREEN, "run until they block")
    d.box(400, 30, 140, 60, "admission pass", AMBER, "growers, then queues")
    d.box(570, 30, 130, 60, "stages start", GREY, "re-time, iterate")
    d.arrow((170, 60), (210, 60))
    d.arrow((360, 60), (400, 60))
    d.arrow((540, 60), (570, 60))
    d.arrow((470, 90), (470, 125), (285, 125), (285, 90))
    d.text(378, 142, "again, while somebody was admitted", size=12)
    d.box(400, 170, 140, 50, "gauges read", GREY)
    d.arrow((635, 90), (635, 195), (540, 195))
    d.arrow((400, 195), (95, 195), (95, 90))
    d.text(240, 187, "next event, while time ≤ horizon", size=12)
    return d


def iteration() -> Drawing:
    """One iteration of a step engine."""
    d = Drawing(720, 170, "One iteration of a step engine")
    steps = (
        ("budget", "read once", GREY),
        ("serve", "the residents", BLUE),
        ("admit", "from the queue", AMBER),
        ("cost", "read once", GREY),
        ("… time …", "exactly the cost", PAPER),
        ("tokens", "runs may end", GREEN),
    )
    for i, (label, small, fill) in enumerate(steps):
        x = 12 + 118 * i
        d.box(x, 50, 104, 56, label, fill, small)
        if i:
            d.arrow((x - 14, 78), (x, 78))
    d.text(240, 36, "one instant: the plan", size=12)
    d.text(660, 36, "the iteration's end", size=12)
    d.arrow((660, 106), (660, 140), (64, 140), (64, 106))
    d.text(360, 156, "as soon as no other event is due at the instant", size=12)
    return d


def layers() -> Drawing:
    """The layers of the code; an import goes downwards only."""
    rows = (
        (("serq_lsp.protocol", BLUE), ("serq_lsp.cli", BLUE)),
        (("serq_lsp.services", GREEN), ("serq_lsp.background", GREEN)),
        (("frontend", AMBER),),
        (("explore", AMBER),),
        (("rules", AMBER), ("machine", AMBER)),
        (("analysis", AMBER),),
        (("ir", AMBER),),
        (("semantics", AMBER),),
        (("syntax", AMBER),),
        (("catalog", AMBER),),
        (("serq_grammar", GREY),),
    )
    d = Drawing(720, 40 + 42 * len(rows), "The layers; imports go downwards only")
    for i, row in enumerate(rows):
        width = 560 / len(row)
        for j, (label, fill) in enumerate(row):
            d.box(60 + width * j, 20 + 42 * i, width - 8, 34, label, fill)
    d.arrow((660, 30), (660, 20 + 42 * len(rows)))
    d.text(690, 50, "imports", size=11)
    return d


_WORDS = {
    a.TurnState: ("turn", GREY),
    a.SetState: ("set", GREY),
    a.ObserveState: ("observe", GREY),
    a.AcquireState: ("acquire", AMBER),
    a.ExitState: ("exit", AMBER),
    a.RunState: ("run", BLUE),
    a.BranchState: ("branch", GREY),
    a.GotoState: ("loop", GREY),
    a.EndState: ("end", ROSE),
}


def automaton() -> Drawing:
    """The states of `AUTOMATON_PROGRAM`, its hold as a frame, the jump of a preemption dashed."""
    compiled = serq_interpreter.compile(AUTOMATON_PROGRAM)
    assert compiled.program is not None
    made = compile_automaton(compiled.program)
    order = _in_order(made)
    step, top, left, width = 56, 24, 230, 120
    d = Drawing(720, top + step * len(order) + 10, "The automaton of a session")
    middle = {state: top + step * row + 18 for row, state in enumerate(order)}
    for scope_id, scope in enumerate(made.scopes):
        if scope.hold is None:
            continue
        inside = [middle[state] for state in order if made.states[state].scope == scope_id]
        d.box(left - 20, min(inside) - 28, width + 260, max(inside) - min(inside) + 56, "", "#fffbeb")
        d.text(left + width + 120, min(inside) - 8, "inside the hold: units allocated", size=12)
        back = middle[scope.reentry]
        d.arrow((left, max(inside)), (left - 60, max(inside)), (left - 60, back), (left, back), dashed=True)
        d.text(left - 70, (max(inside) + back) / 2, "preemption", size=12, anchor="end")
    centre = left + width / 2
    for state_id, y in middle.items():
        state = made.states[state_id]
        word, fill = _WORDS[type(state)]
        d.box(left, y - 17, width, 34, f"{state_id} {word}", fill)
        if isinstance(state, a.EndState):
            continue
        to = middle[state.next]
        if to > y:
            d.arrow((centre, y + 17), (centre, to - 17))
        else:
            d.arrow((left, y), (left - 170, y), (left - 170, to), (left, to))
        if isinstance(state, a.BranchState):
            x, other = left + width + 40, middle[state.otherwise]
            d.arrow((left + width, y), (x, y), (x, other), (left + width, other))
            d.text(x + 8, (y + other) / 2 + 4, "else", size=12, anchor="start")
    return d


def _in_order(made: a.Automaton) -> list[int]:
    """The states that a session can reach, each after the one that leads to it first."""
    order: list[int] = []
    waiting = [made.entry]
    while waiting:
        state_id = waiting.pop()
        if state_id in order:
            continue
        order.append(state_id)
        state = made.states[state_id]
        if isinstance(state, a.BranchState):
            waiting.append(state.otherwise)
        if not isinstance(state, a.EndState):
            waiting.append(state.next)
    return order


def main(arguments: list[str]) -> int:
    """Write or compare; returns the exit code."""
    check = "--check" in arguments
    stale = []
    for name, text in drawings():
        target = DOCS / "images" / name
        if target.exists() and target.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not check:
            target.parent.mkdir(exist_ok=True)
            target.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"{'stale' if check else 'wrote'}: images/{name}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
