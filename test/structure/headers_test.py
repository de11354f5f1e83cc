#!/usr/bin/env python3
"""Every public header compiles alone, and twice, without exceptions and type information.

    headers_test.py SCRATCH HEADER… -- COMPILER ARGS…      a HEADER is named as in an include
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


def main():
    scratch = pathlib.Path(sys.argv[1])
    scratch.mkdir(parents=True, exist_ok=True)
    border = sys.argv.index("--")
    headers, compiler = sys.argv[2:border], sys.argv[border + 1:]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda header: compile_alone(compiler, scratch, header), headers))
    failed = 0
    for header, result in zip(headers, results):
        if result.returncode != 0:
            failed += 1
            print(f"{header} does not compile alone:\n{result.stdout}")
    print(f"{len(headers) - failed} of {len(headers)} headers compile alone")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
