/**
 * @file serQ 0.1.3: sessions, pools and stages of a serving system
 * @license Apache-2.0
 *
 * The order follows the reference (spec 01 §2) and the node names are those of the syntax tree of the interpreter:
 * `PoolItem` there is `pool_item` here.
 *
 * No word of the language is reserved.  The lexer offers a keyword only where the grammar can take it, and an
 * identifier everywhere else; where both can stand, `keywordName` says which of the words may be a name there.
 *
 * A definition is a token macro.  Its body is a balanced run of tokens, its use is a node of its own, and so is each
 * argument of a use: what the tokens mean is known only after expansion.
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

// Functions of the language.  A name before `(` that is none of them is the use of a definition.
const FUNCTIONS = [
  'abs', 'floor', 'ceil', 'sqrt', 'exp', 'ln', 'pow',
  'queue', 'busy', 'work', 'est_lambda', 'est_rho', 'est_wait', 'price', 'budget_left',
  'used', 'free', 'cachedin', 'holders', 'queued', 'blocksize',
  'total', 'count', 'largest', 'smallest', 'prefix_total',
];

// The three that are also an aggregate over an index (`sum` is no function, but no definition either).
const AGGREGATES = ['max', 'min', 'sum'];

// Words that may follow an expression, and so stand where the index of an aggregate could begin: `max by in 3 (by)`.
const AFTER_EXPRESSION = ['by', 'share', 'growing', 'from'];

const PUNCTUATION = [
  ',', ':', '.', '=', '?', '~', '+', '-', '*', '/', '^', '<', '<=', '>', '>=', '==', '!=', '!', '&&', '||',
];

// Two letters that the generator leaves out of every class of characters (they are `s` and `k` in the other case).
const LEFT_OUT_LETTERS = ['\u017F', '\u212A'];

/** A character of the class, the ones that the generator leaves out of a class included. */
function anyOf(characters) {
  return choice(characters, ...LEFT_OUT_LETTERS);
}

/** One or more `rule`, separated by commas; no list of the language takes a trailing comma. */
function list(rule) {
  return seq(rule, repeat(seq(',', rule)));
}

/** An expression in parentheses, as most clauses have it. */
function parenthesised($, name = 'value') {
  return seq('(', field(name, $._expr), ')');
}

/** Words of the language, read as names. */
function keywordName($, words) {
  return choice(...words.map((word) => alias(word, $.identifier)));
}

/** A left-associative level of binary operators over operands of the next level. */
function level($, own, operators, operand) {
  return seq(field('left', own), field('operator', operators.length > 1 ? choice(...operators) : operators[0]), field('right', operand));
}

