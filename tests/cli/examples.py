#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples for plug-in authors pass the validator, and inverse PSD reproduces the sculpts of the sample arm through each as a black
box.

Arguments: the program, the folder of the examples."""

import os
import random
import sys

from harness import LONG, answer, random_seed, run, sinew, tiny_arm

FOLDER = sys.argv[2]
ENV = {"SINEW_PLUGIN_PATH": f"{os.environ['SINEW_PLUGIN_PATH']}:{FOLDER}"}


def largest_error(project):
    """Of the whole stack at its examples, in percent of the diagonal."""
    rows = answer("measure", project, env=ENV)["errors"]
    return [row["max_percent"] for row in rows if row["against"] == "examples"][-1]


def inverts(folder, name, *settings):
    project = tiny_arm(folder / "arm.sinew")
    before = largest_error(project)
    sinew("stack", project, "add", name, *settings, env=ENV)
    sinew("fit", "inverse-psd", project, env=ENV)
    assert before > 1 and largest_error(project) < 1e-3, (before, largest_error(project))


def examples_pass_the_validator(_):
    names = ["lattice", "mush", "centers", "spherical"]
    if not LONG:
        random.seed(random_seed())
        names = random.sample(names, 2)
    for name in names:
        sinew("validate", f"{FOLDER}/example-{name}.so", "--level", "quick")


def sculpts_are_inverted_through_a_lattice(folder):
    inverts(folder, "example-lattice", "--set", "corner-111=0.1,0.2,0", "--set", "corner-000=0,-0.1,0.05")


def sculpts_are_inverted_through_delta_mush(folder):
    inverts(folder, "example-mush", "--set", "passes=2")


def sculpts_are_inverted_through_centres_of_rotation(folder):
    project = tiny_arm(folder / "arm.sinew")
    sinew("fit", "example-centers", project, env=ENV)
    sinew("fit", "inverse-psd", project, env=ENV)
    assert largest_error(project) < 1e-3, largest_error(project)


def sculpts_are_inverted_through_spherical_blend(folder):
    inverts(folder, "example-spherical")


def clip_errors(project, *method):
    """erms of the last method that is measured, for each clip."""
    rows = answer("measure", project, *method, env=ENV)["errors"]
    return {row["against"]: row["erms"] for row in rows}


def centres_of_rotation_twist_as_dual_quaternions_do_and_bend_without_their_bulge(folder):
    """The claim of the paper; docs/plugin-guide.md has these figures."""
    project = tiny_arm(folder / "arm.sinew")
    linear = clip_errors(project)
    dual = clip_errors(project, "--method", "dual-quaternion")
    sinew("fit", "example-centers", project, env=ENV)
    centers = clip_errors(project)
    found = [round(errors["bend"], 2) for errors in (linear, dual, centers)]
    assert found == [5.39, 5.9, 4.75], found
    found = [round(errors["twist"], 2) for errors in (linear, dual, centers)]
    assert found == [16.06, 16.04, 16.04], found


def spherical_blend_goes_where_dual_quaternions_go(folder):
    """Two joints turn by one screw between them, about whose axis both methods blend. In a clip that moves them all, they nearly agree."""
    project = tiny_arm(folder / "arm.sinew")
    linear = clip_errors(project)
    dual = clip_errors(project, "--method", "dual-quaternion")
    spherical = clip_errors(project, "--method", "example-spherical")
    for clip in ("bend", "twist", "both"):
        assert abs(spherical[clip] - dual[clip]) < 0.01 < abs(linear[clip] - dual[clip]), (clip, spherical, dual, linear)


run([examples_pass_the_validator, sculpts_are_inverted_through_a_lattice, spherical_blend_goes_where_dual_quaternions_go],
    long=[examples_pass_the_validator, centres_of_rotation_twist_as_dual_quaternions_do_and_bend_without_their_bulge,
          sculpts_are_inverted_through_delta_mush, sculpts_are_inverted_through_centres_of_rotation,
          sculpts_are_inverted_through_spherical_blend])
