#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples for plug-in authors pass the validator, and inverse PSD reproduces the sculpts of the sample arm through each as a black
box.

Arguments: the program, the folder of the examples."""

import os
import sys

from harness import answer, run, sample_arm, sinew

FOLDER = sys.argv[2]
ENV = {"SINEW_PLUGIN_PATH": f"{os.environ['SINEW_PLUGIN_PATH']}:{FOLDER}"}


def largest_error(project):
    """Of the whole stack at its examples, in percent of the diagonal."""
    rows = answer("measure", project, env=ENV)["errors"]
    return [row["max_percent"] for row in rows if row["against"] == "examples"][-1]


def inverts(folder, name, *settings):
    project = sample_arm(folder / "arm.sinew")
    before = largest_error(project)
    sinew("stack", project, "add", name, *settings, env=ENV)
    sinew("fit", "inverse-psd", project, env=ENV)
    assert before > 1 and largest_error(project) < 1e-3, (before, largest_error(project))
    sinew("validate", f"{FOLDER}/{name}.so", "--level", "quick")


def sculpts_are_inverted_through_a_lattice(folder):
    inverts(folder, "example-lattice", "--set", "corner-111=0.1,0.2,0", "--set", "corner-000=0,-0.1,0.05")


def sculpts_are_inverted_through_delta_mush(folder):
    inverts(folder, "example-mush", "--set", "passes=2")


run([sculpts_are_inverted_through_a_lattice, sculpts_are_inverted_through_delta_mush])
