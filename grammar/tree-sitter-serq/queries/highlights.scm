; Colours for serQ.  Where two patterns fit, the later one is the closer one.
;
; Lists of words are checked against the interpreter's vocabulary (tests/grammar/test_queries.py).

; ---------------------------------------------------------------- words

[
  "let" "def" "pool" "stage" "workload" "session" "server" "queue" "share" "gauge" "claim" "run"
] @keyword

"use" @keyword.import

[
  "cap" "block" "evict" "preempt" "admit" "reserve" "spill" "requeue" "held" "via" "when" "by" "cost" "budget"
  "chunk" "granule" "serve" "memory" "state" "iteration" "only" "exclusive" "first" "arrive" "trace" "ordered"
  "init" "turn" "hidden" "horizon" "warmup" "seed" "arrivals" "nic" "latency" "pull" "push"
] @keyword

[
  "request" "set" "observe" "hold" "grow" "load" "drop" "release" "fork" "join" "choose" "mark" "prefill"
  "decode" "tool" "transfer" "end" "at" "admission" "reuse" "cache" "lease" "growing" "on" "from" "to" "in"
  "given" "every" "some" "of" "spawn" "into" "inherit"
] @keyword

[ "branch" "with" "else" ] @keyword.conditional

[ "loop" "while" ] @keyword.repeat

[ "fifo" "ps" "step" "poisson" "renewal" "closed" "batch" "none" ] @type.builtin

(evict_option "lru" @constant.builtin)
(preempt_option [ "none" "lifo" "head" "tail" ] @constant.builtin)
(order_option "fifo" @constant.builtin)
(policy [ "maxmin" "bottleneck" ] @constant.builtin)
(delay_kind) @type.builtin
(admission_order) @keyword
(role (identifier) @type.builtin)

; ---------------------------------------------------------------- literals and signs

(comment) @comment @spell
(string) @string
(number) @number
(malformed_number) @error

[ "(" ")" "[" "]" "{" "}" ] @punctuation.bracket
[ "," ";" ":" "." ] @punctuation.delimiter
[ "=" "?" "~" "+" "-" "*" "/" "^" "<" "<=" ">" ">=" "==" "!=" "!" "&&" "||" ] @operator
(conditional [ "?" ":" ] @operator)

; ---------------------------------------------------------------- declarations

(let_item name: (identifier) @constant)
(def_item name: (identifier) @function)
(def_item parameters: (parameters (identifier) @variable.parameter))
(pool_item name: (identifier) @type)
(pool_part name: (identifier) @type)
(stage_item name: (identifier) @type)
(queue_item name: (identifier) @type)
(relation_item left: (identifier) @type)
(relation_item right: (identifier) @type)
(gauge_item name: (identifier) @property)
(claim_item name: (identifier) @label)
(state_option name: (identifier) @variable.member)
(iter_set name: (identifier) @variable.member)
(hidden_clause name: (identifier) @variable)
(entry verb: (identifier) @function.method)
(entry parameters: (parameters (identifier) @variable.parameter))
(entry source: (identifier) @variable.parameter)
(set_stmt name: (identifier) @variable)
(choose_stmt name: (identifier) @variable)
(binding name: (identifier) @variable)
(observe_stmt name: (identifier) @property)
(mark_stmt name: (identifier) @property)
(spawn_stmt group: (identifier) @label)
(join_group_stmt group: (identifier) @label)

; ---------------------------------------------------------------- references

(reference name: (identifier) @type)
(reference member: (identifier) @variable.member)
(admit_option stage: (identifier) @type)
(memory_option pool: (identifier) @type)
(spill_option pool: (identifier) @type)
(spill_option stage: (identifier) @type)
(request_stmt gateway: (identifier) @type)
(call_stmt queue: (identifier) @type)
(call_stmt verb: (identifier) @function.method.call)

; ---------------------------------------------------------------- expressions

(value name: (identifier) @variable)
(value member: (identifier) @variable.member)

(value
  !member
  name: (identifier) @variable.builtin
  (#any-of? @variable.builtin
    "now" "size" "age" "last" "waiting" "waited" "present" "tokens" "prefilled" "residents" "decoders"
    "kv_decode" "kv_prefill" "attention" "decoding" "admission" "remaining" "position" "admitted" "preempted"
    "demand" "served" "arrived" "cached" "serial" "turn_no" "new" "out" "think" "more" "forced" "computed"
    "self"))

