#!/usr/bin/env python3
"""Every public header compiles alone, and twice, without exceptions and type information.

    headers_test.py INCLUDE SCRATCH HEADER… -- COMPILER ARGS…

INCLUDE is the folder of all public headers; HEADERs are those on the lists of Meson, named as in an include.
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys

FLAGS = ["-std=c++20", "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def compile_alone(compiler, scratch, header):
    source = scratch / (header.replace("/", "_") + ".cc")
    text = f'#include "{header}"\n#include "{header}"\n'
    if not source.exists() or source.read_text() != text:
        source.write_text(text)
    # An object file, not -fsyntax-only: ccache remembers it.
    command = [*compiler, *FLAGS, "-c", str(source), "-o", str(source.with_suffix(".o"))]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def unlisted(include, headers):
    """A header on no list is not installed, and only users would notice."""
    return sorted({path.relative_to(include).as_posix() for path in include.rglob("*.h")} - set(headers))


def main():
    include, scratch = map(pathlib.Path, sys.argv[1:3])
    scratch.mkdir(parents=True, exist_ok=True)
    border = sys.argv.index("--")
    headers, compiler = sys.argv[3:border], sys.argv[border + 1:]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda header: compile_alone(compiler, scratch, header), headers))
    failed = 0
    for header in unlisted(include, headers):
        failed += 1
        print(f"{header} is on no list of a meson.build")
    for header, result in zip(headers, results):
        if result.returncode != 0:
            failed += 1
            print(f"{header} does not compile alone:\n{result.stdout}")
    print(f"{len(headers)} headers, {failed} faults")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
