#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The GDScript player in Godot 3 without a window, held to test vectors and given files and poses that are not right: godot.py SINEW

Godot 4, for which the modifier of skeletons is, is not run."""

import math
import shutil
import struct
import subprocess
from pathlib import Path

from harness import Skip, run
from skin_vectors import exported, field_of, lost_pose_plays_the_linear_blend, projects, vectors_hold

HERE = Path(__file__).resolve().parent
PLAYER = HERE.parents[1] / "plugins" / "player" / "godot" / "sinew_drive.gd"


def player_in(folder):
    godot = next((name for name in ("godot3-server", "godot3") if shutil.which(name)), None)
    if not godot:
        raise Skip("no godot3-server")
    place = folder / "godot"
    place.mkdir(exist_ok=True)
    shutil.copy(PLAYER, place)
    shutil.copy(HERE / "play.gd", place)
    (place / "project.godot").write_text("config_version=4\n")

    def play(skin, joints, poses, says=None):
        (place / "skin").write_bytes(Path(skin).read_bytes())
        (place / "joints").write_text("\n".join(joints))
        (place / "poses").write_bytes(struct.pack(f"<{len(poses)}d", *poses))
        done = subprocess.run([godot, "--path", place, "-s", "play.gd", place], capture_output=True, text=True, check=True, timeout=900)
        assert "SCRIPT ERROR" not in done.stdout + done.stderr, done.stdout + done.stderr
        answers = (place / "answers").read_bytes()
        assert says is None or f"refused: {says}" in done.stdout, (says, done.stdout)
        return struct.unpack(f"<{len(answers) // 8}d", answers)
    return play


def vectors_hold_the_player(folder):
    vectors_hold(player_in(folder), folder)


def what_is_not_right_is_refused_or_plays_the_linear_blend(folder):
    play = player_in(folder)
    skin, vectors = exported(folder, next(projects()))
    bent = lost_pose_plays_the_linear_blend(play, skin, vectors)
    whole = skin.read_bytes()
    spoilt = [(b"", "it is no skin file"), (b"PK" * 100, "it is no skin file"), (whole[:400], "it is no skin file"), (whole[:-9000], "it is damaged")]
    for name, kind, *values in ((b"joint.parents", "<I", 0), (b"joint.rests", "<d", math.nan), (b"morph.meshes", "<I", 9),
                                (b"drive.numbers", "<d", math.inf), (b"drive.integers", "<I", 0xffffffff)):
        bytes_ = bytearray(whole)
        struct.pack_into(kind, bytes_, field_of(whole, name)[1], *values)
        spoilt.append((bytes_, "it is damaged"))
    for bytes_, says in spoilt:
        skin.write_bytes(bytes_)
        assert not play(skin, vectors.joints, bent, says), says


run((vectors_hold_the_player, what_is_not_right_is_refused_or_plays_the_linear_blend))
