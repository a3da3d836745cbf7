"""The usual slips: a wrong spelling that has one obvious meaning is reported once, with its fix, and read as meant.

Each function takes a `SyntaxFault` and says whether it dealt with it.  They are tried in the order of `SLIPS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from serq_interpreter.catalog import vocabulary
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.definitions import CLOSING, OPENING
from serq_interpreter.syntax.foreign import foreign_sign, foreign_word, unit_suffix
from serq_interpreter.syntax.giving_up import give_up
from serq_interpreter.syntax.parser import shifted
from serq_interpreter.syntax.repairing import become, replaced
from serq_interpreter.syntax.spelling import nearest_word
from serq_interpreter.syntax.tables import GOTO
from serq_interpreter.syntax.tokens import Edit, Fix, Place, Token, place_of

if TYPE_CHECKING:
    from serq_interpreter.syntax.fault import SyntaxFault

Slip = Callable[["SyntaxFault"], bool]

_PLACES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("fork", vocabulary.STATEMENT_WORDS),
    ("workload", vocabulary.ITEM_WORDS),
    ("init", vocabulary.WORKLOAD_OPTION_WORDS),
    ("evict", vocabulary.POOL_OPTION_WORDS),
    ("budget", vocabulary.STEP_OPTION_WORDS),
    ("horizon", vocabulary.RUN_OPTION_WORDS),
    ("ps", vocabulary.STAGE_KIND_WORDS),
    ("poisson", vocabulary.ARRIVAL_WORDS),
)
"""A terminal that tells the place, and the words that may stand there."""


def stray_semicolon(fault: SyntaxFault) -> bool:
    """A `;` where a statement, an option or a clause may start."""
    starts = ("fork", "workload", "init", "evict", "budget", "horizon", "nic")
    in_iteration = {"serve", "admit", "branch", "set"} <= fault.expected
    if fault.kind != ";" or not (in_iteration or any(word in fault.expected for word in starts)):
        return False
    fault.report(fixes=(Fix("delete the `;`", (Edit(place_of(fault.token), ""),), safe=True),))
    if "workload" in fault.expected:
        return False
    fault.parser.buffer.pop()
    return True


def late_parenthesis(fault: SyntaxFault) -> bool:
    """The `)` of `run svc (1;)`, after one was put in before the `;`."""
    if fault.kind != ")" or not fault.recovery.closers or "}" not in fault.expected:
        return False
    fault.recovery.closers -= 1
    fault.parser.buffer.pop()
    return True


def retired_statement(fault: SyntaxFault) -> bool:
    """`enter`, `admit` and `keep` (spec 02 §16)."""
    token = fault.token
    if token.kind != "NAME" or "fork" not in fault.expected:
        return False
    buffer = fault.parser.buffer
    if token.text == "enter":
        fault.report(
            "SQ0126", fixes=replaced(token, "hold"), found="`enter`", now="hold … at admission (…) { … } cache (…)"
        )
        return become(fault, "hold")
    if token.text == "keep":
        code = "SQ0127" if "cache" in fault.expected else "SQ0126"
        fault.report(code, fixes=replaced(token, "cache"), found="`keep`", now="cache (…)")
        if code == "SQ0127":
            return become(fault, "cache")
        return give_up(fault)
    if token.text == "admit" and buffer[-2].kind in ("NAME", "("):
        fault.report("SQ0126", found="`admit`", now="hold … at admission (…) { … } cache (…)")
        return give_up(fault)
    return False


def retired_clause(fault: SyntaxFault) -> bool:
    """`where`, `fits` and `keep` in a hold (spec 02 §16)."""
    text = fault.token.text
    if fault.token.kind != "NAME":
        return False
    if text == "where" and "at" in fault.expected:
        fault.report("SQ0127", fixes=replaced(fault.token, "at admission"), found="`where`", now="at admission (…)")
        return become(fault, "at", "admission")
    if text == "fits" and "reserve" in fault.expected:
        fault.report("SQ0127", fixes=replaced(fault.token, "reserve"), found="`fits`", now="reserve (…)")
        return become(fault, "reserve")
    if text == "keep" and "cache" in fault.expected:
        fault.report("SQ0127", fixes=replaced(fault.token, "cache"), found="`keep`", now="cache (…)")
        return become(fault, "cache")
    return False


def retired_step_option(fault: SyntaxFault) -> bool:
    """`decode first;` and `exclusive prefill;` without their `serve`."""
    second = {"decode": "first", "exclusive": "prefill"}.get(fault.token.text)
    after = fault.parser.buffer[-2]
    if "budget" not in fault.expected or second is None or after.text != second:
        return False
    first = fault.token
    at = Place(first.chunk, first.start, first.start, first.via)
    place = place_of(first, after)
    fix = Fix("put `serve` before it", (Edit(at, "serve "),), safe=True)
    fault.report("SQ0128", place, (fix,), found=f"`{first.text} {second}`", now=f"serve {first.text} {second}")
    fault.put("serve", "serve")
    return True


def other_language(fault: SyntaxFault) -> bool:
    """`if`, `while` and an assignment without `set`."""
    token = fault.token
    if token.kind != "NAME" or "fork" not in fault.expected:
        return False
    following = fault.parser.buffer[-2].kind
    if token.text == "if" and following == "(":
        fault.report(fixes=replaced(token, "branch"), help="a test is written `branch (…) { … }`")
        return become(fault, "branch")
    if token.text == "while" and following == "(":
        fault.report(help="repeat with `loop { … }`; leave it with `end;` or with a `branch` in it")
        return become(fault, "branch")
    if following in ("+", "-", "*", "/") and fault.parser.buffer[-3].kind == "=":
        fault.report(help=f"an assignment is written `set {token.text} = {token.text} {following} …;`")
        return give_up(fault)
    if following == "=":
        at = Place(token.chunk, token.start, token.start, token.via)
        fix = Fix("put `set` before it", (Edit(at, "set "),), safe=True)
        fault.report(fixes=(fix,), help=f"an assignment is written `set {token.text} = …;`")
        fault.put("set", "set")
        return True
    return False


def misspelled_word(fault: SyntaxFault) -> bool:
    """A word that is nearly one of those that may stand here, and after which the rest fits."""
    token = fault.token
    if token.kind != "NAME":
        return False
    for terminal, words in _PLACES:
        if terminal not in fault.expected:
            continue
        word = nearest_word(token.text, words)
        states = None if word is None else shifted(fault.parser.states, word)
        if word is None or states is None or fault.fits(states, fault.parser.buffer[:-1], 2) < 2:
            return False
        fix = Fix(f"write `{word}`", (Edit(place_of(token), word),))
        fault.report(fixes=(fix,), help=f"did you mean `{word}`?")
        return become(fault, word)
    return False


def assignment_as_test(fault: SyntaxFault) -> bool:
    """`=` for `==`."""
    if fault.kind != "=" or "==" not in fault.expected:
        return False
    states = shifted(fault.parser.states, "==")
    if states is None or fault.fits(states, fault.parser.buffer[:-1], 2) < 2:
        return False
    fault.report(fixes=replaced(fault.token, "=="), help="a test for equality is written `==`")
    return become(fault, "==")


def indexed_value(fault: SyntaxFault) -> bool:
    """`a[0]` as a value, or as a statement."""
    values = fault.parser.values
    if len(values) < 4 or not _is_token(values[-1], "]") or not _is_token(values[-3], "["):
        return False
    name, bracket = values[-4], values[-3]
    states = fault.parser.states
    goto = GOTO[states[-5]]
    if "statement" in goto:
        fault.report("SQ0749", place_of(name, values[-1]), name=name.text)
        return give_up(fault)
    if "primary" not in goto:
        return False
    fault.report(place=place_of(bracket), found="`[`", expected="an operator or the end of the expression")
    del states[-4:], values[-4:]
    fault.parser.buffer.append(Token("ERROR", "", name.start, name.end, name.chunk, name.via))
    return True


def _is_token(value: object, kind: str) -> bool:
    return isinstance(value, Token) and value.kind == kind


def unquoted_path(fault: SyntaxFault) -> bool:
    """A file name without its quotes."""
    if fault.code != "SQ0109" or fault.token.kind != "NAME":
        return False
    buffer = fault.parser.buffer
    first = last = buffer.pop()
    while buffer[-1].chunk is last.chunk and buffer[-1].start == last.end and buffer[-1].kind not in (";", "EOF"):
        last = buffer.pop()
    text = first.chunk.text[first.start : last.end]
    place = place_of(first, last)
    fault.report(place=place, fixes=(Fix("put it in quotes", (Edit(place, f'"{text}"'),), safe=True),))
    buffer.append(Token("STRING", text, first.start, last.end, first.chunk, first.via))
    return True


def missing_admission(fault: SyntaxFault) -> bool:
    """`at (…)` in a hold."""
    if fault.code != "SQ0122":
        return False
    token = fault.token
    if token.kind == "NAME":
        meant = "admission".startswith(token.text) or nearest_word(token.text, ("admission",)) is not None
        fault.report(fixes=(Fix("write `admission`", (Edit(place_of(token), "admission"),), safe=meant),))
        return become(fault, "admission")
    at = fault.after_previous()
    fault.report(fixes=(Fix("insert `admission`", (Edit(at, " admission"),), safe=True),))
    fault.put("admission", "admission")
    return True


def unparenthesised_count(fault: SyntaxFault) -> bool:
    """`max j in -1 (j)`."""
    if fault.code != "SQ0121":
        return False
    buffer = fault.parser.buffer
    number = next((n for n in range(1, min(20, len(buffer))) if buffer[-n].kind in ("(", ";", "EOF", "}")), 1)
    fixes: tuple[Fix, ...] = ()
    if buffer[-number].kind == "(" and number > 1:
        first, last = buffer[-1], buffer[-number + 1]
        edits = (
            Edit(Place(first.chunk, first.start, first.start), "("),
            Edit(Place(last.chunk, last.end, last.end), ")"),
        )
        fixes = (Fix("put the count in parentheses", edits, safe=True),)
    fault.report(fixes=fixes)
    return give_up(fault)


def missing_share(fault: SyntaxFault) -> bool:
    """A relation without its policy."""
    if fault.code != "SQ0120" or "share" not in fault.expected or fault.kind != ";":
        return False
    at = fault.after_previous()
    words = vocabulary.SHARE_POLICIES
    fault.report(fixes=tuple(Fix(f"insert `share {word}`", (Edit(at, f" share {word}"),)) for word in words))
    fault.put("maxmin", "maxmin")
    fault.put("share", "share")
    return True


def unknown_mode(fault: SyntaxFault) -> bool:
    """Another word than `prefill` or `decode` after the stages of a run: how it runs is unknown."""
    if not {"prefill", "decode", "("} <= fault.expected or fault.token.kind != "NAME":
        return False
    if fault.parser.buffer[-2].kind != "(":
        return False
    fault.report(help="the modes are `prefill` and `decode`; a plain run has none")
    return give_up(fault)


def single_statement_arm(fault: SyntaxFault) -> bool:
    """A statement where a block is due: `branch (x) end;`, `else branch …`."""
    if fault.expected != {"{"} or fault.token.text not in vocabulary.STATEMENT_WORDS:
        return False
    buffer = fault.parser.buffer
    stop = statement_end(buffer)
    last = buffer[stop]
    first = fault.token
    fixes: tuple[Fix, ...] = ()
    if last.chunk is first.chunk and last.via is None and last.kind != "EOF":
        edits = (
            Edit(Place(first.chunk, first.start, first.start), "{ "),
            Edit(Place(last.chunk, last.end, last.end), " }"),
        )
        fixes = (Fix("put it in braces", edits),)
    fault.report(fixes=fixes)
    buffer.insert(stop, Token("}", "", last.end, last.end, last.chunk, last.via))
    fault.put("{", "")
    return True


def statement_end(buffer: list[Token]) -> int:
    """The index in `buffer` (next token last) of the last token of the statement at its top."""
    depth = 0
    index = len(buffer) - 1
    while index > 3:
        kind = buffer[index].kind
        if kind in OPENING:
            depth += 1
        elif kind in CLOSING:
            depth -= 1
            if depth < 0:
                return index + 1
            if depth == 0 and kind == "}" and buffer[index - 1].text not in ("else", "cache", "lease"):
                return index
        elif kind == ";" and depth <= 0:
            return index
        index -= 1
    return index


def stray_brace(fault: SyntaxFault) -> bool:
    """A `{` where an option, a clause or an entry may start."""
    if fault.kind != "{" or fault.code not in ("SQ0106", "SQ0111", "SQ0118", "SQ0730") or "}" not in fault.expected:
        return False
    fault.report()
    fault.recovery.unbalanced = True
    fault.parser.buffer.pop()
    return True


def bare_block(fault: SyntaxFault) -> bool:
    """A block that is no statement's."""
    if fault.kind != "{" or fault.code != "SQ0108":
        return False
    fault.recovery.unbalanced = True
    fault.report(help="only a statement such as `branch`, `loop` or `hold` has a block: remove the braces")
    return give_up(fault)


