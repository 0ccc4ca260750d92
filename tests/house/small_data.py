#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files in tests/data/small and tests/data/fbx are what the make.py beside them write, to the last byte."""

import filecmp
import subprocess
import sys
import tempfile

from sources import ROOT

DATA = ROOT / "tests" / "data"


def compare(script, folder, names):
    with tempfile.TemporaryDirectory() as written:
        subprocess.run([sys.executable, script, written], check=True)
        same, *others = filecmp.cmpfiles(folder, written, names, shallow=False)
    for name in sum(others, []):
        print(f"{name} is not what {script.relative_to(ROOT)} writes")
    return names and len(same) == len(names)


def main():
    small, fbx = DATA / "small", DATA / "fbx"
    checks = [compare(DATA / "make.py", small, sorted(path.name for path in small.iterdir())),
              compare(fbx / "make.py", fbx, sorted(path.name for path in fbx.iterdir() if path.suffix in (".fbx", ".txt")))]
    return 0 if all(checks) else 1


sys.exit(main())
