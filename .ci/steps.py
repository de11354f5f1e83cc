#!/usr/bin/env python3
"""Everything that must hold before a change is in. The last line is `N passed, N failed`.

g++ and all tests (layers, lone headers, install and examples among them), clang with sanitizers and all
tests, the reference, formatting; warnings are errors. Every Google Test case counts for one, and so does every other test.
"""
import json
import os
import pathlib
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENVIRONMENT = {**os.environ, "SHEAF_WERROR": "1"}  # Whatever the caller has.

# A name, the command, and the build folder whose test log tells the cases.
STEPS = [
    ("format", ["./dev", "format", "--all", "--check"], None),
    ("test", ["./dev", "test"], "release"),
    ("docs", ["./dev", "docs"], None),
    ("coverage", ["test/conformance/coverage.py", "--check"], None),
    ("sanitize", ["./dev", "sanitize"], "sanitize"),
]


def count_program(entry, cases_file):
    """(passed, failed) of one row of Meson's log; of its cases where the program told them."""
    passed = failed = 0
    if cases_file.exists():
        for case in ElementTree.parse(cases_file).getroot().iter("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                failed += 1
            elif case.get("status", "run") == "run" and case.find("skipped") is None:
                passed += 1
    if entry["result"] in ("OK", "EXPECTEDFAIL"):
        return max(passed, 1 if not cases_file.exists() else 0), failed
    if entry["result"] == "SKIP":
        return 0, 0
    return passed, max(failed, 1)  # It died before or after its cases.


def count_tests(folder):
    passed = failed = 0
    for row in (folder / "meson-logs" / "testlog.json").read_text(encoding="utf-8").splitlines():
        entry = json.loads(row)
        name = entry["name"].split(" / ")[-1]
        more_passed, more_failed = count_program(entry, folder / f"{name}.xml")
        passed, failed = passed + more_passed, failed + more_failed
    return passed, failed


def forget_last_run(folder):
    """A program that dies leaves the cases of the run before."""
    for path in [*folder.glob("*.xml"), folder / "meson-logs" / "testlog.json"]:
        path.unlink(missing_ok=True)


def run(name, command, build):
    print(f"=== {name}: {' '.join(command)}", flush=True)
    folder = build and ROOT / "build" / build
    if folder:
        forget_last_run(folder)
    start = time.monotonic()
    status = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, check=False).returncode
    if folder and (folder / "meson-logs" / "testlog.json").exists():
        passed, failed = count_tests(folder)
        failed += status != 0 and failed == 0
    else:  # A check, or a build that broke.
        passed, failed = int(status == 0), int(status != 0)
    print(f"=== {name}: {passed} passed, {failed} failed, {time.monotonic() - start:.0f} s", flush=True)
    return passed, failed


def main():
    counts = [run(*step) for step in STEPS]
    passed, failed = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
