"""The source of a serving program's run: `build(m, books)` returns `go(limit, steps, most)` and `sync()`.

Its variables are those of the run; `engine_source` adds those of an engine.  An event is a tuple in one heap: when, on
the exact clock when it was scheduled, its number, a function and the session or ticket it is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.engine import EVENTS_PER_INSTANT, MOST_LIVE
from serq_interpreter.machine.generated.serving import stage_source
from serq_interpreter.machine.generated.serving.engine_source import EngineSource
from serq_interpreter.machine.generated.serving.engine_text import DOORS
from serq_interpreter.machine.generated.serving.paste import Scope, fill, indented
from serq_interpreter.machine.generated.serving.session_source import SessionSource
from serq_interpreter.machine.generated.serving.shape import Shape, attribute
from serq_interpreter.machine.settling import READIES_PER_INSTANT
from serq_interpreter.machine.static_facts import attributes_read

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine

_VARIABLES = (
    "now seq events same measuring measured_from live live_since live_area last_end arrivals ended turns "
    "n_admitted b_limit g_gaps g_at g_stop BEYOND planned stop_events"
).split()
"""What the functions of a run assign."""

_FIELDS = {
    "serial": "serial",
    "turns": "0",
    "stream": "None",
    "go": "None",
    "home": "0",
    "uf": "None",
    "cf": "None",
    "body": "None",
    "early": "False",
    "queued": "False",
    "joined": "ZERO",
    "begun": "ZERO",
    "work": "0.0",
    "adm": "0",
    "units": "0",
    "pos": "0",
    "rem": "0",
    "dec": "False",
    "adv": "False",
    "member": "False",
    "c0": "0",
    "p0": "0",
    "first": "-1",
    "mark": "0",
    "fell": "-1",
    "stuck": "False",
    "tk_turn": "-1",
    "tk_time": "ZERO",
    "tk_dec": "False",
    "tk_pre": "False",
    "tk_at": "-1",
    "spun_at": "None",
    "spun": "0",
}
"""The fields of a session beside its attributes, and what they begin with."""

_RUN = """
def build(m, books, caps):
    now = ZERO
    seq = m.n_scheduled
    events = m.events
    same = live = arrivals = ended = turns = n_admitted = planned = 0
    stop_events = inf
    live_since = last_end = measured_from = ZERO
    live_area = 0.0
    measuring = m.measuring
    backlog = m.backlog; b_limit = backlog.limit
    one = m.one; wanted = m.settings.arrivals
    draws = m.draws; gaps_of = draws.arrival
    g_gaps = (); g_at = g_stop = gaps_of.stop
    BEYOND = ZERO
    heap = []; ready = deque(); todo = []
    ticks = books.ticks; ticks_within = books.ticks_within
    $series
    $stages
    $engine
    doors = [engine(number) for number in range(len(caps))]
    $doors
    $functions
    return go, sync, schedule_first, counted
"""

_SPIN = """
if s.spun_at == now:
    s.spun += 1
    if s.spun > MOST_SPINS: leave('a session goes on and on')
else: s.spun_at = now; s.spun = 0
"""

_MEMBER = """
number = int(index) if index == index and -1e6 < index < 1e6 else -1
if number != index or not 0 <= number < count: leave('there is no such member')
return number
"""

_OPENED = """
s.stream = stream = draws.session(s.serial)
return stream
"""

_WARM_UP = """
$before
measuring = True
measured_from = live_since = now
live_area = 0.0
"""

_GAP = """
if g_at < g_stop: x = g_gaps[g_at]; g_at += 1
else:
    gaps_of.at = g_stop; gaps_of.uniform()
    g_gaps = [-log(1.0 - x) / $rate for x in gaps_of.block]
    g_stop = gaps_of.stop; g_at = gaps_of.at; x = g_gaps[g_at - 1]
"""

_ARRIVE = """
$next
serial = arrivals
s = S(serial)
arrivals += 1
$live
if live > MOST_LIVE: leave('too many sessions are live')
$init
go_$entry(s)
"""

_GO = """
BEYOND = $beyond
stop_events = most
while steps_left > 0 and events < most:
    steps_left -= 1
    $near_the_budget
    if not heap or heap[0][0] > limit or $drained: return True
    time, $skip_, act, s = heappop(heap)
    $void
    $ties
    if time != now:
        same = 0
        $add_up
        now = time
    else:
        same += 1
        if same > $instant: leave('time stands still')
    events += 1
    act(s)
    while ready:
        s = ready.popleft()
        s.go(s)
    if todo:
        $purge
        if not heap or heap[0][0] != now:
            $attempts
