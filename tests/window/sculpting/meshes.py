# SPDX-License-Identifier: GPL-3.0-or-later
"""A character of two meshes: a stroke takes the mesh under the brush, and meshes are selected, hidden, isolated and locked."""

import math

from harness import sinew
from limbs import limbs
from driver import Window, enter, opened, pose_points, stroke

TALL = (1000, 900)


def stroke_takes_the_mesh_under_the_brush(folder):
    with opened(limbs(folder, dressed=True), TALL) as window:
        assert enter(window, "bent")["mesh"] == "limbs"
        report = stroke(window, "lower_r", brush="Inflate")
        assert report["mesh"] == "limbs" and set(report["examples"]) == {"bent"}, report["examples"]
        report = stroke(window, "lower_l")  # where the sleeve is outside
        assert report["mesh"] == "sleeve" and set(report["examples"]) == {"bent", "bent-sleeve"}, report["examples"]
        assert report["groups"]["Left lower"] == {"joints": ["lower_l"], "examples": ["bent-sleeve"]}, report["groups"]
        assert report["groups"]["Right lower"]["examples"] == ["bent"]
        assert all(abs(weight - 1) < 1e-3 for weight in report["examples"].values()), report["examples"]
        assert report["history"][-2:] == ["inflate bent", "inflate bent-sleeve"], report["history"]
        onto_sleeve = [line for line in window.lines_read if line.startswith("stroke ")][-1]
        report = stroke(window, "lower_r")
        assert report["mesh"] == "limbs" and report["history"][-1] == "inflate bent", report["history"]
        for _ in range(3):
            window.key("ctrl+z", "undo")
        assert not window.report()["examples"]
    # By its place alone, where the mouse could not tell the mesh: no mesh is chosen here.
    script = folder / "stroke.txt"
    script.write_text(f"window pose bent\nwindow posing\nwindow brush inflate\nwindow {onto_sleeve}\nwindow stroke-end\n")
    with Window(folder, folder / "limbs.sinew", "--script", script, size=TALL) as window:
        window.wait("stroke-end")
        report = window.report()
        assert report["mesh"] == "sleeve" and report["history"][-1] == "inflate bent", (report["mesh"], report["history"], report["message"])


def stroke_on_what_another_program_has_changed_is_taken_back_and_the_next_is_stored(folder):
    project = limbs(folder, dressed=True)
    with opened(project, TALL) as window:
        enter(window, "bent")
        sinew("pose", project, "add", "other")
        refused = stroke(window, "lower_r", brush="Inflate")
        assert refused["alarmed"] and "another program" in refused["message"] and not refused["examples"], refused["message"]
        assert "poses/other" in refused["widgets"]
        window.click("outliner/sleeve##mesh")
        window.wait("mesh sleeve")
        report = stroke(window, "lower_l")
        assert set(report["examples"]) == {"bent"} and report["history"][-1] == "inflate bent", (report["examples"], report["message"])


def outline_around_another_mesh_says_which_one_it_masks(folder):
    project = limbs(folder, dressed=True)
    with opened(project, TALL) as window:
        history = enter(window, "bent")["history"]
        window.key("KP_End", "front")
        window.click("outliner/sleeve##mesh")
        window.wait("mesh sleeve")
        x, y, _, _ = window.report()["joints"]["lower_r"]
        window.key("ctrl+b", "mask-box")
        window.drag((x - 30, y - 30), [(30, 30), (30, 30)])
        window.wait("mask-outline")
        report = window.report()
        assert report["message"].startswith("The outline holds no point of sleeve.") and report["history"] == history, report["message"]


def hidden_and_locked_meshes_take_no_stroke(folder):
    with Window(folder, limbs(folder, dressed=True), size=TALL) as window:
        enter(window, "bent")
        window.click("outliner/Hide##sleeve")
        window.wait("mesh-hide sleeve")
        report = stroke(window, "lower_l", brush="Inflate")  # the skin under the sleeve
        assert report["mesh"] == "limbs" and set(report["examples"]) == {"bent"}, report["examples"]
        window.key("ctrl+z", "undo")
        window.click("outliner/Show##sleeve")
        window.wait("mesh-hide sleeve")
        window.click("outliner/Lock##sleeve")
        window.wait("mesh-lock sleeve")
        report = stroke(window, "lower_l")
        assert report["mesh"] == "limbs", report["mesh"]
        # Subdivided meshes, and those that Undo brings back, stay locked.
        for command, done in ("subdivide by catmull-clark", "subdivide-catmull-clark"), ("undo", "undo"):
            window.key("ctrl+p", "palette")
            window.report()
            window.write(command)
            window.wait(done)
            assert "outliner/Unlock##sleeve" in window.report()["widgets"], "the lock was lost"
            if not window.report()["sculpting"]:
                window.key("Tab", "posing")
            report = stroke(window, "lower_l")
            assert report["mesh"] == "limbs", report["mesh"]
            window.key("ctrl+z", "undo")
    with Window(folder, folder / "limbs.sinew", size=TALL) as window:
        assert "outliner/Unlock##sleeve" in window.report()["widgets"], "the lock was not kept"


