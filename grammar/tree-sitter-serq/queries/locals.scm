; Names and where they are seen.  Everything but a definition's parameters, an aggregate's index, the bindings of a hold
; and the parameters of an entry belongs to the whole program.
; The name of a definition is left to the tags: it would be local to its own body here.

(program) @local.scope
(def_item) @local.scope
(entry) @local.scope
(hold_stmt) @local.scope
(aggregate) @local.scope

(let_item name: (identifier) @local.definition)
(pool_item name: (identifier) @local.definition)
(pool_part name: (identifier) @local.definition)
(stage_item name: (identifier) @local.definition)
(queue_item name: (identifier) @local.definition)
(gauge_item name: (identifier) @local.definition)
(claim_item name: (identifier) @local.definition)
(state_option name: (identifier) @local.definition)
(set_stmt name: (identifier) @local.definition)
(choose_stmt name: (identifier) @local.definition)
(observe_stmt name: (identifier) @local.definition)
(mark_stmt name: (identifier) @local.definition)

(def_item parameters: (parameters (identifier) @local.definition))
(entry parameters: (parameters (identifier) @local.definition))
(entry source: (identifier) @local.definition)
(binding name: (identifier) @local.definition)
(aggregate index: (identifier) @local.definition)

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
