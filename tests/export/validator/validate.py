#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A test of export, and what it writes through the Khronos glTF validator: validate.py FOLDER TEST

Runs the test with a folder to leave its files in. The validator is installed into FOLDER when it is missing; where node or the
network is not there the check skips and says so."""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def install(folder):
    """Why the validator is not there; None where it is."""
    if not shutil.which("node") or not shutil.which("npm"):
        return "no node to run the glTF validator"
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other tests of export may be about to do the same
        if (folder / "node_modules" / "gltf-validator").is_dir():
            return None
        shutil.copy(HERE / "package.json", folder)
        command = ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]
        try:
            installed = subprocess.run(command, cwd=folder, timeout=120, stdin=subprocess.DEVNULL, check=False).returncode == 0
        except subprocess.TimeoutExpired:
            installed = False
        return None if installed else "the glTF validator could not be installed; is there a network?"


def validate(folder, files):
    """The state of the case, as cmocka writes it."""
    missing = install(folder)
    if missing:
        print("skipped:", missing)
        return " SKIPPED"
    done = subprocess.run(["node", HERE / "validate.cjs", folder, *files], check=False)
    return "  FAILED" if done.returncode else "      OK"


def main():
    folder, test = Path(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory(prefix="sinew-test-") as exports:
        tested = subprocess.run([test], env={**os.environ, "SINEW_EXPORTS": exports}, check=False)
        if tested.returncode:
            sys.exit(tested.returncode)
        files = sorted(path for path in Path(exports).iterdir() if path.suffix in (".glb", ".gltf"))
        state = validate(folder, files)
        print(f"[ {state} ] files_pass_the_khronos_validator", flush=True)
        sys.exit(state == "  FAILED")


main()
