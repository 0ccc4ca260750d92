# SPDX-License-Identifier: GPL-3.0-or-later
"""Symmetric sculpts on one mesh: the joint of each side drives its own half."""

import math
import sqlite3
from array import array
from contextlib import closing

from harness import answer, sinew
from limbs import limbs
from driver import Window, enter, opened, pose_points, stroke

TALL = (1000, 940)


def begin(window, pose):
    enter(window, pose)
    window.key("KP_End", "front")


def turn_symmetry(window):
    """On: a project opens with what was on when it was left."""
    if not window.report()["symmetry"]:
        window.click("side/Symmetry")
        window.wait("symmetry")
    assert window.report()["symmetry"]


def rows(project, query):
    with closing(sqlite3.connect(f"file:{project}?mode=ro", uri=True)) as database:
        return database.execute(query).fetchall()


def examples(project):
    return {example["name"]: example for example in answer("example", project, "list")["examples"]}


def farthest_moves(project, folder, pose, middle=0):
    """The farthest that the corrective moves a point on the left and on the right."""
    rest, shown, plain = (pose_points(project, folder, *words) for words in (("rest",), (pose,), (pose, "linear-blend")))
    farthest = {True: 0, False: 0}
    for (x, _, _), p, q in zip(rest, shown, plain):
        farthest[x > middle] = max(farthest[x > middle], math.dist(p, q))
    return farthest[True], farthest[False]


def assert_each_side_has_its_joint(project, folder, report, example="bent", middle=0):
    assert report["groups"] == {"Left lower": {"joints": ["lower_l"], "examples": [example]},
                                "Right lower": {"joints": ["lower_r"], "examples": [example]}}, report["groups"]
    for pose, rotation in ("only left", "lower_l=0,0,1.2"), ("only right", "lower_r=0,0,-1.2"):
        sinew("pose", project, "add", pose, "--rotate", rotation)
    whole = farthest_moves(project, folder, example, middle)
    assert min(whole) > 0.005 and abs(whole[0] - whole[1]) < 0.1 * whole[0], whole
    for pose, bent in ("only left", 0), ("only right", 1):
        sides = farthest_moves(project, folder, pose, middle)
        assert abs(sides[bent] - whole[bent]) < 1e-4 and sides[1 - bent] < 1e-4, (pose, sides, whole)


def side_that_bends_alone_shows_its_half(folder):
    project = limbs(folder)
    with opened(project, TALL) as window:
        begin(window, "bent")
        turn_symmetry(window)
        report = stroke(window, "lower_l", brush="Inflate")
        assert report["message"].endswith("drive the new example bent, each on its own side.") and not report["alarmed"], report["message"]
        for joint in "Left lower##lower_l", "Right lower##lower_r":  # both drive it: a click on either changes nothing
            window.click(f"side/{joint}-driver", state=report)
            assert window.report()["groups"] == report["groups"], joint
        report = stroke(window, "lower_r")  # goes on in the same example and groups
        assert not report["alarmed"] and abs(report["examples"]["bent"] - 1) < 1e-3, (report["message"], report["examples"])
        window.click("side/Mirror")
        window.wait("example-mirror")
        refused = window.report()
        assert refused["alarmed"] and "it has both sides already" in refused["message"] and set(refused["examples"]) == {"bent"}, refused["message"]
    assert_each_side_has_its_joint(project, folder, report)


def field_of_the_users_with_the_name_of_a_half_is_left_alone(folder):
    project = limbs(folder)
    with closing(sqlite3.connect(project)) as database, database:
        values = database.execute("INSERT INTO array (bytes) VALUES (?)", (array("d", [1]) * len(pose_points(project, folder, "rest")),))
        database.execute("INSERT INTO field (name, domain, mesh, components, element_count, elements) SELECT 'left half', 0, id, 1, point_count, ? "
                         "FROM mesh", (values.lastrowid,))
    with opened(project, TALL) as window:
        begin(window, "bent")
        turn_symmetry(window)
        report = stroke(window, "lower_l", brush="Inflate")
        assert not report["alarmed"], report["message"]
        again = stroke(window, "lower_l")
    assert report["groups"] == again["groups"], again["groups"]
    masks = {group["name"]: group["examples"][0]["mask"] for group in answer("group", project, "list")["groups"]}
    assert masks == {"Left lower": "left half-2", "Right lower": "right half"}, masks
    ((mask,),) = rows(project, "SELECT bytes FROM field JOIN array ON array.id = elements WHERE name = 'left half'")
    assert set(array("d", mask)) == {1}
    assert_each_side_has_its_joint(project, folder, again)


