#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The layers of the stack, by the command line: added, moved, named, muted, removed; their parameters; and what is refused."""

import sqlite3

from harness import answer, refusal, run, sinew, tiny_arm


def arm(folder):
    project = folder / "arm.sinew"
    tiny_arm(project)
    sinew("stack", project, "add", "smooth", "--set", "passes=2")
    return project


def layers(project):
    return [row["name"] for row in answer("stack", project, "list")["layers"]]


def settings(project, name):
    return next(row["settings"] for row in answer("stack", project, "list")["layers"] if row["name"] == name)


def labels(project):
    return [row["label"] for row in answer("history", project)["history"] if not row["undone"]]


def layers_are_moved_named_and_removed(folder):
    project = arm(folder)
    before = layers(project)
    assert answer("stack", project, "add", "smooth")["made"] == [{"layer": "smooth-2"}]
    assert layers(project) == [*before, "smooth-2"]
    assert answer("stack", project, "move", "smooth-2", "--by", "-1")["place"] == len(before) - 1
    assert layers(project)[-2:] == ["smooth-2", "smooth"]
    sinew("stack", project, "move", "smooth-2", "0")
    assert layers(project) == ["smooth-2", *before]
    assert answer("stack", project, "name", "smooth-2", "soft")["changed"] == [{"layer": "soft"}]
    assert answer("stack", project, "remove", "soft")["removed"] == [{"layer": "soft"}]
    assert layers(project) == before
    for _ in range(5):
        sinew("undo", project)
    assert layers(project) == before


def parameters_are_set_and_reset(folder):
    project = arm(folder)
    sinew("stack", project, "set", "smooth", "--set", "passes=3")
    assert settings(project, "smooth") == {"passes": 3}
    sinew("stack", project, "unset", "smooth", "passes")
    assert settings(project, "smooth") == {}
    assert labels(project)[-2:] == ["set passes=3 of smooth", "unset passes of smooth"], labels(project)
    default = 5
    sinew("stack", project, "set", "smooth", "--set", "passes=4", "--set", f"passes={default}")
    assert settings(project, "smooth") == {}


def parameter_of_a_fit_says_when_it_takes_effect(folder):
    project = folder / "bend.sinew"
    tiny_arm(project)
    sinew("fit", "linear-blend-fit", project)
    said = sinew("stack", project, "set", "linear-blend-fit", "--set", "influences=2").stdout
    assert "influences takes effect with the next fit of linear-blend-fit" in said, said


def what_cannot_be_done_is_refused(folder):
    project = arm(folder)
    assert "no layer is named 'nobody'; there are: linear-blend" in refusal("stack", project, "mute", "nobody")
    assert "no method is named 'nobody'" in refusal("stack", project, "add", "nobody")
    assert "already a layer named 'smooth'" in refusal("stack", project, "add", "smooth", "--layer", "smooth")
    assert "already a layer named 'linear-blend'" in refusal("stack", project, "name", "smooth", "linear-blend")
    assert "a place from 0 to 1, or --by" in refusal("stack", project, "move", "smooth", status=2)
    assert "no place 9" in refusal("stack", project, "move", "smooth", "9", status=2)
    assert "KEY=VALUE" in refusal("stack", project, "set", "smooth", status=2)
    assert "passes" in refusal("stack", project, "set", "smooth", "--set", "passes=1e9", status=2)
    assert "pases" in refusal("stack", project, "set", "smooth", "--set", "pases=3", status=2)
    assert "inverse-psd" in refusal("stack", project, "add", "inverse-psd", status=2)
    sinew("stack", project, "unset", "smooth", "passes")
    assert "has no setting of passes" in refusal("stack", project, "unset", "smooth", "passes")


def spoil_model(project):
    """Leaves the fitted model half as long."""
    with sqlite3.connect(project) as file:
        file.execute("UPDATE array SET bytes = substr(bytes, 1, length(bytes) / 2) WHERE id IN (SELECT bytes FROM model)")
    file.close()


def layer_whose_model_does_not_match_is_left_out(folder):
    """Of a method that ships, as of any other."""
    project, bare, file = tiny_arm(folder / "p.sinew", fitted=True), tiny_arm(folder / "bare.sinew", fitted=True), folder / "p.glb"
    spoil_model(project)
    sinew("stack", bare, "mute", "inverse-psd")
    before = project.read_bytes()
    said = sinew("export", project, "-o", file, status=4).stderr
    assert "'inverse-psd'" in said and "does not match this character or is damaged, so fit it again; it is left out" in said, said
    sinew("export", bare, "-o", folder / "bare.glb")
    assert file.read_bytes() == (folder / "bare.glb").read_bytes()
    shown = answer("measure", project, status=4)
    assert [(row["layer"], row["plugin"]) for row in shown.pop("left_out")] == [("inverse-psd", "inverse-psd")]
    assert shown["errors"] == answer("measure", bare)["errors"]
    file.unlink()
    assert "does not match" in refusal("export", project, "-o", file, "--strict") and not file.exists()
    assert "does not match" in sinew("measure", project, "--method", "inverse-psd", status=1).stderr
    assert project.read_bytes() == before
    sinew("fit", "inverse-psd", project)
    assert answer("measure", project)["left_out"] == []


if __name__ == "__main__":
    run([layers_are_moved_named_and_removed, parameters_are_set_and_reset, parameter_of_a_fit_says_when_it_takes_effect,
         what_cannot_be_done_is_refused, layer_whose_model_does_not_match_is_left_out])
