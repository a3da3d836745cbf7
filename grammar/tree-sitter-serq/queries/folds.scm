; What an editor may fold: everything in braces, and long comments.

[
  (def_item)
  (pool_item)
  (pool_part)
  (step_kind)
  (workload_item)
  (queue_item)
  (run_item)
  (block)
  (iteration_block)
  (token_group)
  (comment)
] @fold
