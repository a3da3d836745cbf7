"""Canonical text has the same tokens and comments, and is its own canonical text."""

from __future__ import annotations

import random

from serq_interpreter.syntax.cutting import cut
from serq_interpreter.syntax.printer import format_text
from tests.syntax.helpers import accepted_programs, token_spans

MESSY = """// head
let a=1;// trailing
let b   = -a^2+ max( 1,2 ) * ~exp( 3 );   /* t2 */


pool kv[2] { cap 64; block 4; evict by (size,last); }
pool big { cap 100; // why
  queue by (waiting*2); preempt by (-admission) requeue tail; }
def f(x,y)=x*y+(1);
def odd(a) = a + + * 2 ? ;
workload{arrive poisson(1);init{set x=1; set y=2;} hidden a,b;session{request;end;}}
server {
  // first
  run e[0] (1);

  branch with (0.5) { run e[1] (1); } else { run e[1] (2); end; }
  hold kv[0] (x) { run e (1); run e(2); run e (3); run e (4); }
  cache (1)
  f(kv[1]); set x = 1 + // note
     2;
  // last
}
"""

NEAT = """// head
let a = 1; // trailing
let b = -a ^ 2 + max(1, 2) * ~exp(3); /* t2 */

pool kv[2] { cap 64; block 4; evict by (size, last); }
pool big {
  cap 100; // why
  queue by (waiting * 2);
  preempt by (-admission) requeue tail;
}
def f(x, y) = x * y + (1);
def odd(a) = a + + * 2 ? ;
workload {
  arrive poisson(1);
  init { set x = 1; set y = 2; }
  hidden a, b;
  session { request; end; }
}
server {
  // first
  run e[0] (1);

  branch with (0.5) { run e[1] (1); } else { run e[1] (2); end; }
  hold kv[0] (x) {
    run e (1);
    run e (2);
    run e (3);
    run e (4);
  } cache (1)
  f(kv[1]);
  set x = 1 + // note
      2;
  // last
}
"""


def test_layout() -> None:
    assert format_text(MESSY) == NEAT
    assert format_text(NEAT) == NEAT


def test_line_ends_are_kept() -> None:
    assert format_text("let a=1;\r\nlet b=2;\r\n") == "let a = 1;\r\nlet b = 2;\r\n"


def test_what_cannot_be_lexed_is_not_formatted() -> None:
    assert format_text("let a = 1.2.3;") is None


def test_what_cannot_be_read_keeps_its_text() -> None:
    assert format_text("let   a=1;\nlet  b   2;\n") == "let a = 1;\nlet  b   2;\n"


def test_long_lines_are_broken_at_their_outermost_places() -> None:
    terms = " + ".join(f"max(first{number}, second{number})" for number in range(8))
    printed = format_text(f"let a = {terms};")
    assert printed is not None
    assert all(len(line) <= 100 for line in printed.split("\n"))
    assert printed.split("\n")[1].startswith("    + max(first")


def contents(text: str) -> tuple[list[str], list[str]]:
    pieces = [piece for _, piece in cut("", text)]
    comments = [line.strip() for piece in pieces for token in piece.comments for line in token.text.split("\n")]
    return [token.text for piece in pieces for token in piece.tokens], comments


def check(text: str) -> None:
    printed = format_text(text)
    assert printed is not None
    assert contents(printed) == contents(text)
    assert format_text(printed) == printed, printed


def test_the_corpus_keeps_its_tokens_and_comments() -> None:
    for text in accepted_programs()[::3]:
        check(text)


def test_comments_and_line_breaks_anywhere() -> None:
    source = random.Random(5)
    programs = [text for text in accepted_programs() if len(text) < 1500]
    for _ in range(150):
        text = source.choice(programs)
        for _ in range(6):
            start, _ = source.choice(token_spans(text))
            put = source.choice(
                ["\n", "\n\n\n", " ", "// c\n", "/* c */", "\n// own\n", "\n/* two\n   lines */\n", "\t"]
            )
            text = text[:start] + put + text[start:]
        check(text)
