"""A table: every word of serQ 0.1.3 that means something, with its kind, signature, unit and a short description.

The parser, the checks, completion, hover, the TextMate grammar, the Pygments lexer and the tree-sitter keyword test all
take their words from here; nothing else lists them.  No word is reserved (01 §1.5): a word has the meaning given here
only in the place that its kind names, and several words have one meaning per place (`queue` is an item, a pool option
and a function of a stage).  The sets at the end restrict what may be *named* with a word.

The module is on the path of every command, so it holds plain tuples and computes nothing that is not needed to read a
program.
"""

from __future__ import annotations

from typing import NamedTuple

# --------------------------------------------------------------------------- kinds

ITEM = "item"
POOL_OPTION = "pool option"
STAGE_KIND = "stage kind"
STEP_OPTION = "step option"
ITERATION_STATEMENT = "iteration statement"
WORKLOAD_OPTION = "workload option"
ARRIVAL = "arrival"
RUN_OPTION = "run option"
QUEUE_OPTION = "queue option"
STATEMENT = "statement"
CLAUSE = "clause"
CHOICE = "choice"
ROLE = "role"
ENTRY = "entry"
FUNCTION = "function"
AGGREGATE = "aggregate"
DISTRIBUTION = "distribution"
CONTEXT = "context variable"
CONSTANT = "constant"
ATTRIBUTE = "built-in attribute"
QUEUE_NAME = "queue name"
RETIRED = "retired word"
RENAMED = "renamed context variable"

KINDS = (
    ITEM,
    POOL_OPTION,
    STAGE_KIND,
    STEP_OPTION,
    ITERATION_STATEMENT,
    WORKLOAD_OPTION,
    ARRIVAL,
    RUN_OPTION,
    QUEUE_OPTION,
    STATEMENT,
    CLAUSE,
    CHOICE,
    ROLE,
    ENTRY,
    FUNCTION,
    AGGREGATE,
    DISTRIBUTION,
    CONTEXT,
    CONSTANT,
    ATTRIBUTE,
    QUEUE_NAME,
    RETIRED,
    RENAMED,
)
"""Every kind of word, in the order in which a reader meets them."""

# --------------------------------------------------------------------------- kinds of arguments

EXPRESSION = "expression"
POOL = "pool"
STAGE = "stage"
ENGINE = "engine"
OBSERVATION = "observation"


class Parameter(NamedTuple):
    """One argument of a function or a distribution: its name in the manual and what it takes.

    `kind` is `EXPRESSION`, `POOL`, `STAGE`, `ENGINE` (a step engine) or `OBSERVATION`.
    """

    name: str
    kind: str


class Word(NamedTuple):
    """One meaning of one word.

    `unit` is the unit of the value (`time`, `tokens`, `units` of a pool, `sessions`, …; empty for a plain number or a
    word without a value).  `ir` is its name in IR 11 (08 §5.3, §5.4).  `form` is how it is written, with the parts that
    vary in capitals.  `now` is today's spelling of a retired or renamed word.
    """

    name: str
    kind: str
    form: str
    doc: str
    parameters: tuple[Parameter, ...] = ()
    unit: str = ""
    ir: str = ""
    now: str = ""


_X = Parameter("x", EXPRESSION)
_Y = Parameter("y", EXPRESSION)
_A = Parameter("a", EXPRESSION)
_B = Parameter("b", EXPRESSION)
_S = Parameter("stage", STAGE)
_E = Parameter("engine", ENGINE)
_P = Parameter("pool", POOL)
_O = Parameter("observation", OBSERVATION)
_MEAN = Parameter("mean", EXPRESSION)

# --------------------------------------------------------------------------- the table

_ITEMS = (
    Word("use", ITEM, 'use "PATH";', "Takes in the definitions of a library, by a path relative to this file."),
    Word("let", ITEM, "let NAME = EXPR;", "A constant. Later constants, sizes and options read its value."),
    Word(
        "def",
        ITEM,
        "def NAME(PARAMS) = EXPR;  or  def NAME(PARAMS) { STATEMENTS }",
        "A definition: each use below it is replaced by the body, with the arguments in place of the parameters.",
    ),
    Word(
        "pool",
        ITEM,
        "pool NAME[SIZE] { OPTIONS }",
        "A store of units, such as KV memory or request slots, that sessions hold.",
    ),
    Word(
        "stage",
        ITEM,
        "stage NAME[SIZE] : KIND",
        "A place where work takes time: a server, a shared rate, a delay or a step engine.",
    ),
    Word(
        "workload",
        ITEM,
        "workload { … }",
        "When sessions arrive and what they look like: arrivals, `init`, `turn`, hidden lengths.",
    ),
    Word("session", ITEM, "session { STATEMENTS }", "What each session does from its arrival to its end."),
    Word("server", ITEM, "server { STATEMENTS }", "What the system does for one `request;` of the workload's session."),
    Word(
        "queue",
        ITEM,
        "queue NAME[SIZE] : ROLES { … }",
        "A queue station: its own pools, engine and network card, and the entries others call.",
    ),
    Word(
        "share",
        ITEM,
        "share maxmin;  or  share bottleneck;",
        "How the flows that cross several `ps` stages divide their capacity.",
    ),
    Word("gauge", ITEM, "gauge NAME = EXPR;", "A quantity of the whole system that is recorded through time."),
    Word(
        "claim",
        ITEM,
        "claim NAME given (EXPR) : FORM;",
        "A statement about the run that is checked while it runs and never changes it.",
    ),
    Word("run", ITEM, "run { horizon T; warmup T; seed N; arrivals N; }", "The settings of a run."),
)

