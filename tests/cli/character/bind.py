#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Skin weights for a skeleton by the command line: made, replaced on request alone, taken back; on the human, near the artist's."""

import math
import sys

from harness import answer, data, refusal, run, sample_arm, sinew, tiny_arm
from weights import rest, skin


def weights_are_replaced_on_request_and_taken_back(folder):
    project = folder / "arm.sinew"
    tiny_arm(project)
    before = answer("measure", project, "--method", "linear-blend")["errors"]
    assert "--replace" in refusal("bind", project)
    assert "no mesh is named 'leg'" in refusal("bind", project, "--mesh", "leg")
    bound = answer("bind", project, "--replace", "--influences", 2, "--set", "source=heat")
    assert len(bound["meshes"]) == 1, bound
    assert answer("measure", project, "--method", "linear-blend")["errors"] != before
    sinew("undo", project)
    assert answer("measure", project, "--method", "linear-blend")["errors"] == before


def locked_joints_and_points_outside_a_mask_keep_their_weights(folder):
    project = folder / "arm.sinew"
    tiny_arm(project)
    before, points = skin(project), rest(project)
    joints = [row["name"] for row in answer("info", project)["joints"]]
    elbow = joints.index("elbow")
    sinew("bind", project, "--replace", "--set", "source=heat", "--lock", "elbow")
    locked = skin(project)
    assert locked != before
    for old, new in zip(before, locked, strict=True):
        assert abs(old.get(elbow, 0) - new.get(elbow, 0)) < 1e-12 and abs(sum(new.values()) - 1) < 1e-12, (old, new)
        assert len(new) <= max(map(len, before)), new
    sinew("undo", project)
    sinew("bind", project, "--replace", "--set", "source=heat", "--mask", "z+")
    masked = skin(project)
    for (_, _, z), old, new in zip(points, before, masked, strict=True):
        assert z >= -1e-9 or all(abs(old.get(slot, 0) - new.get(slot, 0)) < 1e-12 for slot in old | new), (z, old, new)
    assert masked != before
    assert "--replace" in refusal("bind", project, "--lock", "elbow", status=1)
    assert "no joint is named 'knee'" in refusal("bind", project, "--replace", "--lock", "knee")
    assert "no such field" in refusal("bind", project, "--replace", "--mask", "field:nothing")


def closed_tube(path, wide, deep, low, high):
    """An upright tube around the axis, elliptic, closed by points in the middle of its ends."""
    rings, around = 25, 24
    points = [(wide * math.cos(2 * math.pi * k / around), low + (high - low) * ring / (rings - 1), deep * math.sin(2 * math.pi * k / around))
              for ring in range(rings) for k in range(around)] + [(0, low, 0), (0, high, 0)]
    faces = []
    for k in range(around):
        beside = (k + 1) % around
        faces += [(ring * around + k, (ring + 1) * around + k, (ring + 1) * around + beside, ring * around + beside) for ring in range(rings - 1)]
        faces += [(k, beside, len(points) - 2), ((rings - 1) * around + beside, (rings - 1) * around + k, len(points) - 1)]
    path.write_text("".join("v %.9g %.9g %.9g\n" % p for p in points) + "".join(f"f {' '.join(str(k + 1) for k in face)}\n" for face in faces))


def bound_tube(folder, shape, joints):
    """Its points, and each point's weights by joint. Joints are (name, place, parent)."""
    project, mesh = folder / "tube.sinew", folder / "tube.obj"
    closed_tube(mesh, *shape)
    sinew("import", mesh, "-o", project, "--replace")
    for name, place, parent in joints:
        sinew("joint", project, "add", name, f"--at={','.join(map(str, place))}", *(("--parent", parent) if parent else ()))
    sinew("bind", project, "--set", "source=heat")
    names = [name for name, _, _ in joints]  # each has a slot, in this order
    return rest(project), [{names[slot]: weight for slot, weight in weights.items()} for weights in skin(project)]


