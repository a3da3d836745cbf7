"""The source of a run without pools: one function, its state in local names (05 §1 to §4 inlined).

The function is a generator: it yields when its budget of events is used up, with the machine's books brought up to date,
and goes on with the next budget.  A session is a list: the attributes that something reads, then the fields it needs.
Each event ends with the statements of its session in line (`event_statements`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.engine import MOST_LIVE
from serq_interpreter.machine.generated.draw_source import BlockDraws, Samples
from serq_interpreter.machine.generated.event_clock import ClockSource
from serq_interpreter.machine.generated.event_stages import ARRIVAL, VOID, WARMUP, Shared, stage_source
from serq_interpreter.machine.generated.event_statements import EventStatements
from serq_interpreter.machine.generated.text import Text
from serq_interpreter.machine.static_facts import attributes_read, draws

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine


def expressions_of(automaton: a.Automaton) -> tuple[list[ir.Expr], list[ir.Expr]]:
    """Of the session's statements, and of its blocks."""
    found: list[ir.Expr] = []
    for state in automaton.states:
        match state:
            case a.SetState(value=value) | a.ObserveState(value=value):
                found.append(value)
            case a.BranchState(guard=guard):
                found.append(guard)
            case a.RunState(work=work):
                found.append(work)
            case _:
                continue
    return found, [line.value for line in (*automaton.init, *automaton.turn)]