_POOL_OPTIONS = (
    Word("cap", POOL_OPTION, "cap N;", "The capacity; `inf` without it.", unit="units"),
    Word("block", POOL_OPTION, "block N;", "Units are taken in whole blocks of this size.", unit="units"),
    Word("evict", POOL_OPTION, "evict lru;  or  evict by (KEYS);", "Which cached units go first when room is needed."),
    Word(
        "preempt",
        POOL_OPTION,
        "preempt none | lifo | by (KEYS);",
        "Whether a growth that finds no room may take a holder's units, and whose.",
    ),
    Word("queue", POOL_OPTION, "queue fifo;  or  queue by (KEYS);", "The order in which waiting holds are admitted."),
    Word(
        "admit",
        POOL_OPTION,
        "admit via STAGE;",
        "A step engine admits this pool's waiting holds inside its iterations.",
    ),
    Word(
        "reserve",
        POOL_OPTION,
        "reserve held;",
        "Room that a hold reserved stays set aside until its growth has used it.",
    ),
    Word(
        "spill",
        POOL_OPTION,
        "spill POOL via STAGE (WORK) when (TEST);",
        "Evicted units move to another pool through a stage when the test is true.",
    ),
)

_STAGE_KINDS = (
    Word("fifo", STAGE_KIND, "fifo  or  fifo(SERVERS)", "Servers that take jobs one after another, in joining order."),
    Word("ps", STAGE_KIND, "ps(CAPACITY)", "Processor sharing: all jobs present divide the capacity equally."),
    Word("delay", STAGE_KIND, "delay", "Every job takes exactly its work; nobody waits."),
    Word(
        "step",
        STAGE_KIND,
        "step { OPTIONS }",
        "A serving engine that works in iterations: a batch under a token budget, then its cost in time.",
    ),
)

_STEP_OPTIONS = (
    Word("cost", STEP_OPTION, "cost EXPR;", "How long an iteration takes, read over its batch. Required.", unit="time"),
    Word("budget", STEP_OPTION, "budget EXPR;", "Tokens an iteration may compute; `inf` without it.", unit="tokens"),
    Word(
        "chunk",
        STEP_OPTION,
        "chunk EXPR;",
        "The most tokens of one prefill in an iteration; 0 means no limit.",
        unit="tokens",
    ),
    Word(
        "granule",
        STEP_OPTION,
        "granule EXPR;",
        "A prefill that is not finished gets a multiple of this many tokens.",
        unit="tokens",
    ),
    Word("serve", STEP_OPTION, "serve only (TEST) ORDER;", "Which residents an iteration serves, and in what order."),
    Word(
        "memory",
        STEP_OPTION,
        "memory POOL;",
        "The pool whose units `kv_decode` and `kv_prefill` count and whose holders may be preempted.",
    ),
    Word("state", STEP_OPTION, "state NAME = EXPR;", "A register of the engine, set in its iteration body."),
    Word(
        "iteration", STEP_OPTION, "iteration { STATEMENTS }", "The plan of an iteration: when to serve, when to admit."
    ),
)

_ITERATION_STATEMENTS = (
    Word(
        "serve",
        ITERATION_STATEMENT,
        "serve only (TEST) ORDER;",
        "Gives tokens to residents that this iteration has not served yet.",
    ),
    Word(
        "admit",
        ITERATION_STATEMENT,
        "admit only (TEST) while (TEST);",
        "Admits waiting holds, and serves the newcomers, while the test is true.",
    ),
    Word("branch", ITERATION_STATEMENT, "branch (TEST) { … } else { … }", "Chooses between two parts of the plan."),
    Word("set", ITERATION_STATEMENT, "set REGISTER = EXPR;", "Sets a register of the engine."),
)

_WORKLOAD_OPTIONS = (
    Word("arrive", WORKLOAD_OPTION, "arrive poisson(RATE);", "When sessions arrive."),
    Word(
        "trace",
        WORKLOAD_OPTION,
        'trace "FILE" ordered;',
        "Session lengths from a CSV file: `session,turn,new,out,think[,forced]`.",
    ),
    Word("init", WORKLOAD_OPTION, "init { set … }", "Attributes of a new session, set once at its arrival."),
    Word("turn", WORKLOAD_OPTION, "turn { set … }", "Attributes that every `turn;` sets anew."),
    Word(
        "session",
        WORKLOAD_OPTION,
        "session { STATEMENTS }",
        "The user's side of a session: requests and thinking time.",
    ),
    Word(
        "hidden",
        WORKLOAD_OPTION,
        "hidden NAMES;",
        "Attributes that no scheduler may read, such as an output length nobody knows yet.",
    ),
)