def trunk_keeps_what_branches_cross_inside_of_it(folder):
    """Collarbones are near the skin of the chest, but inside of it: all but the shoulder follows the spine."""
    spine = [("hips", (0, 0.1, 0), None), ("spine", (0, 0.3, 0), "hips"), ("chest", (0, 0.5, 0), "spine"), ("neck", (0, 0.8, 0), "chest")]
    collars = [(f"{kind}-{side}", (sign * x, 0.7, 0.06), parent) for side, sign in (("left", 1), ("right", -1))
               for kind, x, parent in (("collar", 0.03, "chest"), ("arm", 0.16, f"collar-{side}"))]
    points, weights = bound_tube(folder, (0.2, 0.15, 0, 1), [*spine, *collars])
    front = [w for (x, y, z), w in zip(points, weights, strict=True) if abs(x) < 0.11 and z > 0.1 and abs(y - 0.7) < 0.05]
    assert len(front) > 5
    for w in front:
        assert sum(w.get(name, 0) for name in ("collar-left", "collar-right")) < 0.2 and w.get("chest", 0) > 0.6, w


def what_lies_between_two_legs_follows_the_hips(folder):
    legs = [(f"{kind}-{side}", (sign * 0.12, y, 0), parent) for side, sign in (("left", 1), ("right", -1))
            for kind, y, parent in (("thigh", 0.55, "hips"), ("calf", 0.05, f"thigh-{side}"))]
    points, weights = bound_tube(folder, (0.25, 0.12, 0, 1), [("root", (0, -1, 0), None), ("hips", (0, 0.65, 0), "root"), ("spine", (0, 0.85, 0), "hips"), *legs])
    between = [w for (x, y, z), w in zip(points, weights, strict=True) if abs(x) < 1e-6 and abs(y - 0.25) < 0.1 and abs(z) > 0.1]
    assert len(between) >= 4
    for w in between:
        assert abs(w["thigh-left"] - w["thigh-right"]) < 0.02 and w.get("hips", 0) > 0.4, w


def what_cannot_be_bound_is_refused(folder):
    project = folder / "bar.sinew"
    sample_arm(project, sample="bar")
    assert "needs a skeleton" in refusal("bind", project)
    assert "makes no skin weights" in refusal("bind", project, "--method", "sad", status=2)
    assert "sinew bind" in refusal("fit", "skin-weights", project)


def weights_of_the_human_are_near_the_artists(folder):
    """The published figures: from heat alone, and from the dance, against the range of motion, which was held out."""
    artist, project = folder / "artist.sinew", folder / "human.sinew"
    sinew("import", data("human-rig/human.glb"), "-o", project)
    sinew("target", project, "add", "--clip", "rom", "--file", data("human-rig/target-rom.pc2"), "--name", "rom")
    erms = answer("measure", project, "--clip", "rom")["errors"][0]["erms"]
    heat = answer("bind", project, "--replace", "--set", "source=heat")["errors"][0]["erms"]
    assert heat < 1.15 * erms, (heat, erms)
    sinew("import", data("human-rig/human.glb"), "-o", artist)
    sinew("target", artist, "add", "--clip", "dance", "--file", data("human-rig/target-dance.pc2"))
    sinew("bind", artist, "--replace")
    sinew("target", artist, "add", "--clip", "rom", "--file", data("human-rig/target-rom.pc2"))
    learned = answer("measure", artist, "--clip", "rom")["errors"][0]["erms"]
    assert learned < 0.9 * erms, (learned, erms)


if __name__ == "__main__":
    # The full suite computes the same figures with the release (figures.json), in a tenth of the time.
    run([weights_of_the_human_are_near_the_artists] if "long" in sys.argv[2:] else
        [trunk_keeps_what_branches_cross_inside_of_it, what_lies_between_two_legs_follows_the_hips,
         weights_are_replaced_on_request_and_taken_back,
         locked_joints_and_points_outside_a_mask_keep_their_weights, what_cannot_be_bound_is_refused])
