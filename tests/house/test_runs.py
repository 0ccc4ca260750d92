#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/run.py on small projects of shell commands: what repeats, what is unsteady, and the line that counts."""

import os
import re
import subprocess
import sys
from pathlib import Path

from harness import run
from sources import ROOT

MESON = sys.argv[1]
PASSES = "echo '[       OK ] a'; echo '[       OK ] b'"
# Each fails the first time.
UNSTEADY = "mkdir first 2>/dev/null && exit 1; exit 0"
TWICE = "mkdir first 2>/dev/null || touch again; exit 1"
USES_DATA = "echo 'test data: x'; [ -n \"$SINEW_TEST_DATA\" ] || { echo 'skipped: no test data at x'; exit 77; }"


def make(folder, tests):
    """A project of these shell commands, each in a folder of its own; all are quick."""
    rules = ["project('small')"]
    for name, command in tests.items():
        place = folder / name
        place.mkdir(parents=True)
        (place / "test.sh").write_text(command)
        rules.append(f"test('{name}', find_program('sh'), args: ['{place}/test.sh'], workdir: '{place}', suite: ['quick'], "
                     f"env: {{'SINEW_TEST_DATA': '{folder}'}})")
    (folder / "meson.build").write_text("\n".join(rules) + "\n")
    subprocess.run([MESON, "setup", folder / "build", folder], check=True, capture_output=True)


def lines_of(folder, tests, *options, status=0):
    """The lines of a run."""
    if not (folder / "build").exists():
        make(folder, tests)
    # Those of the test that runs this are not for the runs inside it.
    env = {key: value for key, value in os.environ.items() if key not in ("MESON_TESTTHREADS", "MALLOC_PERTURB_")}
    done = subprocess.run([sys.executable, ROOT / "tests" / "run.py", folder / "build", "quick", *options],
                          capture_output=True, text=True, check=False, env=env)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout.splitlines()


def three_unsteady_tests_are_named_and_count_as_their_second_runs(folder):
    *_, named, counts = lines_of(folder, {"passes": PASSES, **{f"unsteady-{i}": UNSTEADY for i in range(3)}}, "--ci")
    assert counts == "5 passed, 0 failed", counts
    assert re.match(r"unsteady: unsteady-\d failed, and passed", named), named
    logs = [Path(path) for path in named.rsplit(": ", 1)[1].split(", ")]
    assert len(logs) == 2 and all(log.exists() for log in logs), logs


def test_that_fails_twice_or_only_without_data_has_failed(folder):
    leaks = "echo 'test data: x'; [ -n \"$SINEW_TEST_DATA\" ]"
    lines = lines_of(folder, {"passes": PASSES, "twice": TWICE, "leaks": leaks}, "--ci", status=1)
    assert lines[-1] == "3 passed, 2 failed" and not any(line.startswith("unsteady") for line in lines), lines
    assert (folder / "twice" / "again").exists()


def four_unsteady_tests_fail_the_run(folder):
    *_, named, counts = lines_of(folder, {f"unsteady-{i}": UNSTEADY for i in range(4)}, "--ci", status=1)
    assert counts == "0 passed, 4 failed" and named.startswith("unsteady: "), (named, counts)


def nothing_repeats_where_too_many_fail(folder):
    lines = lines_of(folder, {f"twice-{i}": TWICE for i in range(11)}, "--ci", status=1)
    assert lines[-1] == "0 passed, 11 failed" and not list(folder.glob("*/again")), lines


def nothing_repeats_outside_of_continuous_integration(folder):
    lines = lines_of(folder, {"passes": PASSES, "twice": TWICE, "data": USES_DATA}, status=1)
    assert lines[-1] == "3 passed, 1 failed" and not (folder / "twice" / "again").exists(), lines


def test_that_uses_data_runs_again_without(folder):
    tests = {"passes": PASSES, "data": USES_DATA}
    lines = lines_of(folder, tests, "--ci", "--no-data-skip")
    assert lines[-2:] == ["skipped: data: all of it: no test data at x", "3 passed, 0 failed, 1 skipped"], lines
    assert lines_of(folder, tests, "--without-data")[-1] == "2 passed, 0 failed, 1 skipped"  # all of it


run([three_unsteady_tests_are_named_and_count_as_their_second_runs, test_that_fails_twice_or_only_without_data_has_failed,
     four_unsteady_tests_fail_the_run, nothing_repeats_where_too_many_fail, nothing_repeats_outside_of_continuous_integration,
     test_that_uses_data_runs_again_without])
