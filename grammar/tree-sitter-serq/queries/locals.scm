; Names and where they are seen.  Everything but a definition's parameters, an aggregate's index, the bindings of a hold
; and the parameters of an entry belongs to the whole program.

(program) @local.scope
(def_item) @local.scope
(entry) @local.scope
(hold_stmt) @local.scope
(aggregate) @local.scope

(let_item name: (identifier) @local.definition.constant)
(pool_item name: (identifier) @local.definition.type)
(pool_part name: (identifier) @local.definition.type)
(stage_item name: (identifier) @local.definition.type)
(queue_item name: (identifier) @local.definition.type)
(gauge_item name: (identifier) @local.definition.field)
(claim_item name: (identifier) @local.definition.field)
(state_option name: (identifier) @local.definition.var)
(set_stmt name: (identifier) @local.definition.var)
(choose_stmt name: (identifier) @local.definition.var)
(observe_stmt name: (identifier) @local.definition.field)
(mark_stmt name: (identifier) @local.definition.field)

((def_item name: (identifier) @local.definition.function)
  (#set! definition.function.scope "parent"))

(def_item parameters: (parameters (identifier) @local.definition.parameter))
(entry parameters: (parameters (identifier) @local.definition.parameter))
(entry source: (identifier) @local.definition.parameter)
(binding name: (identifier) @local.definition.var)
(aggregate index: (identifier) @local.definition.parameter)

(value name: (identifier) @local.reference)
(reference name: (identifier) @local.reference)
(definition_use name: (identifier) @local.reference)
(argument (identifier) @local.reference)
(token_run (identifier) @local.reference)
(token_group (identifier) @local.reference)
(aggregate count: (identifier) @local.reference)
(admit_option stage: (identifier) @local.reference)
(memory_option pool: (identifier) @local.reference)
(spill_option pool: (identifier) @local.reference)
(spill_option stage: (identifier) @local.reference)
(relation_item left: (identifier) @local.reference)
(relation_item right: (identifier) @local.reference)
(request_stmt gateway: (identifier) @local.reference)
(call_stmt queue: (identifier) @local.reference)
(iter_set name: (identifier) @local.reference)
(hidden_clause name: (identifier) @local.reference)
