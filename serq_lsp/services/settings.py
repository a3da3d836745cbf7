"""The settings of the language server: the client's section `serq`.

`TABLE` is the one place: validation, the JSON Schema, the extension's manifest and the documentation come from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from serq_interpreter.catalog import Severity, entry
from serq_interpreter.catalog.index import PLACES


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: `schema` is its JSON Schema without default and description."""

    name: str
    default: Any
    schema: dict[str, Any]
    description: str
    scope: str = "resource"


def _boolean(name: str, default: bool, description: str) -> Setting:
    return Setting(name, default, {"type": "boolean"}, description)


OFF = "off"
SEVERITIES = [*(str(item) for item in Severity), OFF]
RUN_ERROR = "run-error"
"""The severity setting of all errors that end a run (SQ09xx)."""


def severity_setting(name: str) -> str:
    """The setting that says how diagnostics of runs of this name (`overloaded`) are shown."""
    return f"simulation.severity.{name}"


def _severities() -> Iterator[Setting]:
    schema = {"type": "string", "enum": SEVERITIES}
    text = "How `{}` ({}) is shown, a finding of background runs; `off`: not at all."
    for code in sorted(PLACES):
        if code.startswith("SQ12"):  # the others' texts are not loaded for this
            item = entry(code)
            name = severity_setting(item.name)
            yield Setting(name, str(item.severity), schema, text.format(item.name, item.code))
    text = "How an error that ends a background run (SQ09xx) is shown at its statement; `off`: not at all."
    yield Setting(severity_setting(RUN_ERROR), "error", schema, text)


TABLE: tuple[Setting, ...] = (
    Setting(
        "simulation.trigger",
        "onType",
        {"type": "string", "enum": ["onType", "onSave", "manual"]},
        "When a simulation is started in the background: after a pause in typing that changed the program's meaning, "
        "when the file is saved, or on command only.",
    ),
    Setting(
        "simulation.debounceMs",
        250,
        {"type": "integer", "minimum": 50, "maximum": 10000},
        "The pause in typing, in milliseconds, before a run starts (with trigger `onType`).",
    ),
    Setting(
        "simulation.budget.seconds",
        10.0,
        {"type": "number", "exclusiveMinimum": 0, "maximum": 3600},
        "The longest a background run may take, in real seconds.",
    ),
    Setting(
        "simulation.budget.events",
        5_000_000,
        {"type": "integer", "minimum": 1000},
        "The most simulated events of a background run.",
    ),
    Setting(
        "simulation.seed",
        None,
        {"type": ["integer", "null"], "minimum": 0},
        "The seed of background runs; null: the program's own.",
    ),
    Setting(
        "simulation.horizon",
        None,
        {"type": ["number", "null"], "exclusiveMinimum": 0},
        "The simulated time of background runs in seconds; null: the program's own.",
    ),
    Setting(
        "simulation.replications",
        1,
        {"type": "integer", "minimum": 1, "maximum": 64},
        "How many independent runs are made and combined.",
    ),
    Setting(
        "simulation.precision",
        0.05,
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        "A run ends early once every interval's half-width is at most this fraction of its mean.",
    ),
    _boolean(
        "simulation.shorterRuns",
        True,
        "While a long background run is in its warm-up, show the numbers of shorter runs of it first (marked `≈`).",
    ),
    *_severities(),
    _boolean("hints.enable", True, "Show results as inlay hints."),
    _boolean("hints.observations", True, "Mean, half-width and 99th percentile after `observe`."),
    _boolean("hints.pools", True, "Use, cache and queue at a pool."),
    _boolean("hints.stages", True, "Utilization and throughput at a stage."),
    _boolean("hints.coalescing", True, "How many iterations of an engine are taken at once, or what forbids it."),
    _boolean("hints.gauges", True, "The time average at a gauge."),
    _boolean("hints.claims", True, "The verdict at a claim."),
    _boolean("hints.verdict", True, "The verdict on the whole run at `run` and `workload`."),
    Setting(
        "values",
        {},
        {
            "type": "object",
            "additionalProperties": {
                "anyOf": [
                    {"type": "string"},
                    {"type": "object", "additionalProperties": {"type": ["number", "string"]}},
                ]
            },
        },
        "Values of constants per file, as `--set` gives them: a file pattern (`chat.sq`, `sweeps/*.sq`) and its "
        'constants (`{"rate": 2.5, "cap": "2 * 1024"}`), or the path of an instance file relative to the program, TOML '
        "or JSON with the same content. The file is checked and run with these values.",
    ),
    _boolean("strict", False, "Hold-and-wait warnings are errors, as with `check --strict`."),
    Setting(
        "edition",
        "",
        {"type": "string", "enum": ["", "0.1.3", "v4b"]},
        "The edition of files that name none with `// serq: edition …`: `0.1.3`, or `v4b` with `spawn` and `join NAME`; "
        "empty: what `serq.toml` or `[tool.serq]` says, else 0.1.3.",
    ),
    Setting(
        "trace.server",
        "off",
        {"type": "string", "enum": ["off", "messages", "verbose"]},
        "Write the messages between the editor and the server to the log.",
        scope="window",
    ),
)

