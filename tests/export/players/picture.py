#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A picture of an exported file by three.js in Chromium beside the one by `sinew render`: picture.py SINEW FOLDER few|all

Both have the same camera, pose, clay and lights. The viewport has soft shadows and a mirrored sky as well. Chromium draws without a
graphics card. The packages are installed into FOLDER; where Chromium, node or the network is missing the cases skip and say so."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from harness import Skip, answer, data, run, sample_arm, sinew

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from npm_packages import install  # noqa: E402 pylint: disable=wrong-import-position

FOLDER = Path(sys.argv[2])
VIEW = ("--look", "clay", "--lights", "even", "--no-grid", "--dark", "--size", "320x320")


def need_a_browser():
    if not any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")):
        raise Skip("no Chromium to draw with")
    missing = install(FOLDER, HERE / ("package-all.json" if sys.argv[3] == "all" else "package.json"), "three")
    if missing:
        raise Skip(missing)


def pictures(folder, project, clip, seconds):
    """What to compare: the exported file, our picture, the same without the character, and the camera."""
    sinew("export", project, "-o", folder / "file.glb", "--clip", clip)
    camera = answer("render", project, "-o", folder / "ours.png", "--pose", f"{clip}:{seconds}", *VIEW)["camera"]
    sinew("render", project, "-o", folder / "empty.png", "--pose", f"{clip}:{seconds}", *VIEW, "--pan", "60,0")
    return {"file": str(folder / "file.glb"), "ours": str(folder / "ours.png"), "empty": str(folder / "empty.png"), "clip": clip,
            "seconds": seconds, "camera": camera}


def compared(folder, request):
    (folder / "request.json").write_text(json.dumps(request))
    done = subprocess.run(["node", HERE / "picture" / "picture.mjs", FOLDER, folder / "request.json", folder / "three.png"],
                          capture_output=True, text=True, check=False, timeout=400)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    print(json.dumps(found))
    return found


def are_alike(found):
    """An edge may be half a pixel off."""
    silhouettes = found["silhouette_percent"] < 4 and found["far_pixels"] <= 8
    return silhouettes and found["shade_levels"] < 12 and found["large_percent"] < 4 and found["correlation"] > 0.85


def check(folder, project, clip, seconds):
    request = pictures(folder, project, clip, seconds)
    found = compared(folder, request)
    assert found["pixels"] > 4400 and found["inner_pixels"] > 0.6 * found["pixels"], found
    assert are_alike(found), found
    other = compared(folder, {**request, "seconds": 0})
    assert not are_alike(other), f"another pose was not told apart: {other}"


def three_draws_an_arm_as_the_viewport(folder):
    need_a_browser()
    check(folder, sample_arm(folder / "arm.sinew", fitted=True), "twist", 0.6)


def three_draws_a_human_as_the_viewport(folder):
    need_a_browser()
    sinew("import", data("human-rig/human.glb"), "-o", folder / "human.sinew")
    check(folder, folder / "human.sinew", "dance", 1.25)


run([three_draws_a_human_as_the_viewport if sys.argv[3] == "all" else three_draws_an_arm_as_the_viewport])