return $over
"""

_SYNC = """
$to_the_end
$engines
$stages
m.now = $native; m.seconds = $seconds
m.events = events; m.n_scheduled = seq
m.measuring = measuring; m.measured_from = measured_from
m.live = live; m.live_since = live_since; m.live_area = live_area; m.last_end = last_end
m.arrivals = arrivals; m.ended = ended; m.turns = turns
"""


class ServingSource:
    """Puts the text together."""

    def __init__(self, machine: Machine, shape: Shape, record: bool) -> None:
        self._machine = machine
        self._shape = shape
        slots = attributes_read(self._expressions()) | ({ir.SLOT_TURN} if record else set())
        self._slots = slots
        self._sessions = SessionSource(shape, slots, record)
        self.samples = self._sessions.samples

    def _expressions(self) -> list[ir.Expr | ir.PoolRef | ir.StageRef]:
        """Everything a session's attributes are read by."""
        automaton = self._shape.automaton
        found: list[ir.Expr | ir.PoolRef | ir.StageRef] = [line.value for line in (*automaton.init, *automaton.turn)]
        for state in automaton.states:
            match state:
                case a.SetState(value=value) | a.ObserveState(value=value):
                    found.append(value)
                case a.BranchState(guard=guard):
                    found.append(guard)
                case a.ChooseState():
                    found += [state.count, *state.keys]
                case a.RunState():
                    found += [state.work, state.stage, *([state.growing] if state.growing is not None else [])]
                case a.AcquireState():
                    assert isinstance(state.node, ir.Hold)
                    found += [take.units for take in state.admission.takes]
                    found += [take.pool for take in state.admission.takes]
                    found += [state.node.cache] if state.node.cache is not None else []
                case _:
                    continue
        return found

    # ------------------------------------------------------------------ text

    def text(self) -> str:
        """The module."""
        shape = self._shape
        scope = Scope([*_VARIABLES, *stage_source.variables(shape)])
        series = [f"o{i} = books.record({i})" for i in range(len(shape.program.observes))]
        functions = [line for head, body in self._functions().items() for line in scope.function(head, body)]
        body = fill(
            _RUN,
            series=series,
            stages=stage_source.lines(shape, scope),
            engine=EngineSource(shape).lines(scope),
            doors=self._doors(),
            functions=[*functions, *self._sessions.functions(scope)],
        )
        return "\n".join([*self._session_class(), *body]) + "\n"

    def _session_class(self) -> list[str]:
        fields = {attribute(slot): "0.0" for slot in sorted(self._slots | {ir.SLOT_CACHED, ir.SLOT_COMPUTED})}
        names = fields | _FIELDS
        # A session knows its own number from the start.
        serial = attribute(ir.SLOT_SERIAL)
        if serial in names:
            names[serial] = "float(serial)"
        slots = ", ".join(f"'{name}'" for name in names)
        return [
            "class S:",
            f"    __slots__ = ({slots})",
            "    def __init__(self, serial):",
            *[f"        self.{name} = {value}" for name, value in names.items()],
        ]

    def _doors(self) -> list[str]:
        lines = [f"{name} = [door[{place}] for door in doors]" for place, name in enumerate(DOORS)]
        for place, number in enumerate(self._shape.holds):
            lines.append(f"units_{number} = [door[{len(DOORS)}][{place}] for door in doors]")
        if len(self._shape.engines) == 1:
            lines += ["touch_0 = touch[0]; attempt_0 = attempt[0]"]
        return lines

    def _functions(self) -> dict[str, list[str]]:
        shape = self._shape
        return {
            "spin(s)": fill(_SPIN),
            "member(index, count)": fill(_MEMBER),
            "opened(s)": fill(_OPENED),
            "warm_up(s)": fill(_WARM_UP, before=self._before_warm_up()),
            "arrive(s)": self._arrive(),
            "gone(s)": self._sessions.end(),
            "schedule_first(entries)": self._first(),
            "go(limit, steps_left, most)": fill(_GO, **self._go_parts()),
            "sync(end)": fill(
                _SYNC,
                to_the_end=self._to_the_end(),
                engines="for number in range(len(doors)): sync_of[number]()",
                stages=stage_source.sync(shape),
                native="now",
                seconds=shape.seconds,
            ),
            "counted()": ["return events"],
        }

    # ------------------------------------------------------------------ parts

    def _before_warm_up(self) -> list[str]:
        """On the exact clock everything up to the warm-up is passed over now."""
        if not self._shape.exact:
            return []
        passes = [f"pass_{i}()" for i in self._shape.simple]
        return ["for number in range(len(doors)): sync_of[number]()", *passes]

    def _arrive(self) -> list[str]:
        shape = self._shape
        arrival = shape.program.arrival
        if isinstance(arrival, ir.Poisson):
            gap = fill(_GAP, rate=repr(arrival.rate))
        else:
            gap = ["x = books.next_gap()"]
        due = "(now + ticks(x), now, seq, arrive, None)" if shape.exact else "(now + x, seq, arrive, None)"
        following = [*gap, "seq += 1", f"heappush(heap, {due})"]
        if self._machine.settings.arrivals is not None:
            following = ["if arrivals + 1 < wanted:", *indented(following)]
        init = self._sessions.block(shape.automaton.init, "0")
        return fill(
            _ARRIVE,
            next=following,
            live=self._sessions.change_live(1),
            init=init,
            entry=str(shape.automaton.entry),
        )

    def _first(self) -> list[str]:
        """Events that were scheduled at the start: a time, a number, and whether a session arrives."""
        entry = "(time, ZERO, number, act, None)" if self._shape.exact else "(time, number, act, None)"
        return [
            "for time, number, arrives in entries:",
            "    act = arrive if arrives else warm_up",
            f"    heappush(heap, {entry})",
        ]

    def _go_parts(self) -> dict[str, str | list[str]]:
        shape = self._shape
        finite = self._machine.settings.arrivals is not None
        purge = "while heap and heap[0][0] == now and heap[0][4].__class__ is list and not heap[0][4][0]: heappop(heap)"
        # Plans run ahead of the events: what they still stand for must not go beyond the budget.
        near = [
            "if planned and events + planned >= most:",
            "    for number in range(len(doors)): cut[number]()",
            "    if events >= most: break",
        ]
        ties = [
            "if heap and heap[0][0] == time and heap[0][1] == scheduled:",
            "    other = heap[0][4]",
            "    if s.__class__ is list and s[1] or other.__class__ is list and other[1] and other[0]:",
            "        leave('two events fall on one instant, and nothing says which is the first')",
        ]
        attempts = ["todo.clear()", "attempt_0()"]
        if len(shape.engines) > 1:
            attempts = [
                "if len(todo) == 1: attempt[todo.pop()]()",
                "else:",
                "    due = sorted(set(todo)); todo.clear()",
                "    for number in due: attempt[number]()",
            ]
        add_up = []
        if not shape.exact:
            add_up = ["if measuring:", "    e = time - now", "    touch_0(e)"]
            add_up += [f"    if n{i}: an{i} += n{i} * e; tu{i} += e" for i in shape.simple]
        drained = "live == 0 and arrivals >= wanted" if finite else "False"
        return {
            "beyond": "nextafter(limit, inf)" if not shape.exact else "limit + 1",
            "purge": purge if shape.exact else "",
            # The end of a plan that was cut.
            "void": "if s.__class__ is list and not s[0]: continue" if shape.exact else [],
            "near_the_budget": near if shape.exact else [],
            "drained": drained,
            "skip_": "scheduled, _" if shape.exact else "_",
            "ties": ties if shape.exact else [],
            "add_up": add_up,
            "instant": f"{EVENTS_PER_INSTANT}",
            "attempts": attempts,
            "over": f"not heap or heap[0][0] > limit or {drained}",
        }

    def _to_the_end(self) -> list[str]:
        """At the end of a run plans are cut there: the last event may be the end of an iteration of one."""
        if not self._shape.exact:
            return []
        return [
            "if end is not None:",
            "    latest = now",
            "    now = end + 1",
            "    for number in range(len(doors)): cut[number]()",
            "    now = max([latest, *[since[number]() for number in range(len(doors))]])",
        ]


CONSTANTS = {"MOST_SPINS": READIES_PER_INSTANT // 4, "MOST_LIVE": MOST_LIVE}