(value
  !member
  name: (identifier) @constant.builtin
  (#eq? @constant.builtin "inf"))

(call function: (identifier) @function.builtin)
(definition_use name: (identifier) @function.call)
(draw distribution: (identifier) @function.builtin)
(aggregate operator: _ @function.builtin)
(aggregate index: (identifier) @variable.parameter)
(aggregate count: (identifier) @constant)

(call
  function: (identifier) @function.builtin
  argument: (value !member name: (identifier) @type)
  (#any-of? @function.builtin
    "queue" "busy" "work" "est_lambda" "est_rho" "est_wait" "budget_left" "used" "free" "cachedin" "holders"
    "queued" "blocksize"))

(call
  function: (identifier) @function.builtin
  argument: (value !member name: (identifier) @property)
  (#any-of? @function.builtin
    "total" "count" "largest" "smallest" "prefix_total"))

; ---------------------------------------------------------------- definitions
;
; A body is a run of tokens and so is an argument: what a word means there is known after expansion only.

(token_run (identifier) @variable)
(token_group (identifier) @variable)
(argument (identifier) @variable)

((token_run (identifier) @keyword)
  (#any-of? @keyword
    "use" "let" "def" "pool" "stage" "workload" "session" "server" "share" "gauge" "claim" "run" "cap" "block"
    "evict" "preempt" "admit" "reserve" "spill" "fifo" "ps" "delay" "step" "cost" "budget" "chunk" "granule"
    "serve" "memory" "state" "iteration" "branch" "set" "arrive" "trace" "init" "turn" "hidden" "poisson"
    "renewal" "closed" "batch" "none" "horizon" "warmup" "seed" "arrivals" "nic" "end" "join" "request"
    "observe" "hold" "grow" "load" "drop" "release" "loop" "fork" "choose" "mark" "prefill" "decode"
    "transfer" "tool" "via" "when" "by" "requeue" "only" "while" "else" "with" "in" "at" "reuse" "cache"
    "lease" "growing" "on" "from" "to" "given" "every" "some" "of" "latency" "pull" "push" "ordered" "lru"
    "lifo" "head" "tail" "held" "first" "exclusive" "maxmin" "bottleneck" "queue"))

((token_run (identifier) @function.builtin)
  (#any-of? @function.builtin
    "min" "max" "abs" "floor" "ceil" "sqrt" "exp" "ln" "pow" "busy" "work" "est_lambda" "est_rho" "est_wait"
    "price" "budget_left" "used" "free" "cachedin" "holders" "queued" "blocksize" "total" "count" "largest"
    "smallest" "prefix_total" "sum"))

((token_run (identifier) @variable.builtin)
  (#any-of? @variable.builtin
    "now" "size" "age" "last" "waiting" "waited" "present" "tokens" "prefilled" "residents" "decoders"
    "kv_decode" "kv_prefill" "attention" "decoding" "admission" "remaining" "position" "admitted" "preempted"
    "demand" "served" "arrived" "cached" "serial" "turn_no" "new" "out" "think" "more" "forced" "computed"
    "self"))

((token_run (identifier) @constant.builtin)
  (#any-of? @constant.builtin
    "inf"))

((token_group (identifier) @keyword)
  (#any-of? @keyword
    "use" "let" "def" "pool" "stage" "workload" "session" "server" "share" "gauge" "claim" "run" "cap" "block"
    "evict" "preempt" "admit" "reserve" "spill" "fifo" "ps" "delay" "step" "cost" "budget" "chunk" "granule"
    "serve" "memory" "state" "iteration" "branch" "set" "arrive" "trace" "init" "turn" "hidden" "poisson"
    "renewal" "closed" "batch" "none" "horizon" "warmup" "seed" "arrivals" "nic" "end" "join" "request"
    "observe" "hold" "grow" "load" "drop" "release" "loop" "fork" "choose" "mark" "prefill" "decode"
    "transfer" "tool" "via" "when" "by" "requeue" "only" "while" "else" "with" "in" "at" "reuse" "cache"
    "lease" "growing" "on" "from" "to" "given" "every" "some" "of" "latency" "pull" "push" "ordered" "lru"
    "lifo" "head" "tail" "held" "first" "exclusive" "maxmin" "bottleneck" "queue"))

((token_group (identifier) @function.builtin)
  (#any-of? @function.builtin
    "min" "max" "abs" "floor" "ceil" "sqrt" "exp" "ln" "pow" "busy" "work" "est_lambda" "est_rho" "est_wait"
    "price" "budget_left" "used" "free" "cachedin" "holders" "queued" "blocksize" "total" "count" "largest"
    "smallest" "prefix_total" "sum"))

((token_group (identifier) @variable.builtin)
  (#any-of? @variable.builtin
    "now" "size" "age" "last" "waiting" "waited" "present" "tokens" "prefilled" "residents" "decoders"
    "kv_decode" "kv_prefill" "attention" "decoding" "admission" "remaining" "position" "admitted" "preempted"
    "demand" "served" "arrived" "cached" "serial" "turn_no" "new" "out" "think" "more" "forced" "computed"
    "self"))

((token_group (identifier) @constant.builtin)
  (#any-of? @constant.builtin
    "inf"))

((argument (identifier) @variable.builtin)
  (#any-of? @variable.builtin
    "now" "size" "age" "last" "waiting" "waited" "present" "tokens" "prefilled" "residents" "decoders"
    "kv_decode" "kv_prefill" "attention" "decoding" "admission" "remaining" "position" "admitted" "preempted"
    "demand" "served" "arrived" "cached" "serial" "turn_no" "new" "out" "think" "more" "forced" "computed"
    "self"))

((argument (identifier) @constant.builtin)
  (#any-of? @constant.builtin
    "inf"))