_ARRIVALS = (
    Word("poisson", ARRIVAL, "poisson(RATE)", "Independent arrivals at a constant rate, in sessions per unit of time."),
    Word("renewal", ARRIVAL, "renewal(GAP)", "Each gap to the next arrival is a new value of the expression."),
    Word("closed", ARRIVAL, "closed(N)", "N sessions at the start; each that ends is replaced by a new one."),
    Word("batch", ARRIVAL, "batch(N)", "N sessions at time 0 and none afterwards."),
    Word("none", ARRIVAL, "none", "No arrivals."),
)

_RUN_OPTIONS = (
    Word("horizon", RUN_OPTION, "horizon T;", "The time at which the run stops. Required.", unit="time"),
    Word("warmup", RUN_OPTION, "warmup T;", "Statistics leave out what happens before this time.", unit="time"),
    Word("seed", RUN_OPTION, "seed N;", "The seed of the random streams; 1 without it."),
    Word(
        "arrivals",
        RUN_OPTION,
        "arrivals N;",
        "Stops the arrivals after N sessions and lets them finish.",
        unit="sessions",
    ),
)

_QUEUE_OPTIONS = (
    Word("pool", QUEUE_OPTION, "pool NAME { OPTIONS }", "A pool of the queue, one per member."),
    Word("serve", QUEUE_OPTION, "serve KIND", "The queue's own stage, one per member; `latency` follows on a link."),
    Word("nic", QUEUE_OPTION, "nic KIND", "The queue's network card: the stage its copies cross."),
)

_STATEMENTS = (
    Word(
        "turn",
        STATEMENT,
        "turn;",
        "Begins the session's next turn: `turn_no` goes up, the trace and the `turn` block set its attributes.",
    ),
    Word("end", STATEMENT, "end;", "Ends the session."),
    Word("join", STATEMENT, "join;", "Waits until every leg that this session forked has ended."),
    Word(
        "request",
        STATEMENT,
        "request;  or  request GATEWAY;",
        "Runs the `server` block, or the route of a gateway, in this place.",
    ),
    Word("set", STATEMENT, "set NAME = EXPR;", "Sets an attribute of the session."),
    Word("observe", STATEMENT, "observe NAME = EXPR;", "Records one value of an observation."),
    Word(
        "hold",
        STATEMENT,
        "hold POOL (UNITS), … { … }",
        "Waits for room in the pools, holds it during the body and gives it back.",
    ),
    Word(
        "grow",
        STATEMENT,
        "grow POOL (UNITS);",
        "Takes more units in the enclosing hold, and waits for them if it must.",
    ),
    Word("load", STATEMENT, "load POOL (UNITS);", "Says that this many more units of the hold now have content."),
    Word("drop", STATEMENT, "drop POOL;", "Forgets what the session has cached in the pool."),
    Word("release", STATEMENT, "release POOL;", "Gives the pool's units back before the hold ends, or ends a lease."),
    Word(
        "run",
        STATEMENT,
        "run STAGE prefill | decode (WORK) growing POOL;",
        "Spends this much work at a stage; several stages make a flow across all of them.",
    ),
    Word(
        "branch",
        STATEMENT,
        "branch (TEST) { … } else { … }",
        "Chooses one of two paths. `branch with (P)` chooses the first with this probability.",
    ),
    Word("loop", STATEMENT, "loop { … }", "Repeats the body until an `end;`."),
    Word(
        "fork", STATEMENT, "fork { … }", "Starts a leg: the body runs beside the session, on a copy of its attributes."
    ),
    Word(
        "choose",
        STATEMENT,
        "choose NAME in COUNT by (KEYS);",
        "Sets the attribute to the candidate from 0 to COUNT - 1 with the least keys.",
    ),
    Word("mark", STATEMENT, "mark NAME;", "In an entry: notes the time, for others to read as `QUEUE.NAME`."),
    Word(
        "prefill",
        STATEMENT,
        "prefill WORK growing POOL;",
        "Computes a prompt on the engine found by name.",
        unit="tokens",
    ),
    Word(
        "decode",
        STATEMENT,
        "decode WORK growing POOL;",
        "Produces output tokens, one per iteration, on the engine found by name.",
        unit="tokens",
    ),
    Word(
        "transfer",
        STATEMENT,
        "transfer WORK from POOL to POOL (UNITS);",
        "Copies units to another pool over a link and releases them at the source.",
    ),
    Word("tool", STATEMENT, "tool WORK;", "Waits for work outside the engine, on the stage named `tool`."),
)

