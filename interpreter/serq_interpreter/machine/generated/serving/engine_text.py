"""The functions of one engine with its pool, as templates (04, 05 §6).

Units, positions and tokens are whole numbers.  Residents that decode are *members* of a cohort: `it` counts iterations for
all of them, `cnt[c % BLK]` says how many take a block in iteration `c`, `fin` knows who is done when, `kvu` what they hold
together.  The other residents (prefills, and decodes that start) are served one by one.  `entries` are the cached prefixes
in the order of their release, each with its size, 0 once it has gone, and its session.  Times are the clock's.
Places in a template (`$before_change`) are filled in by the clock's accounts.
"""

from __future__ import annotations

VARIABLES = (
    "used cached holders present D it grown kvu nf running idle last last_adm most_entries batch left preempted blocked "
    "refused refused_left refused_units "
    "n_attempts steps iterations admissions rejected preemptions stuck ev_units ev_entries n_waits mean_wait completed mean_service "
    "gap_n gap_total bucket lo hi"
).split()
"""The variables of an engine that its functions assign, beside those of its accounts and windows."""

START = """
used = cached = holders = present = D = it = grown = kvu = 0
nf = NEVER
running = idle = blocked = False
refused = None; refused_left = refused_units = 0
last = last_adm = -1
left = preempted = n_attempts = 0
batch = []
steps = iterations = admissions = rejected = preemptions = stuck = ev_units = ev_entries = n_waits = completed = gap_n = 0
mean_wait = mean_service = 0.0
gap_total = ZERO
bucket = [0, inf, -inf]
lo = inf; hi = -inf
CAP, CAPB, BLK, B = caps[J]
cnt = [0] * BLK
waiting = deque()
entries = deque()
most_entries = 1000
live = {}
members = {}
others = []
decs = []
fresh = []
fin = []
later = []
stage = books.engines[J]
find = stage.gaps.bucket_of
"""

CACHE = {
    "evict()": """
        over = used + cached - CAPB
        while over > 0 and entries:
            entry = entries[0]
            size = entry[0]
            if size > over:
                entry[0] = size - over; cached -= over; ev_units += over
                return
            entries.popleft()
            if size:
                over -= size; cached -= size; ev_units += size; ev_entries += 1
                del live[entry[1]]
        """,
    "keep(s, wanted, computed)": """
        if not wanted > 0.0: return
        if computed < wanted: wanted = computed
        if not wanted < 1e15: leave('a prefix is endless')
        size = int(wanted / BLK) * BLK
        if size <= 0: return
        old = live.get(s)
        if old is not None:
            cached -= old[0]
            old[0] = 0
        live[s] = entry = [size, s]
        entries.append(entry)
        cached += size
        if len(entries) > most_entries:
            kept = [entry for entry in entries if entry[0]]
            entries.clear(); entries.extend(kept)
            most_entries = 2 * len(kept) + 1000
        """,
}

TOKENS = {
    "token(s, decodes)": """
        if s.tk_turn != s.turns:
            s.tk_turn = s.turns; s.tk_dec = decodes
        else:
            if (decodes or s.tk_dec or s.tk_pre and s.tk_at == J) and measuring: gaps(now - s.tk_time, 1)
            if decodes: s.tk_dec = True
        s.tk_time = now; s.tk_pre = False; s.tk_at = J
        """,
    "complete(s)": """
        present -= 1
        if measuring:
            completed += 1
            mean_service += ((now - s.joined)$scale - mean_service) / completed
        ready.append(s)
        """,
}

