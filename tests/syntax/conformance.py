"""The syntax of the corpus: `python -m tests.syntax.conformance`.

For each case whose code is one of syntax, definitions or libraries: exactly that code and no other, from the syntax layer
alone.  For all other cases: nothing.  Prints what differs, and counts.
"""

from __future__ import annotations

import re
import sys

from serq_interpreter.files import library_loader
from serq_interpreter.syntax.document import parse_document
from tests.support.cases import Case, all_cases
from tests.syntax.helpers import found

OWN = re.compile(r"SQ(01\d\d|024\d|025[0-3]|0508|0509|0730|0749)")


def difference(case: Case) -> str:
    """What differs from the expectation, empty when nothing does."""
    code = case.expected.code
    expected = [code] if code is not None and OWN.fullmatch(code) else []
    loader = None if case.as_text else library_loader(str(case.path))
    places = found(parse_document(case.text, str(case.path), load_library=loader))
    if [place[0] for place in places] == expected:
        return ""
    return f"{case.area}/{case.name}: expected {expected}, found {places}"


def main() -> int:
    cases = all_cases()
    differences = [text for text in map(difference, cases) if text]
    print("\n".join([*differences, f"{len(cases) - len(differences)} of {len(cases)} cases as expected"]))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
