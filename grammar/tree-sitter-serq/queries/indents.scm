; One step inward between braces, and inside parentheses and brackets that span lines.

[
  (pool_item)
  (pool_part)
  (step_kind)
  (workload_item)
  (queue_item)
  (run_item)
  (block)
  (iteration_block)
  (parameters)
  (paren)
  (call)
  (draw)
  (definition_use)
  (keys)
  (subscript)
  (admission_clause)
  (token_group)
] @indent.begin

(def_item "{" @indent.begin)

[ "}" ")" "]" ] @indent.end @indent.branch

(comment) @indent.ignore

(ERROR) @indent.auto
