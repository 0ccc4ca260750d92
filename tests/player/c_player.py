#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The C player, held to test vectors and to the points of the stack, and given damaged files: c_player.py SINEW PLAYER"""

import json
import math
import struct
import subprocess
import sys
from pathlib import Path

from harness import obj_points, random_seed, refusal, run, sample_arm, sinew

PLAYER = sys.argv[2]
CLOSE = 1e-6


def play(skin, joints, poses):
    """What the player makes of poses: nine numbers for each joint."""
    done = subprocess.run([PLAYER, "play", skin, *joints], input=struct.pack(f"<{len(poses)}d", *poses), capture_output=True, check=True, timeout=300)
    return struct.unpack(f"<{len(done.stdout) // 8}d", done.stdout)


class Vectors:
    """Poses and answers, as docs/pose-space.md defines the file."""

    def __init__(self, path):
        whole = path.read_bytes()
        end = whole.index(10) + 1
        header = json.loads(whole[:end])
        numbers = struct.unpack(f"<{(len(whole) - end) // 4}f", whole[end:])
        self.joints, count, placed, steps = header["joints"], header["poses"], header["placedPoses"], header["steps"]
        self.rest = {joint["name"]: joint for mesh in header["meshes"] for joint in mesh["sinew"].get("joints", [])}
        self.width, some = len(header["coefficients"]) + 12 * len(header["helpers"]), len(self.joints)
        places, answers = 3 * count * some, (3 * count + 6 * placed) * some
        self.answers, self.poses = numbers[answers:], []
        for p in range(count):
            for j, name in enumerate(self.joints):
                at = places + 6 * ((p - 1) * some + j)
                self.poses += [*numbers[3 * (p * some + j):3 * (p * some + j) + 3], *(numbers[at:at + 6] if 0 < p <= placed else self.place(name))]
        for j in range(some):
            for i in range(2 * steps):
                angle = 2 * math.pi * (i % steps + 0.5) / steps * (2 if i < steps else -2)
                for k, name in enumerate(self.joints):
                    self.poses += [*(struct.unpack("<3f", struct.pack("<3f", *(x * angle for x in header["axes"][j]))) if k == j else (0, 0, 0)), *self.place(name)]
        self.count = count + 2 * steps * some

    def place(self, joint):
        return [*self.rest[joint]["translation"], *self.rest[joint]["scale"]]


def exported(folder, project):
    skin, vectors = folder / f"{project.stem}.snwskin", folder / f"{project.stem}.vectors"
    sinew("export", project, "-o", skin, "--vectors", vectors)
    return skin, Vectors(vectors)


def projects(folder):
    yield sample_arm(folder / "cone.sinew", fitted=True)
    thin = sample_arm(folder / "thin-plate.sinew")
    sinew("fit", "inverse-psd", thin, "--set", "kernel=thin-plate", "--set", "polynomial=linear", "--set", "translation=1.5", "--set", "scale=0.7")
    yield thin
    helpers = sample_arm(folder / "helpers.sinew")
    sinew("fit", "helper-joints", helpers, "--clip", "both", "--set", "helpers=3")
    yield helpers


def vectors_hold_the_player(folder):
    for project in projects(folder):
        skin, vectors = exported(folder, project)
        found = play(skin, vectors.joints, vectors.poses)
        worst = 0
        for p in range(vectors.count):
            for have, want in zip(found[vectors.width * p:vectors.width * (p + 1)], vectors.answers[vectors.width * p:vectors.width * (p + 1)], strict=True):
                worst = max(worst, abs(have - want) / max(1, abs(want)))
        print(project.stem, worst)
        assert vectors.width > 0 and worst < CLOSE, (project.stem, worst)


def scale_of_zero_counts_as_a_small_one(folder):
    project = sample_arm(folder / "p.sinew")
    sinew("fit", "inverse-psd", project, "--set", "kernel=gaussian", "--set", "scale=0.01")
    skin, vectors = exported(folder, project)

    def answers(scale):
        poses = [x for name in vectors.joints for x in (0, 0, 1.3 if name == "elbow" else 0, *vectors.place(name)[:3], *[scale] * 3)]
        return play(skin, vectors.joints, poses)[:vectors.width]

    zero = answers(0)
    assert all(map(math.isfinite, zero)) and zero == answers(1e-9) == answers(-1e-12) and zero != answers(1e-3) != answers(1), zero


def points_are_the_stacks(folder):
    project = sample_arm(folder / "arm.sinew", fitted=True)
    sinew("pose", project, "add", "bent", "--rotate", "elbow=0,0,1.3")
    sinew("export", project, "--pose", "bent", "-o", folder / "bent.obj")
    skin, vectors = exported(folder, project)
    numbers = [x for name in vectors.joints for x in ((0, 0, 1.3 if name == "elbow" else 0), vectors.place(name)) for x in x]
    found, points = play(skin, vectors.joints, numbers)[vectors.width:], obj_points(folder / "bent.obj")
    count = 3 * len(points)
    assert len(found) == 2 * count
    assert max(math.dist(point, found[3 * i:3 * i + 3]) for i, point in enumerate(points)) < 1e-5
    assert all(abs(math.hypot(*found[i:i + 3]) - 1) < 1e-5 for i in range(count, 2 * count, 3))


def damaged_files_are_refused_or_played(folder):
    for project in projects(folder):
        skin = folder / "skin.snwskin"
        sinew("export", project, "-o", skin)
        said = subprocess.run([PLAYER, "fuzz", skin, str(random_seed()), "2000"], capture_output=True, text=True, check=False, timeout=300)
        opened, _, rounds, _ = said.stdout.split()
        assert said.returncode == 0 and 0 < int(opened) < int(rounds) == 2000, (said.stdout, said.stderr)
    for bytes_, words in ((b"", "no skin file"), (b"PK" * 100, "no skin file"), (skin.read_bytes()[:400], "cut off"), (skin.read_bytes()[:-9000], "damaged"), (b"SNWSKIN\0\2" + bytes(40), "another version")):
        (folder / "bad").write_bytes(bytes_)
        said = subprocess.run([PLAYER, "play", folder / "bad", "elbow"], capture_output=True, text=True, check=False, timeout=60)
        assert said.returncode == 1 and words in said.stderr, said.stderr


def skins_that_only_clips_move_are_refused(folder):
    project = folder / "cloth.sinew"
    sinew("sample", "cloth", "-o", project)
    sinew("fit", "sad", project, "--set", "joints=4", "--set", "blend=linear")
    assert "no clips" in refusal("export", project, "-o", folder / "cloth.snwskin") and not (folder / "cloth.snwskin").exists()


run((vectors_hold_the_player, scale_of_zero_counts_as_a_small_one, points_are_the_stacks, damaged_files_are_refused_or_played, skins_that_only_clips_move_are_refused))
