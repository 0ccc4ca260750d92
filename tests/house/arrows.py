#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrows point one way: ui → host → plugins ← deformers. Every #include "…" is looked up and its arrow checked.

A header that calls itself private to a room ("Private to host/project") is included from that room alone.

Inside a floor the arrows form no circle: neither between its rooms (host/stack, host/program), nor between folders (host/import/gltf,
host/import/common). A circle is printed as its path, each arrow with an include that makes it."""

import re
import sys

from sources import ROOT, sources

# Where each folder's includes may lead; deformers also only to motion and to their own folder.
ALLOWED = {
    "plugins": {"plugins"},
    "deformers": {"plugins", "deformers"},
    "host": {"plugins", "host"},
    "ui": {"plugins", "host", "ui"},
}
ROOTS = ("plugins/include", "plugins/runtime", "plugins/kit/include", "plugins", "deformers", "host", "ui")
PRIVATE = re.compile(r"Private to ([a-z]+/[a-z]+)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def target_of(path, name):
    """The file that an include means, relative to the project, or None."""
    for folder in (path.parent, *(ROOT / root for root in ROOTS)):
        if (folder / name).is_file():
            return (folder / name).resolve().relative_to(ROOT)
    return None


def fault(home, target):
    """What is wrong with an include, or None."""
    if target is None:
        return "is found nowhere in the project"
    if target.parts[0] not in ALLOWED[home.parts[0]]:
        return f"points from {home.parts[0]} to {target.parts[0]}"
    if home.parts[0] == target.parts[0] == "deformers" and target.parts[1] not in ("motion", home.parts[1]):
        return "points from one deformer to another"
    owner = PRIVATE.search((ROOT / target).read_text(encoding="utf-8")[:800])
    if owner and room(home) != owner[1]:
        return f"is private to {owner[1]}"
    return None


def room(path):
    """The room of a file: the folder below its floor."""
    return "/".join(path.parent.parts[:2])


def folder(path):
    """The innermost folder of a file."""
    return "/".join(path.parent.parts)


def circle(arrows):
    """A circle among arrows (from → to → an include), as a list of nodes whose last is its first; or None."""
    done = set()
    path = []

    def walk(node):
        if node in path:
            return path[path.index(node) :] + [node]
        if node in done:
            return None
        path.append(node)
        for target in sorted(arrows.get(node, ())):
            found = walk(target)
            if found:
                return found
        path.pop()
        done.add(node)
        return None

    for node in sorted(arrows):
        found = walk(node)
        if found:
            return found
    return None


def circle_faults(includes, place):
    """The circle that the includes (file, target) make between places of one floor, as lines of text."""
    arrows = {}
    for home, target in includes:
        if home.parts[0] == target.parts[0] and place(home) != place(target):
            arrows.setdefault(place(home), {}).setdefault(place(target), f"{home} includes {target}")
    found = circle(arrows)
    if found is None:
        return []
    return ["circle: " + " → ".join(found)] + [f"    {arrows[a][b]}" for a, b in zip(found, found[1:])]


def main():
    faults = []
    includes = []
    for path in sources(".c", ".h", ".cpp"):
        home = path.relative_to(ROOT)
        if home.parts[0] not in ALLOWED:
            continue
        for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            target = target_of(path, name)
            words = fault(home, target)
            if words:
                faults.append(f'{home}: #include "{name}" {words}')
            else:
                includes.append((home, target))
    for place in (room, folder):
        faults += circle_faults(includes, place)
    print(*faults, sep="\n")
    print(f"{len(includes)} includes looked at")
    return 1 if faults or not includes else 0


sys.exit(main())
