#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files in tests/data/small are what tests/data/make.py writes, to the last byte."""

import filecmp
import subprocess
import sys
import tempfile

from sources import ROOT

SMALL = ROOT / "tests" / "data" / "small"


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, SMALL.parent / "make.py", folder], check=True)
        names = sorted(path.name for path in SMALL.iterdir())
        same, *others = filecmp.cmpfiles(SMALL, folder, names, shallow=False)
    for name in sum(others, []):
        print(f"{name} is not what tests/data/make.py writes")
    print(f"{len(same)} files are the same")
    return 0 if names and len(same) == len(names) else 1


sys.exit(main())
