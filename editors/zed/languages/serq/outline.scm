(let_item "let" @context name: (identifier) @name) @item
(def_item "def" @context name: (identifier) @name) @item
(pool_item "pool" @context name: (identifier) @name) @item
(pool_part "pool" @context name: (identifier) @name) @item
(stage_item "stage" @context name: (identifier) @name) @item
(queue_item "queue" @context name: (identifier) @name) @item
(entry verb: (identifier) @name) @item
(gauge_item "gauge" @context name: (identifier) @name) @item
(claim_item "claim" @context name: (identifier) @name) @item
