#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The C# player in Mono, held to test vectors and given files and poses that are not right: csharp.py SINEW"""

import functools
import math
import shutil
import struct
import subprocess
from pathlib import Path

from harness import Skip, made, random_seed, run
from skin_vectors import exported, field_of, lost_pose_plays_the_linear_blend, projects, vectors_hold

HERE = Path(__file__).resolve().parent
PLAYER = HERE.parents[1] / "plugins" / "player" / "SinewPlayer.cs"


@functools.cache
def compiled():
    if not shutil.which("mcs") or not shutil.which("mono"):
        raise Skip("no mono-mcs or no mono-runtime")
    program = Path(made().name) / "play.exe"
    subprocess.run(["mcs", "-warnaserror", f"-out:{program}", PLAYER, HERE / "Play.cs"], check=True, timeout=300)

    def play(skin, joints, poses, status=0):
        done = subprocess.run(["mono", program, skin, *joints], input=struct.pack(f"<{len(poses)}d", *poses), capture_output=True,
                              check=False, timeout=300)
        assert done.returncode == status, done.stderr.decode()
        return done.stderr.decode() if status else struct.unpack(f"<{len(done.stdout) // 8}d", done.stdout)
    return play


def vectors_hold_the_player(folder):
    vectors_hold(compiled(), folder)


def what_is_not_right_is_refused_or_plays_the_linear_blend(folder):
    play = compiled()
    skin, vectors = exported(folder, next(projects()))
    lost_pose_plays_the_linear_blend(play, skin, vectors)
    assert "does not have the joint 'thumb'" in play(skin, ["thumb"], [], status=1)
    whole = skin.read_bytes()
    for bytes_, words in ((b"", "no skin file"), (b"PK" * 100, "no skin file"), (whole[:400], "damaged"),
                          (whole[:-9000], "damaged"), (b"SNWSKIN\0\2" + bytes(40), "no skin file")):
        skin.write_bytes(bytes_)
        assert words in play(skin, vectors.joints, [], status=1), words


# A field, and what its first elements become; or for None, one element fewer.
SPOILT = ((b"joint.parents", "<I", 0), (b"joint.names", None), (b"joint.rests", "<d", math.nan), (b"morph.meshes", "<I", 9),
          (b"morph.weights", None), (b"drive.numbers", "<d", math.inf), (b"drive.integers", "<I", 0xffffffff),
          (b"drive.integers", "<3I", 1, 0x40000001, 1), (b"drive.integers", "<3I", 0, 0x7fffffff, 0))


def spoilt_fields_are_refused(folder):
    play = compiled()
    skin, vectors = exported(folder, next(projects()))
    whole = skin.read_bytes()
    for name, kind, *values in SPOILT:
        bytes_ = bytearray(whole)
        at, offset, count = field_of(whole, name)
        if kind:
            struct.pack_into(kind, bytes_, offset, *values)
        else:
            struct.pack_into("<Q", bytes_, at + 32, count - 1)
        skin.write_bytes(bytes_)
        assert "damaged" in play(skin, vectors.joints, [], status=1), (name, values)


def damaged_files_are_refused_or_play_finite_numbers(folder):
    compiled()
    for project in list(projects())[::4]:
        skin, _ = exported(folder, project)
        said = subprocess.run(["mono", Path(made().name) / "play.exe", "fuzz", skin, str(random_seed() % 1000), "400"], capture_output=True,
                              text=True, check=True, timeout=300).stdout.split()
        print(project.stem, *said)
        assert 0 < int(said[0]) < int(said[2]) == 400 and said[4] == "0", said


run((vectors_hold_the_player, what_is_not_right_is_refused_or_plays_the_linear_blend, spoilt_fields_are_refused,
     damaged_files_are_refused_or_play_finite_numbers))
