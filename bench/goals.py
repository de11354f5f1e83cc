#!/usr/bin/env python3
"""The goals table: what this run took, the goal on this machine, the best peer's figure.

    bench/goals.py REPORT     (a report of Google Benchmark; `./dev bench` makes it and calls this)

Goals in time are for a machine that copies 4 MB of touched memory in 83 us (workload `memcpy_limit/4MB/touched`), and
are scaled by what that copy took in the same run. Other goals are ratios to a workload of the same run. The peers'
figures (bench/peers.jsonl) were measured on another day, on a machine of the same speed, and are scaled likewise: they
give the order of magnitude, and say who is faster only where they differ by much.
"""
import json
import os
import sys

from json_lines import line, times_by_run

MEMCPY = "memcpy_limit/4MB,touched"
MEMCPY_NS = 83e3
MS = 1e6

# Workload, what its time is divided by (and the unit then), the goal, and the peers' workloads for the same job
# (`peer workload` where other peers mean another job by the name). The goal is a time in ns on the machine of the goals,
# or (factor, workload): so many times what that one took in this run.
GOALS = [
    ("append_small/100000,10", 100_000, "append", 9.0 * MS,
     ["append_small", "append_small_reserved", "append_small_concat", "append_small_canonical"]),
    ("append_small_nulls/100000,10", 100_000, "append", 10.0 * MS,
     ["append_small_nulls", "append_small_nulls_concat", "append_small_nulls_canonical"]),
    ("extend_zctl/1000000,8", 1, "", 0.3 * MS, ["extend_zctl"]),
    ("extend_overlap/1000000,8", 1, "", 0.3 * MS, ["extend_overlap"]),
    ("extend_known/1000000,8", 1, "", (1.25, "extend_known/10000,8"), []),
    ("constant_fill/1000000,3", 1, "", (1.1, "memset_limit/8MB,touched"),
     ["constant_fill_scalar", "constant_fill_u32", "constant_fill_i32_take"]),
    ("per_row/1000000,8", 1, "", 5.5 * MS, ["arrow-cpp per_row", "arrow-rs per_row_nocap"]),
    ("per_row_reserved/1000000,8", 1, "", 5.5 * MS, ["arrow-cpp per_row_reserved", "arrow-rs per_row"]),
    ("append_uniform/1000000,8", 1, "", 3.0 * MS, []),
    ("concat_zctl/16,100000,8", 1, "", (1.1, "memcpy_limit/64MB,touched"), ["concat_zctl", "concat_zctl_canonical"]),
    ("cdata_roundtrip/10000", 1, "", 4.0 * MS, ["cdata_roundtrip"]),
    ("sparse_fill/1000000,17,8", 1, "", 0.5 * MS, ["sparse_fill", "sparse_fill_values", "sparse_fill_take"]),
    ("sparse_fill_source/1000000,17,8", 1, "", 1.2 * MS, ["sparse_fill"]),
]


def time_text(ns):
    for unit, size in (("ms", 1e6), ("us", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.0f} ns"


def best_peer(peers, workload, names):
    """The fastest of the peers' ways to do the job."""
    args = workload.split("/", 1)[1]
    lines = [peer for peer in peers if peer["args"] == args and
             (peer["workload"] in names or f"{peer['peer']} {peer['workload']}" in names)]
    return min(lines, key=lambda peer: peer["median_ns"], default=None)


def rows(measured, peers):
    scale = measured[MEMCPY] / MEMCPY_NS if MEMCPY in measured else None
    for workload, items, item, goal, peer_workloads in GOALS:
        if workload not in measured:
            continue
        ours = measured[workload]
        if isinstance(goal, tuple):
            factor, other = goal
            limit = factor * measured[other] if other in measured else None
        else:
            limit = goal * scale if scale else None
        per = f"/{item}" if item else ""
        peer = best_peer(peers, workload, peer_workloads)
        yield (workload, time_text(ours / items) + per,
               time_text(limit / items) + per if limit else "?",
               f"{ours / limit:.2f}" if limit else "?",
               time_text(peer["median_ns"] * scale / items) + per if peer and scale else "",
               f"{peer['peer']} {peer['workload']}" if peer else "")


def print_table(table):
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def main():
    folder = os.path.dirname(os.path.abspath(__file__))
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    with open(os.path.join(folder, "peers.jsonl"), encoding="utf-8") as file:
        peers = [json.loads(text) for text in file]
    lines = [line(name, runs) for name, runs in times_by_run(report).items()]
    measured = {f"{one['workload']}/{one['args']}": one["median_ns"] for one in lines}
    table = list(rows(measured, peers))
    if not table:
        return
    print("\nGoals (docs/decisions/0010-goals.md); a ratio above 1 misses the goal.")
    if MEMCPY in measured:
        print(f"Goals and peers are scaled by {measured[MEMCPY] / MEMCPY_NS:.2f}: 4 MB were copied in "
              f"{measured[MEMCPY] / 1e3:.0f} us here, 83 us there.")
    print("The peers were measured on another day (bench/peers.jsonl).\n")
    print_table([("workload", "ours", "goal", "ratio", "best peer", "which"), *table])


if __name__ == "__main__":
    main()
