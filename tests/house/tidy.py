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
TOGETHER = 16  # files for one clang-tidy: it starts as slowly as it looks at a small file
# The warnings are gcc's, which ./test makes errors; clang knows others of the same name, and not all of its flags.
ARGUMENTS = [f"--extra-arg=-Wno-{name}" for name in ("unknown-warning-option", "ignored-optimization-argument", "double-promotion")]


def digest(paths):
    total = hashlib.sha256()
    for path in paths:
        total.update(path.read_bytes())
    return total.hexdigest()


def run(build, checks, paths):
    result = subprocess.run(["clang-tidy", "--quiet", "-p", build, *checks, *ARGUMENTS, *paths],
                            capture_output=True, text=True, check=False)
    return "" if result.returncode == 0 else result.stdout + result.stderr


def look_at(build, checks, files):
    """What is found in files, which are paths with their stamps. Where it is something, each is looked at again alone, for the stamps."""
    found = run(build, checks, [path for path, _ in files])
    if not found:
        for _, stamp in files:
            stamp.touch()
        return []
    if len(files) == 1:
        return [found]
    return [report for file in files for report in look_at(build, checks, [file])]


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
    files = [(path, stamp) for path, stamp in zip(compiled, names) if not stamp.exists()]
    groups = [files[at:at + TOGETHER] for at in range(0, len(files), TOGETHER)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        reports = sum(pool.map(look_at, repeat(build), repeat(checks), groups), [])
    print(*reports, sep="\n")
    print(f"{len(files)} of {len(compiled)} files looked at, {len(reports)} with findings")
    return 1 if reports else 0


sys.exit(main())
