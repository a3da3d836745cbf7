"""Copies the server and the pure-Python packages it needs into a folder that goes into the .vsix.

The packages come from the environment that runs this script, so that nothing is downloaded.  Only what a
``py3-none-any`` wheel installs is taken: packages with compiled parts (pydantic, numpy, the tree-sitter binding) stay
outside, and the server says so where it would need them.  `server/VERSION` and `server/PACKAGES` say what is inside.
"""

from __future__ import annotations

import argparse
import ast
import re
import shutil
import sys
import tomllib
from importlib import metadata
from pathlib import Path

LEFT_OUT = {"pydantic"}
"""Dependencies of the project with compiled parts: `check`, `run` and `lsp` do without them."""

OUR_PACKAGES = {
    "serq_lsp": "serq_lsp",
    "serq_interpreter": "interpreter/serq_interpreter",
    "serq_grammar": "grammar/serq_grammar",
}
COMPILED = {".so", ".pyd", ".dylib", ".dll", ".a", ".o", ".pyx", ".c", ".h", ".pyc"}
LEFT_OUT_FOLDERS = {"__pycache__", "tests", "test"}


def main() -> int:
    """Fills the folder; returns 1 with a message when something needed is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="the project's root folder")
    parser.add_argument("--out", type=Path, required=True, help="the folder to fill")
    options = parser.parse_args()
    libs = options.out / "libs"
    libs.mkdir(parents=True)
    try:
        version = project_version(options.root)
        packages = closure(project_dependencies(options.root))
    except LookupError as why:
        print(f"vendor: {why}", file=sys.stderr)
        return 1
    for name, place in OUR_PACKAGES.items():
        copy_package(options.root / place, libs / name)
    write_own_metadata(libs, version)
    listed = [f"serq-lsp {version}"]
    for distribution in packages:
        copy_distribution(distribution, libs)
        listed.append(f"{distribution.name} {distribution.version} {licence(distribution)}")
    (options.out / "VERSION").write_text(version + "\n", encoding="utf-8")
    (options.out / "PACKAGES").write_text("\n".join(listed) + "\n", encoding="utf-8")
    left = [str(file) for file in libs.rglob("*") if file.suffix in COMPILED - {".pyc"}]
    if left:
        print(f"vendor: compiled files are left: {left}", file=sys.stderr)
        return 1
    print("vendor: " + ", ".join(line.rsplit(" ", 1)[0] if " " in line else line for line in listed))
    return 0


def project_version(root: Path) -> str:
    """The version, read from the module that pyproject.toml names for it.  Raises LookupError."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    if "version" in settings["project"]:
        return str(settings["project"]["version"])
    module, _, name = settings["tool"]["setuptools"]["dynamic"]["version"]["attr"].rpartition(".")
    package, *rest = module.split(".")
    file = (root / OUR_PACKAGES[package]).joinpath(*rest)
    source = file.with_suffix(".py") if rest else file / "__init__.py"
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return str(ast.literal_eval(node.value))  # type: ignore[union-attr,arg-type]
    raise LookupError(f"{module} has no {name}")


def project_dependencies(root: Path) -> list[str]:
    """The names in the project's own list, without those left out on purpose."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [requirement_name(need) for need in project["dependencies"] if applies(need)]
    return [name for name in names if canonical(name) not in LEFT_OUT]


def requirement_name(requirement: str) -> str:
    return re.split(r"[\s;<>=!~\[(]", requirement.strip(), maxsplit=1)[0]


def closure(names: list[str]) -> list[metadata.Distribution]:
    """The distributions and what they require without extras.  Raises LookupError when one is missing or compiled."""
    found: dict[str, metadata.Distribution] = {}
    waiting = list(names)
    while waiting:
        name = canonical(waiting.pop())
        if name in found:
            continue
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            raise LookupError(f"{name} is not installed in this environment") from None
        wheel = distribution.read_text("WHEEL") or ""
        if "Root-Is-Purelib: true" not in wheel:
            raise LookupError(f"{name} is not pure Python")
        found[name] = distribution
        waiting += [requirement_name(need) for need in distribution.requires or () if applies(need)]
    return [found[name] for name in sorted(found)]


def applies(requirement: str) -> bool:
    """Whether a requirement holds for every Python from 3.11 on, on every system: extras and old versions do not."""
    _, _, marker = requirement.partition(";")
    if "extra" in marker:
        return False
    older = re.search(r"python_version\s*<=?\s*['\"]3\.(\d+)", marker)
    return not (older and int(older[1]) <= 11) and not re.search(r"(platform_system|sys_platform)\s*==", marker)


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def copy_package(source: Path, target: Path) -> None:
    """A package of ours, without compiled parts and caches."""
    ignore = shutil.ignore_patterns("__pycache__", *(f"*{suffix}" for suffix in sorted(COMPILED)))
    shutil.copytree(source, target, ignore=ignore)


def copy_distribution(distribution: metadata.Distribution, libs: Path) -> None:
    """The files that a wheel installed beside the others: no scripts, tests or caches."""
    for file in distribution.files or ():
        if (
            file.is_absolute()
            or ".." in file.parts
            or LEFT_OUT_FOLDERS & set(file.parts)
            or Path(file.name).suffix in COMPILED
        ):
            continue
        if file.name in {"RECORD", "INSTALLER", "REQUESTED", "direct_url.json"}:
            continue
        target = libs / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(distribution.locate_file(file), target)


def write_own_metadata(libs: Path, version: str) -> None:
    """So that `importlib.metadata.version("serq-lsp")` answers inside the package."""
    folder = libs / f"serq_lsp-{version}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: serq-lsp\nVersion: {version}\n", encoding="utf-8")


def licence(distribution: metadata.Distribution) -> str:
    """The licence that the distribution names; a long text is cut to its first line."""
    info = distribution.metadata
    given = info.get("License-Expression") or info.get("License") or ""
    if not given:
        given = next(
            (value.rsplit("::", 1)[-1] for key, value in info.items() if key == "Classifier" and "License ::" in value),
            "?",
        )
    return given.strip().splitlines()[0].strip().replace(" ", "-")


if __name__ == "__main__":
    raise SystemExit(main())
