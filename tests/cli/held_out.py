#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a fit reads is the user's choice: sinew fit --on."""

import shutil

from harness import answer, refusal, run, sample_arm, sinew

METHOD = "linear-blend-fit"


def error_on(project, clip):
    rows = answer("measure", project, "--method", METHOD, "--clip", clip)["errors"]
    return next(row["erms"] for row in rows if row["method"] == METHOD)


def fitted(folder, name, *words):
    project = folder / f"{name}.sinew"
    sample_arm(project)
    sinew("fit", METHOD, project, *words)
    return project


def layer(project):
    return next(row for row in answer("info", project)["stack"] if row["name"] == METHOD)


def fit_on_one_clip_is_better_there_than_a_fit_on_another(folder):
    on_bend, on_twist = fitted(folder, "bend", "--on", "bend"), fitted(folder, "twist", "--on", "twist")
    assert error_on(on_bend, "bend") < error_on(on_twist, "bend")
    assert error_on(on_twist, "twist") < error_on(on_bend, "twist")


def fit_on_a_clip_does_not_see_the_others(folder):
    """Another clip's target may change: the model is neither stale nor different."""
    project = fitted(folder, "seen", "--on", "bend")
    without = folder / "without.sinew"
    shutil.copy(project, without)
    assert layer(project)["fitted_on"] == "bend"
    sinew("undo", without)  # the fit
    sinew("target", without, "remove", "twist")
    sinew("fit", METHOD, without, "--on", "bend")
    assert error_on(project, "bend") == error_on(without, "bend")


def choice_is_kept_by_later_fits_until_all_ends_it(folder):
    project = fitted(folder, "kept", "--on", "bend", "--on", "examples")
    assert layer(project)["fitted_on"] == "bend,examples"
    sinew("fit", METHOD, project, "--set", "influences=3")
    assert layer(project)["fitted_on"] == "bend,examples"
    sinew("fit", METHOD, project, "--on", "all")
    assert "fitted_on" not in layer(project)


def unknown_names_and_methods_without_clips_are_refused(folder):
    project = folder / "refused.sinew"
    sample_arm(project)
    assert "'walk'" in refusal("fit", METHOD, project, "--on", "walk", status=2)
    assert "inverse-psd reads no clips" in refusal("fit", "inverse-psd", project, "--on", "bend", status=2)
    assert not any(row["name"] == METHOD for row in answer("info", project)["stack"])


if __name__ == "__main__":
    run([fit_on_one_clip_is_better_there_than_a_fit_on_another, fit_on_a_clip_does_not_see_the_others,
         choice_is_kept_by_later_fits_until_all_ends_it, unknown_names_and_methods_without_clips_are_refused])
