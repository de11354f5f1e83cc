#!/usr/bin/env python3
"""One JSON line a workload, from a report of Google Benchmark.

    sheaf_bench --benchmark_repetitions=5 --benchmark_out=REPORT --benchmark_out_format=json
    bench/json_lines.py REPORT > LINES

A bench is named `workload/arg/arg`; its counter `bytes` and its label come along.
"""
import json
import statistics
import sys

NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
VERSION = "0.1.0"


def times_by_run(report):
    """Every bench's repetitions, in order of appearance."""
    runs = {}
    for row in report["benchmarks"]:
        if row.get("run_type") == "iteration" and not row.get("error_occurred"):
            runs.setdefault(row["run_name"], []).append(row)
    return runs


def line(name, rows):
    # "manual_time", "repeats:5" and the like describe the run, not the workload.
    workload, *args = [part for part in name.split("/") if not part.endswith("_time") and "repeats:" not in part
                       and "min_time:" not in part and "iterations:" not in part and "min_warmup_time:" not in part]
    times = [row["real_time"] * NANOSECONDS[row["time_unit"]] for row in rows]
    return {
        "peer": "sheaf",
        "version": VERSION,
        "workload": workload,
        "args": ",".join(arg.split(":")[-1] for arg in args),
        "median_ns": round(statistics.median(times)),
        "min_ns": round(min(times)),
        "bytes": int(rows[0].get("bytes", 0)),
        "note": rows[0].get("label", ""),
    }


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    for name, rows in times_by_run(report).items():
        print(json.dumps(line(name, rows), separators=(",", ":")))


if __name__ == "__main__":
    main()