COHORT = {
    "enter(s)": """
        others.remove(s)
        s.member = s.adv = True; s.c0 = it; s.p0 = s.pos
        members[s] = None; D += 1; kvu += s.units
        heappush(fin, (it + s.rem, s.adm, s))
        room_left = s.units - s.pos
        if room_left < s.rem:
            s.first = it + room_left
            if room_left < BLK: cnt[s.first % BLK] += 1
            else: heappush(later, (s.first, s.adm, s))
        else: s.first = -1
        if s.tk_turn != s.turns or s.tk_time != now: fresh.append(s)
        last_adm = s.adm
        """,
    "drop(s)": """
        n = it - s.c0
        s.member = False; s.pos = s.p0 + n; s.rem -= n
        s.tk_time = last; s.tk_dec = True; s.tk_pre = False; s.tk_at = J
        kvu -= s.units
        first = s.first
        if first >= 0:
            if grown > first:
                taken = -(-(grown - first) // BLK) * BLK
                s.units += taken; kvu -= taken
                cnt[first % BLK] -= 1
            elif first - s.c0 < BLK: cnt[first % BLK] -= 1
            else: later[:] = [item for item in later if item[2] is not s]; heapify(later)
        del members[s]
        D -= 1
        """,
    "flush()": """
        stay = list(members)
        for s in stay: drop(s)
        others[:0] = stay
        fin.clear(); later.clear()
        cnt[:] = [0] * BLK
        nf = NEVER
        """,
}

MEMORY = {
    "preempt(v)": """
        if v.member:
            drop(v)
            fin[:] = [item for item in fin if item[2] is not v]; heapify(fin)
            nf = fin[0][0] if fin else NEVER
            left += 1
        else:
            others.remove(v)
            if v.mark == n_attempts:
                for number, item in enumerate(batch):
                    if item[0] is v: left += item[1]; del batch[number]; break
                else:
                    if v in decs: decs.remove(v); left += 1
        present -= 1
        if v.tk_turn >= 0: v.tk_pre = True
        preempted += 1; preemptions += 1
        if 0 <= v.pos <= v.fell and not v.stuck:
            if TOLD: leave('somebody is told of lost preemptions')
            v.stuck = True; stuck += 1
        v.fell = v.pos
        v.computed = float(v.pos)
        used -= v.units; holders -= 1
        if v.cf is not None: keep(v, v.cf(v), v.pos)
        enqueue(v, $front)
        """,
    "room(s, need)": """
        while used + need > CAP:
            $may_preempt
            v = None
            for other in others:
                if v is None or other.adm > v.adm: v = other
            if D:
                other = next(reversed(members))
                if v is None or other.adm > v.adm: v = other
            preempt(v)
            if v is s: return False
        return True
        """,
    "serve(s)": """
        if s.dec and batch: leave("a decode starts after a prefill")
        w = 1 if s.dec else s.rem if s.rem < left else left
        need = -(-(s.pos + w) // BLK) * BLK - s.units
        if need > 0:
            if used + need > CAP and not room(s, need): return False
            used += need; s.units += need
            if used + cached > CAPB: evict()
        left -= w
        s.mark = n_attempts
        if s.dec: decs.append(s)
        else: batch.append((s, w))
        return True
        """,
}

DOOR_FUNCTIONS = {
    "budget_left()": """
        free = B - D
        for s in others: free -= 1 if s.dec else s.rem
        return float(free) if free > 0 else 0.0
        """,
    "enqueue(s, front)": """
        $first_look
        if not units >= 0.0: leave('an amount is negative')
        if s.early and (not units < 1e15 or ceil(units / BLK) * BLK > CAP):
            if TOLD: leave('somebody is told of refusals')
            rejected += 1; s.queued = True
            gone(s)
            return
        $before_queue
        s.queued = True; s.joined = now
        if front: waiting.appendleft(s)
        else:
            $cut_for_first
            waiting.append(s)
        if not running: todo.append(J)
        """,
    "release(s)": """
        $before_change
        used -= s.units; holders -= 1
        if s.cf is not None: keep(s, s.cf(s), s.pos if s.adv else s.units)
        s.fell = -1; s.computed = 0.0
        if waiting and not running: todo.append(J)
        """,
    "join_run(s, work, decodes)": """
        if not work < 1e15 or work != int(work): leave('a run is not of whole tokens')
        if s.home != J: leave('a run grows the memory of another engine')
        $before_change
        s.rem = int(work); s.dec = decodes; s.joined = now
        present += 1
        others.append(s)
        if not running: todo.append(J)
        """,
}

