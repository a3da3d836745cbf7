"""A whole serving program as one generated function: sessions, queues, pools and engines in local names (05 §6, §11).

`subset` decides which programs qualify, `shape` collects what the source has to know, `source` puts the text together
from `session_source` (statements), `engine_source` and `engine_text` (iterations, memory, admission), `stage_source` (the
other stages) and `accounts` (what is measured); `double_window` with `double_ledger`, and `whole_window`, take iterations
together on the two clocks, and `driver` runs it.  What the text does not foresee ends it with `Leave`: the run then starts
over on the machine's objects, so that an answer is never traded for speed.
"""