_CLAUSES = (
    Word("via", CLAUSE, "via STAGE", "Names the engine that admits, or the stage that a spill crosses."),
    Word("when", CLAUSE, "when (TEST)", "A spill happens only where the test is true."),
    Word("by", CLAUSE, "by (KEYS)", "Least keys first; later keys break ties."),
    Word("requeue", CLAUSE, "requeue head | tail", "Where a preempted hold waits again."),
    Word("only", CLAUSE, "only (TEST)", "Leaves out residents or newcomers for which the test is 0."),
    Word("while", CLAUSE, "while (TEST)", "The gate of an `admit`, read before each newcomer."),
    Word("else", CLAUSE, "else { … }", "The path taken when the test is 0."),
    Word("with", CLAUSE, "with (P)", "Makes the branch random, with this probability of the first path."),
    Word("in", CLAUSE, "in COUNT", "How many candidates or terms there are."),
    Word(
        "at", CLAUSE, "at admission (NAME = EXPR, …)  or  at end (TEST)", "When the parenthesised expressions are read."
    ),
    Word(
        "admission",
        CLAUSE,
        "at admission (NAME = EXPR, …)",
        "Names for expressions that are read when the hold is admitted.",
    ),
    Word(
        "reuse",
        CLAUSE,
        "reuse (UNITS)",
        "The most of the session's cached units that this hold takes over.",
        unit="units",
    ),
    Word(
        "reserve",
        CLAUSE,
        "reserve (UNITS)",
        "The room that must be there for admission, when it is more than the units.",
        unit="units",
    ),
    Word("cache", CLAUSE, "cache (UNITS)", "What stays cached for the session when the hold ends.", unit="units"),
    Word(
        "lease",
        CLAUSE,
        "lease POOL (TIME)",
        "Keeps the units after the hold, until a `release` or for this long.",
        unit="time",
    ),
    Word("growing", CLAUSE, "growing POOL", "The run's hold grows by the tokens that are computed."),
    Word("on", CLAUSE, "on STAGES", "The stages of a serving form, instead of those found by name."),
    Word("from", CLAUSE, "from POOL  or  from QUEUE", "Where a copy, or a call, takes its units from."),
    Word("to", CLAUSE, "to POOL (UNITS)", "Where a copy puts its units."),
    Word("given", CLAUSE, "given (TEST)", "Read for each new session; the first 0 ends the claim's checking."),
    Word("every", CLAUSE, "every iteration of ENGINE (TEST)", "The test is true at every iteration."),
    Word("some", CLAUSE, "some iteration of ENGINE (TEST)", "The test is true at least once."),
    Word("iteration", CLAUSE, "every iteration of ENGINE (TEST)", "The claim is about iterations of an engine."),
    Word("of", CLAUSE, "iteration of ENGINE", "Names the engine of the claim."),
    Word("end", CLAUSE, "at end (TEST)", "The claim is read once, when the run has ended."),
    Word("latency", CLAUSE, "latency T", "A fixed time before a copy starts.", unit="time"),
    Word("pull", CLAUSE, "READER pull SOURCE share POLICY;", "The reader's queue posts the copies."),
    Word("push", CLAUSE, "SOURCE push READER share POLICY;", "The source's queue posts the copies."),
    Word("share", CLAUSE, "share maxmin | bottleneck", "How copies divide the network cards they cross."),
    Word(
        "ordered",
        CLAUSE,
        'trace "FILE" ordered',
        "Sessions take the file's sessions in its order instead of at random.",
    ),
    Word("prefill", CLAUSE, "run ENGINE prefill (TOKENS)", "The run computes a prompt: many tokens an iteration."),
    Word("decode", CLAUSE, "run ENGINE decode (TOKENS)", "The run produces output: one token an iteration."),
)

_CHOICES = (
    Word("lru", CHOICE, "evict lru", "The units released longest ago go first."),
    Word("none", CHOICE, "preempt none", "Nobody is preempted; a growth without room waits."),
    Word(
        "lifo", CHOICE, "preempt lifo", "The latest admission is preempted first, and waits at the head of its queue."
    ),
    Word("fifo", CHOICE, "queue fifo", "In joining order."),
    Word("head", CHOICE, "requeue head", "A preempted hold waits in front of the queue."),
    Word("tail", CHOICE, "requeue tail", "A preempted hold waits at the end of the queue, like a newcomer."),
    Word("held", CHOICE, "reserve held", "Reservations stay set aside while the hold lasts."),
    Word("admission", CHOICE, "serve admission", "Residents in the order of their admission."),
    Word("decode", CHOICE, "serve decode first", "Decodes before prefills, each in the order of admission."),
    Word("first", CHOICE, "serve decode first", "Decodes before prefills, each in the order of admission."),
    Word(
        "exclusive",
        CHOICE,
        "serve exclusive prefill",
        "A prefill that is there, or can be admitted, has the iteration to itself.",
    ),
    Word(
        "prefill",
        CHOICE,
        "serve exclusive prefill",
        "A prefill that is there, or can be admitted, has the iteration to itself.",
    ),
    Word("maxmin", CHOICE, "share maxmin", "Capacity left at one stage goes to the flows that can use it."),
    Word("bottleneck", CHOICE, "share bottleneck", "A flow gets its equal share at the tightest stage it crosses."),
)

_ROLES = (
    Word("gateway", ROLE, "queue NAME : gateway", "Takes requests and calls entries of other queues; has a `route`."),
    Word("prefill", ROLE, "queue NAME : prefill", "Computes prompts; has an entry `prefill (n)`."),
    Word(
        "decode",
        ROLE,
        "queue NAME : decode",
        "Produces output; has an entry `decode (n)`, and one with `from` when it reads another queue.",
    ),
    Word("link", ROLE, "queue NAME : link", "Moves units; has a `serve` or an entry `transfer (n)`."),
)

_ENTRIES = (
    Word("route", ENTRY, "route { … }", "What a gateway does with a request."),
    Word("prefill", ENTRY, "prefill (NAME) { … }", "What a prefill queue does with a call."),
    Word("decode", ENTRY, "decode (NAME) from SOURCE { … }", "What a decode queue does with a call."),
    Word("transfer", ENTRY, "transfer (NAME) { … }", "What a link does with a call."),
)