FINISH = """
$before_finish
running = False
if D:
    it += 1
    n = D - len(fresh)
    if n and measuring: gaps(now - last, n)
    if fresh:
        for s in fresh: token(s, True)
        fresh.clear()
    last = now
    while nf == it:
        s = heappop(fin)[2]
        nf = fin[0][0] if fin else NEVER
        drop(s)
        complete(s)
for s, w in batch:
    s.rem -= w
    if not s.rem:
        token(s, False)
        others.remove(s)
        complete(s)
batch = []
todo.append(J)
"""

ATTEMPT = """
if running or not (present or waiting): return
$before_attempt
left = B
n_attempts += 1
preempted = admitted = 0
blocked = False
grown = it
if D:
    if D > B: leave('the budget does not cover the decodes')
    while later and later[0][0] == it:
        heappop(later)
        cnt[it % BLK] += 1
    need = cnt[it % BLK] * BLK
    if used + need > CAP: flush()
    else:
        used += need; kvu += need
        if used + cached > CAPB: evict()
        grown = it + 1; left -= D
if others:
    for s in sorted(others, key=by_admission) if len(others) > 1 else list(others):
        if left <= 0: break
        if D and s.adm < last_adm: leave('a resident comes before the cohort')
        if s.queued: continue
        if not serve(s): break
if waiting and not preempted:
    while left > 0 and waiting:
        s = waiting[0]
        if s is refused and left == refused_left and used + refused_units > CAP and s not in live:
            # What it asks for is what it asked for when it was refused.
            blocked = True
            break
        units = s.uf[J](s, float(left))
        if not 0.0 <= units < 1e15: leave('an amount is negative or endless')
        units = ceil(units / BLK) * BLK
        if used + units > CAP:
            blocked = True
            refused = s; refused_left = left; refused_units = units
            if s in live: refused = None
            break
        $before_queue
        waiting.popleft()
        s.queued = False
        if measuring:
            n_waits += 1
            mean_wait += ((now - s.joined)$scale - mean_wait) / n_waits
        s.pos = 0
        if s.cf is not None and s in live:
            entry = live.pop(s)
            s.pos = entry[0]; cached -= entry[0]; entry[0] = 0
            if s.pos > units: leave('a hold takes fewer units than it consumes')
        s.consumed = float(s.pos)
        s.units = units; s.adv = False
        used += units; holders += 1
        if used + cached > CAPB: evict()
        admissions += 1; admitted += 1
        s.adm = n_admitted; n_admitted += 1
        $spins
        mark = len(others)
        s.body(s)
        while ready:
            s = ready.popleft()
            s.go(s)
        newcomers = others[mark:]
        if newcomers:
            if len(newcomers) > 1: newcomers.sort(key=by_admission)
            if D and newcomers[0].adm < last_adm: leave('a newcomer comes before the cohort')
            for s in newcomers:
                if left <= 0 or not serve(s): break
            if preempted: break
together = D if grown > it else 0
if not (together or batch or decs or preempted):
    idle = present > 0 or len(waiting) > 0
    return
idle = False
$start
"""

START_ITERATION = """
$totals
$cost
for s, w in batch: s.pos += w; s.adv = True
if decs:
    if not D: last = now
    for s in decs: enter(s)
    decs.clear()
    nf = fin[0][0]
iterations += 1; steps += 1
running = True
$count_step
$schedule
"""

DOORS = (
    "touch",
    "cut",
    "enqueue",
    "release",
    "join_run",
    "attempt",
    "sync_of",
    "since",
    "q_used",
    "q_free",
    "q_holders",
    "q_queued",
    "q_cached",
)
"""What the function returns, before the list of the headers' functions."""
