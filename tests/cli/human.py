#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Six sculpts on a human, left and right in their own groups, through the command line alone."""

from harness import answer, data, run, sinew

# One group a region and side: what a shoulder does says nothing about an elbow.
REGIONS = {"elbow120": "elbow", "elbow120_twist70": "elbow", "shoulder_up": "shoulder", "knee110": "knee", "hip90": "hip"}


def six_sculpts_are_given_back_and_the_clip_between_them_is_better(folder):
    project = folder / "human.sinew"
    sinew("import", data("human-rig/human.glb"), "-o", project)
    sinew("target", project, "--clip", "rom", "--mesh", data("human-rig/target-rom.pc2"))
    sinew("target", project, "--clip", "dance", "--mesh", data("human-rig/target-dance.pc2"))
    for name in (*REGIONS, "neck60"):
        sinew("pose", project, "add", name, "--file", data(f"human-sculpts/{name}.json"))
        region = REGIONS.get(name)
        sides = ["--group", f"{region}-left", "--mask", "x+", "--group", f"{region}-right", "--mask", "x-"]
        sinew("example", project, "add", "--name", name, "--pose", name, "--mesh", data(f"human-sculpts/{name}-target.obj"),
              *(sides if region else ["--group", "neck"]))
    fitted = answer("fit", "inverse-psd", project)
    rows = {(row["against"], row["method"]): row for row in fitted["errors"]}
    assert rows["examples", "inverse-psd"]["max_percent"] < 1e-4
    # Clips that the fit did not see.
    for clip in ("rom", "dance"):
        before, after = rows[clip, "linear-blend"]["erms"], rows[clip, "inverse-psd"]["erms"]
        print(f"{clip}: linear blend erms {before:.4f}, inverse PSD {after:.4f}")
        assert after < 0.65 * before
    sinew("export", project, "-o", folder / "human.glb")


run([six_sculpts_are_given_back_and_the_clip_between_them_is_better])
