; Symbols for code navigation.

(let_item name: (identifier) @name) @definition.constant
(def_item name: (identifier) @name) @definition.function
(pool_item name: (identifier) @name) @definition.type
(pool_part name: (identifier) @name) @definition.type
(stage_item name: (identifier) @name) @definition.type
(queue_item name: (identifier) @name) @definition.class
(queue_item (entry verb: (identifier) @name) @definition.method)
(gauge_item name: (identifier) @name) @definition.field
(claim_item name: (identifier) @name) @definition.field
(state_option name: (identifier) @name) @definition.field

(definition_use name: (identifier) @name) @reference.call
(call_stmt verb: (identifier) @name) @reference.call
(reference name: (identifier) @name) @reference.type
(request_stmt gateway: (identifier) @name) @reference.class
(call_stmt queue: (identifier) @name) @reference.class
(relation_item left: (identifier) @name) @reference.class
(relation_item right: (identifier) @name) @reference.class
