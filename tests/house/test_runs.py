#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/run.py on small projects of shell commands: what repeats, what is unsteady, and the line that counts."""

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

from harness import run as run_cases
from sources import ROOT

sys.path.insert(0, str(ROOT / "tests"))
import run as runner  # noqa: E402 pylint: disable=wrong-import-position

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


def unsteady_test_is_named_and_counts_as_its_second_run_and_data_tests_run_without(folder):
    tests = {"passes": PASSES, "unsteady": UNSTEADY, "data": USES_DATA}
    *_, skipped, named, counts = lines_of(folder, tests, "--ci", "--no-data-skip")
    assert (skipped, counts) == ("skipped: data: all of it: no test data at x", "4 passed, 0 failed, 1 skipped"), (skipped, counts)
    assert re.match(r"unsteady: unsteady failed, and passed", named), named
    logs = [Path(path) for path in named.rsplit(": ", 1)[1].split(", ")]
    assert len(logs) == 2 and all(log.exists() for log in logs), logs
    assert lines_of(folder, tests, "--without-data")[-1] == "3 passed, 0 failed, 1 skipped"  # all of it


def test_that_fails_twice_or_only_without_data_has_failed(folder):
    leaks = "echo 'test data: x'; [ -n \"$SINEW_TEST_DATA\" ]"
    tests = {"passes": PASSES, "twice": TWICE, "leaks": leaks}
    lines = lines_of(folder, tests, status=1)
    assert lines[-1] == "3 passed, 1 failed" and not (folder / "twice" / "again").exists(), lines  # it repeats in CI alone
    (folder / "twice" / "first").rmdir()
    lines = lines_of(folder, tests, "--ci", status=1)
    assert lines[-1] == "3 passed, 2 failed" and not any(line.startswith("unsteady") for line in lines), lines
    assert (folder / "twice" / "again").exists()


def counts_of(failing, folder):
    """The last line, the notes and the names that ran twice, where so many tests fail in a run of CI and pass alone."""
    runs = []

    def meson_test(_, base, *words, without_data=False):
        runs.append(base)
        names = [f"unsteady-{i}" for i in range(failing)] if base == "testlog" else words
        return [{"name": f"small / {name}", "command": ["sh"], "stdout": "", "result": "FAIL" if base == "testlog" else "OK"}
                for name in names], int(base == "testlog")

    real, words, runner.meson_test, printed = runner.meson_test, sys.argv, meson_test, io.StringIO()
    try:
        (folder / "meson-logs").mkdir(exist_ok=True)
        sys.argv = ["run.py", str(folder), "quick", "--ci"]
        with contextlib.redirect_stdout(printed):
            runner.main()
    except SystemExit as end:
        counts = printed.getvalue().splitlines()
        assert (end.code == 0) == (", 0 failed" in counts[-1]), (end.code, counts)
    finally:
        runner.meson_test, sys.argv = real, words
    return counts[-1], sum(line.startswith("unsteady: ") for line in counts), len(runs) - 1


def four_unsteady_tests_fail_the_run(folder):
    found = counts_of(3, folder), counts_of(4, folder)
    assert found == (("3 passed, 0 failed", 3, 3), ("0 passed, 4 failed", 4, 4)), found


def nothing_repeats_where_too_many_fail(folder):
    found = counts_of(10, folder)[2], counts_of(11, folder)
    assert found == (10, ("0 passed, 11 failed", 0, 0)), found


run_cases([unsteady_test_is_named_and_counts_as_its_second_run_and_data_tests_run_without, test_that_fails_twice_or_only_without_data_has_failed,
           four_unsteady_tests_fail_the_run, nothing_repeats_where_too_many_fail])
