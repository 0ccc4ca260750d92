#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The C player, held to test vectors and to the points of the stack, and given damaged files: c_player.py SINEW PLAYER ROUNDS, of which each damages
a file at random."""

import math
import os
import struct
import subprocess
import sys

from harness import Skip, answer, obj_points, random_seed, refusal, run, sinew, tiny_arm
from sequence import imported
from skin_vectors import CLOSE, difference, exported, field_of, projects

PLAYER, ROUNDS, WINDOW = sys.argv[2:5]


def play(skin, joints, poses):
    """What the player makes of poses: nine numbers for each joint."""
    done = subprocess.run([PLAYER, "play", skin, *joints], input=struct.pack(f"<{len(poses)}d", *poses), capture_output=True, check=True, timeout=300)
    return struct.unpack(f"<{len(done.stdout) // 8}d", done.stdout)


def vectors_hold_the_player(folder):
    for project in projects():
        worst = difference(play, *exported(folder, project))
        print(project.stem, worst)
        assert worst < CLOSE, (project.stem, worst)


def scale_of_zero_counts_as_a_small_one(folder):
    project = tiny_arm(folder / "p.sinew")
    sinew("fit", "inverse-psd", project, "--set", "kernel=gaussian", "--set", "scale=0.01")
    skin, vectors = exported(folder, project)

    def answers(scale):
        poses = [x for name in vectors.joints for x in (0, 0, 1.3 if name == "elbow" else 0, *vectors.place(name)[:3], *[scale] * 3)]
        return play(skin, vectors.joints, poses)[:vectors.width]

    zero = answers(0)
    assert all(map(math.isfinite, zero)) and zero == answers(1e-9) == answers(-1e-12) and zero != answers(1e-3) != answers(1), zero


def points_are_the_stacks(folder):
    project = tiny_arm(folder / "arm.sinew", fitted=True)
    sinew("pose", project, "add", "bent", "--rotate", "elbow=0,0,1.3")
    sinew("export", project, "--pose", "bent", "-o", folder / "bent.obj")
    skin, vectors = exported(folder, project)
    numbers = [x for name in vectors.joints for x in ((0, 0, 1.3 if name == "elbow" else 0), vectors.place(name)) for x in x]
    found, points = play(skin, vectors.joints, numbers)[vectors.width:], obj_points(folder / "bent.obj")
    count = 3 * len(points)
    assert len(found) == 2 * count
    assert max(math.dist(point, found[3 * i:3 * i + 3]) for i, point in enumerate(points)) < 1e-5
    assert all(abs(math.hypot(*found[i:i + 3]) - 1) < 1e-5 for i in range(count, 2 * count, 3))


def dual_quaternions_are_the_stacks(folder):
    project = tiny_arm(folder / "arm.sinew")
    sinew("stack", project, "add", "dual-quaternion")
    sinew("pose", project, "add", "bent", "--rotate", "elbow=0.4,0,2.2", "--rotate", "wrist=1,0,0")
    sinew("export", project, "--pose", "bent", "-o", folder / "bent.obj")
    reported = answer("export", project, "-o", folder / "arm.snwskin")
    skin = (folder / "arm.snwskin").read_bytes()
    _, offset, _ = field_of(skin, b"joint.rests")
    rests = struct.unpack_from("<30d", skin, offset)
    places = [(*rests[j:j + 3], *rests[j + 7:j + 10]) for j in (10, 20)]
    assert reported["max_percent"] < 1e-4, reported
    found, points = play(folder / "arm.snwskin", ["elbow", "wrist"], [0.4, 0, 2.2, *places[0], 1, 0, 0, *places[1]]), obj_points(folder / "bent.obj")
    assert max(math.dist(point, found[3 * i:3 * i + 3]) for i, point in enumerate(points)) < 1e-6
    said = refusal("export", project_with_box(project), "-o", folder / "box.snwskin")
    assert "delta-mush" in said and "sinew bake" in said and not (folder / "box.snwskin").exists(), said


def project_with_box(project):
    sinew("stack", project, "add", "delta-mush")
    return project


def the_example_shows_the_skin(folder):
    if not os.access(WINDOW, os.X_OK):
        raise Skip("no SDL to build the example with")
    project, pictures = tiny_arm(folder / "arm.sinew", fitted=True), []
    sinew("export", project, "-o", folder / "arm.snwskin")
    for angle in ("0", "1.4"):
        subprocess.run([WINDOW, folder / "arm.snwskin", "elbow", angle, folder / "picture.bmp"], check=True, timeout=60, env={**os.environ, "SDL_VIDEODRIVER": "dummy"})
        pictures.append((folder / "picture.bmp").read_bytes()[-800 * 800 * 4:])
    shown = [sum(picture[i] != 46 for i in range(0, len(picture), 4)) / 640000 for picture in pictures]
    assert all(0.02 < share < 0.6 for share in shown) and pictures[0] != pictures[1], shown
    said = subprocess.run([WINDOW, project], capture_output=True, text=True, check=False, timeout=60)
    assert said.returncode == 1 and "no skin file" in said.stderr, said


def damaged_files_are_refused_or_played(folder):
    for project in projects():
        skin, _ = exported(folder, project)
        said = subprocess.run([PLAYER, "fuzz", skin, str(random_seed()), ROUNDS], capture_output=True, text=True, check=False, timeout=300)
        opened, _, rounds, _ = said.stdout.split()
        assert said.returncode == 0 and 0 < int(opened) < int(rounds) == int(ROUNDS), (said.stdout, said.stderr)
    for bytes_, words in ((b"", "no skin file"), (b"PK" * 100, "no skin file"), (skin.read_bytes()[:400], "cut off"), (skin.read_bytes()[:-9000], "damaged"), (b"SNWSKIN\0\2" + bytes(40), "another version")):
        (folder / "bad").write_bytes(bytes_)
        said = subprocess.run([PLAYER, "play", folder / "bad", "elbow"], capture_output=True, text=True, check=False, timeout=60)
        assert said.returncode == 1 and words in said.stderr, said.stderr


def skins_that_only_clips_move_are_refused(folder):
    project = imported(folder)
    sinew("fit", "sad", project, "--set", "joints=4", "--set", "blend=linear")
    assert "no clips" in refusal("export", project, "-o", folder / "cloth.snwskin") and not (folder / "cloth.snwskin").exists()


run((vectors_hold_the_player, scale_of_zero_counts_as_a_small_one, points_are_the_stacks, dual_quaternions_are_the_stacks, the_example_shows_the_skin, damaged_files_are_refused_or_played, skins_that_only_clips_move_are_refused))
