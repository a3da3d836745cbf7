"""`serq-lsp check`, `explain`, `ir`: formats, exit codes, filters, fixes, baselines, bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
GOOD = "stage s : fifo;\nsession { run s (1); observe t = now; end; }\nrun { horizon 10; }\n"
WRONG = "stage s : fifo;\nsession { set x = y; run s (x); observe t = now; end; }\nrun { horizon 10; }\n"
WARNED = "pool spare { cap 1; }\n" + GOOD


def serq(*arguments: str, cwd: Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    environment = {**os.environ, "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, "-m", "serq_lsp", *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        timeout=120,
        env=environment,
        check=False,
    )


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def test_an_accepted_program_is_said_to_be_ok(tmp_path: Path) -> None:
    write(tmp_path, "a.sq", GOOD)
    done = serq("check", "a.sq", cwd=tmp_path)
    assert done.returncode == 0
    assert b"OK: 0 pool(s), 1 stage(s), 9 attribute(s), 3 block(s)" in done.stdout


def test_full_output_shows_the_line_the_range_the_help_and_the_rule(tmp_path: Path) -> None:
    write(tmp_path, "a.sq", WRONG)
    done = serq("check", "a.sq", cwd=tmp_path)
    assert done.returncode == 1
    text = done.stdout.decode()
    assert "error[SQ0201]" in text
    assert "--> a.sq:2:19" in text
    assert "2 | session { set x = y; run s (x);" in text
    assert "\n  |                   ^\n" in text
    assert "serq-lsp explain SQ0201" in text
    assert text.rstrip().endswith("Found 1 error in 1 file.")


def test_json(tmp_path: Path) -> None:
    write(tmp_path, "a.sq", WRONG)
    value = json.loads(serq("check", "a.sq", "--format", "json", cwd=tmp_path).stdout)
    assert value["version"] == 1
    (item,) = value["diagnostics"]
    assert (item["code"], item["file"], item["severity"]) == ("SQ0201", "a.sq", "error")
    assert item["range"] == {"start": {"line": 2, "column": 19}, "end": {"line": 2, "column": 20}}
    assert set(item) == {"code", "name", "severity", "message", "file", "range", "related", "fixes", "help", "url"}
    assert value["summary"]["errors"] == 1


def test_concise_github_gitlab_junit(tmp_path: Path) -> None:
    write(tmp_path, "a.sq", WRONG)
    assert serq("check", "a.sq", "--format", "concise", cwd=tmp_path).stdout.startswith(b"a.sq:2:19: error[SQ0201] ")
    annotation = serq("check", "a.sq", "--format", "github", cwd=tmp_path).stdout.decode()
    assert annotation.startswith("::error title=SQ0201 unknown-name,file=a.sq,line=2,endLine=2,col=19,endColumn=20::")
    (issue,) = json.loads(serq("check", "a.sq", "--format", "gitlab", cwd=tmp_path).stdout)
    assert issue["location"]["positions"]["begin"] == {"line": 2, "column": 19}
    suite = ElementTree.fromstring(serq("check", "a.sq", "--format", "junit", cwd=tmp_path).stdout)
    assert suite.find("./testsuite/testcase/error").attrib["type"] == "SQ0201"  # type: ignore[union-attr]


def test_sarif_has_the_parts_that_the_schema_requires(tmp_path: Path) -> None:
    write(tmp_path, "a.sq", WRONG)
    value = json.loads(serq("check", "a.sq", "--format", "sarif", cwd=tmp_path).stdout)
    assert value["version"] == "2.1.0"
    (run,) = value["runs"]
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "SQ0201"
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 2, "startColumn": 19, "endLine": 2, "endColumn": 20}


def test_folders_respect_gitignore(tmp_path: Path) -> None:
    write(tmp_path, "a.sq", GOOD)
    write(tmp_path, "build/b.sq", WRONG)
    write(tmp_path, "kept/c.sq", GOOD)
    write(tmp_path, ".gitignore", "build/\n")
    done = serq("check", ".", "--format", "json", cwd=tmp_path)
    assert done.returncode == 0
    assert json.loads(done.stdout)["summary"]["files"] == 2


def test_standard_input_with_a_name(tmp_path: Path) -> None:
    done = serq("check", "-", "--stdin-filename", "x/y.sq", "--format", "concise", cwd=tmp_path, stdin=WRONG.encode())
    assert done.stdout.startswith(b"x/y.sq:2:19:")


def test_select_and_ignore(tmp_path: Path) -> None:
    write(tmp_path, "a.sq", WARNED)
    code = json.loads(serq("check", "a.sq", "--format", "json", cwd=tmp_path).stdout)["diagnostics"][0]["code"]
    assert code >= "SQ1000"
    ignored = serq("check", "a.sq", "--format", "json", "--ignore", code, cwd=tmp_path)
    assert json.loads(ignored.stdout)["diagnostics"] == []
    write(tmp_path, "b.sq", WRONG)
    kept = serq("check", "b.sq", "--format", "json", "--ignore", "SQ02", cwd=tmp_path)
    assert kept.returncode == 1


def test_warnings_fail_only_when_asked(tmp_path: Path) -> None:
    write(tmp_path, "a.sq", WARNED)
    assert serq("check", "a.sq", cwd=tmp_path).returncode == 0
    assert serq("check", "a.sq", "--error-on-warning", cwd=tmp_path).returncode == 1


def test_fix_and_diff(tmp_path: Path) -> None:
    path = write(tmp_path, "a.sq", "stage e : step { cost ntok; }\nrun { horizon 10; }\n")
    shown = serq("check", "a.sq", "--diff", cwd=tmp_path)
    assert b"+stage e : step { cost tokens; }" in shown.stdout
    assert "ntok" in path.read_text()
    serq("check", "a.sq", "--fix", cwd=tmp_path)
    assert path.read_text().startswith("stage e : step { cost tokens; }")


def test_baseline_accepts_what_is_known(tmp_path: Path) -> None:
    write(tmp_path, "a.sq", WRONG)
    assert serq("check", "a.sq", "--baseline", "known.json", cwd=tmp_path).returncode == 0
    assert serq("check", "a.sq", "--baseline", "known.json", cwd=tmp_path).returncode == 0
    write(tmp_path, "a.sq", WRONG.replace("set x = y;", "set x = y; set z = w;"))
    done = serq("check", "a.sq", "--baseline", "known.json", "--format", "concise", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.count(b"SQ0201") == 1


def test_overrides_and_run_settings(tmp_path: Path) -> None:
    write(tmp_path, "a.sq", "let k = 0;\npool p { cap 10; block k; }\nsession { hold p (1) { } end; }\n")
    codes = json.loads(serq("check", "a.sq", "--format", "json", cwd=tmp_path).stdout)["diagnostics"]
    assert {item["code"] for item in codes if item["severity"] == "error"} == {"SQ0414", "SQ0811"}
    done = serq("check", "a.sq", "--set", "k=2", "--horizon", "5", cwd=tmp_path)
    assert done.returncode == 0
    assert b"SQ0830" in serq("check", "a.sq", "--set", "m=2", "--horizon", "5", cwd=tmp_path).stdout


def test_strict_from_the_settings_file(tmp_path: Path) -> None:
    program = """pool kv { cap 5; }
