"""Catalogue entries of the workload and the two sides (SQ06xx); long because it is a table."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0601",
        name="second-workload",
        severity=Severity.ERROR,
        message="a program has one workload; this is the second",
        why="A run generates its sessions from one arrival process and one pair of `init` and `turn` blocks. With two "
        "workloads the language has no rule for which of them starts a session, so the number of `workload` items "
        "decides: at most one.",
        help="move the clauses of this workload into the first one",
        wrong="""workload { arrive batch(1); }
  workload { arrive none; }
//^^^^^^^^
run { horizon 10; }
""",
        right="""workload { arrive batch(1); }
run { horizon 10; }
""",
        spec="02 §12",
    ),
    Entry(
        code="SQ0602",
        name="second-session",
        severity=Severity.ERROR,
        message="a program has one session at top level; this is the second",
        why="Every arrival runs the same block, the program's session. Two blocks would leave open which of them an "
        "arrival runs. Different behaviours are arms of a `branch` inside the one session.",
        help="join the two blocks, with a `branch` where they differ",
        wrong="""stage svc : delay;
session { run svc (1); }
  session { run svc (2); }
//^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : delay;
session { branch with (0.5) { run svc (1); } else { run svc (2); } }
run { horizon 10; }
""",
        spec="02 §12",
    ),
    Entry(
        code="SQ0603",
        name="second-server",
        severity=Severity.ERROR,
        message="a program has one server; this is the second",
        why="`request;` has no name to choose by: it always stands for the statements of *the* server. A program that "
        "needs two request handlers gives them names, as gateway queues, and says `request NAME;`.",
        help="make one of them a gateway: `queue NAME : gateway {{ route {{ … }} }}`",
        wrong="""stage svc : delay;
workload { arrive batch(1); session { request; } }
server { run svc (1); }
  server { run svc (2); }
//^^^^^^
run { horizon 10; }
""",
        right="""stage svc : delay;
workload { arrive batch(1); session { request; request other; } }
server { run svc (1); }
queue other : gateway { route { run svc (2); } }
run { horizon 10; }
""",
        spec="02 §12",
    ),
    Entry(
        code="SQ0604",
        name="second-workload-session",
        severity=Severity.ERROR,
        message="a workload has one session; this is the second",
        why="The session of a workload says what one client does from its arrival to its end. Unlike `arrive` or "
        "`init`, where a later clause replaces the earlier one, a second session is never read as a replacement.",
        help="join the two blocks into one session",
        wrong="""stage svc : delay;
workload {
  arrive batch(1);
  session { request; }
  session { request; request; }
//^^^^^^^
}
server { run svc (1); }
run { horizon 10; }
""",
        right="""stage svc : delay;
workload {
  arrive batch(1);
  session { request; request; request; }
}
server { run svc (1); }
run { horizon 10; }
""",
        spec="02 §12",
    ),
    Entry(
        code="SQ0605",
        name="session-in-both-places",
        severity=Severity.ERROR,
        message="the workload has a session already; a second one stands here at top level",
        why="A program describes a session either in one piece (a `session` at top level, which touches pools and "
        "stages itself) or in two (the client in the workload, the deployment in a `server` or gateway). Where the "
        "block stands decides which form it is, so it can stand in one of the two places only.",
        help="delete one of the two sessions",
        wrong="""stage svc : delay;
workload { arrive batch(1); session { request; } }
server { run svc (1); }
  session { run svc (1); }
//^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : delay;
workload { arrive batch(1); session { request; } }
server { run svc (1); }
run { horizon 10; }
""",
        spec="02 §12",
    ),
    Entry(
        code="SQ0606",
        name="statement-outside-the-session",
        severity=Severity.ERROR,
        message="`{block}` only sets and observes; {statement} belongs to the session",
        why="`init` runs at a session's arrival and `turn` at the start of each of its turns, at one instant and before "
        "the session does anything: they draw the attributes of the work that is to come. Whatever takes time, takes a "
        "place or changes the order of execution is the session's.",
        help="draw the values here with `set` and use them in the session",
        wrong="""stage svc : delay;
