#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the cases inside the test programs of one meson run and prints "N passed, N failed"; fails where one failed."""

import json
import re
import sys

CASE = re.compile(r"^\[\s*(OK|FAILED|SKIPPED)\s*\] ([A-Za-z_]\w*)", re.MULTILINE)


def cases(entry):
    """(passed, failed, skipped, why) of one test program, which is one case itself where it prints none."""
    text = entry.get("stdout", "") + entry.get("stderr", "")
    states = {}
    for state, name in CASE.findall(text):
        # cmocka prints a failed case again in its closing list.
        states[name] = "FAILED" if "FAILED" in (state, states.get(name)) else state
    passed = sum(state == "OK" for state in states.values())
    failed = sum(state == "FAILED" for state in states.values())
    skipped = sum(state == "SKIPPED" for state in states.values())
    if entry["result"] in ("OK", "EXPECTEDFAIL"):
        return (passed if states else 1, failed, skipped)
    if entry["result"] == "SKIP":
        return (passed, failed, max(skipped, 1))
    return (passed, max(failed, 1), skipped)


def main():
    with open(sys.argv[1], encoding="utf-8") as log:
        counts = [cases(json.loads(line)) for line in log]
    passed, failed, skipped = (sum(column) for column in zip(*counts)) if counts else (0, 0, 0)
    if skipped:
        print(f"{skipped} skipped (data or a program that is not here; the log says which)")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