_FUNCTIONS = (
    Word("min", FUNCTION, "min(a, b)", "The smaller of two numbers.", (_A, _B), ir="Min"),
    Word("max", FUNCTION, "max(a, b)", "The larger of two numbers.", (_A, _B), ir="Max"),
    Word("abs", FUNCTION, "abs(x)", "The number without its sign.", (_X,), ir="Abs"),
    Word("floor", FUNCTION, "floor(x)", "The largest whole number that is not above x.", (_X,), ir="Floor"),
    Word("ceil", FUNCTION, "ceil(x)", "The smallest whole number that is not below x.", (_X,), ir="Ceil"),
    Word("sqrt", FUNCTION, "sqrt(x)", "The square root.", (_X,), ir="Sqrt"),
    Word("exp", FUNCTION, "exp(x)", "e to the power x. With `~` in front the word is a distribution.", (_X,), ir="Exp"),
    Word("ln", FUNCTION, "ln(x)", "The natural logarithm.", (_X,), ir="Ln"),
    Word("pow", FUNCTION, "pow(x, y)", "x to the power y, the same as `x ^ y`.", (_X, _Y), ir="Pow"),
    Word(
        "queue",
        FUNCTION,
        "queue(stage)",
        "Jobs at the stage: waiting and in service, present, or resident.",
        (_S,),
        "jobs",
        "Queue",
    ),
    Word(
        "busy",
        FUNCTION,
        "busy(stage)",
        "Jobs in service; at a step engine those of the running iteration.",
        (_S,),
        "jobs",
        "Busy",
    ),
    Word(
        "work",
        FUNCTION,
        "work(stage)",
        "Work that the jobs at the stage still need: time, or tokens at a step engine.",
        (_S,),
        "work",
        "Work",
    ),
    Word(
        "est_lambda",
        FUNCTION,
        "est_lambda(stage)",
        "Estimated rate at which jobs start there; 0 before the second completion.",
        (_S,),
        "jobs per time",
        "EstLambda",
    ),
    Word(
        "est_rho",
        FUNCTION,
        "est_rho(stage)",
        "Estimated load: rate times mean service, at most 0.99.",
        (_S,),
        ir="EstRho",
    ),
    Word(
        "est_wait",
        FUNCTION,
        "est_wait(stage)",
        "Estimated waiting time before service; 0 before the first completion.",
        (_S,),
        "time",
        "EstWait",
    ),
    Word(
        "price",
        FUNCTION,
        "price(stage, hit, extra)",
        "Estimated cost to everyone of `extra` more work on top of `hit`, from the stage's estimates.",
        (_S, Parameter("hit", EXPRESSION), Parameter("extra", EXPRESSION)),
        "time",
        "Price",
    ),
    Word(
        "budget_left",
        FUNCTION,
        "budget_left(engine)",
        "Tokens of the engine's budget that the present iteration has not given out.",
        (_E,),
        "tokens",
        "BudgetLeft",
    ),
    Word("used", FUNCTION, "used(pool)", "Units that holds and leases have taken.", (_P,), "units", "Used"),
    Word(
        "free",
        FUNCTION,
        "free(pool)",
        "The capacity less the used units; cached units count as free.",
        (_P,),
        "units",
        "Free",
    ),
    Word(
        "cachedin",
        FUNCTION,
        "cachedin(pool)",
        "Units that the reading session has cached in the pool.",
        (_P,),
        "units",
        "CachedIn",
    ),
    Word("holders", FUNCTION, "holders(pool)", "How many holders the pool has.", (_P,), "sessions", "Holders"),
    Word("queued", FUNCTION, "queued(pool)", "How many holds wait for the pool.", (_P,), "sessions", "Queued"),
    Word(
        "blocksize",
        FUNCTION,
        "blocksize(pool)",
        "The pool's `block`, as a number known before the run.",
        (_P,),
        "units",
    ),
    Word(
        "total",
        FUNCTION,
        "total(observation)",
        "The sum of the recorded values, in a claim `at end`.",
        (_O,),
        ir="Total",
    ),
    Word(
        "count",
        FUNCTION,
        "count(observation)",
        "How many values were recorded, in a claim `at end`.",
        (_O,),
        ir="Count",
    ),
    Word(
        "largest",
        FUNCTION,
        "largest(observation)",
        "The largest recorded value, in a claim `at end`.",
        (_O,),
        ir="Largest",
    ),
    Word(
        "smallest",
        FUNCTION,
        "smallest(observation)",
        "The smallest recorded value, in a claim `at end`.",
        (_O,),
        ir="Smallest",
    ),
    Word(
        "prefix_total",
        FUNCTION,
        "prefix_total(observation)",
        "The sum of the running totals of the values taken in ascending order, in a claim `at end`.",
        (_O,),
        ir="PrefixTotal",
    ),
)

