"""What was once judged otherwise than the reference does stays judged as it does."""

from __future__ import annotations

import json

import pytest

from serq_interpreter.frontend.analysis import analyse
from serq_interpreter.ir.json import write_program
from tests.support.comparison import difference_of, language_errors
from tests.support.found import Found, all_found


@pytest.mark.parametrize("entry", all_found(), ids=lambda entry: entry.name)
def test_found_program_is_judged_as_the_reference_does(entry: Found) -> None:
    analysis = analyse(entry.text, "program.sq")
    assert language_errors(analysis) == entry.codes
    if entry.ir is not None:
        assert analysis.lowered is not None
        assert difference_of(json.loads(write_program(analysis.lowered.program)), json.loads(entry.ir)) == ""
