#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`--trace FILE` writes each call of a plug-in, in the program and in its worker, as JSON that Perfetto opens.

Argument: the program."""

import json

from harness import run, sinew, tiny_arm


def traced(folder, *words):
    """The calls, and the names of the processes."""
    path = folder / "trace.json"
    sinew(*words, "--trace", path, "--quiet")
    rows = json.loads(path.read_text())
    calls = [row for row in rows if row["ph"] == "X"]
    assert all({"name", "ts", "dur", "pid", "tid", "args"} <= row.keys() and row["dur"] >= 0 for row in calls)
    return calls, {row["pid"]: row["args"]["name"] for row in rows if row["name"] == "process_name"}


def named(calls, name):
    return [row for row in calls if row["name"] == name]


def fit_is_traced_in_the_worker_and_evaluation_in_the_program(folder):
    project = tiny_arm(folder / "arm.sinew")
    calls, processes = traced(folder, "fit", "inverse-psd", project, "--layer", 'a "quoted" layer')
    fits = named(calls, "inverse-psd fit")
    assert fits and all(processes[row["pid"]] == "sinew-worker" for row in fits), fits  # the fit and its parallel chunks
    assert set(processes.values()) == {"sinew fit", "sinew-worker"}, processes
    drives = named(calls, "inverse-psd drive")
    assert drives and all(row["args"]["layer"] == 'a "quoted" layer' for row in drives)
    assert processes[drives[-1]["pid"]] == "sinew fit"


def functions_that_are_not_called_are_not_traced(folder):
    """A model that is stored is loaded: its stack enters the same call as for a fit."""
    calls, _ = traced(folder, "measure", tiny_arm(folder / "arm.sinew", fitted=True))
    assert named(calls, "inverse-psd load") and not named(calls, "inverse-psd fit")


def trace_that_cannot_be_written_is_refused_before_anything_is_done(folder):
    project = tiny_arm(folder / "arm.sinew")
    before = project.read_bytes()
    refused = sinew("fit", "inverse-psd", project, "--trace", folder / "nowhere" / "trace.json", status=1)
    assert "the trace cannot be written" in refused.stderr and project.read_bytes() == before


run([fit_is_traced_in_the_worker_and_evaluation_in_the_program, functions_that_are_not_called_are_not_traced,
     trace_that_cannot_be_written_is_refused_before_anything_is_done])
