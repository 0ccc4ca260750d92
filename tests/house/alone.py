#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every file of the product compiles by itself. ./run and ./test give the compiler several at a time, among which a file may use
what only another includes. Optimised as a release is, none gives a warning.  usage: alone.py BUILD_FOLDER"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main():
    build = Path(sys.argv[1]) / "alone"
    if not (build / "build.ninja").exists():
        shutil.rmtree(build, ignore_errors=True)
        subprocess.run(["meson", "setup", build, ROOT, "--buildtype=release", "-Dwerror=true", "-Dtests=disabled",
                        "-Dfiles_together=1"], stdout=subprocess.DEVNULL, check=True)
    return subprocess.run(["ninja", "-C", build, "--quiet"], check=False).returncode


sys.exit(main())
