#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Skin weights for a skeleton by the command line: made, replaced on request alone, taken back; on the human, near the artist's."""

from harness import answer, data, refusal, run, sinew
from weights import rest, skin


def weights_are_replaced_on_request_and_taken_back(folder):
    project = folder / "arm.sinew"
    sinew("sample", "small-arm", "-o", project)
    before = answer("measure", project, "--method", "linear-blend")["errors"]
    assert "--replace" in refusal("bind", project)
    assert "no such mesh" in refusal("bind", project, "--on", "leg")
    bound = answer("bind", project, "--replace", "--influences", 2, "--set", "source=heat")
    assert len(bound["meshes"]) == 1, bound
    assert answer("measure", project, "--method", "linear-blend")["errors"] != before
    sinew("undo", project)
    assert answer("measure", project, "--method", "linear-blend")["errors"] == before


def locked_joints_and_points_outside_a_mask_keep_their_weights(folder):
    project = folder / "arm.sinew"
    sinew("sample", "small-arm", "-o", project)
    before, points = skin(project), rest(project)
    joints = [row["name"] for row in answer("info", project)["joints"]]
    elbow = joints.index("elbow")
    sinew("bind", project, "--replace", "--set", "source=heat", "--lock", "elbow")
    locked = skin(project)
    assert locked != before
    for old, new in zip(before, locked, strict=True):
        assert abs(old.get(elbow, 0) - new.get(elbow, 0)) < 1e-12 and abs(sum(new.values()) - 1) < 1e-12, (old, new)
        assert len(new) <= max(map(len, before)), new
    sinew("undo", project)
    sinew("bind", project, "--replace", "--set", "source=heat", "--mask", "z+")
    masked = skin(project)
    for (_, _, z), old, new in zip(points, before, masked, strict=True):
        assert z >= -1e-9 or all(abs(old.get(slot, 0) - new.get(slot, 0)) < 1e-12 for slot in old | new), (z, old, new)
    assert masked != before
    assert "--replace" in refusal("bind", project, "--lock", "elbow", status=1)
    assert "no such joint" in refusal("bind", project, "--replace", "--lock", "knee")
    assert "no such field" in refusal("bind", project, "--replace", "--mask", "field:nothing")


def what_cannot_be_bound_is_refused(folder):
    project = folder / "bar.sinew"
    sinew("sample", "bar", "-o", project)
    assert "needs a skeleton" in refusal("bind", project)
    assert "makes no skin weights" in refusal("bind", project, "--method", "sad", status=2)
    assert "sinew bind" in refusal("fit", "skin-weights", project)


def weights_of_the_human_are_near_the_artists(folder):
    """The published figures: from heat alone, and from the dance, against the range of motion, which was held out."""
    artist, project = folder / "artist.sinew", folder / "human.sinew"
    sinew("import", data("human-rig/human.glb"), "-o", project)
    sinew("target", project, "--clip", "rom", "--mesh", data("human-rig/target-rom.pc2"), "--name", "rom")
    erms = answer("measure", project, "--clip", "rom")["errors"][0]["erms"]
    heat = answer("bind", project, "--replace", "--set", "source=heat")["errors"][0]["erms"]
    assert heat < 1.65 * erms, (heat, erms)
    sinew("import", data("human-rig/human.glb"), "-o", artist)
    sinew("target", artist, "--clip", "dance", "--mesh", data("human-rig/target-dance.pc2"))
    sinew("bind", artist, "--replace")
    sinew("target", artist, "--clip", "rom", "--mesh", data("human-rig/target-rom.pc2"))
    learned = answer("measure", artist, "--clip", "rom")["errors"][0]["erms"]
    assert learned < 0.9 * erms, (learned, erms)


if __name__ == "__main__":
    run([weights_are_replaced_on_request_and_taken_back, locked_joints_and_points_outside_a_mask_keep_their_weights, what_cannot_be_bound_is_refused, weights_of_the_human_are_near_the_artists])
