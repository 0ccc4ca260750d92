#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrows point one way: ui → host → plugins/include ← deformers. Every #include "…" is looked up and its arrow checked."""

import re
import sys

from sources import ROOT, sources

# Where each folder's includes may lead; deformers also only to the kit, to motion and to their own folder.
ALLOWED = {
    "plugins": {"plugins"},
    "deformers": {"plugins", "deformers"},
    "host": {"plugins", "host"},
    "ui": {"plugins", "host", "ui"},
}
ROOTS = ("plugins/include", "plugins/runtime", "deformers", "host", "ui")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def target_of(path, name):
    """The file that an include means, relative to the project, or None."""
    for folder in (path.parent, *(ROOT / root for root in ROOTS)):
        if (folder / name).is_file():
            return (folder / name).resolve().relative_to(ROOT)
    return None


def fault(path, name):
    """What is wrong with an include, or None."""
    home = path.relative_to(ROOT).parts
    target = target_of(path, name)
    if target is None:
        return "is found nowhere in the project"
    if target.parts[0] not in ALLOWED[home[0]]:
        return f"points from {home[0]} to {target.parts[0]}"
    if home[0] == target.parts[0] == "deformers" and target.parts[1] not in ("kit", "motion", home[1]):
        return "points from one deformer to another"
    return None


def main():
    faults = []
    count = 0
    for path in sources(".c", ".h", ".cpp"):
        if path.relative_to(ROOT).parts[0] not in ALLOWED:
            continue
        for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            count += 1
            words = fault(path, name)
            if words:
                faults.append(f'{path.relative_to(ROOT)}: #include "{name}" {words}')
    print(*faults, sep="\n")
    print(f"{count} includes looked at")
    return 1 if faults or count == 0 else 0


sys.exit(main())
