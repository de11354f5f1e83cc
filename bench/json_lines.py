"""Turns Google Benchmark's JSON into one line a workload, in the form of other libraries' results.

A bench is named `workload/arg/arg`, a counter `bytes` counts every buffer that its result references,
a label becomes the note.
"""

import json
import statistics
import sys

NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
NOT_ARGUMENTS = ("repeats:", "min_time:", "iterations:", "real_time", "process_time", "manual_time")


def main(path):
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    runs = {}
    for run in result["benchmarks"]:
        if run.get("run_type") == "aggregate":
            continue
        runs.setdefault(run["run_name"], []).append(run)
    for name, repetitions in runs.items():
        workload, *arguments = name.split("/")
        failures = [run["error_message"] for run in repetitions if run.get("error_occurred")]
        times = [run["real_time"] * NANOSECONDS[run["time_unit"]]
                 for run in repetitions if not run.get("error_occurred")]
        print(json.dumps({
            "peer": "sheaf",
            "version": result["context"].get("sheaf_version", ""),
            "workload": workload,
            "args": ",".join(a for a in arguments if not a.startswith(NOT_ARGUMENTS)),
            "median_ns": round(statistics.median(times)) if times else None,
            "min_ns": round(min(times)) if times else None,
            "bytes": round(repetitions[0].get("bytes", 0)),
            "note": failures[0] if failures else repetitions[0].get("label", ""),
        }, separators=(",", ":")))


if __name__ == "__main__":
    main(sys.argv[1])