def sculpt_of_one_side_gets_the_other_group_with_its_first_symmetric_stroke(folder):
    project = limbs(folder)
    with opened(project, TALL) as window:
        begin(window, "bent")
        report = stroke(window, "lower_l", brush="Inflate")
        assert set(report["groups"]) == {"Left lower"}, report["groups"]
        window.key("ctrl+z", "undo")
        window.report()
        stroke(window, "lower_l")
        turn_symmetry(window)
        report = stroke(window, "lower_l")
        assert set(report["groups"]) == {"Left lower", "Right lower"} and not report["alarmed"], (report["groups"], report["message"])
        window.key("ctrl+z", "undo")
        report = window.report()
        assert report["groups"]["Left lower"]["examples"] == ["bent"] and not report["groups"].get("Right lower"), report["groups"]


def driver_that_was_chosen_stays_under_symmetry(folder):
    """Clicked in the panel, whether it drives the example already or not, or named on the command line."""
    project = limbs(folder)
    with Window(folder, project, size=TALL) as window:
        begin(window, "bent")
        report = stroke(window, "lower_l", brush="Inflate")
        window.click("side/Left lower##lower_l-driver", state=report)
        window.wait("driver lower_l")
        chosen = window.report()
        assert chosen["groups"] == report["groups"] and chosen["undo"] == "let lower_l drive bent" and not chosen["alarmed"], chosen["undo"]
        window.click("side/Left lower##lower_l-driver", state=chosen)  # once is enough
        assert window.report()["history"] == chosen["history"]
        turn_symmetry(window)
        report = stroke(window, "lower_l")
        assert report["groups"] == chosen["groups"] and not report["alarmed"], (report["groups"], report["message"])
        for _ in range(2):
            window.key("ctrl+z", "undo")
        window.report()
        report = stroke(window, "lower_l")  # nothing is chosen any more
        assert set(report["groups"]) == {"Left lower", "Right lower"}, report["groups"]
        assert report["message"].endswith("each on its own side. To keep one joint, undo and click it under Driven by."), report["message"]
    whole = folder / "bent.obj"
    sinew("export", project, "-o", whole, "--pose", "bent")
    for group in ("--group", "both"), ():
        sinew("example", project, "remove", "bent")
        sinew("example", project, "add", "--name", "bent", "--pose", "bent", "--file", whole, *group, *(("--joints", "lower_l") if group else ()))
        if not group:
            sinew("group", project, "joints", "Left lower", "--joints", "lower_l")
        with Window(folder, project, size=TALL) as window:
            begin(window, "bent")
            turn_symmetry(window)
            report = stroke(window, "lower_l")
            assert len([name for name, group in report["groups"].items() if group["examples"]]) == 1, report["groups"]


POSES = "bent", "only left", "only right"


def assert_shapes(project, folder, expected):
    assert "stale" not in sinew("info", project).stdout
    for pose, points in expected.items():
        apart = max(map(math.dist, points, pose_points(project, folder, pose)))
        assert apart < 1e-6, (pose, apart)