class Source(Text):
    """Builds the text line by line."""

    def __init__(self, machine: Machine, clock: ClockSource, record: bool) -> None:
        super().__init__()
        self.program = machine.program
        self.automaton = machine.automaton
        self.clock = clock
        self.scale, self.seconds = clock.scale, clock.seconds
        self.record = record
        self.finite = machine.settings.arrivals is not None
        self.samples: Samples = {}
        self.kinds = [stage.kind for stage in machine.program.stages]
        self.stages = [stage_source(self, i) for i in range(len(self.kinds))]
        self.heaps = any(not stage.has_slot or isinstance(stage, Shared) for stage in self.stages)
        """Whether any event is in the heap."""
        own, of_blocks = expressions_of(self.automaton)
        slots = attributes_read(own + of_blocks) | ({ir.SLOT_TURN} if record else set())
        self.slots = {slot: place for place, slot in enumerate(sorted(slots))}
        """The attributes that the source has to keep: those that something reads."""
        self.loops = any(isinstance(state, a.GotoState) for state in self.automaton.states)
        """Only a loop can make a session ready again and again at one instant (05 §12)."""
        self.statements = EventStatements(self)
        self.at = {name: len(self.slots) + place for place, name in enumerate(self._fields(own))}

    def _fields(self, own: list[ir.Expr]) -> list[str]:
        """Serial, joined, work, start of service, counter, turns, stream, instant and number of readiness."""
        fields = ["SER", "J"]
        if any(isinstance(kind, ir.Fifo) for kind in self.kinds):
            fields.append("W")
        if any(isinstance(kind, ir.Fifo) and kind.servers > 1 for kind in self.kinds):
            fields.append("S")
        if not self.statements.in_line:
            fields.append("PC")
        if any(isinstance(state, a.TurnState) for state in self.automaton.states):
            fields.append("TURNS")
        if draws(own):
            fields.append("STREAM")
        return fields + (["RI", "RC"] if self.loops else [])

    # ------------------------------------------------------------------ text

    def field(self, name: str, actor: str = "a") -> str:
        return f"{actor}[{self.at[name]}]"

    def schedule(self, place: str, duration: str, number: str) -> None:
        """`place` becomes the instant a finite `duration` (a name) after now, `number` that of the event."""
        self.clock.schedule(self, place, duration)
        self.put(f"seq += 1; {number} = seq")

    def text(self) -> str:
        """The whole function."""
        with self.block("def run(m, books, seq, limit, warmup, stop, ta, sa):"):
            self._load()
            with self.block("try:"), self.block("while True:"):
                with self.block("for done in range(granted):"):
                    self._next_event()
                    self._event()
                with self.block("else:"):
                    # A run whose budget ends with its last event is complete.
                    self._earliest()
                    over = "time > stop == limit" + (" or live == 0 and arrivals >= wanted" if self.finite else "")
                    self._yield(over)
                    self.put("continue")
                self._yield("True")
            with self.block("finally:"):
                self._flush()
        return "\n".join(self.lines) + "\n"

    def _yield(self, ended: str) -> None:
        """Bring the books up to date and wait for the next budget of events; `done` is the number of the event's."""
        self._flush()
        self.put("events += done + 1", "done = -1", f"granted = yield {ended}")

    # ------------------------------------------------------------------ state

    def _names(self) -> list[tuple[str, str]]:
        """Local names and the places of the machine's books they mirror, except times."""
        names = [
            ("measuring", "m.measuring"),
            ("same", "m.same_instant"),
            ("live", "m.live"),
            ("live_area", "m.live_area"),
            ("arrivals", "m.arrivals"),
            ("ended", "m.ended"),
            ("turns", "m.turns"),
        ]
        for i in range(len(self.kinds)):
            for name, member in (("n", "present"), ("c", "completed"), ("mw", "mean_wait"), ("ms", "mean_service")):
                names.append((f"{name}{i}", f"books.stages[{i}].{member}"))
        return names

    def _times(self) -> list[tuple[str, str]]:
        """The same of times."""
        names = [(name, f"m.{name}") for name in ("now", "measured_from", "live_since", "last_end")]
        return names + [(f"tu{i}", f"books.stages[{i}].time_used") for i in range(len(self.kinds))]

    def _load(self) -> None:
        self.put(*[f"{name} = {place}" for name, place in self._names()])
        self.put(*[f"{name} = {self.clock.load(place)}" for name, place in self._times()])
        for i in range(len(self.kinds)):
            self.clock.load_area(self, i, f"books.stages[{i}].area_number")
        self.put("events = m.events", "seconds = m.seconds")
        self.put("wanted = m.settings.arrivals", "backlog = m.backlog", "b_limit = backlog.limit")
        self.put("one = m.one")
        self.put(*[f"o{i} = books.record({i})" for i in range(len(self.program.observes))])
        self.put("ready = deque()", "heap = []", "next_gap = books.next_gap", "draws = m.draws")
        for stage in self.stages:
            self.put(*stage.load())
        self.put("gaps = draws.arrival", "g_gaps = (); g_at = g_stop = gaps.stop")
        self.put("i_uniforms = ()", "i_at = i_end = served = 0", "done = -1", "granted = yield None")

    def _flush(self) -> None:
        self.put(*[f"{place} = {name}" for name, place in self._names()])
        self.put(*[f"{place} = {self.clock.store(name)}" for name, place in self._times()])
        for i in range(len(self.kinds)):
            self.clock.store_area(self, i, f"books.stages[{i}].area_number")
        self.put(f"m.seconds = {self.seconds}", "m.events = events + done + 1")

    # ------------------------------------------------------------------ events

    def _earliest(self) -> None:
        """The next event, the first by (time, number): of the arrivals, of the stages with at most one, of the heap."""
        slots = [stage.i for stage in self.stages if stage.has_slot]
        if len(slots) == 1 and not self.heaps:
            i = slots[0]
            self.put(f"if t{i} < ta or t{i} == ta and q{i} < sa: time = t{i}; kind = {i}")
            self.put(f"else: time = ta; kind = {ARRIVAL}")
        else:
            self.put("time = ta", "number = sa", f"kind = {ARRIVAL}")
            for i in slots:
                self.put(f"if t{i} < time or t{i} == time and q{i} < number: time = t{i}; number = q{i}; kind = {i}")
        if self.heaps:
            with self.block("if heap:"):
                self.put("entry = heap[0]")
                with self.block("if entry[0] < time or entry[0] == time and entry[1] < number:"):
                    self.put("time, _, kind, a = entry")

    def _next_event(self) -> None:
        """The event that is processed, if there is one up to the end."""
        self._earliest()
        # Where nothing is to come the time is infinite.
        with self.block("if time > stop:"):
            # The end of the warm-up was scheduled before everything else: it comes first at its instant.
            self.put("if stop == limit: done -= 1; break", f"time = warmup; kind = {WARMUP}")
        if self.finite:
            self.put("if live == 0 and arrivals >= wanted: done -= 1; break")

    def _event(self) -> None:
        with self.block("if time != now:"):
            self.put("same = 0")
            with self.block("if measuring:"):
                self.put("e = time - now")
                for i in range(len(self.kinds)):
                    with self.block(f"if n{i}:"):
                        self.clock.area(self, i)
            self.put("now = time")
            if self.clock.exact:
                self.put(f"seconds = now{self.scale}")
        with self.block("else:"):
            self.put("same += 1")
            with self.block("if same > EVENTS_PER_INSTANT + READIES_PER_INSTANT * live:"):
                self.put("done -= 1", "raise unsettled(m, now, same)")
        with self.block(f"if kind == {ARRIVAL}:"):
            self._arrival()
            self.statements.begin(self.automaton.entry)
        for stage in self.stages:
            with self.block(f"elif kind == {stage.i}:"):
                stage.ended()
                self.made_ready()
                self.statements.go_on(stage.i)
        with self.block(f"elif kind == {WARMUP}:"):
            self.put("stop = limit", "measuring = True", "measured_from = live_since = now", "live_area = 0.0")
            for i in range(len(self.kinds)):
                self.clock.reset(self, i)
            self.statements.nobody()
        if any(isinstance(kind, ir.Ps) for kind in self.kinds):
            with self.block(f"elif kind == {VOID}:"):
                self.put("pop(heap)")
                self.statements.nobody()
        self.statements.rest()
        for stage in self.stages:
            stage.retime()

    def made_ready(self) -> None:
        """Count how often the session becomes ready at this instant."""
        if not self.loops:
            return
        count = self.field("RC")
        with self.block(f"if {self.field('RI')} == now:"):
            self.put(f"{count} += 1")
            self.put(
                f"if {count} > READIES_PER_INSTANT: raise spinning(m, now, {self.field('SER')}, {self._counter()})"
            )
        self.put(f"else: {self.field('RI')} = now; {count} = 1")

    def _counter(self) -> str:
        return "pc" if self.statements.in_line else self.field("PC")

    def _arrival(self) -> None:
        if self.finite:
            with self.block("if arrivals + 1 < wanted:"):
                self._next_arrival()
            self.put("else: ta = inf")
        else:
            self._next_arrival()
        slots = ["float(arrivals)" if slot == ir.SLOT_SERIAL else "0.0" for slot in self.slots]
        values = {
            "SER": "arrivals",
            "PC": str(self.automaton.entry),
            "W": "0.0",
            "STREAM": "None",
            "RI": "now",
            "RC": "1",
        }
        fields = [values.get(name, "0") for name in self.at]
        self.put(f"a = [{', '.join(slots + fields)}]", "serial = arrivals", "arrivals += 1")
        self.change_live(1)
        self.statements.lines(self.automaton.init, BlockDraws("init", "0", self.samples))

    def _next_arrival(self) -> None:
        arrival = self.program.arrival
        if isinstance(arrival, ir.Poisson):
            self.put("if g_at < g_stop: x = g_gaps[g_at]; g_at += 1")
            with self.block("else:"):
                # A block of uniforms becomes gaps at once; the stream goes on as if it had been asked one by one.
                self.put("gaps.at = g_stop; gaps.uniform()")
                self.put(f"g_gaps = [-log(1.0 - x) / {arrival.rate!r} for x in gaps.block]")
                self.put("g_stop = gaps.stop; g_at = gaps.at; x = g_gaps[g_at - 1]")
        else:
            self.put("x = next_gap()")
        self.schedule("ta", "x", "sa")

    def change_live(self, step: int, *measured: str) -> None:
        """A session arrives or ends (07 §2); `measured` is what else is counted after the warm-up."""
        area = "live_area * one" if self.clock.exact else "live_area"
        with self.block("if measuring:"):
            self.put(*measured, "live_area += live * (now - live_since)", "live_since = now")
            with self.block(f"if {self.seconds} > b_limit:"):
                self.put(f"backlog.pass_to({self.seconds}, {area}, live)", "b_limit = backlog.limit")
        self.put(f"live += {step}")
        if step > 0:
            self.put(f"if live > {MOST_LIVE}: raise crowded(m, now)")
