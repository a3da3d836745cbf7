"""Queues, their entries and relations, and the calls that use them."""

from __future__ import annotations

from dataclasses import dataclass

from tests.support.generate.declarations import Declarations
from tests.support.generate.statements import Statements


@dataclass(frozen=True, slots=True)
class Queue:
    name: str
    size: int | None
    pool: str
    step: bool
    sourced: bool


class Queues:
    """A small serving cluster: prefill and decode queues, perhaps a link or a relation, a gateway."""

    def __init__(self, statements: Statements, declarations: Declarations) -> None:
        self.statements = statements
        self.declarations = declarations
        self.expressions = statements.expressions
        self.choices = statements.choices
        self.world = statements.world

    def items(self) -> list[str]:
        """The items in order; the world learns the calls and the gateways."""
        choices = self.choices
        related = choices.chance(0.4) and not self.world.flows
        first = self._queue("prefill", "P", related)
        items = [first[1]]
        reader = None
        if choices.chance(0.7) or related:
            reader = self._queue("decode", "D", related, source=first[0] if choices.chance(0.5) or related else None)
            items.append(reader[1])
        if related and reader is not None:
            items.append(self._relation(first[0].name, reader[0].name))
        if choices.chance(0.5):
            items.append(self._link())
        if choices.chance(0.2):
            items.append(self._idle())
        items.append(self._gateway(first[0], reader[0] if reader else None))
        return items

    # ---------------------------------------------------------------- queues

    def _queue(self, role: str, stem: str, nic: bool, source: Queue | None = None) -> tuple[Queue, str]:
        choices = self.choices
        size = choices.pick((None, None, 2, 3))
        step = choices.chance(0.6)
        queue = Queue(self._name(stem, related=nic), size, f"kv{len(self.world.taken)}", step, source is not None)
        options = f"cap 1000; {choices.maybe('block 2;')}{choices.maybe('evict by (size);')}"
        options += choices.maybe("queue by (waited);") + choices.maybe("preempt lifo;", 0.2)
        options += choices.maybe(f"admit via {queue.name};") if step else ""
        engine = f"memory {queue.pool};" if choices.chance(0.6) else ""
        if step:
            kind = (
                f"step {{ cost {self.expressions.expr('cost', 1)}; {engine} {choices.maybe('serve decode first;')} }}"
            )
        else:
            kind = self.declarations.simple_kind(choices.word("fifo delay"))
        end = "; latency 0.5;" if choices.chance(0.1) else "" if step and choices.chance(0.5) else ";"
        parts = [f"pool {queue.pool} {{ {options} }}", f"serve {kind}{end}"]
        if nic:
            parts.insert(choices.pick((0, 2)), f"nic ps({choices.word('1 2 4')});")
            if size is None:
                self.world.nics.append(f"{queue.name}.nic")
        parts += self._entries(queue, role, source, nic)
        written = "" if size is None else f"[{size}]"
        return queue, f"queue {queue.name}{written} : {role} {{ {' '.join(parts)} }}"

    def _name(self, stem: str, *, related: bool = False) -> str:
        if related and "share" not in self.world.taken and self.choices.chance(0.15):
            self.world.taken.add("share")
            return "share"
        name = f"{stem}{len(self.world.taken)}"
        self.world.taken.add(name)
        return name

    def _entries(self, queue: Queue, role: str, source: Queue | None, nic: bool) -> list[str]:
        choices = self.choices
        lease = f" lease {queue.pool} ({choices.word('1 inf 0.5')})" if role == "prefill" else ""
        body = f"{self._own_hold(queue, role, 'n')}{lease}"
        extra = choices.maybe(lambda: f" set y = {self._body_value()};", 0.4) + choices.maybe(" mark arrived_at;", 0.4)
        entries = [f"{role} (n) {{{extra} {body}{choices.maybe(' observe seen = now;')} }}"]
        if source is not None:
            move = f"from src to {queue.pool} (n)"
            moved = f"transfer (n) {move};" if nic else f"transfer on basic (n) {move};"
            entries.append(
                f"{role} (n) from src {{ hold {queue.pool} (n) {{ {moved} {self._work(queue, role, 'n')} }} }}"
            )
        return entries

    def _own_hold(self, queue: Queue, role: str, parameter: str) -> str:
        choices = self.choices
        units = choices.pick(
            (parameter, f"{parameter} + 1", "1", f"min({parameter}, free({queue.pool}))", "cached + 1")
        )
        cache = f" cache ({choices.pick((parameter, 'inf', '0'))})"
        inner = self._work(queue, role, parameter)
        grow = choices.maybe(f" grow {queue.pool} (1);")
        bound = choices.maybe(f" at admission (z = {parameter} + 2)", 0.2)
        inner += " set seen_z = z;" if bound and choices.chance(0.5) else ""
        return f"hold {queue.pool} ({units}){bound} {{ {inner}{grow} }}{cache}"

    def _work(self, queue: Queue, role: str, parameter: str) -> str:
        choices = self.choices
        if queue.step:
            growing = choices.maybe(f" growing {queue.pool}")
            forms = [f"run {queue.name} {role} ({parameter}){growing};"]
            named = {stage.name for stage in self.world.stages}
            if role not in named:
                forms.append(f"{role} ({parameter}){growing};")
            return choices.pick(forms)
        own = f"run ({parameter} + self);" if queue.size is not None else f"run ({parameter});"
        return choices.pick((f"run {queue.name} ({parameter});", f"run ({parameter});", own))

    def _body_value(self) -> str:
        return self.choices.pick(("n + 1", "now", "cached", "1", "n > 2 ? n : 1", *self.world.constants))

    def _relation(self, source: str, reader: str) -> str:
        choices = self.choices
        latency = choices.maybe(" latency 0.5", 0.5)
        share = choices.word("maxmin bottleneck")
        if choices.chance(0.5):
            return f"{reader} pull {source}{latency} share {share};"
        return f"{source} push {reader}{latency} share {share};"

    def _link(self) -> str:
        """A link: with a serve and perhaps a latency, or with an entry."""
        choices = self.choices
        name = self._name("L")
        size = choices.pick(("", "[2]"))
        if choices.chance(0.4):
            self.world.links.append(f"{name}{'[1]' if size else ''}.transfer")
            return f"queue {name}{size} : link {{ transfer (n) {{ run basic (n); }} }}"
        latency = choices.maybe(f"{choices.maybe(';', 0.2)} latency {choices.word('0.5 1+1')}", 0.6)
        if choices.chance(0.5):
            kind = f"{self.declarations.simple_kind('fifo')}{latency};"
        else:
            kind = f"step {{ cost 1; }}{latency}{';' if latency else choices.maybe(';', 0.5)}"
        return f"queue {name}{size} : link {{ serve {kind} }}"

    def _idle(self) -> str:
        """A queue without a role."""
        choices = self.choices
        parts = choices.pick(
            (
                "",
                "pool spare { } serve delay;",
                "nic step { cost 1; } serve fifo;",
                "serve step { cost 1; } nic step { cost tokens; };",
                "pool spare { cap 3; } pool other { } nic delay;",
            )
        )
        return f"queue {self._name('I')}{choices.pick(('', '[2]'))} {{ {parts} }}"

    # ---------------------------------------------------------------- the gateway

    def _gateway(self, first: Queue, reader: Queue | None) -> str:
        choices = self.choices
        name = self._name("G")
        self.world.gateways.append(name)
        for queue in (first, reader):
            if queue is not None:
                self.world.queue_pools.append(f"{queue.name}{'' if queue.size is None else '[1]'}.{queue.pool}")
        statements = []
        source = f"{first.name}[pick]" if first.size is not None else first.name
        if first.size is not None:
            key = choices.pick((f"queue({first.name}[pick])", f"used({first.name}[pick].{first.pool})", "pick"))
            statements.append(f"choose pick in {first.size} by ({key});")
        statements.append(f"{source}.prefill ({self._argument()});")
        if reader is not None:
            target = f"{reader.name}[{choices.word('0 1')}]" if reader.size is not None else reader.name
            origin = f" from {source}" if reader.sourced else ""
            statements.append(f"{target}.decode ({self._argument()}){origin};")
        if choices.chance(0.4):
            statements.append("mark routed;")
            self.world.marks.append(f"{name}.routed")
        statements.append(choices.maybe("observe seen = now;", 0.4))
        empty = choices.maybe(" ()", 0.3)
        return f"queue {name} : gateway {{ route{empty} {{ {' '.join(statements)} }} }}"

    def _argument(self) -> str:
        with self.expressions.having(settled_only=True, cached=False):
            return self.choices.pick(("1", "2 + 1", "serial", *self.world.settled, "max(1, turn_no)"))
