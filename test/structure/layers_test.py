#!/usr/bin/env python3
"""Includes point down the layers, and public headers show public ones only.

    layers_test.py SOURCE_ROOT
"""
import pathlib
import re
import sys

# From the bottom up; layers of one row do not know each other.
ROWS = [["base"], ["kernels"], ["memory"], ["type"], ["array"], ["builder"], ["compute"], ["c_data", "engines"],
        ["ipc"], ["tools", "python"]]
RANK = {layer: rank for rank, row in enumerate(ROWS) for layer in row}

# Belong to no layer: every layer may include them.
FREE = {"sheaf/fwd.h", "sheaf/version.h"}
# The umbrella, for users only.
UMBRELLA = "sheaf/sheaf.h"
# The only public header that shows a dependency.
SHOWS_ABSEIL = "sheaf/base/status.h"

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)


def layer_of(name):
    """The layer of `sheaf/<layer>/x.h`, `<layer>/x.h` or `tools/x.h`; None for anything else."""
    parts = name.removeprefix("sheaf/").split("/")
    return parts[0] if len(parts) > 1 and parts[0] in RANK else None


def wrong(layer, public, name, quote, included):
    """Why a file of `layer`, included as `name`, may not include `included`; None if it may."""
    if quote == "<":
        if included.startswith("sheaf/"):
            return "our own headers are included with quotes"
        if public and "/" in included and not included.startswith("sys/") and name != SHOWS_ABSEIL:
            return f"only {SHOWS_ABSEIL} shows a dependency"
        if layer == "kernels" and included.startswith("absl/"):
            return "kernels know nothing of Abseil"
        return None
    if public and not included.startswith("sheaf/"):
        return "public headers include public headers only"
    if included == UMBRELLA:
        return "the umbrella is for users"
    if included in FREE or name == UMBRELLA:
        return None
    other = layer_of(included)
    if other is None:
        return "of no layer"
    if layer is None or other == layer:
        return None
    if layer == "kernels" and included != "sheaf/base/bits.h":
        return "kernels include sheaf/base/bits.h only"
    if RANK[other] >= RANK[layer]:
        return f"{layer} is not above {other}"
    return None


def check_rules():
    """The rules themselves: a check that never fails would go unnoticed."""
    allowed = [("array", True, "sheaf/array/a.h", '"', "sheaf/type/t.h"),
               ("array", False, "array/a.cc", '"', "array/array_data.h"),
               ("kernels", False, "kernels/k.cc", '"', "sheaf/base/bits.h"),
               ("ipc", False, "ipc/r.cc", "<", "flatbuffers/flatbuffers.h"),
               ("base", True, "sheaf/base/status.h", "<", "absl/status/status.h")]
    refused = [("type", True, "sheaf/type/t.h", '"', "sheaf/array/a.h"),
               ("array", True, "sheaf/array/a.h", '"', "array/array_data.h"),
               ("array", True, "sheaf/array/a.h", "<", "absl/types/span.h"),
               ("kernels", False, "kernels/k.cc", '"', "sheaf/base/status.h"),
               ("c_data", False, "c_data/e.cc", '"', "sheaf/engines/velox_layout.h"),
               ("builder", False, "builder/b.cc", '"', "sheaf/sheaf.h")]
    assert not any(wrong(*case) for case in allowed)
    assert all(wrong(*case) for case in refused)


def sources(root):
    """Every source with its layer, whether it is public, and its name in an include."""
    for folder, public in (("include", True), ("lib", False), ("tools", False), ("python", False)):
        base = root if folder in ("tools", "python") else root / folder
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(base).as_posix()
            if path.suffix in (".h", ".cc") and not name.startswith("pch/"):
                yield path, layer_of(name), public, name


def main():
    check_rules()
    root = pathlib.Path(sys.argv[1])
    faults = []
    for path, layer, public, name in sources(root):
        text = path.read_text(encoding="utf-8")
        for match in INCLUDE.finditer(text):
            if why := wrong(layer, public, name, *match.groups()):
                row = text.count("\n", 0, match.start(2)) + 1
                faults.append(f"{path.relative_to(root)}:{row}: {match[2]}: {why}")
    print("\n".join(faults) or "every include points down")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