def misplaced_clause(fault: SyntaxFault) -> bool:
    """A clause of a hold where its order does not allow it: leave it out."""
    buffer = fault.parser.buffer
    if "{" not in fault.expected or "fork" in fault.expected or fault.token.kind != "NAME":
        return False
    if fault.token.text not in ("reuse", "reserve", "at", "cache", "lease") or "workload" in fault.expected:
        return False
    if not _clause_ends(buffer):
        return False
    order = "pools with their `reserve`, `reuse`, `at admission`, the block, `cache`, `lease`"
    fault.report(help=f"the order of a hold is: {order}")
    _skip_clause(fault)
    return True


def clause_of_damaged_block(fault: SyntaxFault) -> bool:
    """What belongs after the block of a hold whose head was given up, or a second `else`."""
    values = fault.parser.values
    if fault.token.text not in ("cache", "lease", "keep", ";") or len(values) < 5 or "fork" not in fault.expected:
        return False
    head = values[-5]
    if not (isinstance(values[-1], nodes.Block) and isinstance(head, Token) and head.text == nodes.DAMAGED):
        return False
    if fault.token.kind == ";":
        fault.parser.buffer.pop()
        return True
    if not _clause_ends(fault.parser.buffer):
        return False
    _skip_clause(fault)
    return True


def _clause_ends(buffer: list[Token]) -> bool:
    """Whether a `( … )` follows the word at the top, at most a reference or `admission` between them."""
    return any(buffer[-n].kind == "(" for n in range(2, min(6, len(buffer))))


def _skip_clause(fault: SyntaxFault) -> None:
    buffer = fault.parser.buffer
    depth = 0
    first = buffer[-1]
    while buffer[-1].kind != "EOF":
        kind = buffer[-1].kind
        if kind in ("{", ";"):
            break
        fault.parser.previous = buffer.pop()
        if kind in OPENING:
            depth += 1
        elif kind in CLOSING:
            depth -= 1
            if depth <= 0:
                break
    fault.recovery.lost(first, buffer[-1])


SLIPS: tuple[Slip, ...] = (
    clause_of_damaged_block,
    late_parenthesis,
    stray_semicolon,
    retired_clause,
    retired_statement,
    retired_step_option,
    other_language,
    assignment_as_test,
    indexed_value,
    unquoted_path,
    missing_admission,
    unparenthesised_count,
    missing_share,
    unknown_mode,
    misplaced_clause,
    single_statement_arm,
    bare_block,
    stray_brace,
    unit_suffix,
    foreign_sign,
    foreign_word,
    misspelled_word,
)