def isolated_mesh_is_shown_alone_until_it_is_isolated_again(folder):
    with opened(limbs(folder, dressed=True), TALL, drawn=True) as window:
        window.click("poses/bent")
        window.wait("pose bent")
        x, y, _, _ = window.report()["viewport"]
        corner = x + 8, y + 90  # where no help comes up
        window.point(*corner)
        both = window.picture()
        window.click("outliner/sleeve##mesh")
        window.wait("mesh sleeve")
        assert window.report()["mesh"] == "sleeve"
        window.point(*corner)
        window.key("alt+h", "mesh-isolate")
        assert window.changed(both, window.picture()) > 1000
        window.key("alt+h", "mesh-isolate")
        assert window.changed(both, window.picture()) == 0


def points_by_place(project, folder):
    """Each mesh's points in the pose "bent", and those of all meshes that lie in one place at rest."""
    posed, places = {}, {}
    for mesh in "limbs", "hand":
        posed[mesh] = pose_points(project, folder, "bent", mesh=mesh)
        for i, rest in enumerate(pose_points(project, folder, "rest", mesh=mesh)):
            places.setdefault(tuple(round(c, 5) for c in rest), []).append(posed[mesh][i])
    return posed, [points for points in places.values() if len(points) > 1]


def farthest(one, two):
    return max(math.dist(p, q) for p, q in zip(one, two))


def strokes_keep_the_seams_of_split_and_of_neighbouring_meshes_closed(folder):
    """The limbs are split at each face, and the hand goes on where they end."""
    project = limbs(folder, divided=True)
    before, places = points_by_place(project, folder)
    assert len(places) > 1500, len(places)  # all but the open ends
    with opened(project, TALL) as window:
        entered = enter(window, "bent")
        window.key("KP_End", "front")
        stroke(window, "lower_l", brush="Inflate")
        report = stroke(window, "lower_l", brush="Grab", moves=((0, 6), (4, 6)))
        named = {"bent", "bent-hand" if report["mesh"] == "limbs" else "bent-limbs"}
        assert set(report["examples"]) == named and not report["alarmed"], (report["examples"], report["message"])
        assert all(abs(weight - 1) < 1e-3 for weight in report["examples"].values()), report["examples"]
        assert len(report["history"]) == len(entered["history"]) + 2 and len(report["groups"]) == 1, (report["history"], report["groups"])
        sculpted, places = points_by_place(project, folder)
        for mesh, points in sculpted.items():
            assert farthest(points, before[mesh]) > 0.01, mesh
        apart = max(math.dist(points[0], other) for points in places for other in points)
        assert apart < 1e-5, apart
        window.key("ctrl+z", "undo")
        window.key("ctrl+z", "undo")
        assert not window.report()["examples"]
        window.click("outliner/Lock##hand")
        window.wait("mesh-lock hand")
        report = stroke(window, "lower_l", brush="Inflate")
        assert report["mesh"] == "limbs" and set(report["examples"]) == {"bent"}, (report["mesh"], report["examples"])


def sculpt_over_a_seam_is_called_after_the_joint_and_the_other_mesh(folder):
    """In a pose without a name the one under the brush is called after the joint that drives it, and the other after that and its mesh; a name
    that exists gets a number."""
    project = limbs(folder, divided=True)
    with opened(project, TALL) as window:
        for taken in False, True:
            window.click("poses/rest")
            window.wait("pose rest")
            window.click("outliner/lower_l")
            window.type_into("side/z##rotation", "-60" if taken else "60")
            window.wait("rotate ")
            window.key("Tab", "posing")
            report = stroke(window, "lower_l", brush="Inflate")
            mesh, other = (report["mesh"], ({"limbs", "hand"} - {report["mesh"]}).pop())
            name = "Left lower 60° down" if taken else "Left lower 60°"
            assert {name, f"{name}-{other}"} <= set(report["examples"]), (mesh, report["examples"])
            assert report["pose"] == name, report["pose"]
            window.key("Tab", "posing")


def stroke_over_a_seam_goes_on_in_the_groups_of_an_earlier_one(folder):
    """The first stroke stays on one mesh; what the second makes of the other one is shown, so the seam stays closed."""
    project = limbs(folder, divided=True)
    with opened(project, TALL) as window:
        joints = enter(window, "bent")["joints"]
        window.click("side/Inflate")
        window.wait("brush ")
        window.report()
        (x, y, *_), (upper_x, upper_y, *_) = joints["lower_l"], joints["upper_l"]
        window.drag(((x + upper_x) / 2, (y + upper_y) / 2), [(4, 0), (4, 0)])
        window.wait("stroke-end")
        assert set(window.report()["examples"]) == {"bent"}
        report = stroke(window, "lower_l")
        assert report["groups"] == {"Left lower": {"joints": ["lower_l"], "examples": ["bent", "bent-hand"]}}, report["groups"]
        assert abs(report["examples"]["bent-hand"] - 1) < 1e-6, report["examples"]


CASES = [stroke_over_a_seam_goes_on_in_the_groups_of_an_earlier_one,
         strokes_keep_the_seams_of_split_and_of_neighbouring_meshes_closed, stroke_takes_the_mesh_under_the_brush,
         stroke_on_what_another_program_has_changed_is_taken_back_and_the_next_is_stored,
         hidden_and_locked_meshes_take_no_stroke, outline_around_another_mesh_says_which_one_it_masks,
         isolated_mesh_is_shown_alone_until_it_is_isolated_again]
LONG = [sculpt_over_a_seam_is_called_after_the_joint_and_the_other_mesh]
