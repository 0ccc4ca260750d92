#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The test of tangents, and what it leaves beside the tangents of the npm package mikktspace: mikktspace.py FOLDER
TEST…

The package is installed into FOLDER when it is missing; where node or the network is not there the comparison skips and says so."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "export"))
from npm_packages import install  # noqa: E402 pylint: disable=wrong-import-position


def compare(folder, files):
    """The state of the case, as cmocka writes it."""
    missing = install(folder, HERE / "package.json", "mikktspace")
    if missing:
        print("skipped:", missing)
        return " SKIPPED"
    done = subprocess.run(["node", HERE / "mikktspace.cjs", folder, *files], check=False)
    return "  FAILED" if done.returncode else "      OK"


def main():
    folder, test = Path(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory(prefix="sinew-test-") as left:
        tested = subprocess.run(test, env={**os.environ, "SINEW_EXPORTS": left}, check=False)
        if tested.returncode:
            sys.exit(tested.returncode)
        state = compare(folder, sorted(Path(left).glob("*.corners")))
        print(f"[ {state} ] tangents_are_those_of_mikktspace", flush=True)
        sys.exit(state == "  FAILED")


main()
