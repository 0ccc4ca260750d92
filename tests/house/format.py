#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every C and C++ file is as clang-format would leave it."""

import shutil
import subprocess
import sys

from sources import sources

SKIP = 77

if not shutil.which("clang-format"):
    print("skipped: clang-format is not installed")
    sys.exit(SKIP)
files = sources(".c", ".h", ".cpp")
wrong = subprocess.run(["clang-format", "--dry-run", "-Werror", *files], check=False, capture_output=True, text=True)
names = sorted({line.split(":")[0] for line in wrong.stderr.splitlines() if "error:" in line})
if wrong.returncode:
    print("run clang-format -i on:", *names, sep="\n  ")
print(f"{len(files)} files looked at")
sys.exit(1 if wrong.returncode else 0)
