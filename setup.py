"""The one part of the build that `pyproject.toml` cannot say: the tree-sitter parser, compiled where a compiler is there.

The extension is optional: without a compiler the build goes on without it, and the product works without it.  With
`SERQ_LSP_PURE=1` in the environment it is left out on purpose, which gives a wheel for every platform.
"""

from __future__ import annotations

import os

from setuptools import Extension, setup

SOURCE = "grammar/tree-sitter-serq"
OLDEST_ABI = "0x030B0000"

tree_sitter = Extension(
    "serq_grammar._tree_sitter_serq",
    sources=[f"{SOURCE}/bindings/python/binding.c", f"{SOURCE}/src/parser.c"],
    include_dirs=[f"{SOURCE}/src"],
    depends=[f"{SOURCE}/src/tree_sitter/parser.h"],
    define_macros=[("Py_LIMITED_API", OLDEST_ABI)],
    py_limited_api=True,
    optional=True,
)

if os.environ.get("SERQ_LSP_PURE") == "1":
    setup()
else:
    setup(ext_modules=[tree_sitter], options={"bdist_wheel": {"py_limited_api": "cp311"}})