_TABLES = {item.name for item in TABLE if item.schema["type"] == "object"}
"""Settings that are objects themselves."""

DEFAULTS: dict[str, Any] = {item.name: item.default for item in TABLE}


@dataclass(frozen=True, slots=True)
class Settings:
    """Validated settings; read one with `settings["simulation.seed"]`."""

    values: dict[str, Any] = field(default_factory=lambda: dict(DEFAULTS))

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


def read_settings(section: object) -> tuple[Settings, list[str]]:
    """The settings of a client's section (nested objects or dotted keys), and what is wrong with it.

    What is missing or wrong keeps its default; what is unknown is ignored (the extension has settings of its own).
    """
    problems: list[str] = []
    if section is None:
        return Settings(), problems
    if not isinstance(section, dict):
        return Settings(), [f"the settings section `serq` is an object, not {section!r}"]
    given = dict(_flatten(section, ""))
    values = dict(DEFAULTS)
    for item in TABLE:
        if item.name not in given:
            continue
        problem = problem_of(given[item.name], item.schema)
        if problem:
            problems.append(f"`serq.{item.name}` {problem}; {item.default!r} is used")
        else:
            values[item.name] = given[item.name]
    return Settings(values), problems


def _flatten(section: dict[Any, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in section.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict) and name not in _TABLES:
            yield from _flatten(value, f"{name}.")
        else:
            yield name, value


_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
    "object": (dict,),
}


def problem_of(value: object, schema: dict[str, Any]) -> str:
    """Why `value` does not satisfy one of the table's schemas; empty when it does."""
    wanted = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(_is(value, name) for name in wanted):
        return f"is {' or '.join(wanted)}, not {value!r}"
    if value is None:
        return ""
    if isinstance(value, dict):
        return _problem_of_values(value)
    if "enum" in schema and value not in schema["enum"]:
        return f"is one of {', '.join(schema['enum'])}, not {value!r}"
    if isinstance(value, int | float) and not isinstance(value, bool):
        if value != value or value in (float("inf"), float("-inf")):
            return "is a finite number"
        if "minimum" in schema and value < schema["minimum"]:
            return f"is at least {schema['minimum']}, not {value}"
        if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
            return f"is above {schema['exclusiveMinimum']}, not {value}"
        if "maximum" in schema and value > schema["maximum"]:
            return f"is at most {schema['maximum']}, not {value}"
        if "exclusiveMaximum" in schema and value >= schema["exclusiveMaximum"]:
            return f"is below {schema['exclusiveMaximum']}, not {value}"
    return ""


def _problem_of_values(table: dict[Any, Any]) -> str:
    for pattern, given in table.items():
        if isinstance(given, str):
            continue
        if not isinstance(given, dict):
            return f"has for `{pattern}` constants or the path of an instance file, not {given!r}"
        for name, value in given.items():
            if isinstance(value, bool) or not isinstance(value, str | int | float):
                return f"has for `{name}` of `{pattern}` a number or an expression, not {value!r}"
    return ""


def _is(value: object, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, _TYPES[name])


def json_schema() -> dict[str, Any]:
    """The JSON Schema of the section, as one object with dotted names."""
    properties = {
        f"serq.{item.name}": {**item.schema, "default": item.default, "description": item.description} for item in TABLE
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "serq-lsp settings",
        "type": "object",
        "properties": properties,
    }
