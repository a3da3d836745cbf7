"""Write the reference pages that come from code: commands, settings, protocol features, library, examples, benchmarks.

python docs/generate_site.py           write them
python docs/generate_site.py --check   exit 1 when one of them is not what it would be
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS.parent / part) for part in ("", "interpreter", "grammar")]

import click  # noqa: E402 - the paths come first

import serq_interpreter  # noqa: E402
from serq_lsp.cli import exit_codes  # noqa: E402
from serq_lsp.cli.configuration import Configuration  # noqa: E402
from serq_lsp.cli.main import COMMANDS, cli  # noqa: E402
from serq_lsp.cli.trial import THRESHOLDS  # noqa: E402
from serq_lsp.protocol.features import FEATURES  # noqa: E402
from serq_lsp.services.settings import TABLE, Setting  # noqa: E402

_NOTE = "<!-- Written by docs/generate_site.py; do not edit. -->\n"


def pages() -> Iterator[tuple[str, str]]:
    """Every generated page: path below `docs`, text."""
    yield "reference/cli.md", cli_page()
    yield "reference/settings.md", settings_page()
    yield "reference/lsp.md", lsp_page()
    yield "reference/api.md", api_page()
    yield "reference/examples.md", examples_page()
    yield "guide/benchmarks.md", benchmarks_page()


# --------------------------------------------------------------------------- commands

_EXITS = {
    "OK": "done; nothing found at or above the threshold",
    "FINDINGS": "findings; the program or its run has an error; `fmt --check` found work",
    "USAGE": "wrong usage, unreadable input, output that cannot be written",
    "INTERNAL": "a fault of serq-lsp itself",
    "INTERRUPTED": "interrupted; what was measured so far is printed, marked partial",
}


def cli_page() -> str:
    """Every command with its arguments and options, and the exit codes."""
    with cli.make_context("serq-lsp", [], resilient_parsing=True) as context:
        names = cli.list_commands(context)
        parts = [
            "# Command line",
            "`serq-lsp COMMAND --help` prints what stands here.",
            _table(("command", "does"), [(f"[`{name}`](#{name})", COMMANDS[name][1]) for name in names]),
            _table(("option of `serq-lsp`", "meaning"), [_option(item) for item in cli.get_params(context)]),
        ]
        for name in names:
            command = cli.get_command(context, name)
            assert command is not None
            parts += [f"## {name}", *_command(command, click.Context(command, info_name=name, parent=context))]
    codes = [(f"`{getattr(exit_codes, name)}`", text) for name, text in _EXITS.items()]
    parts += ["## Exit codes", "The same for every command.", _table(("code", "meaning"), codes)]
    return _NOTE + "\n\n".join(parts) + "\n"


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"```text\n{usage}\n```"
    yield inspect.cleandoc(command.help or "").replace("\b", "")
    options = [item for item in command.get_params(context) if isinstance(item, click.Option) and not item.hidden]
    yield _table(("option", "meaning"), [_option(item) for item in options])


def _option(item: click.Parameter) -> tuple[str, str]:
    assert isinstance(item, click.Option)
    names = ", ".join(f"`{name}`" for name in (*item.opts, *item.secondary_opts))
    kind = item.type
    if isinstance(kind, click.Choice):
        names += " " + " ".join(f"`{choice}`" for choice in kind.choices)
    elif not item.is_flag and not item.count:
        names += f" `{item.metavar or kind.name.upper()}`"
    notes = [_sentence(item.help or "")]
    if item.multiple:
        notes.append("Repeatable.")
    shown = item.default if item.show_default is True else item.show_default
    if shown not in (None, False, True, ()) and str(shown) and "Sentinel" not in str(shown):
        notes.append(f"Default: {f'`{shown}`' if item.show_default is True else shown}.")
    return names, " ".join(note for note in notes if note)


# --------------------------------------------------------------------------- settings


def settings_page() -> str:
    """The language server's settings and the command line's configuration file."""
    rows = [(f"`serq.{item.name}`", _kind(item), f"`{_json(item.default)}`", item.description) for item in TABLE]
    fields = Configuration.__dataclass_fields__
    file_rows = [
        (f"`{name.replace('_', '-')}`", f"`{_json(getattr(Configuration(), name))}`", text)
        for name, text in _FILE_SETTINGS.items()
    ]
    assert set(_FILE_SETTINGS) == set(fields) - {"file"}, "a setting of serq.toml has no entry in _FILE_SETTINGS"
    return (
        _NOTE
        + "\n\n".join(
            (
                "# Settings",
                "## Of the language server",
                "The client's section `serq`. A value that is missing or wrong keeps its default; the server says once what is"
                " wrong.",
                _table(("setting", "type", "default", "meaning"), rows),
                "## Of the command line",
                "From the nearest `serq.toml`, or `[tool.serq]` of the nearest `pyproject.toml`, above a checked path. A flag"
                " wins over the file. Names may be written with `-` or `_`.",
                _table(("setting", "default", "meaning"), file_rows),
                '```toml\n# serq.toml\nstrict = true\nrun = "quick"\nignore = ["SQ1004"]\nexclude = ["drafts/*"]\n\n[thresholds]\nstuck = 2\n```',
            )
        )
        + "\n"
    )


_FILE_SETTINGS = {
    "strict": "Hold-and-wait warnings are errors.",
    "select": "Report only these codes (prefixes, names).",
    "ignore": "Do not report these warnings (prefixes, names).",
    "error_on_warning": "Warnings make the exit code 1, too.",
    "run": "`off`, `quick` or `full`: run each program as well, and report what the run shows.",
    "thresholds": "A table: how many of these a run may show. "
    + ", ".join(f"`{name}` ({code})" for name, code in THRESHOLDS.items())
    + ".",
    "edition": "The edition of files that name none with `// serq: edition …`: `0.1.3` or `v4b`.",
    "exclude": "Patterns, as in `.gitignore`, of files that a folder's check leaves out.",
}


def _kind(item: Setting) -> str:
    schema = item.schema
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    limits = [
        f"{word} {schema[key]}"
        for key, word in (
            ("minimum", "≥"),
            ("exclusiveMinimum", ">"),
            ("maximum", "≤"),
            ("exclusiveMaximum", "<"),
        )
        if key in schema
    ]
    return " or ".join(kinds) + (" " + ", ".join(limits) if limits else "")


# --------------------------------------------------------------------------- protocol


def lsp_page() -> str:
    """Every method of the protocol, supported or not."""
    done = [(f"`{item.method}`", item.does) for item in FEATURES if item.supported]
    left = [(f"`{item.method}`", item.why_not) for item in FEATURES if not item.supported]
    return (
        _NOTE
        + "\n\n".join(
            (
                "# Language server features",
                f"{len(done)} of the {len(FEATURES)} methods of the Language Server Protocol are supported. What the server"
                " says beyond it (`serq.*` commands, `serq/status`, `serq/results`) is in"
                " [Between the editors and the server](../project/protocol.md).",
                "## Supported",
                _table(("method", "what it does"), done),
                "## Not supported",
                _table(("method", "why not"), left),
            )
        )
        + "\n"
    )


# --------------------------------------------------------------------------- library


def api_page() -> str:
    """The public names of `serq_interpreter`."""
    parts = [
        "# Library",
        "`import serq_interpreter` offers what the command line does, to scripts, notebooks and tests.",
        (DOCS / "reference/api-example.txt").read_text(encoding="utf-8").strip(),
    ]
    for name in sorted(serq_interpreter.__all__, key=str.lower):
        if not name.startswith("_"):
            parts += list(_documented(name, getattr(serq_interpreter, name)))
    return _NOTE + "\n\n".join(parts) + "\n"


def _documented(name: str, thing: Any) -> Iterator[str]:
    yield f"## `{name}`"
    if inspect.isclass(thing):
        yield _doc(thing)
        for member, value in vars(thing).items():
            if member.startswith("_") or not (inspect.isfunction(value) or isinstance(value, property)):
                continue
            function = value.fget if isinstance(value, property) else value
            head = member if isinstance(value, property) else member + _signature(function)
            yield f"`{name}.{head}`"
            if function is not None and function.__doc__:
                yield "".join(f":   {_doc(function)}".replace("\n", "\n    "))
    else:
        yield f"```python\n{name}{_signature(thing)}\n```"
        yield _doc(thing)


def _signature(function: Any) -> str:
    text = str(inspect.signature(function))
    return text.replace("'", "").replace("(self, ", "(").replace("(self)", "()")


def _doc(thing: Any) -> str:
    return inspect.cleandoc(thing.__doc__ or "")


# --------------------------------------------------------------------------- examples


def examples_page() -> str:
    """Every example with what it says of itself."""
    root = DOCS.parent / "examples"
    parts = [
        "# Examples",
        "Programs to read, to run and to begin with. Each opens with what it is about, checks without a remark, and gives"
        " figures that a test knows. `serq-lsp run FILE` works on every one.",
        _table(("program", "about"), [_example(path, root) for path in sorted(root.glob("*.sq"))]),
        "The programs of the [tutorial](../tutorial/index.md):",
        _table(("program", "about"), [_example(path, root) for path in sorted((root / "tutorial").glob("*.sq"))]),
    ]
    libraries = sorted((root / "lib").glob("*.sq"))
    if libraries:
        parts += ["Libraries:", _table(("library", "about"), [_example(path, root) for path in libraries])]
    parts += ["A gallery of failures and their repairs is in [the gallery](../project/gallery.md)."]
    return _NOTE + "\n\n".join(parts) + "\n"


def _example(path: Path, root: Path) -> tuple[str, str]:
    words: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("//"):
            break
        words.append(line.removeprefix("//").strip())
    text = " ".join(" ".join(words).split())
    return f"`examples/{path.relative_to(root).as_posix()}`", text or "–"


# --------------------------------------------------------------------------- benchmarks


def benchmarks_page() -> str:
    """Each benchmark with what it says of itself: what is measured, and the commands."""
    parts = [
        "# Benchmarks",
        "Figures depend on the machine; these commands make them on yours (`./dev shell` in front uses the project's"
        " environment). Variants are measured round by round, so that a busy machine slows all of them alike, and medians"
        " are reported. The reference implementation is a development dependency; nothing of the product needs it. Draws"
        " use numpy where it is installed (`serq-lsp[fast]`), with the same results.",
    ]
    for path in sorted((DOCS.parent / "benchmarks").glob("*.py")):
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        parts += [f"## {path.stem.replace('_', ' ').capitalize()}", text]
    return _NOTE + "\n\n".join(parts) + "\n"


# --------------------------------------------------------------------------- writing


def _json(value: Any) -> str:
    import json

    return json.dumps(value)


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if not text or text.endswith(".") else text + "."


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Write or compare; returns the exit code."""
    check = "--check" in arguments
    stale = []
    for path, text in pages():
        target = DOCS / path
        if target.exists() and target.read_text(encoding="utf-8") == text:
            continue
        stale.append(path)
        if not check:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"{'stale' if check else 'wrote'}: {name}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
