#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names in the code say what a thing is (docs/glossary.md). Words that stood for many things, or for none that the field knows, are no
names: "left" was a residual, a remainder and a side; "turn" a rotation vector, a quaternion and a matrix."""

import re
import sys

from sources import ROOT, sources

# As a whole name, with what it may stand for.
NAMES = {
    "moved": "the displacement, the shifted mesh, the entries", "turn": "rotation_vector, quaternion, matrix", "turned": "rotated",
    "turns": "rotations", "own": "what it belongs to", "now": "the time", "told": "reported", "noted": "recorded", "lean": "slant",
    "errand": "job", "clerk": "worker", "desk": "document", "aide": "worker", "aside": "job", "wear": "bind", "carry": "transfer",
}
# As a part of a longer name too.
PARTS = {"clerk", "errand", "desk", "aide", "told", "noted", "heard", "speaks"}
# Clocks that are read in one place alone (sinew/kit/clock.h).
SANDBOX = "host/worker/program/sandbox.c"  # lists the calls by name
CLOCKS = {"clock_gettime": ("plugins/kit/clock.c", SANDBOX), "gettimeofday": (SANDBOX,), "SDL_GetTicks": (),
          "SDL_GetPerformanceCounter": ()}
SCRIPTS = (".py", ".mjs", ".cjs", ".glsl", ".comp", ".vert", ".frag")
# What is no name: comments and strings.
STRINGS_AND_NAMES = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[A-Za-z_]\w*'
TOKEN = re.compile(r"/\*.*?\*/|//[^\n]*|" + STRINGS_AND_NAMES, re.S)
PYTHON_TOKEN = re.compile(r'"""(?:\\.|.)*?"""|#[^\n]*|' + STRINGS_AND_NAMES, re.S)


def wrong(name):
    """Why it is not a name, or None."""
    if name in NAMES:
        return f"'{name}' is no name; say what it is, such as {NAMES[name]}"
    parts = PARTS.intersection(name.lower().split("_"))
    return f"'{name}' has a word that is not in the glossary: {', '.join(parts)}" if parts else None


def faults_of(path, reason_of):
    """A line for each name of a file that is wrong. Most files have none, so that each name is looked at once, whatever its places are."""
    token, text = PYTHON_TOKEN if path.suffix == ".py" else TOKEN, path.read_text(encoding="utf-8")
    reasons = {name: reason_of(name) for name in set(token.findall(text)) if name[0] not in "/#\"'"}
    if not any(reasons.values()):
        return []
    return [f"{path.relative_to(ROOT).as_posix()}:{text.count(chr(10), 0, found.start()) + 1}: {reasons[found.group()]}"
            for found in token.finditer(text) if reasons.get(found.group())]


def wrong_in(path):
    """Why a name is wrong in that file of C, or None."""
    place = path.relative_to(ROOT).as_posix()

    def reason(name):
        if place not in CLOCKS.get(name, (place,)) and not place.startswith("tests/"):
            return f"'{name}' reads another clock than sinew/kit/clock.h"
        return wrong(name)
    return reason


def scripts():
    """The other languages of this repository."""
    folders = [ROOT / folder for folder in ("tests", "docs", "shaders", "plugins", "ui")]
    return sorted(path for folder in folders for ending in SCRIPTS for path in folder.rglob("*" + ending))


def main():
    faults = [line for path in scripts() for line in faults_of(path, wrong)]
    faults += [line for path in sources(".c", ".h", ".cpp") for line in faults_of(path, wrong_in(path))]
    print(*faults, sep="\n", end="\n" if faults else "")
    assert wrong("told") and wrong("SNW_CLERK_BYTES") and not wrong("left_out") and not wrong("rotated")
    sys.exit(len(faults) > 0)


main()
