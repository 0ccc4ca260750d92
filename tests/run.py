#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the tests of a build folder, and ends with the line that counts their cases.

usage: run.py BUILD SUITE… [--ci] [--without-data] [--no-skip] [--no-data-skip]

--ci adds two things. Quick tests that use the large test data run again without them, as strangers run them. A test that fails
runs once more alone; if it passes then, it is named as unsteady instead, and the logs of both runs are kept. More than
MOST_UNSTEADY of these are failures after all, and where more than MOST_REPEATED fail, none is repeated. The other options are
those of ./test."""

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from summary import WITHOUT_DATA, cases, summarize

MOST_UNSTEADY = 3
MOST_REPEATED = 10
TIMEOUT_MULTIPLIER = 10  # a test's `timeout` is what it needs at most on an idle machine


def short_name(entry):
    return entry["name"].split(" / ")[-1]


def log_of(build, base, without_data, ending):
    """Where meson writes: it adds the name of a wrapper to that of the log."""
    return Path(build) / "meson-logs" / (base + ("-" + WITHOUT_DATA[0] if without_data else "") + ending)


def meson_test(build, base, *words, without_data=False):
    """What one run of meson wrote about each test, and its exit status."""
    wrapper = ["--wrapper", " ".join(WITHOUT_DATA)] if without_data else []
    log = log_of(build, base, without_data, ".json")
    log.unlink(missing_ok=True)
    status = subprocess.run(["meson", "test", "-C", build, "--no-rebuild", "--timeout-multiplier", str(TIMEOUT_MULTIPLIER),
                             "--logbase", base, *wrapper, *words], check=False).returncode
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    return [json.loads(line) for line in lines], status


def together(build, *words, without_data=False):
    """Tests of the window and of other processes wait half of their time: one more than there are cores keeps them busy."""
    processes = len(os.sched_getaffinity(0)) + 1
    return meson_test(build, "testlog", "--num-processes", str(processes), "--print-errorlogs", *words,
                      without_data=without_data)


def uses_data(entry):
    """The harnesses print what they are asked for."""
    return re.search("^test data: ", entry.get("stdout", ""), re.MULTILINE)


def has_failed(entry):
    return cases(entry)[1] > 0


def repeat(build, entry):
    """The test alone: what it wrote this time, and where both logs are."""
    name, without_data = short_name(entry), entry["command"][:len(WITHOUT_DATA)] == WITHOUT_DATA
    first, second = (log_of(build, f"{run}-{name}", without_data, ".txt") for run in ("first", "again"))
    first.write_text(entry.get("stdout", "") + entry.get("stderr", ""), encoding="utf-8")
    again, _ = meson_test(build, f"again-{name}", name, without_data=without_data)
    return again[0] if len(again) == 1 else entry, f"{first}, {second}"


def repeat_failed(build, entries):
    """The entries with those in place that passed when they ran again, and a line for each of these."""
    failed = [i for i, entry in enumerate(entries) if has_failed(entry)]
    if len(failed) > MOST_REPEATED:
        return entries, []
    after, unsteady = list(entries), []
    for i in failed:
        again, logs = repeat(build, entries[i])
        if not has_failed(again):
            after[i] = again
            unsteady.append(f"unsteady: {short_name(again)} failed, and passed when it ran again alone: {logs}")
    return (entries if len(unsteady) > MOST_UNSTEADY else after), unsteady


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("suites", nargs="+")
    for option in ("--ci", "--without-data", "--no-skip", "--no-data-skip"):
        parser.add_argument(option, action="store_true")
    options = parser.parse_args()
    suites = [word for suite in options.suites for word in ("--suite", suite)]
    entries, status = together(options.build, *suites, without_data=options.without_data)
    unsteady = []
    if options.ci:
        data_tests = [] if options.without_data else [short_name(entry) for entry in entries if uses_data(entry)]
        if data_tests:
            print("again without test data, as strangers have none:", flush=True)
            more, more_status = together(options.build, "--suite", "quick", *data_tests, without_data=True)
            entries, status = entries + more, status or more_status
        if any(map(has_failed, entries)):
            status = 0  # else it is meson that failed
            entries, unsteady = repeat_failed(options.build, entries)
    failed = summarize(entries, no_skip=options.no_skip, no_data_skip=options.no_data_skip, notes=unsteady)
    sys.exit(1 if status or failed else 0)


if __name__ == "__main__":
    main()
