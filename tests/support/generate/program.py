"""A whole program: what it declares, in an order that the language allows."""

from __future__ import annotations

from random import Random

from tests.support.generate.choices import Choices
from tests.support.generate.declarations import Declarations
from tests.support.generate.expressions import Expressions
from tests.support.generate.layout import laid_out
from tests.support.generate.queues import Queues
from tests.support.generate.statements import Statements
from tests.support.generate.world import Stage, World


def program(random: Random) -> str:
    """The text of one program; nearly all are accepted by the language."""
    return Writer(Choices(random)).text()


class Writer:
    """Writes one program."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.world = World(stages=[Stage("basic", "fifo")], observations=["seen"])
        self.expressions = Expressions(choices, self.world)
        self.declarations = Declarations(self.expressions)
        self.statements = Statements(self.expressions)

    def text(self) -> str:
        """The items in an order in which everything stands below what it needs to stand above."""
        choices, world, declare = self.choices, self.world, self.declarations
        items = choices.several(declare.constant, 0, 3)
        items += choices.several(declare.function, 0, 2)
        if choices.chance(0.15):
            items.append(declare.nonsense())
        self._names()
        items += ["stage basic : fifo;", *self._stages()]
        items += choices.several(declare.pool, 0, 3)
        items += choices.several(self.statements.macro, 0, 2)
        if choices.chance(0.2):
            items += [*declare.flow_stages(), f"share {choices.word('maxmin bottleneck')};"]
        queues = Queues(self.statements, declare)
        if choices.chance(0.4):
            items += queues.items()
            # The engines of queues may play a role too.
            world.servings = [form for form in world.servings if "on" in form or form in self.named()]
        loose = choices.several(declare.gauge, 0, 2) + choices.several(declare.claim, 0, 2)
        law, arrival = self._arrival()
        loose += declare.settings(counted=law in ("poisson", "renewal"))
        loose += self._sides(arrival)
        return laid_out([*items, *choices.shuffled(loose)], choices)

    def _names(self) -> None:
        choices, world = self.choices, self.world
        world.settled = choices.several(lambda: world.name(choices, "attribute", "w"), 1, 2)
        world.live = choices.several(lambda: world.name(choices, "attribute", "v"), 1, 2)
        world.hidden = choices.several(lambda: world.name(choices, "attribute", "h"), 0, 2)
        world.observations += choices.several(lambda: world.name(choices, "observation", "o"), 0, 2)

    def _stages(self) -> list[str]:
        choices, world = self.choices, self.world
        items = [self.declarations.stage(kind) for kind in choices.several(lambda: self._kind(), 1, 3)]
        for role in choices.shuffled(["tool", "prefill", "decode"])[: choices.pick((0, 1, 2))]:
            size = choices.pick((None, None, 2))
            kind = "delay" if role == "tool" else choices.pick(("fifo", "delay", "step"))
            stage = Stage(role, kind, size)
            world.stages.append(stage)
            written = self.declarations.simple_kind(kind) if kind != "step" else "step { cost 1; }"
            items.append(f"stage {role}{'' if size is None else '[2]'} : {written};")
            world.servings.append(role if size is None else f"{role}[{choices.word('0 1 serial')}]")
        if choices.chance(0.4):
            size = choices.pick((None, 2))
            name = choices.word("link transfer")
            items.append(f"stage {name}{'' if size is None else '[2]'} : {self.declarations.simple_kind('fifo')};")
            world.stages.append(Stage(name, "fifo", size))
            world.link = f"transfer{'' if size is None else '[' + choices.word('0 1 serial') + ']'}"
        engines = world.engines()
        if len(engines) == 1 and engines[0].size is None:
            named = {stage.name for stage in world.stages}
            world.servings += [role for role in ("prefill", "decode") if role not in named]
        plain = [stage for stage in world.stages if stage.kind != "step"]
        world.servings += [f"tool on {self.expressions.reference(choices.pick(plain), 'stmt')}"]
        if engines:
            engine = self.expressions.reference(choices.pick(engines), "stmt")
            world.servings.append(f"{choices.word('prefill decode')} on {engine}")
        return items

    def named(self) -> set[str]:
        """The names of the stages, with the indices that a serving form may give them."""
        return {f"{stage.name}{index}" for stage in self.world.stages for index in ("", "[0]", "[1]", "[serial]")}

    def _kind(self) -> str:
        return self.choices.pick(("fifo", "ps", "delay", "step", "step"))

    def _arrival(self) -> tuple[str, str]:
        choices = self.choices
        law = choices.word("poisson renewal closed batch none")
        match law:
            case "none":
                return law, "arrive none;"
            case "poisson":
                return law, f"arrive poisson({choices.word('1 0.5 2+1')});"
            case "renewal":
                gap = choices.pick(("1", "0.5 + ~exp(1)", "~uniform(0, 1)", "1 + ~erlang(2, 1)", "2 * (1 + 1)"))
                return law, f"arrive renewal({gap});"
            case _:
                return law, f"arrive {law}({choices.word('1 3 2*2')});"

    def _sides(self, arrival: str) -> list[str]:
        """The workload, the session and the server."""
        choices, world, statements = self.choices, self.world, self.statements
        sided = bool(world.gateways) or choices.chance(0.3)
        server = choices.chance(0.6) if world.gateways else sided
        requests = [*(["request;"] if server else []), *(f"request {name};" for name in world.gateways)]
        session, served = self._session(requests), ""
        turn_names = [f"set t{number} = {self.expressions.expr('stmt', 1)};" for number in range(choices.pick((0, 1)))]
        clauses = [arrival]
        sets = [f"set {name} = {self.expressions.number()};" for name in (*world.settled, *world.live, *world.hidden)]
        seen = [f"observe {name} = serial;" for name in world.observations]
        clauses.append(f"init {{ {' '.join(choices.shuffled([*sets, *seen]))} }}")
        if turn_names or choices.chance(0.4):
            clauses.append(f"turn {{ {' '.join(turn_names)} observe seen = turn_no; }}")
        if choices.chance(0.2):
            clauses.append(f'trace "{choices.word("a.csv rows/b.csv")}"{choices.maybe(" ordered", 0.5)};')
        if world.hidden:
            clauses.append(f"hidden {', '.join(world.hidden)};")
        if server:
            served = f"server {statements.block(2, 1, 4)}"
        if sided:
            clauses.append(f"session {session}")
            return [f"workload {{ {' '.join(choices.shuffled(clauses))} }}", *([served] if served else [])]
        if choices.chance(0.04) and not world.hidden and not statements.leased:
            clauses = []
        workload = f"workload {{ {' '.join(choices.shuffled(clauses))} }}"
        return [workload, f"session {session}"]

    def _session(self, requests: list[str]) -> str:
        statements = self.statements
        statements.may_request, statements.may_turn = requests, True
        must = list(requests)
        if self.world.flows:
            must.append(statements.flow())
        body = statements.choices.several(lambda: statements.statement(3), 1, 5)
        statements.may_request, statements.may_turn = [], False
        body = statements.choices.shuffled([*body, *must, f"set {self.world.live[0]} = now;"])
        return f"{{ {' '.join(body)} {self.choices.maybe('end;', 0.6)} }}"
