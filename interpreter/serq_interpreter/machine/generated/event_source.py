"""The source of a run without pools: one function, its state in local names (issue of speed: 05 §1 to §4 inlined).

The function is a generator: it yields when its budget of events is used up, with the machine's books brought up to date,
and goes on with the next budget.  A session is a list: its attributes, then the fields of `_FIELDS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.generated.draw_source import BlockDraws, Samples, StreamDraws, session_draws
from serq_interpreter.machine.generated.expression_source import source
from serq_interpreter.machine.numbers import SLACK
from serq_interpreter.machine.static_facts import attributes_read

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine

_FIELDS = ("SER", "PC", "J", "S", "W", "TURNS", "STREAM", "RI", "RC")


def _slots_used(automaton: a.Automaton, record: bool) -> list[int]:
    """The attributes that the source has to keep: those that something reads."""
    expressions: list[ir.Expr] = [line.value for line in (*automaton.init, *automaton.turn)]
    for state in automaton.states:
        match state:
            case a.SetState(value=value) | a.ObserveState(value=value):
                expressions.append(value)
            case a.BranchState(guard=guard):
                expressions.append(guard)
            case a.RunState(work=work):
                expressions.append(work)
            case _:
                continue
    return sorted(attributes_read(expressions) | ({ir.SLOT_TURN} if record else set()))


class Source:
    """Builds the text line by line."""

    def __init__(self, machine: Machine, exact: bool, record: bool) -> None:
        self.program = machine.program
        self.automaton = machine.automaton
        self.exact = exact
        self.record = record
        self.finite = machine.settings.arrivals is not None
        self.kinds = [stage.kind for stage in machine.program.stages]
        self.slots = {slot: place for place, slot in enumerate(_slots_used(self.automaton, record))}
        self.loops = any(isinstance(state, a.GotoState) for state in self.automaton.states)
        """Only a loop can make a session ready again and again at one instant (05 §12)."""
        fields = _FIELDS if self.loops else _FIELDS[:-2]
        self.at = {name: len(self.slots) + i for i, name in enumerate(fields)}
        self.samples: Samples = {}
        self.lines: list[str] = []
        self.depth = 0
        self.seconds = "seconds" if exact else "now"

    # ------------------------------------------------------------------ text

    def put(self, *lines: str) -> None:
        self.lines += ["    " * self.depth + line for line in lines]

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.put(head)
        self.depth += 1
        yield
        self.depth -= 1

    def field(self, name: str, actor: str = "a") -> str:
        return f"{actor}[{self.at[name]}]"

    def after(self, duration: str) -> str:
        return f"now + ticks({duration})" if self.exact else f"now + {duration}"

    def text(self) -> str:
        """The whole function."""
        with self.block("def run(m, books, heap, seq, limit):"):
            self._load()
            with self.block("try:"), self.block("while True:"):
                with self.block("while heap and heap[0][0] <= limit:"):
                    if self.finite:
                        self.put("if live == 0 and arrivals >= wanted: break")
                    with self.block("if budget <= 0:"):
                        self._flush()
                        self.put("budget = yield False")
                    self.put("budget -= 1")
                    self._event()
                self._flush()
                self.put("budget = yield True")
            with self.block("finally:"):
                self._flush()
        return "\n".join(self.lines) + "\n"

    # ------------------------------------------------------------------ state

    def _names(self) -> list[tuple[str, str]]:
        """Local names and the places of the machine's books they mirror."""
        names = [
            ("now", "m.now"),
            ("seconds", "m.seconds"),
            ("events", "m.events"),
            ("same", "m.same_instant"),
            ("measuring", "m.measuring"),
            ("measured_from", "m.measured_from"),
            ("live", "m.live"),
            ("live_since", "m.live_since"),
            ("live_area", "m.live_area"),
            ("last_end", "m.last_end"),
            ("arrivals", "m.arrivals"),
            ("ended", "m.ended"),
            ("turns", "m.turns"),
        ]
        for i in range(len(self.kinds)):
            for name, member in (
                ("n", "present"),
                ("an", "area_number"),
                ("tu", "time_used"),
                ("c", "completed"),
                ("mw", "mean_wait"),
                ("ms", "mean_service"),
            ):
                names.append((f"{name}{i}", f"books.stages[{i}].{member}"))
        return names

    def _load(self) -> None:
        self.put(*[f"{name} = {place}" for name, place in self._names()])
        self.put("wanted = m.settings.arrivals", "backlog = m.backlog", "level = backlog.level()")
        self.put("b_since, b_limit, b_area = backlog.open_window()")
        self.put(*[f"o{i} = books.record({i})" for i in range(len(self.program.observes))])
        self.put("ready = deque()", "next_gap = books.next_gap", "draws = m.draws", "n_started = 0")
        for i, kind in enumerate(self.kinds):
            if isinstance(kind, ir.Fifo):
                self.put(f"line{i} = deque()", f"k{i} = 0")
            elif isinstance(kind, ir.Ps):
                self.put(f"h{i} = []", f"v{i} = 0.0", f"r{i} = 0.0", f"l{i} = 0.0", f"ver{i} = 0", f"ch{i} = False")
        self.put("gaps = draws.arrival", "g_block = gaps.block; g_at = gaps.at; g_stop = gaps.stop")
        self.put("i_first = i_stop = 0", "i_block = ()", "budget = yield None")

    def _flush(self) -> None:
        if not self.exact:
            self.put("seconds = now")
        self.put(*[f"{place} = {name}" for name, place in self._names()])
        self.put("backlog.resume(b_since, b_area, level)")

    # ------------------------------------------------------------------ events

    def _event(self) -> None:
        self.put("time, _, kind, a = heap[0]")
        with self.block("if time != now:"):
            self.put("same = 0")
            with self.block("if measuring:"):
                self.put("e = time - now")
                for i in range(len(self.kinds)):
                    self.put(f"if n{i}: an{i} += n{i} * e; tu{i} += e")
            self.put("now = time")
            if self.exact:
                self.put("seconds = now * over / per")
        with self.block("else:"):
            self.put(
                "same += 1", "if same > EVENTS_PER_INSTANT + READIES_PER_INSTANT * live: raise unsettled(m, now, same)"
            )
        self.put("events += 1")
        for i, kind in enumerate(self.kinds):
            with self.block(f"{'if' if i == 0 else 'elif'} kind == {i}:"):
                self._completion(i, kind)
        with self.block("elif kind == -1:" if self.kinds else "if kind == -1:"):
            self._arrival()
        with self.block("else:"):
            self.put("pop(heap)", "measuring = True", "measured_from = live_since = now", "live_area = 0.0")
            for i in range(len(self.kinds)):
                self.put(f"an{i} = tu{i} = 0")
        with self.block("while a is not None:"):
            self._sessions()
            self.put("a = ready.popleft() if ready else None")
        for i, kind in enumerate(self.kinds):
            if isinstance(kind, ir.Ps):
                with self.block(f"if ch{i}:"):
                    self._retime(i, kind)

    def _completion(self, i: int, kind: ir.StageKind) -> None:
        if isinstance(kind, ir.Ps):
            self.put("pop(heap)")
            with self.block(f"if a == ver{i}:"):
                self._touch(i)
                self.put(f"tag, _, a = pop(h{i})", f"if tag > v{i}: v{i} = tag", f"ch{i} = True")
                self._left(i, "J")
            self.put("else: a = None")
            return
        if isinstance(kind, ir.Fifo):
            with self.block(f"if line{i}:"):
                self.put(f"b = line{i}.popleft()", f"{self.field('S', 'b')} = now")
                with self.block(f"if {self.field('W', 'b')} < inf:"):
                    self.put(f"seq += 1; replace(heap, ({self.after(self.field('W', 'b'))}, seq, {i}, b))")
                self.put("else: pop(heap)")
            self.put(f"else: k{i} -= 1; pop(heap)")
        else:
            self.put("pop(heap)")
        self._left(i, "S" if isinstance(kind, ir.Fifo) else "J")

    def _left(self, i: int, started: str) -> None:
        self.put(f"n{i} -= 1")
        scale = " * over / per" if self.exact else ""
        with self.block("if measuring:"):
            self.put(f"c{i} += 1")
            begun = self.field(started)
            wait = f"({begun} - {self.field('J')}){scale}" if started == "S" else "0.0"
            self.put(f"mw{i} += ({wait} - mw{i}) / c{i}")
            self.put(f"ms{i} += ((now - {begun}){scale} - ms{i}) / c{i}")
        self._made_ready()

    def _made_ready(self) -> None:
        if not self.loops:
            return
        with self.block(f"if {self.field('RI')} == now:"):
            self._again()
        self.put(f"else: {self.field('RI')} = now; {self.field('RC')} = 1")

    def _again(self) -> None:
        count = self.field("RC")
        self.put(f"{count} += 1")
        self.put(f"if {count} > READIES_PER_INSTANT: raise spinning(m, now, {self.field('SER')}, {self.field('PC')})")

    def _touch(self, i: int) -> None:
        seconds = self.seconds
        self.put(f"v{i} = v{i} + r{i} * ({seconds} - l{i})", f"l{i} = {seconds}")

    def _retime(self, i: int, kind: ir.Ps) -> None:
        assert isinstance(kind.capacity, ir.Num)
        self.put(f"ch{i} = False")
        self._touch(i)
        self.put(f"ver{i} += 1")
        with self.block(f"if n{i}:"):
            self.put(f"r{i} = {kind.capacity.value!r} / n{i}", f"wait = h{i}[0][0] - v{i}")
            self.put(f"wait = (wait if wait > 0.0 else 0.0) / r{i}")
            after = "now + ticks_up(wait)" if self.exact else "now + wait"
            self.put(f"if wait < inf: seq += 1; push(heap, ({after}, seq, {i}, ver{i}))")
        self.put(f"else: r{i} = 0.0")

    def _arrival(self) -> None:
        if self.finite:
            with self.block("if arrivals + 1 < wanted:"):
                self._next_arrival()
            self.put("else: pop(heap)")
        else:
            self._next_arrival()
        slots = ["float(arrivals)" if slot == ir.SLOT_SERIAL else "0.0" for slot in self.slots]
        fields = ["arrivals", str(self.automaton.entry), "0", "0", "0.0", "0", "None"]
        if self.loops:
            fields += ["now", "1"]
        self.put(f"a = [{', '.join(slots + fields)}]", "serial = arrivals", "arrivals += 1")
        self._live(1)
        self._lines(self.automaton.init, BlockDraws("init", self.field("TURNS"), self.samples))

    def _next_arrival(self) -> None:
        arrival = self.program.arrival
        if isinstance(arrival, ir.Poisson):
            self.put("if g_at < g_stop: x = g_block[g_at]; g_at += 1")
            with self.block("else:"):
                self.put("gaps.at = g_at; x = gaps.uniform()")
                self.put("g_block = gaps.block; g_at = gaps.at; g_stop = gaps.stop")
            gap = f"-log(1.0 - x) / {arrival.rate!r}"
        else:
            gap = "next_gap()"
        self.put(f"seq += 1; replace(heap, ({self.after(gap)}, seq, -1, None))")

    def _live(self, step: int) -> None:
        with self.block("if measuring:"):
            self.put("live_area += live * (now - live_since)", "live_since = now")
        self.put(f"live += {step}")
        if step > 0:
            self.put("if live > MOST_LIVE: raise crowded(m, now)")
        with self.block(f"if {self.seconds} > b_since:"):
            with self.block(f"if {self.seconds} > b_limit:"):
                self.put("backlog.resume(b_since, b_area, level)", f"backlog.change({self.seconds}, live)")
                self.put("b_since, b_limit, b_area = backlog.open_window()")
            with self.block("else:"):
                self.put(f"b_area += level * ({self.seconds} - b_since)", f"b_since = {self.seconds}")
        self.put("level = live")

    # ------------------------------------------------------------------ statements

    def _lines(self, lines: tuple[ir.Set | ir.Observe, ...], draws: BlockDraws) -> None:
        draws.prepare([line.value for line in lines])
        self.put(*draws.opening())
        for line in lines:
            value = source(line.value, lambda node: self._leaf(node, draws))
            if isinstance(line, ir.Set):
                self._set(line.slot, value)
            else:
                self._observe(line.observation, value)

    def _leaf(self, node: ir.Expr, draws: BlockDraws | StreamDraws) -> str:
        match node:
            case ir.Attr():
                return f"a[{self.slots[node.slot]}]"
            case ir.Ctx():
                return self.seconds
            case ir.Sample():
                return draws.draw(node, lambda inner: self._leaf(inner, draws))
        raise TypeError(f"no source for {type(node).__name__}")

    def _set(self, slot: int, value: str) -> None:
        """A value nobody reads is evaluated all the same: it may draw or fail."""
        self.put(f"a[{self.slots[slot]}] = {value}" if slot in self.slots else value)

    def _observe(self, index: int, value: str) -> None:
        if self.record:
            record = f"o{index}(x, {self.seconds}, {self.field('SER')}, a[{self.slots[ir.SLOT_TURN]}])"
        else:
            record = f"o{index}(x)"
        self.put(f"x = {value}", f"if measuring: {record}")

    def _sessions(self) -> None:
        """The ready session goes on until it blocks or ends: one branch per state where it can resume or meet."""
        heads = self._heads()
        self.put(f"pc = {self.field('PC')}")
        with self.block("while True:"):
            for number, head in enumerate(heads):
                with self.block(f"{'if' if number == 0 else 'elif'} pc == {head}:"):
                    self._straight(head, set(heads), first=True)

    def _heads(self) -> list[int]:
        states = self.automaton.states
        counts = dict.fromkeys(range(len(states)), 0)
        heads = {self.automaton.entry}
        for state in states:
            match state:
                case a.EndState():
                    continue
                case a.BranchState():
                    counts[state.next] += 1
                    counts[state.otherwise] += 1
                case a.RunState():
                    heads.add(state.next)
                case _:
                    counts[state.next] += 1
        heads |= {number for number, count in counts.items() if count > 1}
        return sorted(heads)

    def _straight(self, number: int, heads: set[int], first: bool = False) -> None:
        """States one after the other up to one that blocks, ends or is the head of a branch of its own."""
        session = session_draws(self.field("STREAM"), self.field("SER"), self.samples)
        while True:
            if number in heads and not first:
                self.put(f"pc = {number}", "continue")
                return
            first = False
            state = self.automaton.states[number]
            match state:
                case a.SetState():
                    self._set(state.slot, source(state.value, lambda node: self._leaf(node, session)))
                case a.ObserveState():
                    self._observe(state.observation, source(state.value, lambda node: self._leaf(node, session)))
                case a.TurnState():
                    self._turn()
                case a.BranchState():
                    self.put(f"x = {source(state.guard, lambda node: self._leaf(node, session))}")
                    with self.block("if x == 1.0:"):
                        self._straight(state.next, heads)
                    with self.block("elif x == 0.0:"):
                        self._straight(state.otherwise, heads)
                    self.put(f"else: raise bad_guard(m, now, {self.field('SER')}, {number}, x)")
                    return
                case a.RunState():
                    self._run(number, state, source(state.work, lambda node: self._leaf(node, session)))
                    return
                case a.EndState():
                    self.put("if measuring: ended += 1", "last_end = now")
                    self._live(-1)
                    self.put("break")
                    return
                case _:
                    self.put("pass")
            number = state.next

    def _turn(self) -> None:
        turns = self.field("TURNS")
        self.put(f"{turns} += 1", "if measuring: turns += 1")
        if ir.SLOT_TURN in self.slots:
            self.put(f"a[{self.slots[ir.SLOT_TURN]}] += 1.0")
        self.put(f"serial = {self.field('SER')}")
        self._lines(self.automaton.turn, BlockDraws("turn", turns, self.samples))

    def _run(self, number: int, state: a.RunState, work: str) -> None:
        i = state.stage.base + (0 if state.stage.index is None else int(state.stage.index.value))  # type: ignore[union-attr]
        kind = self.kinds[i]
        self.put(f"w = {work}")
        self.put(f"if not w >= {-SLACK!r}: raise bad_work(m, now, {self.field('SER')}, {number}, w)")
        self.put(f"{self.field('PC')} = {state.next}")
        with self.block("if w <= 0.0:"):
            self._made_ready()
            self.put("ready.append(a)", "break")
        if isinstance(kind, ir.Ps):
            self._touch(i)
            self.put(f"n{i} += 1", "n_started += 1", f"push(h{i}, (v{i} + w, n_started, a))")
            self.put(f"{self.field('J')} = now", f"ch{i} = True", "break")
            return
        self.put(f"n{i} += 1", f"{self.field('J')} = now")
        start = f"if w < inf: seq += 1; push(heap, ({self.after('w')}, seq, {i}, a))"
        if isinstance(kind, ir.Delay):
            self.put(start, "break")
            return
        with self.block(f"if k{i} < {kind.servers}:"):  # type: ignore[union-attr]
            self.put(f"k{i} += 1", f"{self.field('S')} = now", start)
        self.put(f"else: {self.field('W')} = w; line{i}.append(a)", "break")
