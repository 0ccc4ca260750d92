#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Skin weights for a skeleton by the command line: made, replaced on request alone, taken back; on the human, near the artist's."""

from harness import answer, data, refusal, run, sinew


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
    assert heat < 2.5 * erms, (heat, erms)
    sinew("import", data("human-rig/human.glb"), "-o", artist)
    sinew("target", artist, "--clip", "dance", "--mesh", data("human-rig/target-dance.pc2"))
    sinew("bind", artist, "--replace")
    sinew("target", artist, "--clip", "rom", "--mesh", data("human-rig/target-rom.pc2"))
    learned = answer("measure", artist, "--clip", "rom")["errors"][0]["erms"]
    assert learned < 0.9 * erms, (learned, erms)


if __name__ == "__main__":
    run([weights_are_replaced_on_request_and_taken_back, what_cannot_be_bound_is_refused, weights_of_the_human_are_near_the_artists])
