#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""clang-tidy finds nothing in any file that is compiled. A file that passed is looked at again only when it, a header or the
rules have changed.  usage: tidy.py BUILD_FOLDER [--analyze]; the analyzer follows paths through the code and takes most of the
time, so it is left to the long suite."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path

from sources import ROOT, sources

SKIP = 77
# The warnings are gcc's, which ./test makes errors; clang knows others of the same name, and not all of its flags.
ARGUMENTS = [f"--extra-arg=-Wno-{name}" for name in ("unknown-warning-option", "ignored-optimization-argument", "double-promotion")]


def digest(paths):
    total = hashlib.sha256()
    for path in paths:
        total.update(path.read_bytes())
    return total.hexdigest()


def look_at(build, checks, path, stamp):
    if stamp.exists():
        return ""
    result = subprocess.run(["clang-tidy", "--quiet", "-p", build, *checks, *ARGUMENTS, path],
                            capture_output=True, text=True, check=False)
    if result.returncode == 0:
        stamp.touch()
        return ""
    return result.stdout + result.stderr


def main():
    if not shutil.which("clang-tidy"):
        print("skipped: clang-tidy is not installed")
        return SKIP
    build = Path(sys.argv[1])
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    ours = set(sources(".c", ".cpp"))
    compiled = sorted({(build / entry["file"]).resolve() for entry in commands} & ours)
    rules = digest([ROOT / ".clang-tidy", *sources(".h")])
    analyze = "--analyze" in sys.argv
    stamps = build / ("tidy-analyzed" if analyze else "tidy")
    stamps.mkdir(exist_ok=True)
    names = [stamps / hashlib.sha256(f"{rules} {path} {digest([path])}".encode()).hexdigest() for path in compiled]
    for old in set(stamps.iterdir()) - set(names):
        old.unlink()
    checks = [] if analyze else ["--checks=-clang-analyzer-*"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        reports = list(pool.map(look_at, repeat(build), repeat(checks), compiled, names))
    for report in filter(None, reports):
        print(report)
    print(f"{len(compiled)} files looked at, {sum(map(bool, reports))} with findings")
    return 1 if any(reports) else 0


sys.exit(main())
