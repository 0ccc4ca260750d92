#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""UVs of a human beside Blender's by the same seams: unwrapped by angles, stretch minimised. Both are measured in poses of a clip that
ours were not made from.

usage: unwrap_blender.py SINEW"""

import shutil
import subprocess
from pathlib import Path

from harness import BLENDER_ENVIRONMENT, answer, data, run, sinew

SCRIPT = Path(__file__).resolve().parents[1] / "blender" / "unwrap.py"


def stretch_of_uvs(project, clip):
    said = answer("unwrap", project, "--clip", clip)
    sinew("undo", project)
    return said["before_poses"], said["before_rest"]


def ours_stretch_less_than_blenders_over_the_poses(folder):
    blender = shutil.which("blender")
    if not blender:
        print("skipped: no Blender")
        return
    ours, theirs = folder / "ours.sinew", folder / "theirs.sinew"
    sinew("import", data("human-rig/human.glb"), "-o", ours)
    sinew("unwrap", ours, "--charts", "auto", "--clip", "rom")
    sinew("export", ours, "-o", folder / "ours.glb")
    subprocess.run([blender, "-b", "--factory-startup", "-P", SCRIPT, "--", folder / "ours.glb", folder / "theirs.glb"], check=True,
                   capture_output=True, timeout=900, env=BLENDER_ENVIRONMENT)
    sinew("import", folder / "theirs.glb", "-o", theirs)
    mine, beside = stretch_of_uvs(ours, "dance"), stretch_of_uvs(theirs, "dance")
    print(f"mean L2 stretch over the poses of dance {mine[0]:.4f}, Blender {beside[0]:.4f}; at rest {mine[1]:.4f}, {beside[1]:.4f}")
    assert mine[0] - 1 < 0.5 * (beside[0] - 1) and mine[1] < beside[1], (mine, beside)


run([ours_stretch_less_than_blenders_over_the_poses])