module.exports = grammar({
  name: 'serq',

  word: ($) => $.identifier,

  extras: ($) => [/\p{White_Space}/, $.comment],

  supertypes: ($) => [$._item, $._statement, $._expr],

  conflicts: ($) => [[$.aggregate, $._value_name]],

  rules: {
    program: ($) => repeat($._item),

    // ---------------------------------------------------------------- items (2.1)

    _item: ($) =>
      choice(
        $.use_item,
        $.let_item,
        $.def_item,
        $.pool_item,
        $.stage_item,
        $.workload_item,
        $.session_item,
        $.server_item,
        $.queue_item,
        $.relation_item,
        $.share_item,
        $.gauge_item,
        $.claim_item,
        $.run_item,
      ),

    use_item: ($) => seq('use', field('path', $.string), ';'),

    let_item: ($) => seq('let', field('name', $.identifier), '=', field('value', $._expr), ';'),

    def_item: ($) =>
      seq(
        'def',
        field('name', $.identifier),
        field('parameters', $.parameters),
        choice(
          seq('=', field('body', $.token_run), ';'),
          seq('{', field('body', optional(alias($._open_token_run, $.token_run))), '}'),
        ),
      ),

    parameters: ($) => seq('(', optional(seq(list($.identifier), optional(','))), ')'),

    pool_item: ($) =>
      seq('pool', field('name', $.identifier), optional(field('size', $.subscript)), '{', repeat($._pool_option), '}'),

    stage_item: ($) => seq('stage', field('name', $.identifier), optional(field('size', $.subscript)), ':', $._ended_kind),

    workload_item: ($) => seq('workload', '{', repeat($._workload_clause), '}'),

    session_item: ($) => seq('session', field('body', $.block)),

    server_item: ($) => seq('server', field('body', $.block)),

    queue_item: ($) =>
      seq(
        'queue',
        field('name', $.identifier),
        optional(field('size', $.subscript)),
        optional(seq(':', list(field('role', $.role)))),
        '{',
        repeat($._queue_part),
        '}',
      ),

    relation_item: ($) =>
      seq(
        field('left', choice($.identifier, keywordName($, ['share', 'run']))),
        field('verb', choice('pull', 'push')),
        field('right', $.identifier),
        optional($.latency_clause),
        'share',
        field('policy', $.policy),
        ';',
      ),

    share_item: ($) => seq('share', field('policy', $.policy), ';'),

    gauge_item: ($) => seq('gauge', field('name', $.identifier), '=', field('value', $._expr), ';'),

    claim_item: ($) =>
      seq(
        'claim',
        field('name', $.identifier),
        optional(seq('given', parenthesised($, 'given'))),
        ':',
        choice(
          seq(choice('every', 'some'), 'iteration', 'of', field('stage', $.reference), parenthesised($, 'condition')),
          seq('at', 'end', parenthesised($, 'condition')),
        ),
        ';',
      ),

    run_item: ($) => seq('run', '{', repeat($.run_option), '}'),

    run_option: ($) => seq(choice('horizon', 'warmup', 'seed', 'arrivals'), field('value', $._expr), ';'),

    subscript: ($) => seq('[', field('value', $._expr), ']'),

    latency_clause: ($) => seq('latency', field('value', $._expr)),

    policy: (_) => choice('maxmin', 'bottleneck'),

    role: ($) => $.identifier,

    // ---------------------------------------------------------------- pools (2.2)

    _pool_option: ($) =>
      choice(
        $.cap_option,
        $.block_option,
        $.evict_option,
        $.preempt_option,
        $.order_option,
        $.admit_option,
        $.reserve_option,
        $.spill_option,
      ),

    cap_option: ($) => seq('cap', field('value', $._expr), ';'),

    block_option: ($) => seq('block', field('value', $._expr), ';'),

    evict_option: ($) => seq('evict', choice('lru', $.keys), ';'),

    preempt_option: ($) =>
      seq(
        'preempt',
        choice('none', 'lifo', seq($.keys, optional(seq('requeue', choice('head', 'tail'))))),
        ';',
      ),

    order_option: ($) => seq('queue', choice('fifo', $.keys), ';'),

    admit_option: ($) => seq('admit', 'via', field('stage', $.identifier), ';'),

    reserve_option: (_) => seq('reserve', 'held', ';'),

    spill_option: ($) =>
      seq(
        'spill',
        field('pool', $.identifier),
        'via',
        field('stage', $.identifier),
        parenthesised($, 'work'),
        'when',
        parenthesised($, 'when'),
        ';',
      ),

    keys: ($) => seq('by', '(', list($._expr), ')'),

    // ---------------------------------------------------------------- stages (2.3)

    _ended_kind: ($) =>
      choice(seq(field('kind', $._plain_kind), ';'), seq(field('kind', $.step_kind), optional(';'))),

    _plain_kind: ($) => choice($.fifo_kind, $.ps_kind, $.delay_kind),

    fifo_kind: ($) => seq('fifo', optional(parenthesised($, 'servers'))),

    ps_kind: ($) => seq('ps', parenthesised($, 'capacity')),

    delay_kind: (_) => 'delay',

    step_kind: ($) => seq('step', '{', repeat($._step_option), '}'),

    _step_option: ($) =>
      choice(
        $.cost_option,
        $.budget_option,
        $.chunk_option,
        $.granule_option,
        $.serve_option,
        $.memory_option,
        $.state_option,
        $.iteration_option,
      ),

    cost_option: ($) => seq('cost', field('value', $._expr), ';'),

    budget_option: ($) => seq('budget', field('value', $._expr), ';'),

    chunk_option: ($) => seq('chunk', field('value', $._expr), ';'),

    granule_option: ($) => seq('granule', field('value', $._expr), ';'),

    serve_option: ($) =>
      seq('serve', choice(seq($.only_clause, optional($._order)), $._order), ';'),

    memory_option: ($) => seq('memory', field('pool', $.identifier), ';'),

    state_option: ($) => seq('state', field('name', $.identifier), '=', field('value', $._expr), ';'),

    iteration_option: ($) => seq('iteration', field('body', $.iteration_block)),

    only_clause: ($) => seq('only', parenthesised($)),

    _order: ($) => choice($.admission_order, $.keys, $.decode_first_order, $.exclusive_prefill_order),

    admission_order: (_) => 'admission',

    decode_first_order: (_) => seq('decode', 'first'),

    exclusive_prefill_order: (_) => seq('exclusive', 'prefill'),

    iteration_block: ($) =>
      seq('{', repeat(choice($.iter_serve, $.iter_admit, $.iter_branch, $.iter_set)), '}'),

    iter_serve: ($) => seq('serve', optional($.only_clause), optional($._order), ';'),

    iter_admit: ($) => seq('admit', optional($.only_clause), optional(seq('while', parenthesised($, 'gate'))), ';'),

    iter_branch: ($) =>
      seq(
        'branch',
        parenthesised($, 'guard'),
        field('then', $.iteration_block),
        optional(seq('else', field('otherwise', $.iteration_block))),
      ),

    iter_set: ($) => seq('set', field('name', $.identifier), '=', field('value', $._expr), ';'),

    // ---------------------------------------------------------------- workload and sessions (2.4)

    _workload_clause: ($) =>
      choice($.arrive_clause, $.trace_clause, $.init_clause, $.turn_clause, $.session_clause, $.hidden_clause),

    arrive_clause: ($) =>
      seq('arrive', choice('none', seq(choice('poisson', 'renewal', 'closed', 'batch'), parenthesised($))), ';'),

    trace_clause: ($) => seq('trace', field('path', $.string), optional('ordered'), ';'),

    init_clause: ($) => seq('init', field('body', $.block)),

    turn_clause: ($) => seq('turn', field('body', $.block)),

    session_clause: ($) => seq('session', field('body', $.block)),

    hidden_clause: ($) => seq('hidden', list(field('name', $.identifier)), ';'),

    block: ($) => seq('{', repeat($._statement), '}'),

    // ---------------------------------------------------------------- statements (2.5)

    _statement: ($) =>
      choice(
        $.simple_stmt,
        $.request_stmt,
        $.set_stmt,
        $.observe_stmt,
        $.hold_stmt,
        $.pool_stmt,
        $.run_stmt,
        $.branch_stmt,
        $.loop_stmt,
        $.fork_stmt,
        $.spawn_stmt,
        $.join_group_stmt,
        $.choose_stmt,
        $.mark_stmt,
        $.serving_stmt,
        $.transfer_stmt,
        $.use_stmt,
        $.call_stmt,
      ),

    simple_stmt: (_) => seq(choice('turn', 'end', 'join'), ';'),

    request_stmt: ($) => seq('request', optional(field('gateway', $.identifier)), ';'),

    set_stmt: ($) => seq('set', field('name', $.identifier), '=', field('value', $._expr), ';'),

    observe_stmt: ($) => seq('observe', field('name', $.identifier), '=', field('value', $._expr), ';'),

    hold_stmt: ($) =>
      seq(
        'hold',
        list($.hold_pool),
        optional($.reuse_clause),
        optional($.admission_clause),
        field('body', $.block),
        optional($.cache_clause),
        optional($.lease_clause),
        optional(';'),
      ),

    hold_pool: ($) =>
      seq(field('pool', $.reference), parenthesised($, 'units'), optional(seq('reserve', parenthesised($, 'reserve')))),

    reuse_clause: ($) => seq('reuse', parenthesised($)),

    admission_clause: ($) => seq('at', 'admission', '(', list($.binding), ')'),

    binding: ($) => seq(field('name', $.identifier), '=', field('value', $._expr)),

    cache_clause: ($) => seq('cache', parenthesised($)),

    lease_clause: ($) => seq('lease', field('pool', $.reference), parenthesised($, 'time')),

    pool_stmt: ($) =>
      choice(
        seq(choice('grow', 'load'), field('pool', $.reference), parenthesised($, 'units'), ';'),
        seq(choice('drop', 'release'), field('pool', $.reference), ';'),
      ),

    run_stmt: ($) =>
      seq(
        'run',
        optional(
          seq(list(field('stage', $.reference)), optional(field('mode', choice('prefill', 'decode')))),
        ),
        parenthesised($, 'work'),
        optional($.growing_clause),
        ';',
      ),

    growing_clause: ($) => seq('growing', field('pool', $.reference)),

    branch_stmt: ($) =>
      seq(
        'branch',
        optional('with'),
        parenthesised($, 'guard'),
        field('then', $.block),
        optional(seq('else', field('otherwise', $.block))),
      ),

    loop_stmt: ($) => seq('loop', field('body', $.block)),

    fork_stmt: ($) => seq('fork', field('body', $.block)),

    // Extension v4b.  The count is read like the argument of a use: `spawn(2);` may be the use of a definition, and
    // what follows the parenthesis tells.
    spawn_stmt: ($) =>
      seq(
        'spawn',
        '(',
        field('count', $.argument),
        ')',
        'into',
        field('group', $.identifier),
        optional($.inherit_clause),
        field('body', $.block),
      ),

    inherit_clause: ($) => seq('inherit', field('pool', $.reference)),

    join_group_stmt: ($) => seq('join', field('group', $.identifier), ';'),

    choose_stmt: ($) => seq('choose', field('name', $.identifier), 'in', field('count', $._expr), $.keys, ';'),

    mark_stmt: ($) => seq('mark', field('name', $.identifier), ';'),

    serving_stmt: ($) =>
      seq(
        field('role', choice('prefill', 'decode', 'tool')),
        optional($._where),
        field('work', $._expr),
        optional($.growing_clause),
        ';',
      ),

    transfer_stmt: ($) =>
      seq(
        field('role', 'transfer'),
        optional($._where),
        field('work', $._expr),
        'from',
        field('source', $.reference),
        'to',
        field('target', $.reference),
        parenthesised($, 'units'),
        ';',
      ),

    _where: ($) => choice($.subscript, seq('on', list(field('stage', $.reference)))),

    use_stmt: ($) => seq(choice($.definition_use, alias($._spawn_use, $.definition_use)), ';'),

    _spawn_use: ($) =>
      seq(field('name', keywordName($, ['spawn'])), '(', optional(list(field('argument', $.argument))), ')'),

    call_stmt: ($) =>
      seq(
        field('queue', choice($.identifier, keywordName($, ['spawn']))),
        optional(field('index', $.subscript)),
        '.',
        field('verb', $.identifier),
        '(',
        optional(list(field('argument', $._expr))),
        ')',
        optional(seq('from', field('source', $.reference))),
        optional(seq('to', field('target', $.reference), parenthesised($, 'units'))),
        ';',
      ),

    reference: ($) =>
      seq(field('name', $.identifier), optional(field('index', $.subscript)), optional(seq('.', field('member', $.identifier)))),

    // ---------------------------------------------------------------- queues (2.6)

    _queue_part: ($) => choice($.pool_part, $.serve_part, $.nic_part, $.entry),

    // A size here and a latency on a NIC are refused by name (SQ0713, SQ0720).
    pool_part: ($) =>
      seq('pool', field('name', $.identifier), optional(field('size', $.subscript)), '{', repeat($._pool_option), '}'),

    serve_part: ($) =>
      seq(
        'serve',
        choice(
          seq(field('kind', $._plain_kind), optional($.latency_clause), ';'),
          seq(field('kind', $.step_kind), optional(';')),
          seq(field('kind', $.step_kind), $.latency_clause, ';'),
          seq(field('kind', choice($._plain_kind, $.step_kind)), ';', $.latency_clause, ';'),
        ),
      ),

    nic_part: ($) => seq('nic', $._kind_with_latency),

    _kind_with_latency: ($) =>
      choice(
        seq(field('kind', $._plain_kind), optional($.latency_clause), ';'),
        seq(field('kind', $.step_kind), optional($.latency_clause), optional(';')),
      ),

    entry: ($) =>
      seq(
        field('verb', $.identifier),
        optional(field('parameters', alias($.entry_parameters, $.parameters))),
        optional(seq('from', field('source', $.identifier))),
        field('body', $.block),
      ),

    entry_parameters: ($) => seq('(', optional(list($.identifier)), ')'),

    // ---------------------------------------------------------------- expressions (2.7)

    _expr: ($) => choice($.conditional, $._or),

    conditional: ($) =>
      seq(field('test', $._or), '?', field('then', $._expr), ':', field('otherwise', $._expr)),

    _or: ($) => choice(alias($._or_expr, $.binary_op), $._and),
    _or_expr: ($) => level($, $._or, ['||'], $._and),

    _and: ($) => choice(alias($._and_expr, $.binary_op), $._comparison),
    _and_expr: ($) => level($, $._and, ['&&'], $._comparison),

    // At most one comparison per level: `1 < 2 < 3` is an error.
    _comparison: ($) => choice(alias($._comparison_expr, $.binary_op), $._sum),
    _comparison_expr: ($) => level($, $._sum, ['<', '<=', '>', '>=', '==', '!='], $._sum),

    _sum: ($) => choice(alias($._sum_expr, $.binary_op), $._product),
    _sum_expr: ($) => level($, $._sum, ['+', '-'], $._product),

    _product: ($) => choice(alias($._product_expr, $.binary_op), $._unary),
    _product_expr: ($) => level($, $._product, ['*', '/'], $._unary),

    // A draw takes no exponent of its own: `~exp(1) ^ 2` is an error, `2 ^ ~exp(1)` is none.
    _unary: ($) => choice($.unary_op, $.draw, $._power),
    unary_op: ($) => seq(field('operator', choice('-', '!')), field('operand', $._unary)),

    // Right associative, and the exponent may start with a unary operator: `2^-1`.
    _power: ($) => choice(alias($._power_expr, $.binary_op), $._primary),
    _power_expr: ($) => level($, $._primary, ['^'], $._unary),

    _primary: ($) =>
      choice(
        $.number,
        $.malformed_number,
        $.paren,
        $.aggregate,
        $.call,
        $.definition_use,
        $.value,
      ),

    paren: ($) => seq('(', field('inner', $._expr), ')'),

    draw: ($) => seq('~', field('distribution', $.identifier), '(', optional(list(field('argument', $._expr))), ')'),

    aggregate: ($) =>
      seq(
        field('operator', choice(...AGGREGATES)),
        field('index', choice($.identifier, keywordName($, AFTER_EXPRESSION))),
        'in',
        field('count', choice($.number, $.malformed_number, $.identifier, $.paren)),
        '(',
        field('body', $._expr),
        ')',
      ),

    call: ($) => seq(field('function', $._function_name), '(', optional(list(field('argument', $._argument))), ')'),

    _function_name: ($) => prec(1, keywordName($, [...FUNCTIONS, ...AGGREGATES])),

    _argument: ($) => choice($._expr, alias($._member, $.reference)),

    // A member of a family, without its pool: an argument only.
    _member: ($) => seq(field('name', $._value_name), field('index', $.subscript)),

    // What can be read as a value: `a`, `q.a`, `q[i].kv`.
    value: ($) =>
      seq(
        field('name', $._value_name),
        optional(seq(optional(field('index', $.subscript)), '.', field('member', $.identifier))),
      ),

    _value_name: ($) => choice($.identifier, keywordName($, [...FUNCTIONS, ...AGGREGATES])),

    // ---------------------------------------------------------------- definitions (3)

    definition_use: ($) =>
      prec(1, seq(field('name', $.identifier), '(', optional(list(field('argument', $.argument))), ')')),

    // The tokens of one argument.  A name with its parentheses is read as a call, whatever it turns out to mean.
    argument: ($) =>
      repeat1(
        choice(
          $._value_name,
          $.number,
          $.malformed_number,
          $.string,
          $.definition_use,
          alias($._function_use, $.call),
          $.token_group,
          ...PUNCTUATION.filter((sign) => sign !== ','),
          ';',
        ),
      ),

    _function_use: ($) =>
      prec(1, seq(field('function', $._function_name), '(', optional(list(field('argument', $.argument))), ')')),

    token_run: ($) => repeat1(choice($._token, $.token_group)),

    // Between braces a semicolon is a token like any other.
    _open_token_run: ($) => repeat1(choice($._token, $.token_group, ';')),

    token_group: ($) =>
      choice(
        seq('(', optional($._open_token_run), ')'),
        seq('[', optional($._open_token_run), ']'),
        seq('{', optional($._open_token_run), '}'),
      ),

    _token: ($) => choice($.identifier, $.number, $.malformed_number, $.string, ...PUNCTUATION),

    // ---------------------------------------------------------------- tokens (1)

    identifier: (_) =>
      token(
        seq(
          choice(/[_\p{Alphabetic}]/, ...LEFT_OUT_LETTERS),
          repeat(choice(/[_\p{Alphabetic}\p{N}]/, ...LEFT_OUT_LETTERS)),
        ),
      ),

    // A mantissa takes underscores anywhere after its first character, an exponent takes none.
    number: (_) => /([0-9][0-9_]*(\.[0-9_]*)?|\.[0-9][0-9_]*)([eE][+-]?[0-9]+)?/,

    // A second dot in the mantissa; a node of its own, so that the rest of the line is read.
    malformed_number: (_) => /([0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)\.[0-9_.]*([eE][+-]?[0-9]+)?/,

    // Every character up to the next quote, line breaks included; there are no escapes.
    string: (_) => token(seq('"', repeat(anyOf(/[^"]/)), '"')),

    // `/*/` opens a comment and does not close it.
    comment: (_) =>
      token(
        choice(
          seq('//', repeat(anyOf(/[^\n]/))),
          seq('/*', repeat(anyOf(/[^*]/)), /\*+/, repeat(seq(anyOf(/[^/*]/), repeat(anyOf(/[^*]/)), /\*+/)), '/'),
        ),
      ),
  },
});
