#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints drawn at rest, by the command line: added, moved, parented, renamed, removed, taken back; and what is refused."""

from harness import answer, refusal, run, sinew, tiny_arm
from sequence import imported


def joints(project):
    return {row["name"]: row for row in answer("joint", project, "list")["joints"]}


def arm(folder):
    project = folder / "arm.sinew"
    tiny_arm(project)
    return project


def skeleton_is_drawn_joint_by_joint(folder):
    project = imported(folder)
    sinew("joint", project, "add", "top", "--at", "0,1,0")
    sinew("joint", project, "add", "end", "--at", "0,0,0.25", "--parent", "top")
    sinew("joint", project, "add", "middle", "--at", "0,0.5,0", "--parent", "top")
    sinew("joint", project, "parent", "end", "middle")
    sinew("joint", project, "move", "middle", "--at=0.1,0.5,0")
    sinew("joint", project, "name", "middle", "knee")
    drawn = joints(project)
    assert drawn["end"] == {"name": "end", "parent": "knee", "limit_degrees": 0, "moves": False, "place": [0, 0, 0.25]}, drawn
    assert drawn["knee"]["place"] == [0.1, 0.5, 0] and drawn["top"]["parent"] == "", drawn
    sinew("joint", project, "parent", "end", "--root")
    assert joints(project)["end"] == {"name": "end", "parent": "", "limit_degrees": 0, "moves": True, "place": [0, 0, 0.25]}
    for _ in range(7):
        sinew("undo", project)
    assert joints(project) == {}


def removed_joint_says_what_goes_with_it(folder):
    project = arm(folder)
    assert "remove that example first" in refusal("joint", project, "remove", "elbow")
    for name in [row["name"] for row in answer("example", project, "list")["examples"]]:
        sinew("example", project, "remove", name)
    removed = answer("joint", project, "remove", "elbow")
    assert removed["points"] > 0 and removed["clips"] > 0 and removed["removed"] == [{"joint": "elbow"}], removed
    assert set(joints(project)) == {"shoulder", "wrist"}
    answer("measure", project)
    sinew("undo", project)
    assert set(joints(project)) == {"shoulder", "elbow", "wrist"}


def joint_whose_weights_would_go_to_a_locked_one_is_not_removed(folder):
    project = arm(folder)
    for example in [row["name"] for row in answer("example", project, "list")["examples"]]:
        sinew("example", project, "remove", example)
    for locked in ("elbow", "shoulder"):  # its own weights, and those of the joint that would get them
        said = refusal("joint", project, "remove", "elbow", "--lock", locked)
        assert f"'{locked}' are locked" in said, said
    sinew("joint", project, "remove", "elbow", "--lock", "wrist")
    assert set(joints(project)) == {"shoulder", "wrist"}


def what_makes_no_sense_is_refused(folder):
    project = arm(folder)
    before = answer("info", project)
    for words, said, status in [(("add", "elbow", "--at", "0,0,0"), "exists", 1), (("add", "new"), "--at", 2), (("add", "new", "--at", "1,2"), "--at 1,2", 2),
                                (("add", "new", "--at", "nan,0,0"), "--at nan", 2), (("add", "new", "--at", "0,0,0", "--parent", "toe"), "no joint is named", 1),
                                (("move", "toe", "--at", "0,0,0"), "no joint is named", 1), (("parent", "shoulder", "wrist"), "cannot be below", 1),
                                (("parent", "wrist"), "--root", 2), (("parent", "wrist", "elbow", "--root"), "exclude each other", 2),
                                (("name", "wrist", "elbow"), "exists", 1), (("remove", "shoulder"), "is a root", 1)]:
        assert said in refusal("joint", project, *words, status=status), words
    assert answer("info", project) == before


def limit_outlives_another_skeleton(folder):
    project = imported(folder)
    sinew("skeleton", project, "--bones", 4)
    sinew("joint", project, "limit", "bone-1", 30)
    sinew("skeleton", project, "--bones", 2, "--replace")
    after = joints(project)
    assert len(after) == 3 and abs(after["bone-1"]["limit_degrees"] - 30) < 1e-9 and after["bone-2"]["limit_degrees"] == 0, after


if __name__ == "__main__":
    run([limit_outlives_another_skeleton, skeleton_is_drawn_joint_by_joint, removed_joint_says_what_goes_with_it,
         joint_whose_weights_would_go_to_a_locked_one_is_not_removed, what_makes_no_sense_is_refused])
