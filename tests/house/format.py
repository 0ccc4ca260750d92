#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every C and C++ file is as clang-format would leave it, and no line of it is wider than .editorconfig says, comments too.
usage: format.py [BUILD_FOLDER]: a file that passed is looked at again only when it or the rules have changed."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from sources import ROOT, sources

SKIP = 77
WIDTH = 128


def stamp(path):
    return hashlib.sha256((ROOT / ".clang-format").read_bytes() + path.read_bytes()).hexdigest()


def wide_lines(path):
    """The lines that are too wide, but for tables that clang-format leaves alone."""
    is_table = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        is_table = "clang-format off" in line or (is_table and "clang-format on" not in line)
        if not is_table and len(line.expandtabs(4)) > WIDTH:
            yield f"{path}:{number}"


def main():
    if not shutil.which("clang-format"):
        print("skipped: clang-format is not installed")
        return SKIP
    known = Path(sys.argv[1]) / "formatted" if len(sys.argv) > 1 else None
    passed = set(known.read_text(encoding="ascii").split()) if known and known.exists() else set()
    stamps = {path: stamp(path) for path in sources(".c", ".h", ".cpp")}
    files = [path for path in stamps if stamps[path] not in passed]
    done = subprocess.run(["clang-format", "--dry-run", "-Werror", *files], check=False, capture_output=True,
                          text=True) if files else None
    if done and done.returncode:
        print("run clang-format -i on:", *sorted({line.split(":")[0] for line in done.stderr.splitlines() if "error:" in line}),
              sep="\n  ")
        return 1
    wide = [line for path in [*files, *(path for path in (ROOT / "shaders").rglob("*.*") if path.suffix not in (".py", ".build"))] for line in wide_lines(path)]
    if wide:
        print(f"wider than {WIDTH} columns:", *wide, sep="\n  ")
        return 1
    if known:
        known.write_text("\n".join(stamps.values()), encoding="ascii")
    print(f"{len(stamps)} files, {len(files)} looked at")
    return 0


sys.exit(main())
