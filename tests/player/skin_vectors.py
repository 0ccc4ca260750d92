# SPDX-License-Identifier: GPL-3.0-or-later
"""Test vectors of skin files, for the players of these in any language."""

import functools
import json
import math
import shutil
import struct
from pathlib import Path

from harness import answer, made, sinew, tiny_arm

CLOSE = 1e-6


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


def field_of(skin, name):
    """Where the entry of a field begins, and the offset and the count of its elements."""
    for at in range(16, 16 + 40 * struct.unpack_from("<I", skin, 12)[0], 40):
        if skin[at:at + 16].rstrip(b"\0") == name:
            return at, *struct.unpack_from("<QQ", skin, at + 24)
    raise KeyError(name)


@functools.cache
def _files(project):
    skin, vectors = project.with_suffix(".snwskin"), project.with_suffix(".vectors")
    reported = answer("export", project, "-o", skin, "--vectors", vectors)
    assert reported["max_percent"] < 0.01, (project, reported)  # what the player computes is the stack's
    return skin, Vectors(vectors)


def exported(folder, project):
    """A skin file of a case's own, and its vectors. Each project is exported once, and stays as it is."""
    skin, vectors = _files(project)
    return skin if skin.parent == folder else Path(shutil.copy(skin, folder / skin.name)), vectors


# Two centres lie on a line, whose slopes take all of the sculpt: only under a constant has the kernel weight.
THIN_PLATE = ("--set", "kernel=thin-plate", "--set", "polynomial=constant", "--set", "polynomial@wrist=linear",
              "--set", "translation=1.5", "--set", "scale=0.7")


def _thin_plate(project):
    sinew("fit", "inverse-psd", project, *THIN_PLATE)


def _helpers(project):
    sinew("fit", "helper-joints", project, "--clip", "both", "--set", "helpers=3")
    sinew("fit", "inverse-psd", project)


FITS = {"cone": lambda project: sinew("fit", "inverse-psd", project), "thin-plate": _thin_plate, "helpers": _helpers,
        "pose-regression": lambda project: sinew("fit", "pose-regression", project, "--clip", "both"),
        "eigenskin": lambda project: sinew("fit", "eigenskin", project, "--clip", "both")}


@functools.cache
def _project(name):
    folder = Path(made().name) / "skins"
    folder.mkdir(exist_ok=True)
    project = tiny_arm(folder / f"{name}.sinew")
    FITS[name](project)
    return project


def projects():
    """Of each kind of drive, made once; cases leave them as they are."""
    return map(_project, FITS)


def difference(play, skin, vectors):
    """The largest difference of what play(skin, joints, numbers) answers, relative to what is wanted where that is over 1."""
    assert vectors.width > 0
    found, count = play(skin, vectors.joints, vectors.poses), vectors.count * vectors.width
    return max(abs(have - want) / max(1, abs(want)) for have, want in zip(found[:count], vectors.answers[:count], strict=True))


def vectors_hold(play, folder):
    for project in projects():
        worst = difference(play, *exported(folder, project))
        print(project.stem, worst)
        assert worst < CLOSE, (project.stem, worst)


def lost_pose_plays_the_linear_blend(play, skin, vectors):
    """A pose that is not finite, between two equal ones; the pose."""
    rest, some = vectors.poses[:9 * len(vectors.joints)], len(vectors.joints)
    bent = [x for j in range(some) for x in (0, 0, 1.2, *rest[9 * j + 3:9 * j + 9])]
    lost = [math.nan if i == 2 else x for i, x in enumerate(bent)]
    found = play(skin, vectors.joints, [*bent, *lost, *bent])
    assert any(found[:vectors.width]) and not any(found[vectors.width:2 * vectors.width]), found
    assert found[:vectors.width] == found[2 * vectors.width:], found
    return bent