workload {
  arrive batch(1);
  init { run svc (1); }
       //^^^^^^^^^^^^
}
session { run svc (1); }
run { horizon 10; }
""",
        right="""stage svc : delay;
workload {
  arrive batch(1);
  init { set size0 = 1; }
}
session { run svc (size0); run svc (1); }
run { horizon 10; }
""",
        spec="02 §12",
    ),
    Entry(
        code="SQ0607",
        name="request-outside-the-workload-session",
        severity=Severity.ERROR,
        message="`request` stands in {where}; only the workload's session requests",
        why="`request` is the border between the client and the deployment: the client's side is the session inside "
        "the workload. A session at top level is both sides at once and has nobody to ask; `init` and `turn` run "
        "before the session asks for anything.",
        help="put the session inside the workload, or write the server's statements here",
        wrong="""stage svc : delay;
queue gw : gateway { route { run svc (1); } }
workload { arrive batch(1); }
session {
  request gw;
//^^^^^^^^^^^
}
run { horizon 10; }
""",
        right="""stage svc : delay;
queue gw : gateway { route { run svc (1); } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §12",
    ),
    Entry(
        code="SQ0608",
        name="request-in-the-deployment",
        severity=Severity.ERROR,
        message="`request` stands in {where}; the deployment does not request itself",
        why="A server and the entries of queues are what a request *is replaced by*. A request inside them would have "
        "to be replaced by itself. One part of a deployment reaches another by calling an entry, `QUEUE.verb (…)`.",
        help="call an entry of the queue that is meant",
        wrong="""stage svc : delay;
queue q : prefill { prefill (n) { run svc (n); } }
workload { arrive batch(1); session { request; } }
server {
  request gw;
//^^^^^^^^^^^
}
queue gw : gateway { route { q.prefill (1); } }
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill { prefill (n) { run svc (n); } }
workload { arrive batch(1); session { request; } }
server {
  gw.route ();
}
queue gw : gateway { route { q.prefill (1); } }
run { horizon 10; }
""",
        spec="02 §12",
    ),
    Entry(
        code="SQ0609",
        name="end-in-the-deployment",
        severity=Severity.ERROR,
        message="`end` stands in {where}; only the session itself ends",
        why="How long a client stays is the client's behaviour. A request comes back to the session that made it when "
        "the deployment's statements are through, so a server or an entry has nothing to say for that.",
        help="let the block run to its closing brace; write `end;` in the session",
        wrong="""stage svc : delay;
workload { arrive batch(1); session { request; } }
server {
  run svc (1);
  end;
//^^^^
}
run { horizon 10; }
""",
        right="""stage svc : delay;
workload { arrive batch(1); session { request; end; } }
server {
  run svc (1);
}
run { horizon 10; }
""",
        spec="02 §12",
    ),
    Entry(
        code="SQ0610",
        name="turn-in-the-deployment",
        severity=Severity.ERROR,
        message="`turn` stands in {where}; only the session itself starts a turn",
        why="A turn is the client's next message: it loads the next row of the trace and runs the workload's `turn` "
        "block. The deployment sees what a turn has set and cannot ask for the next one.",
        help="write `turn;` in the session, before the request",
        wrong="""stage svc : delay;
workload { arrive batch(1); session { request; } }
server {
  turn;
//^^^^^
  run svc (1);
}
run { horizon 10; }
""",
        right="""stage svc : delay;
workload { arrive batch(1); session { turn; request; } }
server {
  run svc (1);
}
run { horizon 10; }
""",
        spec="02 §12",
    ),
    Entry(
        code="SQ0611",
        name="request-without-server",
        severity=Severity.ERROR,
        message="`request;` stands for the server's statements, and the program has no server",
        why="A request without a name always means the `server` block, never a gateway, also when there is only one "
        "gateway. Without the block there is nothing to put in its place.",
        help="name the gateway, `request NAME;`, or declare `server {{ … }}`",
        wrong="""stage svc : delay;
queue gw : gateway { route { run svc (1); } }
workload {
  arrive batch(1);
  session { request; }
          //^^^^^^^^
}
run { horizon 10; }
""",
        right="""stage svc : delay;
queue gw : gateway { route { run svc (1); } }
workload {
  arrive batch(1);
  session { request gw; }
}
run { horizon 10; }
""",
        spec="02 §12",
    ),
    Entry(
        code="SQ0612",
        name="server-never-requested",
        severity=Severity.ERROR,
        message="no `request;` of the workload's session reaches this server",
        why="The server's statements run only where the session says `request;`. A server that no `request;` stands "
        "for is dead text; `request NAME;` means a gateway and does not count.",
        help="write `request;` in the workload's session, or delete the server",
        wrong="""stage svc : delay;
workload { arrive batch(1); session { set x = 1; } }
  server { run svc (1); }
//^^^^^^
run { horizon 10; }
""",
        right="""stage svc : delay;
workload { arrive batch(1); session { set x = 1; request; } }
  server { run svc (1); }
run { horizon 10; }
""",
        spec="02 §12",
    ),
    Entry(
        code="SQ0613",
        name="server-without-client",
        severity=Severity.ERROR,
        message="the workload has no session that could request this server",
        why="A server is one half of a program; the other half is the session *inside* the workload. A session at top "
        "level is whole by itself and cannot request, so beside it a server would never run.",
        help="write `session {{ request; end; }}` inside the workload",
        wrong="""stage svc : delay;
workload { arrive batch(1); }
  server { run svc (1); }
//^^^^^^
run { horizon 10; }
""",
        right="""stage svc : delay;
workload { arrive batch(1); session { request; end; } }
  server { run svc (1); }
run { horizon 10; }
""",
        spec="02 §12",
    ),
    Entry(
        code="SQ0614",
        name="workload-session-without-request",
        severity=Severity.ERROR,
        message="the workload's session requests nothing, and the program has no server",
        why="A session inside the workload is the client's half of a program. When it never crosses to a server or a "
        "gateway, and there is no server it could have meant, it is a whole session, and those stand at top level.",
        help="move the session out of the workload, or request a gateway",
        wrong="""stage svc : delay;
workload {
  arrive batch(1);
  session { run svc (1); end; }
//^^^^^^^
}
run { horizon 10; }
""",
        right="""stage svc : delay;
workload {
  arrive batch(1);
}
session { run svc (1); end; }
run { horizon 10; }
""",
        spec="02 §12",
    ),
    Entry(
        code="SQ0615",
        name="request-of-unknown-queue",
        severity=Severity.ERROR,
        message="`{name}` is no queue of this program",
        why="`request NAME;` is replaced by the `route` entry of the gateway queue NAME. The names of queues have a "
        "space of their own: a stage or a pool of that name does not count.",
        help="name a gateway: `queue NAME : gateway {{ route {{ … }} }}`",
        wrong="""stage svc : delay;
workload { arrive batch(1); session { request gate; } }
                                            //^^^^
queue gw : gateway { route { run svc (1); } }
run { horizon 10; }
""",
        right="""stage svc : delay;
workload { arrive batch(1); session { request gw; } }
queue gw : gateway { route { run svc (1); } }
run { horizon 10; }
""",
        spec="02 §12",
    ),
    Entry(
        code="SQ0616",
        name="request-of-no-gateway",
        severity=Severity.ERROR,
        message="`{name}` is a queue without the role gateway, so it cannot be requested",
        why="A client enters a deployment through a gateway, the only role whose entry (`route`) is written from the "
        "request's point of view and sees its attributes. The other entries are called from inside the deployment, with "
        "arguments.",
        help="request a gateway whose route calls this queue",
        wrong="""stage svc : delay;
queue q : prefill { prefill (n) { run svc (n); } }
workload { arrive batch(1); session { request q; } }
                                            //^
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill { prefill (n) { run svc (n); } }
queue gw : gateway { route { q.prefill (1); } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §12",
    ),
)
"""The entries in the order of their codes."""
