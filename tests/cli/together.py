#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Several commands on one project at the same time: they run one after another, or one line says why a command failed."""

import subprocess

from harness import SINEW, answer, environment, run, sample_arm, sinew, tiny_arm


def together(*commands):
    """Starts all of them at once; their statuses and errors."""
    started = [subprocess.Popen([SINEW, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                env=environment(words)) for words in commands]
    return [(process.communicate(timeout=240)[1], process.returncode) for process in started]


def poses_added_at_once_are_all_stored(folder):
    project = tiny_arm(folder / "p.sinew")
    before = len(answer("pose", project, "list")["poses"])
    for errors, status in together(*(("pose", project, "add", f"pose-{i}") for i in range(3))):
        assert status == 0, errors
    assert len(answer("pose", project, "list")["poses"]) == before + 3


def fits_at_once_never_act_one_after_the_other(folder):
    project = tiny_arm(folder / "p.sinew")
    ends = together(*(("fit", "linear-blend-fit", project, "--layer", f"fit-{i}") for i in range(2)))
    good = [errors for errors, status in ends if status == 0]
    refused = [errors for errors, status in ends if status != 0]
    assert len(good) >= 1, ends
    for errors in refused:
        assert "changed while fit-" in errors and "nothing was written" in errors, errors
    active = [layer for layer in answer("stack", project, "list")["layers"] if not layer["muted"]]
    assert len(active) == 1 and active[0]["name"].startswith("fit-"), active


def fit_of_what_changes_meanwhile_is_kept_on_request(folder):
    project = tiny_arm(folder / "p.sinew")
    ends = together(*(("fit", "linear-blend-fit", project, "--layer", f"fit-{i}", "--keep-as", f"spare-{i}") for i in range(2)))
    assert all(status == 0 for _, status in ends), ends
    layers = answer("stack", project, "list")["layers"]
    assert len([layer for layer in layers if not layer["muted"]]) == 1, layers
    for layer in layers:
        assert layer["muted"] or layer["name"].startswith("fit-"), layers
    assert any("changed while" in errors for errors, _ in ends) == any(l["name"].startswith("spare-") for l in layers), (ends, layers)


def bake_keeps_what_is_added_meanwhile_and_refuses_what_it_has_read(folder):
    for words, status in [(("pose", "add", "other"), 0), (("weights", "prune", "--influences", "1"), 1)]:
        project = sample_arm(folder / f"{words[0]}.sinew")
        bake = subprocess.Popen([SINEW, "bake", project, "--budget", "influences=2", "--clip", "bend", "--progress"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                text=True, env=environment(("bake",)))
        while "activity" not in (said := bake.stderr.readline()) or "reading" in said:
            assert said, "the bake has ended before it began to work"
        sinew(words[0], project, *words[1:])
        said = bake.communicate(timeout=240)[1]
        assert bake.returncode == status and ("the weights changed during the bake; nothing was written" in said) == bool(status), said
        assert ("baked" in [layer["name"] for layer in answer("stack", project, "list")["layers"]]) == (not status)
    assert "other" in [pose["name"] for pose in answer("pose", folder / "pose.sinew", "list")["poses"]]


run([poses_added_at_once_are_all_stored, fits_at_once_never_act_one_after_the_other,
     fit_of_what_changes_meanwhile_is_kept_on_request, bake_keeps_what_is_added_meanwhile_and_refuses_what_it_has_read])
