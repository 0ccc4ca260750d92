#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Six sculpts on a human, left and right in their own groups, through the command line alone."""

from harness import answer, data, run, sinew

ARM, LEG = ("elbow120", "elbow120_twist70", "shoulder_up"), ("knee110", "hip90")


def six_sculpts_are_given_back_and_the_clip_between_them_is_better(folder):
    project = folder / "human.sinew"
    sinew("import", data("human-rig/human.glb"), "-o", project)
    sinew("target", project, "--clip", "rom", "--mesh", data("human-rig/target-rom.pc2"))
    for name in (*ARM, *LEG, "neck60"):
        sinew("pose", project, "add", name, "--file", data(f"human-sculpts/{name}.json"))
        kind = "arm" if name in ARM else "leg"
        sides = ["--group", f"{kind}-left", "--mask", "x+", "--group", f"{kind}-right", "--mask", "x-"]
        sinew("example", project, "add", "--name", name, "--pose", name, "--mesh", data(f"human-sculpts/{name}-target.obj"),
              *(sides if name != "neck60" else ["--group", "neck"]))
    fitted = answer("fit", "inverse-psd", project)
    rows = {(row["against"], row["method"]): row for row in fitted["errors"]}
    print("rom: linear blend erms %.4f, inverse PSD %.4f" % (rows["rom", "linear-blend"]["erms"], rows["rom", "inverse-psd"]["erms"]))
    assert rows["examples", "inverse-psd"]["max_percent"] < 1e-4
    assert rows["rom", "inverse-psd"]["erms"] < 0.8 * rows["rom", "linear-blend"]["erms"]
    sinew("export", project, "-o", folder / "human.glb")


run([six_sculpts_are_given_back_and_the_clip_between_them_is_better])
