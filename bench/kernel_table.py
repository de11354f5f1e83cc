#!/usr/bin/env python3
"""What each target gains over scalar, as a table: ratios of the least times of one or several runs.

    build/release/bench/sheaf_bench --benchmark_filter=^kernel/ --benchmark_out=RUN.json --benchmark_out_format=json
    bench/kernel_table.py RUN.json…
"""
import json
import sys

TARGETS = ["sse4_2", "avx2", "avx512bw"]


def least_times(paths):
    times = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for row in json.load(file)["benchmarks"]:
                parts = [part for part in row["name"].split("/") if not part.startswith("min_time")]
                if parts[0] == "kernel" and parts[-2] in ["scalar", *TARGETS] and "error_occurred" not in row:
                    key = ("/".join(parts[1:-2]), int(parts[-1]), parts[-2])
                    times[key] = min(times.get(key, float("inf")), row["cpu_time"])
    return times


def main():
    times = least_times(sys.argv[1:])
    kernels = dict.fromkeys(kernel for kernel, _, _ in times)
    print("| kernel | n | scalar, ns | " + " | ".join(TARGETS) + " |\n|---|---|---|" + "---|" * len(TARGETS))
    for kernel in kernels:
        for n in sorted({n for name, n, _ in times if name == kernel}):
            scalar = times[kernel, n, "scalar"]
            gains = [f"{scalar / times[kernel, n, target]:.2f}" if (kernel, n, target) in times else "" for target in TARGETS]
            print(f"| {kernel} | {n:,} | {scalar:,.0f} | " + " | ".join(gains) + " |")


if __name__ == "__main__":
    main()
