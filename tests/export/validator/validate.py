#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A test of export, and what it writes through the Khronos glTF validator: validate.py FOLDER TEST…

Runs the test with a folder to leave its files in. The validator is installed into FOLDER when it is missing; where node or the
network is not there the check skips and says so."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from npm_packages import install  # noqa: E402 pylint: disable=wrong-import-position


def validate(folder, files):
    """The state of the case, as cmocka writes it."""
    missing = install(folder, HERE / "package.json", "gltf-validator") if files else "the test wrote no files"
    if missing:
        print("skipped:", missing)
        return " SKIPPED"
    done = subprocess.run(["node", HERE / "validate.cjs", folder, *files], check=False)
    return "  FAILED" if done.returncode else "      OK"


def main():
    folder, test = Path(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory(prefix="sinew-test-") as exports:
        tested = subprocess.run(test, env={**os.environ, "SINEW_EXPORTS": exports}, check=False)
        if tested.returncode:
            sys.exit(tested.returncode)
        files = sorted(path for path in Path(exports).iterdir() if path.suffix in (".glb", ".gltf"))
        state = validate(folder, files)
        print(f"[ {state} ] files_pass_the_khronos_validator", flush=True)
        sys.exit(state == "  FAILED")


main()
