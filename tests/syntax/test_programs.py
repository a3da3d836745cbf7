"""Correct programs have no syntax error, in any of the layers that read them."""

from __future__ import annotations

import pytest

from serq_grammar import reference_parser
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.document import parse_document
from tests.support.cases import all_cases
from tests.syntax.helpers import accepted_programs, found, parse


def test_the_corpus_has_no_syntax_error() -> None:
    wrong = [text[:60] for text in accepted_programs() if parse_document(text, "x.sq").findings]
    assert wrong == []


def test_the_reference_grammar_reads_the_same_programs() -> None:
    """A sample of the corpus through lark and its own lexer; uses of definitions are read as written."""
    parser = reference_parser()
    texts = [text for text in accepted_programs() if "def " not in text][::12]
    assert len(texts) > 50
    for text in texts:
        assert parser.parse(text, start="program") is not None


def test_other_faults_are_no_syntax_errors() -> None:
    """A program that breaks a rule about names, moments or sizes is read without complaint."""
    for case in all_cases():
        code = case.expected.code
        if code is None or code[:4] in ("SQ01", "SQ02") or code in ("SQ0508", "SQ0509", "SQ0730", "SQ0749"):
            continue
        assert found(parse_document(case.text, str(case.path))) == [], case.name


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1 + 2 * 3", "(1+(2*3))"),
        ("-2 ^ 2", "(-(2^2))"),
        ("2 ^ 3 ^ 2", "(2^(3^2))"),
        ("2 ^ -1", "(2^(-1))"),
        ("!1 == 0", "((!1)==0)"),
        ("1 - 2 - 3", "((1-2)-3)"),
        ("a ? b : c ? d : e", "(a?b:(c?d:e))"),
        ("a || b && c == d + e", "(a||(b&&(c==(d+e))))"),
        ("max j in 3 (j) + 1", "(max j in 3(j)+1)"),
        ("max(a, b) - max", "(max(a,b)-max)"),
        ("~exp(2) + q . x", "(~exp(2)+q.x)"),
        ("f(kv, q.kv, kv[1], q[i].kv)", "f(kv,q.kv,kv[1],q[i].kv)"),
    ],
)
def test_precedence(text: str, shown: str) -> None:
    item = parse(f"let x = {text};").tree.items[0]
    assert isinstance(item, nodes.LetItem)
    assert drawn(item.value) == shown


def drawn(expr: nodes.Expr) -> str:
    """An expression with all its parentheses."""
    match expr:
        case nodes.Number():
            return f"{expr.value:g}"
        case nodes.Reference():
            index = f"[{drawn(expr.index)}]" if expr.index is not None else ""
            return expr.name.text + index + (f".{expr.member.text}" if expr.member is not None else "")
        case nodes.Paren():
            return drawn(expr.inner)
        case nodes.Apply() | nodes.Draw():
            mark = "~" if isinstance(expr, nodes.Draw) else ""
            return f"{mark}{expr.name.text}({','.join(map(drawn, expr.args))})"
        case nodes.Aggregate():
            return f"{expr.op.text} {expr.index.text} in {drawn(expr.count)}({drawn(expr.body)})"
        case nodes.UnaryOp():
            return f"({expr.op}{drawn(expr.operand)})"
        case nodes.BinaryOp():
            return f"({drawn(expr.left)}{expr.op}{drawn(expr.right)})"
        case nodes.Conditional():
            return f"({drawn(expr.test)}?{drawn(expr.then)}:{drawn(expr.otherwise)})"
        case nodes.ErrorExpr():
            return "<error>"


@pytest.mark.parametrize(
    "statement",
    [
        "set set = 1;",
        "observe observe = end;",
        "prefill growing;",
        "prefill on e (on);",
        "prefill on e - 1;",
        "run prefill prefill (prefill);",
        "transfer from from from to to (to);",
        "choose in in in by (by);",
        "hold cache (cache) { } cache (cache) lease lease (lease);",
        "set y = max in in 2 (in) + min;",
        "request request;",
    ],
)
def test_words_have_their_meaning_by_place_only(statement: str) -> None:
    assert found(parse(f"session {{ {statement} }}")) == []


@pytest.mark.parametrize(
    "item", ["share pull x share maxmin;", "run push x latency 1 share bottleneck;", "pull pull push share maxmin;"]
)
def test_item_words_as_queues_of_a_relation(item: str) -> None:
    document = parse(item)
    assert found(document) == []
    assert isinstance(document.tree.items[0], nodes.RelationItem)