_AGGREGATES = (
    Word(
        "max",
        AGGREGATE,
        "max NAME in COUNT (EXPR)",
        "The largest of COUNT terms, with NAME from 0 to COUNT - 1.",
        ir="Max",
    ),
    Word(
        "min",
        AGGREGATE,
        "min NAME in COUNT (EXPR)",
        "The smallest of COUNT terms, with NAME from 0 to COUNT - 1.",
        ir="Min",
    ),
    Word(
        "sum", AGGREGATE, "sum NAME in COUNT (EXPR)", "The sum of COUNT terms, with NAME from 0 to COUNT - 1.", ir="Add"
    ),
)

_DISTRIBUTIONS = (
    Word("exp", DISTRIBUTION, "~exp(mean)", "Exponential with this mean.", (_MEAN,), ir="Exp"),
    Word("det", DISTRIBUTION, "~det(x)", "Always x; still counts as a draw.", (_X,), ir="Det"),
    Word(
        "uniform",
        DISTRIBUTION,
        "~uniform(low, high)",
        "Evenly distributed between the bounds.",
        (Parameter("low", EXPRESSION), Parameter("high", EXPRESSION)),
        ir="Uniform",
    ),
    Word(
        "erlang",
        DISTRIBUTION,
        "~erlang(k, mean)",
        "The sum of k exponential phases, with this mean in all.",
        (Parameter("k", EXPRESSION), _MEAN),
        ir="Erlang",
    ),
    Word(
        "h2",
        DISTRIBUTION,
        "~h2(mean, cv2)",
        "Two-phase hyperexponential with balanced means and this squared coefficient of variation (at least 1).",
        (_MEAN, Parameter("cv2", EXPRESSION)),
        ir="H2",
    ),
    Word(
        "bernoulli",
        DISTRIBUTION,
        "~bernoulli(p)",
        "1 with probability p, else 0.",
        (Parameter("p", EXPRESSION),),
        ir="Bernoulli",
    ),
)

_CONTEXT = (
    Word("now", CONTEXT, "now", "The clock.", unit="time", ir="Now"),
    Word(
        "size",
        CONTEXT,
        "size",
        "Eviction: units of the cache entry, or of the piece that a spill moves.",
        unit="units",
        ir="Size",
    ),
    Word("age", CONTEXT, "age", "Eviction: time since the cache entry was released.", unit="time", ir="Age"),
    Word("last", CONTEXT, "last", "Eviction: when the cache entry was released.", unit="time", ir="Last"),
    Word("waiting", CONTEXT, "waiting", "Eviction: 1 when the entry's session waits for a pool, else 0.", ir="Queued"),
    Word("waited", CONTEXT, "waited", "Queue keys: how long the hold has waited.", unit="time", ir="Waited"),
    Word("present", CONTEXT, "present", "A `ps` capacity: jobs at the stage.", unit="jobs", ir="N"),
    Word("tokens", CONTEXT, "tokens", "Step engine: tokens in the batch.", unit="tokens", ir="Ntok"),
    Word("prefilled", CONTEXT, "prefilled", "Step engine: prefill tokens in the batch.", unit="tokens", ir="Npre"),
    Word(
        "residents",
        CONTEXT,
        "residents",
        "Step engine: jobs at the engine, in the batch or not.",
        unit="jobs",
        ir="Nres",
    ),
    Word(
        "decoders",
        CONTEXT,
        "decoders",
        "Step engine: decodes, of the batch in a cost and of all residents elsewhere.",
        unit="jobs",
        ir="Ndec",
    ),
    Word(
        "kv_decode",
        CONTEXT,
        "kv_decode",
        "Step engine: units of the `memory` pool that the decodes hold.",
        unit="units",
        ir="Kvb",
    ),
    Word(
        "kv_prefill",
        CONTEXT,
        "kv_prefill",
        "Step engine: units of the `memory` pool that the prefills hold.",
        unit="units",
        ir="Kvp",
    ),
    Word(
        "attention",
        CONTEXT,
        "attention",
        "Cost: attention work of the batch's prefills, tokens times the context before them.",
        unit="tokens²",
        ir="Attn",
    ),
    Word(
        "decoding",
        CONTEXT,
        "decoding",
        "Serve and preemption keys: 1 when the candidate decodes, else 0.",
        ir="Decoding",
    ),
    Word(
        "admission",
        CONTEXT,
        "admission",
        "Serve and preemption keys: the candidate's place in the order of admission.",
        ir="Admission",
    ),
    Word(
        "remaining",
        CONTEXT,
        "remaining",
        "Serve keys: tokens that the resident's run still needs.",
        unit="tokens",
        ir="Remaining",
    ),
    Word(
        "position",
        CONTEXT,
        "position",
        "Preemption keys: how far the candidate's hold has computed.",
        unit="units",
        ir="Position",
    ),
    Word(
        "admitted",
        CONTEXT,
        "admitted",
        "Iteration body: holds admitted so far in this iteration.",
        unit="sessions",
        ir="Admitted",
    ),
    Word(
        "preempted",
        CONTEXT,
        "preempted",
        "Iteration body: preemptions so far in this iteration.",
        unit="sessions",
        ir="Preempted",
    ),
    Word(
        "demand",
        CONTEXT,
        "demand",
        "Claims over iterations: tokens that all residents could use now.",
        unit="tokens",
        ir="Demand",
    ),
    Word(
        "served",
        CONTEXT,
        "served",
        "Claims over iterations: tokens of the engine's earlier iterations.",
        unit="tokens",
        ir="Served",
    ),
    Word(
        "arrived", CONTEXT, "arrived", "Claims over iterations: sessions started so far.", unit="sessions", ir="Arrived"
    ),
)