def parts_of_a_split_stay_with_the_joints_of_their_halves(folder):
    """Also those that both halves share, in groups of their own; merged again they are one example in its two groups."""
    project = limbs(folder)
    with opened(project, TALL) as window:
        begin(window, "bent")
        turn_symmetry(window)
        stroke(window, "lower_l", brush="Inflate")
    for pose, rotation in ("only left", "lower_l=0,0,1.2"), ("only right", "lower_r=0,0,-1.2"):
        sinew("pose", project, "add", pose, "--rotate", rotation)
    sinew("fit", "inverse-psd", project, "--set", "twist@Left lower=0.5")
    expected = {pose: pose_points(project, folder, pose) for pose in POSES}
    whole = examples(project)["bent"]
    assert "warning" not in sinew("example", project, "split", "bent").stderr
    assert sorted(example["groups"] for example in examples(project).values()) == [["Left lower"], ["Right lower"]], examples(project)
    assert_shapes(project, folder, expected)
    sinew("undo", project)
    assert "warning" not in sinew("example", project, "split", "bent", "--mask", "y+", "--name", "top", "--name", "base").stderr
    assert set(examples(project)["top"]["groups"]) == {"Left lower", "Right lower"}, examples(project)
    assert set(examples(project)["base"]["groups"]) == {"Left lower-2", "Right lower-2"}, examples(project)
    groups = {group["name"]: group for group in answer("group", project, "list")["groups"]}
    for name in "Left lower", "Right lower":
        (top,), (base,) = groups[name]["examples"], groups[name + "-2"]["examples"]
        assert (top["mask"], base["mask"]) == (name.split()[0].lower() + " half", name + "-2") and groups[name]["joints"] == groups[name + "-2"]["joints"], groups
    settings = {key for layer in answer("stack", project, "list")["layers"] for key in layer["settings"]}
    assert {"twist@Left lower", "twist@Left lower-2"} <= settings and "twist@Right lower-2" not in settings, settings
    assert_shapes(project, folder, expected)
    sinew("example", project, "merge", "top", "base", "--name", "bent")
    assert examples(project) == {"bent": whole}, examples(project)
    assert_shapes(project, folder, expected)


def side_that_is_not_bent_is_reported(folder):
    project = limbs(folder)
    sinew("pose", project, "add", "one", "--rotate", "lower_l=0,0,1.2")
    with opened(project, TALL) as window:
        begin(window, "one")
        turn_symmetry(window)
        report = stroke(window, "lower_l", brush="Inflate")
        assert report["message"].startswith("Right lower is not bent, so both sides of one follow the other joint."), report["message"]
        assert set(report["groups"]) == {"Left lower"} and not report["alarmed"], report["groups"]


def second_pose_of_the_same_bend_is_distinguished(folder):
    """By the joints in which the two differ: the sculpt of one does not show in the other."""
    project = limbs(folder)
    angles = {"lower_l": 1.2, "lower_r": -1.2, "upper_l": -0.5, "upper_r": 0.5}
    sinew("pose", project, "add", "up", *(word for joint, angle in angles.items() for word in ("--rotate", f"{joint}=0,0,{angle}")))
    with opened(project, TALL) as window:
        begin(window, "bent")
        turn_symmetry(window)
        stroke(window, "lower_l", brush="Inflate")
        begin(window, "up")
        report = stroke(window, "lower_l")
        assert {name: group["joints"] for name, group in report["groups"].items() if group["examples"] == ["up"]} == {
            "Left lower + Left upper": ["lower_l", "upper_l"], "Right lower + Right upper": ["lower_r", "upper_r"]}, report["groups"]
        assert not report["alarmed"], report["message"]
        report = enter(window, "bent")
        assert abs(report["examples"]["bent"] - 1) < 1e-6 and abs(report["examples"]["up"]) < 1e-6, report["examples"]


def uneven_pose_is_mirrored_once(folder):
    """Its halves go to the groups of the other sides, also where the mesh is not quite symmetric; mirrored again it is updated."""
    project = limbs(folder, rough=2e-4)
    sinew("pose", project, "add", "uneven", "--rotate", "lower_l=0,0,1.2", "--rotate", "lower_r=0,0,-0.7")
    with opened(project, TALL) as window:
        begin(window, "uneven")
        turn_symmetry(window)
        stroke(window, "lower_l", brush="Inflate")
        for _ in range(2):
            window.click("side/uneven")
            window.wait("example uneven")
            window.click("side/Mirror")
            window.wait("example-mirror")
            report = window.report()
            assert set(report["examples"]) == {"uneven", "Right lower 69°"} and not report["alarmed"], (report["examples"], report["message"])
        assert [set(group["examples"]) for group in report["groups"].values()] == [{"uneven", "Right lower 69°"}] * 2, report["groups"]


CASES = [side_that_bends_alone_shows_its_half, sculpt_of_one_side_gets_the_other_group_with_its_first_symmetric_stroke,
         side_that_is_not_bent_is_reported, uneven_pose_is_mirrored_once]
LONG = [field_of_the_users_with_the_name_of_a_half_is_left_alone, parts_of_a_split_stay_with_the_joints_of_their_halves,
        driver_that_was_chosen_stays_under_symmetry, second_pose_of_the_same_bend_is_distinguished]
