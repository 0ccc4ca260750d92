#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The host and the user interfaces name no deformer, in no string or comment: they find deformers by their traits and extensions.

Some names are also terms of the field (docs/glossary.md). "Linear blend" is a kind of blend of the ABI, and what engines play; a character
as its file has it is a linear blend. So that is what messages call it, whichever deformer has SNW_BASELINE."""

import re
import sys

from sources import ROOT, sources

# Terms of the field that messages may use, written as words.
TERMS = {"linear-blend", "dual-quaternion", "helper-joints", "skin-weights"}
# Words that are also the name of something else: a kind of blend, a brush.
OTHER_MEANINGS = {("host/export/plan/plan.c", "dual-quaternion"), ("host/benchmark/speed.c", "dual-quaternion"),
                  ("ui/benchmark/graphics.c", "dual-quaternion"), ("host/sculpt/brush.h", "smooth")}
COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"((?:\\.|[^"\\\n])*)"', re.S)


def shipped():
    """Ids and short names, as the descriptors give them."""
    found = set()
    for path in (ROOT / "deformers").rglob("*.c"):
        found.update(re.findall(r'\.(?:id|short_name) = "([^"]+)"', path.read_text(encoding="utf-8")))
    return found


def main():
    names = shipped()
    assert {"linear-blend", "org.sinew.linear-blend", "inverse-psd"} <= names, names
    # Inside a longer text, an id or a short name of several words; "smooth" and "sad" are also plain words.
    unmistakable = sorted((name for name in names if "." in name or "-" in name), key=len, reverse=True)
    # What follows "=" is the value of a setting ("blend=dual-quaternion").
    inside = re.compile(rf"(?<![\w=-])(?:{'|'.join(map(re.escape, unmistakable))})(?![\w-])")
    # In a comment also the field of one ("sad.residual"), and in a message its name as words ("inverse PSD").
    in_comment = re.compile(rf"{inside.pattern}|(?<![\w.-])(?:{'|'.join(map(re.escape, names))})\.(?=[a-z])")
    spelled_out = (name.replace("-", "[ -]") for name in unmistakable if "." not in name and name not in TERMS)
    in_words = re.compile(rf"\b(?:{'|'.join(spelled_out)})\b", re.I)
    assert in_comment.search('/* "sad.residual" */') and not in_comment.search("/* it is smooth. */") and in_words.search("by inverse PSD")
    faults = 0
    unused = set(OTHER_MEANINGS)
    for path in sources(".c", ".h", ".cpp"):
        place = path.relative_to(ROOT).as_posix()
        if not place.startswith(("host/", "ui/", "plugins/")):
            continue
        text = path.read_text(encoding="utf-8")
        for literal in COMMENT_OR_STRING.finditer(text):
            words = literal.group(1)
            if words is None:
                named = in_comment.search(literal.group())
            else:
                named = words in names or inside.search(words) or (not place.startswith("plugins/") and in_words.search(words))
            unused.discard((place, words))
            if named and (place, words) not in OTHER_MEANINGS:
                faults += 1
                line = text.count("\n", 0, literal.start()) + 1
                print(f"{place}:{line}: names the deformer '{words or named.group()}'; find it by its traits (snw_registry_find_trait)")
    for place, words in sorted(unused):
        print(f"{place}: does not name '{words}' any more; remove it from the exceptions")
    sys.exit(faults > 0 or len(unused) > 0)


main()
