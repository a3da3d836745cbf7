"""Copies the loops of serq-lsp and compiles the copies with Cython; an sdist carries the copies.

Without a C compiler this build fails: nothing else depends on it.
"""

from __future__ import annotations

import runpy
import shutil
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

HERE = Path(__file__).resolve().parent
MACHINE = HERE.parent / "interpreter" / "serq_interpreter" / "machine"
PACKAGE = HERE / "serq_lsp_native"


def copy_sources() -> None:
    """The sources of the checkout, if this is one, and what tells their version."""
    sources = MACHINE / "native" / "loops"
    if not sources.is_dir():
        return
    loader = runpy.run_path(str(MACHINE / "native" / "loader.py"))
    version = runpy.run_path(str(MACHINE.parent / "version.py"))["__version__"]
    shutil.rmtree(PACKAGE, ignore_errors=True)
    PACKAGE.mkdir()
    for path in sources.glob("*.p*"):
        if path.suffix in (".py", ".pxd") and path.name != "__init__.py":
            # With its time: what has not changed is not compiled again.
            shutil.copy2(path, PACKAGE)
    text = (
        f'"""The compiled loops of serq-lsp."""\n\n__version__ = "{version}"\nSOURCES = "{loader["digest"](sources)}"\n'
    )
    (PACKAGE / "__init__.py").write_text(text, encoding="utf-8")


copy_sources()
# One operation, one rounding: no fused multiplication and addition.
flags = [] if sys.platform == "win32" else ["-O3", "-g0", "-ffp-contract=off"]
extensions = [
    Extension(f"serq_lsp_native.{name}", [f"serq_lsp_native/{name}.py"], extra_compile_args=flags)
    for name in ("blocks", "heaps", "kernel", "rows", "sessions", "stages", "sums")
]
setup(
    version=runpy.run_path(str(PACKAGE / "__init__.py"))["__version__"],
    py_modules=["serq_lsp_native.__init__"],
    ext_modules=cythonize(extensions, language_level=3, build_dir="build"),
)
