#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tracking by the command line: new frames of a mesh become a clip with a target, or examples; and are taken back."""

import re
import struct

from harness import answer, refusal, run, sinew, tiny_arm
from skeleton import short_bar


def arm(folder):
    """An arm, and the frames of its clip as linear blend plays them."""
    project, frames = folder / "arm.sinew", folder / "both.pc2"
    tiny_arm(project)
    sinew("export", project, "--clip", "both", "-o", frames, "--method", "linear-blend", "--fps", 8)
    return project, frames


def frames_become_a_clip_that_is_measured(folder):
    project, frames = arm(folder)
    before = answer("info", project)["clips"]
    tracked = answer("track", project, "--sequence", frames, "--clip", "again", "--method", "linear-blend")
    assert tracked["lost"] == 0 and max(row["rms_percent"] for row in tracked["frames"]) < 1e-3, tracked
    row = answer("measure", project, "--clip", "again", "--method", "linear-blend")["errors"][-1]
    assert row["max_percent"] < 1e-2, row
    assert "again" in refusal("track", project, "--sequence", frames, "--clip", "again")
    freed = answer("track", project, "--sequence", frames, "--clip", "again", "--method", "linear-blend", "--free", "--replace")
    assert freed["lost"] == 0, freed
    sinew("undo", project)
    sinew("undo", project)
    assert answer("info", project)["clips"] == before


def poses_without_order_become_examples(folder):
    project, frames = arm(folder)
    tracked = answer("track", project, "--poses", frames, "--clip", "pose", "--method", "linear-blend")
    count = len(tracked["frames"])
    examples = [row["name"] for row in answer("example", project, "list")["examples"]]
    assert [f"pose-{n + 1}" for n in range(count)] == [name for name in examples if name.startswith("pose-")], examples


def names_of_poses_and_examples_are_not_taken_over(folder):
    project, frames = arm(folder)
    words = ("track", project, "--poses", frames, "--method", "linear-blend", "--clip")
    sinew("pose", project, "add", "late-3", "--rotate", "elbow=0,0,0.5")
    before = answer("pose", project, "list")["poses"]
    assert "pose 'late-3' exists" in refusal(*words, "late")
    assert answer("pose", project, "list")["poses"] == before
    answer(*words, "late", "--replace")


def lost_poses_have_the_names_of_their_examples(folder):
    project, frames = arm(folder)
    broken = folder / "broken.pc2"
    content = bytearray(frames.read_bytes())
    points, count = struct.unpack_from("<i", content, 16)[0], struct.unpack_from("<i", content, 28)[0]
    for number in range(32 + 12 * points, 32 + 24 * points, 12):
        x, y, z = struct.unpack_from("<3f", content, number)
        struct.pack_into("<3f", content, number, x + 0.3 * (number % 7), y, z - 0.2 * (number % 5))
    broken.write_bytes(content)
    result = sinew("track", project, "--poses", broken, "--method", "linear-blend", "--clip", "odd")
    assert re.search(r"^warning: odd-2 .* is lost", result.stderr, re.M), result.stderr
    assert count > 1 and re.search(r"^odd-2 .*, lost$", result.stdout, re.M), result.stdout


def sequence_of_the_project_is_tracked_again(folder):
    project = short_bar(folder)
    assert "no skeleton" in refusal("track", project, "--clip", "bend-and-twist")
    sinew("skeleton", project, "--bones", 3)
    sinew("fit", "linear-blend-fit", project)
    before = answer("measure", project)["errors"][-1]["erms"]
    answer("track", project, "--clip", "bend-and-twist")
    after = answer("measure", project)["errors"][-1]["erms"]
    assert after <= before, (before, after)


def what_cannot_be_tracked_is_refused(folder):
    project, frames = arm(folder)
    assert "--sequence" in refusal("track", project, status=2)
    assert "exclude each other" in refusal("track", project, "--sequence", frames, "--poses", frames, status=2)
    assert "--method" in refusal("track", project, "--sequence", frames, "--method", "smooth")


if __name__ == "__main__":
    run([frames_become_a_clip_that_is_measured, poses_without_order_become_examples,
         names_of_poses_and_examples_are_not_taken_over, lost_poses_have_the_names_of_their_examples,
         sequence_of_the_project_is_tracked_again,
         what_cannot_be_tracked_is_refused])
