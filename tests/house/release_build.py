#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The release that the tests of a sanitized build start: the program as ./run builds it, optimised and without assertions or a
warning, and beside it the plug-ins and programs of the tests that must match it.

usage: release_build.py FOLDER STAMP    builds it in FOLDER, after the first time only what has changed, and touches STAMP"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main():
    build, stamp = map(Path, sys.argv[1:])
    if not (build / "build.ninja").exists():
        shutil.rmtree(build, ignore_errors=True)
        # As ./test sets up its own build: lld, and several files at a time.
        subprocess.run(["meson", "setup", build, ROOT, "--buildtype=release", "-Doptimization=2", "-Dwerror=true",
                        "-Dtests=enabled", "-Dfiles_together=3"], env=os.environ | {"CC_LD": "lld", "CXX_LD": "lld"},
                       stdout=subprocess.DEVNULL, check=True)
    subprocess.run(["ninja", "-C", build, "--quiet", "started"], check=True)
    stamp.touch()


main()
