#!/usr/bin/env python3
"""The table of docs/decisions/0006-warm-memory.md: the warm pool beside other allocators.

    bench/memory/pool_table.py build/release/bench/sheaf_bench

glibc always; mimalloc and jemalloc where their libraries are (libmimalloc2.0, libjemalloc2), preloaded into the
bench alone. Every row is the least of ROUNDS=3 rounds, in which the allocators take turns, each after a warm-up: a
virtual machine's host may take a while to give memory that the guest has not touched for long. A GiB in each of
four threads at a time: needs 5 GiB of memory.
"""
import glob
import json
import os
import subprocess
import sys

ROUNDS = int(os.environ.get("ROUNDS", "3"))
PRELOADED = {"mimalloc": "libmimalloc.so*", "jemalloc": "libjemalloc.so*"}


def allocators():
    """Name -> (pool of the bench, library to preload)."""
    found = {"warm": ("warm", None), "glibc": ("system", None), "pmr": ("pmr", None), "pmr over the stock": ("pmr_stock", None)}
    for name, pattern in PRELOADED.items():
        if libraries := sorted(glob.glob("/usr/lib/*-linux-gnu/" + pattern)):
            found[name] = ("system", libraries[0])
    return found


def run(bench, pool, library):
    environment = dict(os.environ, SHEAF_BENCH_POOL="all")
    if library:
        environment["LD_PRELOAD"] = library
    command = [bench, f"--benchmark_filter=^pool_.*/{pool}(/|$)", "--benchmark_min_time=0.02",
               "--benchmark_min_warmup_time=0.01", "--benchmark_format=json"]
    report = json.loads(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)
    for row in report["benchmarks"]:
        kind, _, *rest = row["name"].split("/")
        size = next((part for part in rest if part.endswith("iB")), "5,000 blocks")
        yield (kind, size, row.get("threads", 1)), row["real_time"] / 1000 * row.get("threads", 1)


def main():
    best = {}
    for _ in range(ROUNDS):
        for name, (pool, library) in allocators().items():
            for key, microseconds in run(sys.argv[1], pool, library):
                row = best.setdefault(key, {})
                row[name] = min(microseconds, row.get(name, microseconds))
    names = list(allocators())
    print("| what | size | threads |", " | ".join(f"{name} µs" if name == "warm" else name for name in names), "|")
    print("|---" * (3 + len(names)) + "|")
    for (kind, size, threads), row in sorted(best.items(), key=lambda item: (item[0][0], item[0][2], item[1]["warm"])):
        cells = [f"{row['warm']:,.{0 if row['warm'] >= 100 else 1}f}"] + [f"{row[name] / row['warm']:.2f}" if name in row else "" for name in names[1:]]
        print(f"| {kind.removeprefix('pool_').replace('_', ' ')} | {size} | {threads} |", " | ".join(cells), "|")


if __name__ == "__main__":
    main()
