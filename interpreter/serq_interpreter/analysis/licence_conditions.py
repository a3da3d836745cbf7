"""What the coalescing licence asks of an engine, each with a program that violates nothing else.

One table for `check --explain-coalescing`, the editor, the page `coalescing.md` and the tests.  The refusals of
`licence` name these conditions; what is asked again at each window is `RUN_TIME_CONDITIONS`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

_PROGRAM = """{head}stage engine : step {{
  budget {budget};
  cost {cost};
  memory kv;{options}
}}
stage tool : delay;
pool kv {{ cap 400; block 16; evict lru; preempt lifo; admit via engine; }}
{more}workload {{
  arrive poisson(1);
  turn {{ set n = ceil(~uniform(5, 30)); set o = ceil(~exp(40)); }}
  session {{ {client}turn; request; end; }}
}}
server {{
  set t0 = now;
  hold kv (min(n, budget_left(engine))) {{
    run engine prefill (n) growing kv;
    run engine decode (o) growing kv;
  }}
  tool (1);
  observe response = now - t0;
}}
run {{ horizon 30; warmup 1; seed 3; }}
"""
_PARTS = {"budget": "64", "cost": "0.01 + 0.001 * kv_decode", "options": "", "more": "", "client": "", "head": ""}


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition: `title` as a heading, `why` it matters, `instead` what to write where one can.

    `changes` are the parts of the plain program (`budget`, `cost`, `options`, `more`, `client`) that violate it.
    """

    key: str
    title: str
    why: str
    instead: str = ""
    changes: dict[str, str] = field(default_factory=dict)

    @property
    def line(self) -> str:
        """The line of the example that violates the condition."""
        ((part, text),) = self.changes.items()
        return f"{part} {text};" if part in ("budget", "cost") else text

    @property
    def example(self) -> str:
        """A program that violates this condition and no other."""
        changes = dict(self.changes)
        if "options" in changes:
            changes["options"] = "\n  " + changes["options"]
        if "client" in changes:
            changes |= {"client": changes["client"] + " ", "head": "// serq: edition v4b\n"}
        if "more" in changes:
            changes["more"] += "\n"
        return _PROGRAM.format(**{**_PARTS, **changes})


PLAIN = _PROGRAM.format(**_PARTS)
"""The program that the examples change: it has the licence."""


def _condition(key: str, title: str, why: str, instead: str = "", **changes: str) -> Condition:
    return Condition(key, title, why, instead, changes)


_CONDITIONS = (
    _condition(
        "budget-clock",
        "The budget does not read the clock",
        "The tokens of an iteration would depend on when it starts.",
        budget="now < 5 ? 64 : 60",
    ),
    _condition(
        "budget-draws",
        "The budget draws nothing",
        "Every iteration draws anew, and the draws have an order among those of the whole run.",
        "the mean of the draw, if its spread does not matter",
        budget="60 + ~uniform(0, 4)",
    ),
    _condition(
        "budget-moves",
        "The budget reads nothing that decoding moves",
        "Decodes grow: `kv_decode`, `used` and `free` change with every block, `work` with every token. "
        "`residents`, `decoders` and queues stand still while nobody comes or goes.",
        budget="64 - kv_decode / 100",
    ),
    _condition(
        "chunk-draws",
        "The chunk draws nothing",
        "A chunk may read what it likes, for nobody prefills in a window; a draw counts all the same.",
        "the mean of the draw",
        options="chunk 8 + ceil(~uniform(0, 4));",
    ),
    _condition(
        "cost-clock",
        "The cost does not read the clock",
        "The length of an iteration would depend on when it starts.",
        cost="0.01 + now / 10000",
    ),
    _condition(
        "cost-draws",
        "The cost draws nothing",
        "Every iteration draws its length anew.",
        "the mean of the draw, if the spread of single iterations does not matter",
        cost="0.01 + ~exp(0.01)",
    ),
    _condition(
        "cost-moves",
        "The cost reads nothing that moves but `kv_decode`",
        "What the decodes hold is foreseen block by block. `used` and `free` of a pool also count others, "
        "and `work`, `served` and `demand` change with every token.",
        "`kv_decode`, where the memory of the decodes is meant",
        cost="0.01 + used(kv) / 10000",
    ),
    _condition(
        "order-moves",
        "Serve keys read the request only",
        "A key that reads a total, a register, an estimate or the state of a pool may order the decodes anew at every "
        "iteration, or while one is planned. Attributes, `admission`, `decoding`, `remaining` and `now` are fine.",
        "leave out a key that is the same for everybody",
        options="serve by (kv_decode, serial);",
    ),
    _condition(
        "only",
        "No `only` in the body",
        "Whom it leaves out may change from one iteration to the next.",
        options="iteration { serve only (serial < 1000); serve; admit; }",
    ),
    _condition(
        "branch",
        "No branch in the body",
        "The iteration's course may change from one to the next.",
        options="iteration { serve; branch (residents > 2) { admit; } else { admit; } }",
    ),
    _condition(
        "register",
        "No register is set in the body",
        "A register carries something from one iteration to the next.",
        options="state R = 0; iteration { serve; admit; set R = tokens; }",
    ),
    _condition(
        "gate-moves",
        "The gate of `admit` reads nothing that decoding moves",
        "It may open when somebody takes a block.",
        options="iteration { serve; admit while (kv_decode < 300); }",
    ),
    _condition(
        "body-serves",
        "The body serves",
        "Without a `serve` of its own, residents that are here already are not served: nothing repeats.",
        options="iteration { admit; }",
    ),
    _condition(
        "claim",
        "No claim is read at every iteration",
        "The claim counts how often it holds, with the numbers of each iteration.",
        "a claim at the end of the run, or none while you explore",
        more="claim small : every iteration of engine (tokens < 1000);",
    ),
    _condition(
        "spawning",
        "No session spawns another",
        "A program that uses the edition v4b is run one event at a time.",
        "legs (`fork`), where the helpers need no life of their own",
        client="branch (depth == 0) { spawn (1) into kids { set prompt = 1; } join kids; }",
    ),
)

CONDITIONS: dict[str, Condition] = {condition.key: condition for condition in _CONDITIONS}
"""By the key that refusals name."""

RUN_TIME_CONDITIONS = (
    "every resident decodes, one whole token per iteration, and the budget is more than they need",
    "nobody waits for the engine, or the head of the queue is refused for a reason that lasts",
    "no event of anything else is due before the iteration starts",
    "what the decodes grow by fits without preempting anybody; cached units go only where they go in their order",
)
"""What is asked again before each window, in words."""
