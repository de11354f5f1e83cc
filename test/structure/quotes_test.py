#!/usr/bin/env python3
"""The C++ that README.md and docs/ show is taken from examples/, which are compiled and run.

    quotes_test.py SOURCE_ROOT
"""
import pathlib
import re
import sys

BLOCK = re.compile(r"^```cpp\n(.*?)^```", re.MULTILINE | re.DOTALL)


def lines_of(text):
    """Lines without indentation, so that a quote may stand further left."""
    return [line.strip() for line in text.strip().splitlines()]


def stands_in(quote, source):
    return any(source[i:i + len(quote)] == quote for i in range(len(source) - len(quote) + 1))


def main():
    root = pathlib.Path(sys.argv[1])
    sources = [lines_of(path.read_text(encoding="utf-8")) for path in sorted((root / "examples").glob("*.cc"))]
    faults = []
    for page in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        text = page.read_text(encoding="utf-8")
        for match in BLOCK.finditer(text):
            if not any(stands_in(lines_of(match[1]), source) for source in sources):
                row = text.count("\n", 0, match.start()) + 1
                faults.append(f"{page.relative_to(root)}:{row}: this code is in no example")
    print("\n".join(faults) or "every quote is from an example")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
