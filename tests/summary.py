# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the cases inside the test programs of meson's runs, says which were skipped and why, and ends with one line:
"N passed, N failed", and ", N skipped" where some were.

The tests say why they skip in a line "skipped: REASON"; "skipped: no test data …" is the one for data."""

import os
import re

CASE = re.compile(r"^\[\s*(OK|FAILED|SKIPPED)\s*\] ([A-Za-z_]\w*)")
REASON = re.compile(r"^skipped: (.*)")
BEGIN = re.compile(r"^\[\s*RUN\s*\]")
UNKNOWN = "it does not say why"
WITHOUT_DATA = ["env", "SINEW_TEST_DATA="]  # what a test's command begins with where it runs without the large test data


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


def has_data(entry):
    folder = entry.get("env", {}).get("SINEW_TEST_DATA", "")
    return entry["command"][:len(WITHOUT_DATA)] != WITHOUT_DATA and os.path.isdir(folder)


def summarize(entries, no_skip, no_data_skip, notes):
    """Prints the skipped cases, the notes and the counts; whether the run has failed. A skipped case has failed where `no_skip`
    is set, or where `no_data_skip` is set and it skipped for want of test data although there is a folder of it."""
    passed = failed = skipped = 0
    for entry in entries:
        ok, wrong, skips = cases(entry)
        passed, failed = passed + ok, failed + wrong
        for name, why in skips:
            bad = no_skip or (no_data_skip and why.startswith("no test data") and has_data(entry))
            failed, skipped = failed + bad, skipped + (not bad)
            print(f"{'FAILED (skipped)' if bad else 'skipped'}: {entry['name'].split(' / ')[-1]}: {name}: {why}")
    print(*notes, sep="\n", end="\n" if notes else "")
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""), flush=True)
    return failed > 0 or not passed
