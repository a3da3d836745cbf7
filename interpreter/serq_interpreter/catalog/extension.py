"""Catalogue entries of editions and of `spawn` and `join NAME` of v4b (SQ00xx); long because it is a table."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

_SPEC = "docs/language/spawn.md"


def _error(code: str, name: str, message: str, why: str, help: str, wrong: str, right: str) -> Entry:
    return Entry(code, name, Severity.ERROR, message, why, help, wrong, right, spec=_SPEC)


ENTRIES: tuple[Entry, ...] = (
    _error(
        "SQ0001",
        "needs-edition-v4b",
        "`{word}` of children is not in this edition: it needs `// serq: edition v4b`",
        "Child sessions are an extension of the language. The reference does not know them, so a file, or the settings "
        "of its project, must ask for them; programs that use the words as names are not affected.",
        'begin the file with `// serq: edition v4b`, or write `edition = "v4b"` in `serq.toml`',
        """stage think : delay;
workload { arrive batch(1); }
session {
  branch (depth == 0) { spawn (2) into kids { set work = 1; } join kids; }
                      //^^^^^
  run think (work + 1);
  end;
}
run { horizon 10; }
""",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session {
  branch (depth == 0) { spawn (2) into kids { set work = 1; } join kids; }
  run think (work + 1);
  end;
}
run { horizon 10; }
""",
    ),
    _error(
        "SQ0002",
        "unknown-edition",
        "there is no edition `{word}`",
        "The edition line decides which language the text is in. A name that nobody knows could mean a later one, whose "
        "programs would be misread here without a word.",
        "write `v4b` for the extension with `spawn`, or `0.1.3`, which is also what a file without the line has",
        """// serq: edition v4c
               //^^^
stage svc : fifo;
workload { arrive batch(1); }
session { run svc (1); end; }
run { horizon 10; }
""",
        """// serq: edition v4b
stage svc : fifo;
workload { arrive batch(1); }
session { run svc (1); end; }
run { horizon 10; }
""",
    ),
    _error(
        "SQ0003",
        "children-of-a-deployment",
        "`{word}` of children in {where}",
        "A deployment serves requests; it has no sessions of its own to multiply. What a request needs beside itself is "
        "a leg (`fork`), and what comes of an answer is for the client to decide.",
        "move it into the session, or start legs with `fork { … }` and wait for them with `join;`",
        """// serq: edition v4b
stage svc : fifo;
workload { arrive batch(1); session { request; end; } }
server { spawn (2) into kids { set work = 1; } run svc (1); }
       //^^^^^
run { horizon 10; }
""",
        """// serq: edition v4b
stage svc : fifo;
workload {
  arrive batch(1);
  session { branch (depth == 0) { spawn (2) into kids { } join kids; } request; end; }
}
server { run svc (1); }
run { horizon 10; }
""",
    ),
    _error(
        "SQ0004",
        "not-an-assignment-in-spawn",
        "`{word}` in the block of a `spawn`",
        "The block says what each child begins with, and is over at once: its values are read in the parent's session "
        "and written into the child. Anything that takes time, holds units or chooses a way is the child's own program.",
        "keep the `set` statements here and do the rest before the `spawn`, or in the session",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session {
  branch (depth == 0) {
    spawn (2) into kids { set work = 1; run think (3); }
                                      //^^^^^^^^^^^^^^
    join kids;
  }
  run think (work + 1);
  end;
}
run { horizon 10; }
""",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session {
  branch (depth == 0) {
    spawn (2) into kids { set work = 1; }
    join kids;
  }
  run think (work + 1);
  end;
}
run { horizon 10; }
""",
    ),
    _error(
        "SQ0006",
        "lineage-assigned",
        "`{name}` is what the machine says, it is not assigned",
        "`parent` and `depth` tell where a session comes from, and that the number of descendants is finite is proved "
        "from them. A program that could write them could make the proof untrue.",
        "give the attribute another name",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session { set depth = 3; run think (depth); end; }
            //^^^^^
run { horizon 10; }
""",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session { set level = 3; run think (level); end; }
run { horizon 10; }
""",
    ),
    _error(
        "SQ0007",
        "unknown-group",
        "no `spawn` makes a group `{name}`",
        "`join NAME` waits for the children of one group, the name after `into`. Nobody is in a group that no `spawn` of "
        "the session names, so the wait would be none.",
        "write the name of a `spawn … into NAME`, or `join;` to wait for legs",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session {
  branch (depth == 0) { spawn (2) into kids { set work = 1; } join kids; join others; }
                                                                            //^^^^^^
  run think (work + 1);
  end;
}
run { horizon 10; }
""",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session {
  branch (depth == 0) {
    spawn (2) into kids { set work = 1; }
    spawn (1) into others { set work = 5; }
    join kids;
    join others;
  }
  run think (work + 1);
  end;
}
run { horizon 10; }
""",
    ),
    _error(
        "SQ0011",
        "offspring-not-finite",
        "a session may have {mean} children on average, however deep it stands: its descendants may never end",
        "Children run the session from its start and spawn in their turn. From some depth on a session must have fewer "
        "than one child on average, or the tree grows without end; the average is taken from the ranges of the values.",
        "spawn only where `depth` is below a number, or with a probability and a count whose product is below 1",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session {
  spawn (2) into kids { set work = 1; }
//^^^^^
  join kids;
  run think (work + 1);
  end;
}
run { horizon 10; }
""",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session {
  branch with (0.4) { spawn (2) into kids { set work = 1; } }
  join kids;
  run think (work + 1);
  end;
}
run { horizon 10; }
""",
    ),
    _error(
        "SQ0014",
        "group-named-like-a-statement",
        "a group cannot be called `{name}`",
        "`join {name};` is read as a `join;` that lacks its semicolon, followed by the statement `{name};`, as it is in a "
        "program of 0.1.3. A group of this name could never be waited for.",
        "give the group another name",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session {
  branch (depth == 0) { spawn (2) into turn { set work = 1; } join kids; spawn (1) into kids { } }
                                     //^^^^
  run think (work + 1);
  end;
}
run { horizon 10; }
""",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session {
  branch (depth == 0) { spawn (2) into kids { set work = 1; } join kids; }
  run think (work + 1);
  end;
}
run { horizon 10; }
""",
    ),
)
