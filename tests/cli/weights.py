#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Skin weights edited as a whole by the command line; each edit is one step that is taken back."""

from harness import answer, refusal, run, sinew


def weights_are_pruned_mirrored_and_taken_back(folder):
    project = folder / "arm.sinew"
    sinew("sample", "small-arm", "-o", project)
    before = answer("info", project)["meshes"]
    pruned = answer("weights", project, "prune", "--influences", 1)
    assert pruned["influences"] == before[0]["points"], pruned
    sinew("undo", project)
    assert answer("info", project)["meshes"] == before
    answer("weights", project, "mirror", "--axis", "z", "--from", "-")
    answer("weights", project, "normalise", "--lock", "elbow")


def what_cannot_be_edited_is_told(folder):
    project = folder / "bar.sinew"
    sinew("sample", "bar", "-o", project)
    assert "sinew bind" in refusal("weights", project, "prune")
    assert "no such joint" in refusal("weights", project, "prune", "--lock", "knee")
    assert "--from" in refusal("weights", project, "copy", status=2)
    assert "--from" in refusal("weights", project, "mirror", "--from", "left", status=2)


if __name__ == "__main__":
    run([weights_are_pruned_mirrored_and_taken_back, what_cannot_be_edited_is_told])