_CONSTANTS = (Word("inf", CONSTANT, "inf", "Infinity."),)

_ATTRIBUTES = (
    Word(
        "cached",
        ATTRIBUTE,
        "cached",
        "Cached units that the latest admission took over; 0 for a hold without `cache`.",
        unit="units",
    ),
    Word("serial", ATTRIBUTE, "serial", "The number of the session, from 0 in the order of creation."),
    Word("turn_no", ATTRIBUTE, "turn_no", "How many turns the session has begun."),
    Word("new", ATTRIBUTE, "new", "The trace's new prompt tokens of this turn.", unit="tokens"),
    Word("out", ATTRIBUTE, "out", "The trace's output tokens of this turn.", unit="tokens"),
    Word("think", ATTRIBUTE, "think", "The trace's thinking time of this turn.", unit="time"),
    Word("more", ATTRIBUTE, "more", "1 while the trace has another turn for this session, else 0."),
    Word("forced", ATTRIBUTE, "forced", "The trace's sixth column, 0 when it is absent."),
    Word(
        "computed", ATTRIBUTE, "computed", "How far the hold had computed when it was preempted, else 0.", unit="units"
    ),
)

_QUEUE_NAMES = (Word("self", QUEUE_NAME, "self", "In an entry of a family: the number of the member that was called."),)

_RETIRED = (
    Word("enter", RETIRED, "enter POOL (UNITS) …", "The older word for `hold`.", now="hold"),
    Word("admit", RETIRED, "admit if … fit where …", "The older form of `hold … at admission (…)`.", now="hold"),
    Word("keep", RETIRED, "keep (UNITS)", "The older word for `cache`.", now="cache"),
    Word("where", RETIRED, "where (NAME = EXPR)", "The older word for `at admission`.", now="at admission"),
    Word("fits", RETIRED, "fits (UNITS)", "The older word for `reserve`.", now="reserve"),
    Word("fit", RETIRED, "fit", "An older word that is not needed: the pools are the condition."),
)

_RENAMED = (
    Word("n", RENAMED, "n", "The older name of `present`.", now="present"),
    Word("ntok", RENAMED, "ntok", "The older name of `tokens`.", now="tokens"),
    Word("ndec", RENAMED, "ndec", "The older name of `decoders`.", now="decoders"),
    Word("npre", RENAMED, "npre", "The older name of `prefilled`.", now="prefilled"),
    Word("nres", RENAMED, "nres", "The older name of `residents`.", now="residents"),
    Word("kvb", RENAMED, "kvb", "The older name of `kv_decode`.", now="kv_decode"),
    Word("kvp", RENAMED, "kvp", "The older name of `kv_prefill`.", now="kv_prefill"),
    Word("attn", RENAMED, "attn", "The older name of `attention`.", now="attention"),
    Word("queued", RENAMED, "queued", "The older name of `waiting`.", now="waiting"),
)

WORDS: tuple[Word, ...] = (
    *_ITEMS,
    *_POOL_OPTIONS,
    *_STAGE_KINDS,
    *_STEP_OPTIONS,
    *_ITERATION_STATEMENTS,
    *_WORKLOAD_OPTIONS,
    *_ARRIVALS,
    *_RUN_OPTIONS,
    *_QUEUE_OPTIONS,
    *_STATEMENTS,
    *_CLAUSES,
    *_CHOICES,
    *_ROLES,
    *_ENTRIES,
    *_FUNCTIONS,
    *_AGGREGATES,
    *_DISTRIBUTIONS,
    *_CONTEXT,
    *_CONSTANTS,
    *_ATTRIBUTES,
    *_QUEUE_NAMES,
    *_RETIRED,
    *_RENAMED,
)
"""Every meaning of every word, grouped by kind."""


def words_of(kind: str) -> tuple[Word, ...]:
    """The words of one kind, in the table's order."""
    return tuple(word for word in WORDS if word.kind == kind)


def meanings(name: str) -> tuple[Word, ...]:
    """Every meaning of `name`, in the table's order; empty for a word that means nothing."""
    return tuple(word for word in WORDS if word.name == name)


# --------------------------------------------------------------------------- the extension v4b

EXTENSION_WORDS: tuple[Word, ...] = (
    Word(
        "spawn",
        STATEMENT,
        "spawn (COUNT) into NAME inherit POOL { set ATTRIBUTE = EXPR; … }",
        "Creates child sessions that run the session from its start. The block gives each its attributes, with values "
        "read in this session; `inherit POOL` lets them read this session's cached prefix.",
    ),
    Word("join", STATEMENT, "join NAME;", "Waits until every child session spawned into the group has ended."),
    Word("into", CLAUSE, "into NAME", "The group that the children of a `spawn` belong to; `join NAME` waits for it."),
    Word(
        "inherit",
        CLAUSE,
        "inherit POOL",
        "The children of a `spawn` read this session's cached prefix on the pool and leave it where it is.",
    ),
    Word("parent", ATTRIBUTE, "parent", "The serial of the session that spawned this one; -1 for one that arrived."),
    Word("depth", ATTRIBUTE, "depth", "How many spawns lie between an arrival and this session: 0 for the arrival."),
)
"""Words of the edition v4b: none of them is reserved, and programs of 0.1.3 do not know them."""

