"""Copy the language's case corpus and the measured schedules into this repository.

Usage: python tests/corpus/update.py DIR

`DIR` holds `cases/` and `vllm/`; both replace the folders beside this script.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def update(source: Path) -> None:
    """Replace `cases` and `vllm` by the folders of the same names in `source`."""
    for name in ("cases", "vllm"):
        if not (source / name).is_dir():
            raise SystemExit(f"{source / name}: no such folder")
        shutil.rmtree(HERE / name, ignore_errors=True)
        shutil.copytree(source / name, HERE / name, copy_function=shutil.copyfile)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    update(Path(sys.argv[1]))
