#!/usr/bin/env python3
"""Makes COVERAGE.md: which ids of the catalogue have a test that ran and passed, and which wait.

  coverage.py [BUILD_FOLDER] [--check]

Reads the results that `meson test` leaves in BUILD_FOLDER (build/release by default): one XML file a test
program, as Google Test writes it. A test covers an id by having it in its name: LVB_01, C14. A failed test
covers nothing. --check writes nothing and fails where COVERAGE.md claims an id that no test covered, or an
id of an issue that is done (see DONE) has no test.
"""
import argparse
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ISSUES = {3: "the spine", 4: "full width", 5: "every type", 6: "the list-view workshop",
          7: "selection (take, filter, interleave: not filed yet)"}
DONE = {3, 4, 5, 6}
ID_IN_NAME = re.compile(r"(?<![A-Za-z0-9])((?:LVB|LSB|FSL|STR|CHK|RPT|LVA|ZCL|RBD|CNV|CMP|CAT|GEN|DIC|CEX|CIM|STM"
                        r"|IPC|VAL|EQF)_\d\d|C\d\d)(?![A-Za-z0-9])")


def read_catalogue():
    """[(id, issue, title)] in the order of ids.txt."""
    rows = []
    for line in (HERE / "ids.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, issue, title = line.split(" ", 2)
            rows.append((name, int(issue), title))
    return rows


def read_passed(folder):
    """{id: ["program: Suite.Test", ...]} of the tests that ran and passed."""
    covered = {}
    for path in sorted(folder.glob("*.xml")):
        for case in ElementTree.parse(path).getroot().iter("testcase"):
            if case.get("status", "run") != "run" or case.find("failure") is not None or case.find("skipped") is not None:
                continue
            test = f"{case.get('classname')}.{case.get('name')}"
            for name in ID_IN_NAME.findall(case.get("name")):
                covered.setdefault(name.replace("_", "-"), []).append(f"{path.stem}: {test}")
    return covered


def table(header, rows):
    return [f"| {' | '.join(header)} |", "|" + "---|" * len(header), *(f"| {' | '.join(row)} |" for row in rows), ""]


def render(catalogue, covered):
    done = [row for row in catalogue if row[0] in covered]
    lines = ["# Coverage of the catalogue of behaviours", "",
             "Made by `coverage.py` from the tests that ran and passed. Do not edit.", "",
             f"{len(done)} of {len(catalogue)} ids are covered.", "", "## Covered", ""]
    lines += table(["id", "title", "tests"],
                   [(name, title, "<br>".join(covered[name])) for name, _, title in done])
    lines += ["## Waiting", ""]
    lines += table(["id", "title", "waits for"],
                   [(name, title, f"issue {issue}, {ISSUES[issue]}") for name, issue, title in catalogue
                    if name not in covered])
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    catalogue, covered = read_catalogue(), read_passed(arguments.folder)
    if not covered:
        sys.exit(f"coverage: no results of tests in {arguments.folder}")
    strange = sorted(set(covered) - {name for name, _, _ in catalogue})
    if strange:
        sys.exit(f"coverage: tests name ids that are not in ids.txt: {', '.join(strange)}")
    missing = [name for name, issue, _ in catalogue if issue in DONE and name not in covered]
    page = HERE / "COVERAGE.md"
    claimed = set(re.findall(r"^\| (\S+) \|", page.read_text(encoding="utf-8").split("## Waiting")[0], re.M)
                  if page.exists() else []) - {"id"}
    false = sorted(claimed - set(covered)) if arguments.check else []
    if not arguments.check:
        page.write_text(render(catalogue, covered), encoding="utf-8")
    print(f"coverage: {len(covered)} of {len(catalogue)} ids covered"
          + (f"; without a test: {', '.join(missing)}" if missing else "")
          + (f"; claimed by COVERAGE.md, but not covered: {', '.join(false)}" if false else ""))
    sys.exit(int(arguments.check and bool(missing or false)))


if __name__ == "__main__":
    main()
