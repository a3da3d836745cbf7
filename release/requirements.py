"""Write `release/development.txt` and `release/lowest.txt` from `pyproject.toml`.

python release/requirements.py             pin what `pip-compile` (pip-tools) resolves today, with every hash
python release/requirements.py --lowest    only write the lower bounds

`development.txt` is what `pip install --require-hashes -r` takes; it has no download address, so it works with any index.
`lowest.txt` pins each direct dependency of the product to its lower bound, for testing that the bound is true.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent / "pyproject.toml"

HEAD = "# Written by release/requirements.py; do not edit.\n"


def project() -> dict[str, Any]:
    return tomllib.loads(PROJECT.read_text(encoding="utf-8"))


def lowest() -> str:
    """The direct dependencies of the product, each at its lower bound."""
    lines = []
    for item in project()["project"]["dependencies"]:
        found = re.fullmatch(r"([A-Za-z0-9_.-]+)>=([0-9.]+)(,<[0-9.]+)?", item)
        assert found, f"{item} has no lower bound"
        lines.append(f"{found[1]}=={found[2]}")
    return HEAD + "\n".join(lines) + "\n"


def wanted() -> list[str]:
    """The requirements of the product and of its development."""
    data = project()
    groups = data["dependency-groups"]
    return [*data["project"]["dependencies"], *(item for name in ("dev", "docs") for item in groups[name])]


def pinned() -> str:
    """Every package of a development environment with its version and hashes."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "development.in"), Path(folder, "development.txt")
        source.write_text("\n".join(wanted()) + "\n", encoding="utf-8")
        command = ["pip-compile", "--quiet", "--generate-hashes", "--no-header", "--no-annotate", "--strip-extras"]
        subprocess.run([*command, "--allow-unsafe", "--output-file", str(target), str(source)], check=True)
        lines = target.read_text(encoding="utf-8").splitlines()
    return HEAD + "\n".join(line for line in lines if line and not line.startswith(("#", "--"))) + "\n"


def main() -> None:
    """Write the files."""
    (HERE / "lowest.txt").write_text(lowest(), encoding="utf-8")
    if "--lowest" not in sys.argv[1:]:
        (HERE / "development.txt").write_text(pinned(), encoding="utf-8")


if __name__ == "__main__":
    main()
