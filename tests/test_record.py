"""`record`, `fact` and `struct` make classes that the rest of Python takes for dataclasses."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import field
from functools import cached_property

import pytest

from serq_interpreter.record import changed, fact, record, struct


@record
class Node:
    name: str
    inner: Node | None = None


@record
class Leaf(Node):
    weight: float = 1.0


@fact
class Point:
    x: int
    y: int = 0


@struct
class Table:
    title: str
    rows: dict[str, int] = field(default_factory=dict)
    total: int = 0

    @cached_property
    def first(self) -> str:
        return next(iter(self.rows))


@record
class Wide:
    a: int
    b: int
    c: int
    d: int
    e: int
    f: int
    g: int
    h: int
    i: int
    j: int
    k: int = 11


def test_a_node_is_compared_by_identity_and_shown_without_its_children() -> None:
    assert Node("a") != Node("a")
    assert repr(Node("a", Node("b"))) == "Node(name='a', inner=…)"
    assert not hasattr(Node("a"), "__dict__")


def test_a_subclass_has_the_fields_of_its_base_first() -> None:
    leaf = Leaf("l", None, 2.0)
    assert (leaf.name, leaf.inner, leaf.weight) == ("l", None, 2.0)
    assert Leaf("l").weight == 1.0
    assert Leaf.__match_args__ == ("name", "inner", "weight")


def test_a_fact_is_compared_by_its_fields() -> None:
    assert Point(1, 2) == Point(x=1, y=2) != Point(1)
    assert len({Point(1), Point(1, 0), Point(2)}) == 2
    assert Point(1) != (1, 0)
    assert repr(Point(1)) == "Point(x=1, y=0)"


def test_a_struct_starts_with_new_containers_and_is_assigned_to() -> None:
    one, other = Table("one"), Table("other", {"a": 1}, 5)
    one.rows["b"] = 2
    one.total = 3
    assert (one.first, other.first, Table("new").rows) == ("b", "a", {})
    assert Table(title="t", total=2).total == 2


@pytest.mark.parametrize("wrong", [((), {}), (("a", {}, 1, 2), {}), (("a",), {"title": "b"}), (("a",), {"colour": 1})])
def test_a_wrong_call_of_a_struct_is_an_error(wrong: tuple[tuple[object, ...], dict[str, object]]) -> None:
    positional, named = wrong
    with pytest.raises(TypeError):
        Table(*positional, **named)  # type: ignore[arg-type]


def test_more_fields_than_there_are_ready_made_constructors_for() -> None:
    assert Wide(*range(10)).k == 11
    assert Wide(*range(11)).j == 9


def test_the_tools_of_dataclasses_work() -> None:
    assert [item.name for item in dataclasses.fields(Table)] == ["title", "rows", "total"]  # type: ignore[arg-type]
    assert dataclasses.fields(Table)[1].default_factory is dict  # type: ignore[arg-type]
    assert dataclasses.replace(Point(1, 2), y=3) == Point(1, 3)  # type: ignore[type-var]
    assert dataclasses.is_dataclass(Node)
    assert changed(Point(1, 2), x=9) == Point(9, 2)


def test_copies_and_pickles() -> None:
    assert copy.deepcopy(Point(1, 2)) == Point(1, 2)
    assert pickle.loads(pickle.dumps(Point(1, 2))) == Point(1, 2)
    assert pickle.loads(pickle.dumps(Leaf("l", Node("n")))).inner.name == "n"
    assert pickle.loads(pickle.dumps(Table("t", {"a": 1}))).rows == {"a": 1}


def test_a_field_without_a_default_does_not_follow_one_with_a_default() -> None:
    with pytest.raises(TypeError, match="without a default"):

        @record
        class Wrong:
            a: int = 1
            b: int  # type: ignore[misc]
