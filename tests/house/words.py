#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names in the code say what a thing is (docs/glossary.md). Words that stood for many things, or for none that the field knows, are no
names: "left" was a residual, a remainder and a side; "turn" a rotation vector, a quaternion and a matrix."""

import re
import sys
import tokenize

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
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[A-Za-z_]\w*', re.S)


def wrong(name):
    """Why it is not a name, or None."""
    if name in NAMES:
        return f"'{name}' is no name; say what it is, such as {NAMES[name]}"
    parts = PARTS.intersection(name.lower().split("_"))
    return f"'{name}' has a word that is not in the glossary: {', '.join(parts)}" if parts else None


def script_names(path):
    """The names in a script, with their lines."""
    if path.suffix == ".py":
        with open(path, "rb") as file:
            return [(token.string, token.start[0]) for token in tokenize.tokenize(file.readline) if token.type == tokenize.NAME]
    text = path.read_text(encoding="utf-8")
    return [(token.group(), text.count("\n", 0, token.start()) + 1) for token in TOKEN.finditer(text) if token.group()[0] not in "/\"'`"]


def scripts():
    """The other languages of this repository."""
    folders = [ROOT / folder for folder in ("tests", "docs", "shaders", "plugins", "ui")]
    return sorted(path for folder in folders for ending in SCRIPTS for path in folder.rglob("*" + ending))


def main():
    faults = 0
    for path in scripts():
        for name, line in script_names(path):
            if wrong(name):
                faults += 1
                print(f"{path.relative_to(ROOT).as_posix()}:{line}: {wrong(name)}")
    for path in sources(".c", ".h", ".cpp"):
        place = path.relative_to(ROOT).as_posix()
        text = path.read_text(encoding="utf-8")
        for token in TOKEN.finditer(text):
            reason = wrong(token.group()) if token.group()[0] not in "/\"'" else None
            if place not in CLOCKS.get(token.group(), (place,)) and not place.startswith("tests/"):
                reason = f"'{token.group()}' reads another clock than sinew/kit/clock.h"
            if reason:
                faults += 1
                print(f"{place}:{text.count(chr(10), 0, token.start()) + 1}: {reason}")
    assert wrong("told") and wrong("SNW_CLERK_BYTES") and not wrong("left_out") and not wrong("rotated")
    sys.exit(faults > 0)


main()