stage think : delay;
workload { arrive batch(1); }
session { hold kv (1) { fork { run think (1); } join; } observe t = now; }
run { horizon 20; }
"""
    write(tmp_path, "a.sq", program)
    assert serq("check", "a.sq", cwd=tmp_path).returncode == 0
    write(tmp_path, "serq.toml", "strict = true\n")
    assert serq("check", "a.sq", cwd=tmp_path).returncode == 1
    write(tmp_path, "serq.toml", "strikt = true\n")
    done = serq("check", "a.sq", cwd=tmp_path)
    assert done.returncode == 2
    assert b"unknown setting `strikt`" in done.stderr


def test_suppression_with_a_reason(tmp_path: Path) -> None:
    write(tmp_path, "a.sq", WARNED.replace("cap 1; }", "cap 1; } // serq: allow(unused-pool) for later"))
    value = json.loads(serq("check", "a.sq", "--format", "json", cwd=tmp_path).stdout)
    assert value["diagnostics"] == []
    assert value["summary"]["suppressed"] == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xef\xbb\xbf" + GOOD.encode(),
        GOOD.replace("\n", "\r\n").encode(),
        b"\x00\x00\x00",
        b"\xff\xfe\xfa let",
        b"let a = " + b"1 + " * 200_000 + b"1;\n" + GOOD.encode(),
        b"let a = " + b"(" * 10_000 + b"1" + b")" * 10_000 + b";\n" + GOOD.encode(),
        GOOD.encode() + b"session { " + b"loop { " * 10_000,
        b"pool p[1000000000] { cap 1; }\n" + GOOD.encode(),
        b"let a = 1e999; let b = a - a; pool p { cap b; }\n" + GOOD.encode(),
        b"let a = sum j in 1000000 (j);\n" + GOOD.encode(),
        b'use "a.sq";\nuse "missing.sq";\n' + GOOD.encode(),
        b'use "unterminated',
        b"/* never closed",
    ],
    ids=[
        "empty",
        "byte-order-mark",
        "crlf",
        "nul",
        "no-utf-8",
        "long-chain",
        "deep-parentheses",
        "deep-blocks",
        "huge-array",
        "infinite-constants",
        "huge-aggregate",
        "use-cycle-and-missing",
        "open-string",
        "open-comment",
    ],
)
def test_bad_input_gives_a_diagnostic_and_never_a_traceback(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.sq").write_bytes(content)
    done = serq("check", "a.sq", "--format", "json", cwd=tmp_path)
    assert done.returncode == 2 if content.startswith(b"\xff") else done.returncode in (0, 1), done.stderr[-2000:]
    assert b"Traceback" not in done.stderr
    json.loads(done.stdout)


def test_unreadable_paths(tmp_path: Path) -> None:
    assert serq("check", "nowhere.sq", cwd=tmp_path).returncode == 2
    (tmp_path / "x.sq").mkdir()
    assert serq("check", "x.sq", cwd=tmp_path).returncode == 0
    assert serq("run", "x.sq", cwd=tmp_path).returncode == 2
    write(tmp_path, "a.sq", GOOD)
    assert serq("check", "a.sq", "--output", "no/such/folder.txt", cwd=tmp_path).returncode == 2
    assert serq("check", "a.sq", "--nonsense", cwd=tmp_path).returncode == 2


def test_explain(tmp_path: Path) -> None:
    done = serq("explain", "SQ0411", cwd=tmp_path)
    assert done.returncode == 0
    assert b"Wrong:" in done.stdout
    assert serq("explain", "unknown-name", cwd=tmp_path).returncode == 0
    assert serq("explain", "SQ9999", cwd=tmp_path).returncode == 2
    assert serq("explain", cwd=tmp_path).stdout.count(b"\n") > 290


def test_ir_reads_and_writes_itself(tmp_path: Path) -> None:
    write(tmp_path, "a.sq", GOOD)
    first = serq("ir", "a.sq", cwd=tmp_path)
    (tmp_path / "a.json").write_bytes(first.stdout)
    again = serq("ir", "a.json", cwd=tmp_path)
    assert json.loads(first.stdout) == json.loads(again.stdout)
    assert serq("check", "a.json", cwd=tmp_path).returncode == 0
    (tmp_path / "b.json").write_text('{"version": 11, "attrs": 3}')
    assert serq("check", "b.json", cwd=tmp_path).returncode == 1


def test_a_code_that_does_not_exist_selects_nothing_without_a_word_no_more(tmp_path: Path) -> None:
    write(tmp_path, "a.sq", GOOD)
    done = serq("check", "--select", "SQ03,NOPE", "a.sq", cwd=tmp_path)
    assert done.returncode == 2
    assert b"no diagnostic has the code or name `NOPE`" in done.stderr
    assert serq("check", "--select", "SQ03", "--ignore", "unused-pool", "a.sq", cwd=tmp_path).returncode == 0


def test_an_override_is_shown_with_its_place(tmp_path: Path) -> None:
    write(tmp_path, "a.sq", "let rate = 1;\n" + GOOD)
    text = serq("check", "--set", "rate=1 + zz", "--set", "rat=1", "a.sq", cwd=tmp_path).stdout.decode()
    assert "--set rate:1:1" in text
    assert "1 + zz" in text
    assert "did you mean `rate`?" in text
    broken = serq("check", "--set", "rate=1 +", "a.sq", cwd=tmp_path).stdout.decode()
    assert "the override of `rate` is no expression: expected an expression, found the end" in broken
    assert "--set rate:1:4" in broken


def test_explain_takes_the_start_of_a_code_and_the_names_that_its_help_gives(tmp_path: Path) -> None:
    assert serq("explain", "SQ0301", "unused-pool", cwd=tmp_path).returncode == 0
    group = serq("explain", "SQ083", cwd=tmp_path).stdout.decode()
    assert "SQ0830 " in group
    assert "SQ0836 " in group


def test_a_program_without_a_trace_has_none_to_write_into_the_ir(tmp_path: Path) -> None:
    write(tmp_path, "a.sq", GOOD)
    done = serq("ir", "--inline-trace", "a.sq", cwd=tmp_path)
    assert done.returncode == 1
    assert b"only an ordered trace has sessions to write" in done.stderr


def test_fixes_are_applied_until_none_is_left(tmp_path: Path) -> None:
    slips = "session { x = 1; branch (x = 1) { end } end; }\nworkload { arrive poisson(1); }\nrun { horizon 10 }\n"
    path = write(tmp_path, "a.sq", slips)
    serq("check", "--fix", "a.sq", cwd=tmp_path)
    assert path.read_text().startswith("session { set x = 1; branch (x == 1) { end; } end; }")
    assert serq("check", "a.sq", cwd=tmp_path).returncode == 0
