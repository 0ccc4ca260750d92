#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A body and its clothes: sculpts carried from one to the other, and one driver for what is sculpted in one pose."""

from math import dist, exp

from harness import answer, obj_points, refusal, run, sinew, write_moved_obj

ELBOW = (0.4, 1.42, 0.0)


def bulge(height):
    def move(point):
        by = height * exp(-(dist(point, ELBOW) / 0.05) ** 2)
        return 0, by if by > 1e-4 else 0, 0
    return move


def points(project, mesh, *words):
    out = project.parent / "posed.obj"
    sinew("export", project, "--pose", "elbow bent", "--mesh", mesh, "-o", out, *words)
    return obj_points(out)


def sculpted(folder, mesh="body", height=0.03):
    """The dressed figure with a sculpt at its bent elbow."""
    project = folder / "dressed.sinew"
    if not project.exists():
        sinew("sample", "dressed", "-o", project)
    points(project, mesh)
    write_moved_obj(folder / "posed.obj", folder / "sculpt.obj", bulge(height))
    sinew("example", project, "add", "--pose", "elbow bent", "--mesh", mesh, "--file", folder / "sculpt.obj", "--name", mesh)
    return project


def carried_sculpts_keep_clothes_over_the_body(folder):
    project = sculpted(folder)
    before = points(project, "shirt")
    rows = answer("example", project, "carry", "body")["carried"]
    assert [(row["mesh"], row["updated"]) for row in rows] == [("shirt", False)] and rows[0]["moved"] > 50, rows
    sinew("fit", "inverse-psd", project)
    body, after = points(project, "body"), points(project, "shirt")
    bare = points(project, "body", "--method", "linear-blend")
    near = [i for i, p in enumerate(before) if dist(p, ELBOW) < 0.06]
    gap = lambda cloth, skin: min(dist(cloth, p) for p in skin)
    assert len(near) > 20
    through = [i for i in near if gap(before[i], body) < 0.5 * gap(before[i], bare)]
    assert through, "the sculpt does not reach the sleeve"
    for i in near:
        assert gap(after[i], body) > 0.7 * gap(before[i], bare), (i, gap(after[i], body), gap(before[i], bare))
    far = [i for i, p in enumerate(before) if dist(p, ELBOW) > 0.25]
    assert all(dist(before[i], after[i]) < 1e-6 for i in far)


def mirroring_takes_along_what_clothes_have(folder):
    """Those of other meshes in the same pose and group. Mirrored again, the images are found."""
    project = sculpted(folder)
    sinew("example", project, "carry", "body")
    meshes = lambda: {row["name"]: row["mesh"] for row in answer("example", project, "list")["examples"]}
    before = meshes()
    alone = answer("example", project, "mirror", "body", "--name", "right", "--alone")
    assert alone["made"] == [{"example": "right"}] and set(meshes()) - set(before) == {"right"}, alone
    sinew("undo", project)
    made = [row["example"] for row in answer("example", project, "mirror", "body")["made"]]
    assert [meshes()[name] for name in made] == ["body", "shirt"], (made, meshes())
    assert len({row["pose"] for row in answer("example", project, "list")["examples"]}) == 2
    answer("example", project, "mirror", "body")
    assert set(meshes()) == {*before, *made}, meshes()


def carrying_again_changes_nothing_and_one_undo_takes_it_back(folder):
    project = sculpted(folder)
    sinew("fit", "inverse-psd", project)
    sinew("example", project, "carry")
    once = points(project, "shirt")
    rows = answer("example", project, "carry", "--group", "Left elbow", "--to", "shirt,trousers")["carried"]
    assert [(row["name"], row["updated"]) for row in rows] == [("body-shirt", True)], rows
    assert all(dist(p, q) < 1e-6 for p, q in zip(once, points(project, "shirt")))
    sinew("undo", project)
    assert [row["name"] for row in answer("example", project, "list")["examples"]] == ["body"]
    assert "within 1e-05 m of what is sculpted" in refusal("example", project, "carry", "--reach", "0.00001")
    assert "there is no example to carry" in refusal("example", project, "carry", "--to", "body")


def sculpts_of_one_pose_share_their_driver(folder):
    project = sculpted(folder)
    assert [g["name"] for g in answer("group", project, "list")["groups"]] == ["Left elbow"]
    sinew("pose", project, "set", "elbow bent", "--rotate", "upper_arm_l=0,0,0.6")
    sculpted(folder, "shirt", 0.02)
    groups = {g["name"]: g["examples"] for g in answer("group", project, "list")["groups"]}
    assert [e if isinstance(e, str) else e["name"] for e in groups.pop("Left elbow")] == ["body", "shirt"] and not groups, groups


if __name__ == "__main__":
    run([carried_sculpts_keep_clothes_over_the_body, carrying_again_changes_nothing_and_one_undo_takes_it_back,
         mirroring_takes_along_what_clothes_have, sculpts_of_one_pose_share_their_driver])
