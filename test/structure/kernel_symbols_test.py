#!/usr/bin/env python3
"""What is compiled with the flags of one processor can be picked by the linker for no other.

    kernel_symbols_test.py SCRATCH TARGET=LIBRARY… -- COMPILER ARGS…

An inline function or template that several objects define is weak, and the linker keeps one of them for the whole
program: compiled with AVX2, it ends every machine without. A target's objects therefore define, for others to see,
their table and nothing else but functions whose name says their own architecture.
"""
import pathlib
import re
import subprocess
import sys

# In nm's words: local ones are small letters (but weak, unique and indirect ones), U is undefined, n and N lie in
# sections that are not loaded.
LOCAL = re.compile(r"[abdrstUNn]$")
# What sanitizers mark their objects with.
SANITIZERS = ("__asan_", "___asan_", "__odr_asan", "__tsan_", "__sanitizer_", "__ubsan_", "__start_asan_", "__stop_asan_",
              "__start___sancov", "__stop___sancov")
TABLES = {"sse4_2": "kSse4_2", "avx2": "kAvx2", "avx512bw": "kAvx512bw"}


def symbols_of(library):
    """(letter, name) of each symbol; a line that names a member of an archive has none."""
    text = subprocess.run(["nm", "-C", str(library)], check=True, stdout=subprocess.PIPE, text=True).stdout
    found = []
    for line in text.splitlines():
        if match := re.match(r"(?:[0-9a-f]+ )? *(\S) (.+)", line):
            found.append((match[1], match[2]))
    return found


def wrong(target, letter, name):
    """Whether another object could be given this symbol of the target's."""
    if LOCAL.match(letter):
        return False
    if name == f"sheaf::v1::kernels::{TABLES[target]}":
        return False
    if name.startswith(SANITIZERS):
        return False
    return not re.search(rf"xsimd::{target}\b", name)


def check_rules():
    allowed = [("t", "std::min"), ("U", "memcpy"), ("D", "sheaf::v1::kernels::kAvx2"),
               ("W", "xsimd::batch<int, xsimd::avx2>::get(unsigned long) const")]
    refused = [("W", "long const& std::min<long>(long const&, long const&)"), ("T", "main"),
               ("V", "std::numeric_limits<int>::x"), ("u", "a"), ("D", "sheaf::v1::kernels::kSse4_2"),
               ("W", "xsimd::batch<int, xsimd::sse4_2>::get(unsigned long) const"),
               ("W", "xsimd::f(xsimd::avx2_and_more)")]
    assert not any(wrong("avx2", *case) for case in allowed)
    assert all(wrong("avx2", *case) for case in refused)


def check_that_it_finds(scratch, compiler):
    """An object as it must not be: it brings std::min for everybody."""
    source = scratch / "careless.cc"
    source.write_text("#include <algorithm>\nlong (*careless)(long, long) = [](long a, long b) { return std::min(a, b); };\n")
    outcome = source.with_suffix(".o")
    subprocess.run([*compiler, "-std=c++20", "-O0", "-c", str(source), "-o", str(outcome)], check=True)
    found = [name for letter, name in symbols_of(outcome) if wrong("avx2", letter, name)]
    assert any("std::min<long>" in name for name in found), found


def main():
    border = sys.argv.index("--")
    scratch = pathlib.Path(sys.argv[1])
    scratch.mkdir(parents=True, exist_ok=True)
    check_rules()
    check_that_it_finds(scratch, sys.argv[border + 1:])
    faults = []
    for word in sys.argv[2:border]:
        target, library = word.split("=")
        symbols = symbols_of(library)
        if not any(name == f"sheaf::v1::kernels::{TABLES[target]}" for _, name in symbols):
            faults.append(f"{library} has no table of {target}")
        faults += [f"{library}: {letter} {name}" for letter, name in symbols if wrong(target, letter, name)]
    print("\n".join(faults) or f"{border - 2} targets keep to themselves")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
