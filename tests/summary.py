#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the cases inside the test programs of one meson run, says which were skipped and why, and ends with one line:
"N passed, N failed", and ", N skipped" where some were.

usage: summary.py testlog.json [--no-skip] [--no-data-skip]

Exit status 1 where a case failed; with --no-skip, where one was skipped; with --no-data-skip, where one was skipped for want of test
data although there is a folder of it. The tests say why they skip in a line "skipped: REASON"; "skipped: no test data …" is the one
for data."""

import json
import os
import re
import sys

CASE = re.compile(r"^\[\s*(OK|FAILED|SKIPPED)\s*\] ([A-Za-z_]\w*)")
REASON = re.compile(r"^skipped: (.*)")
BEGIN = re.compile(r"^\[\s*RUN\s*\]")
UNKNOWN = "it does not say why"


def cases(entry):
    """(passed, failed, skipped) of one test program: two counts, and for each skipped case its name and why. A program that
    prints no cases is one case itself."""
    states, reasons, reason = {}, {}, None
    for line in (entry.get("stdout", "") + "\n" + entry.get("stderr", "")).splitlines():
        case, why = CASE.match(line), REASON.match(line)
        if BEGIN.match(line):
            reason = None
        elif why:
            reason = why[1]
        elif case:
            # cmocka prints a failed or skipped case again in its closing list.
            state, name = case.groups()
            states[name] = "FAILED" if "FAILED" in (state, states.get(name)) else state
            reasons.setdefault(name, reason or UNKNOWN)
            reason = None
    passed = sum(state == "OK" for state in states.values())
    failed = sum(state == "FAILED" for state in states.values())
    skipped = [(name, reasons[name]) for name, state in states.items() if state == "SKIPPED"]
    if entry["result"] in ("OK", "EXPECTEDFAIL"):
        return (passed if states else 1, failed, skipped)
    if entry["result"] == "SKIP":
        return (passed, failed, skipped or [("all of it", reason or UNKNOWN)])
    return (passed, max(failed, 1), skipped)


def refused(entry, why, rules):
    """Whether a skip for this reason counts as a failure."""
    data = entry.get("env", {}).get("SINEW_TEST_DATA", "")
    return "--no-skip" in rules or ("--no-data-skip" in rules and why.startswith("no test data") and os.path.isdir(data))


def main():
    path, *rules = sys.argv[1:]
    passed = failed = skipped = 0
    with open(path, encoding="utf-8") as log:
        for entry in map(json.loads, log):
            ok, wrong, skips = cases(entry)
            passed, failed = passed + ok, failed + wrong
            for name, why in skips:
                bad = refused(entry, why, rules)
                failed, skipped = failed + bad, skipped + (not bad)
                print(f"{'FAILED (skipped)' if bad else 'skipped'}: {entry['name'].split(' / ')[-1]}: {name}: {why}")
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


sys.exit(main())
