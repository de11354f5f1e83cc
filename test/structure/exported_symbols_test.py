"""What the IPC library shows to a process that may hold Arrow C++ too: nothing of FlatBuffers or its tables."""

import re
import subprocess
import sys

FOREIGN = re.compile(r"flatbuffers|ipc_format|org::apache|\barrow::")


def main():
    library = sys.argv[1]
    symbols = subprocess.run(["nm", "-DC", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    shown = [line.split(maxsplit=2)[-1] for line in symbols.splitlines()]
    if not any("sheaf::v1::ipc::StreamReader::Open" in symbol for symbol in shown):
        sys.exit(f"{library} does not show its own functions")
    foreign = [symbol for symbol in shown if FOREIGN.search(symbol)]
    if foreign:
        sys.exit("\n".join([f"{library} shows:", *foreign]))


main()