EXTENSION: dict[str, Word] = {word.name: word for word in EXTENSION_WORDS}
EXTENSION_KEYWORDS = ("spawn", "into", "inherit")
LINEAGE = ("parent", "depth")
"""Attributes that the edition v4b supplies."""

# --------------------------------------------------------------------------- words by place


def _names(words: tuple[Word, ...]) -> tuple[str, ...]:
    return tuple(word.name for word in words)


ITEM_WORDS = _names(_ITEMS)
POOL_OPTION_WORDS = _names(_POOL_OPTIONS)
STAGE_KIND_WORDS = _names(_STAGE_KINDS)
STEP_OPTION_WORDS = _names(_STEP_OPTIONS)
ITERATION_WORDS = _names(_ITERATION_STATEMENTS)
WORKLOAD_OPTION_WORDS = _names(_WORKLOAD_OPTIONS)
ARRIVAL_WORDS = _names(_ARRIVALS)
RUN_OPTION_WORDS = _names(_RUN_OPTIONS)
STATEMENT_WORDS = _names(_STATEMENTS)
SERVING_FORMS = ("prefill", "decode", "transfer", "tool")
SHARE_POLICIES = ("maxmin", "bottleneck")
ROLE_WORDS = _names(_ROLES)
ENTRY_WORDS = _names(_ENTRIES)
AGGREGATE_WORDS = _names(_AGGREGATES)

_NOT_KEYWORDS = (FUNCTION, DISTRIBUTION, CONTEXT, CONSTANT, ATTRIBUTE, QUEUE_NAME, ROLE, ENTRY, RETIRED, RENAMED)

KEYWORDS = tuple(dict.fromkeys(word.name for word in WORDS if word.kind not in _NOT_KEYWORDS))
"""Words that the grammar knows in some place, for highlighters; each is a name in every other place."""

UNCALLABLE_QUEUE_NAMES = frozenset(STATEMENT_WORDS) - frozenset(SERVING_FORMS)
"""A queue of such a name can be declared but not called: the word begins a statement (01 §1.5)."""

# --------------------------------------------------------------------------- built-in names

FUNCTIONS: dict[str, Word] = {word.name: word for word in _FUNCTIONS}
DISTRIBUTIONS: dict[str, Word] = {word.name: word for word in _DISTRIBUTIONS}
CONTEXT_VARIABLES: dict[str, Word] = {word.name: word for word in _CONTEXT}
BUILTIN_ATTRIBUTES = _names(_ATTRIBUTES)
"""The attributes of every program, in the order of their slots (08 §2)."""

ARITHMETIC_FUNCTIONS = ("min", "max", "abs", "floor", "ceil", "sqrt", "exp", "ln", "pow")
STAGE_FUNCTIONS = ("queue", "busy", "work", "est_lambda", "est_rho", "est_wait", "price", "budget_left")
POOL_FUNCTIONS = ("used", "free", "cachedin", "holders", "queued")
OBSERVATION_FUNCTIONS = ("total", "count", "largest", "smallest", "prefix_total")
OBSERVABLES = frozenset(STAGE_FUNCTIONS + POOL_FUNCTIONS)
"""Functions that read the live state of the system; `blocksize` is a number and not among them."""

IR_FUNCTIONS: dict[str, str] = {word.name: word.ir for word in _FUNCTIONS if word.ir}
IR_DISTRIBUTIONS: dict[str, str] = {word.name: word.ir for word in _DISTRIBUTIONS}
IR_CONTEXT: dict[str, str] = {word.name: word.ir for word in _CONTEXT}

RENAMED_CONTEXT: dict[str, str] = {word.name: word.now for word in _RENAMED}
"""Context variables of older editions and their names today (02 §16)."""

# --------------------------------------------------------------------------- what may not be named so (01 §1.5)

RETIRED_WORDS = frozenset({"enter", "admit", "keep", "where", "fit"})
"""Not the name of a constant, attribute, binding, claim, definition or parameter (SQ0129)."""

SUPPLIED_NAMES = frozenset(IR_CONTEXT) | {"inf"}
"""Not a constant, attribute, register, aggregate index or binding read by a body (SQ0216-0218, 0220, 0263)."""

SERVING_WORDS = frozenset({"prefill", "decode", "transfer", "tool", "link", "gateway"})
"""Not the name of a queue (SQ0702); `gateway` by the reference implementation, which 01 §1.5 leaves out."""

_FREE_KINDS = (ENTRY, CONTEXT, CONSTANT, ATTRIBUTE, QUEUE_NAME, RETIRED, RENAMED)

LANGUAGE_WORDS = frozenset(word.name for word in WORDS if word.kind not in _FREE_KINDS) - {"gateway"} | {"fits"}
"""Not the name of a definition (SQ0240)."""

PARAMETER_FORBIDDEN = LANGUAGE_WORDS - {"det", "erlang", "h2", "uniform", "admit"}
"""Not the name of a definition's parameter (SQ0246); `admit` is SQ0129 there."""
