# SPDX-License-Identifier: GPL-3.0-or-later
"""Sculpting with the mouse: strokes of several brushes become an example and its corrective, one step of the history each; fields are
painted; a stroke that is cut off costs that stroke."""

import math
import sqlite3
from contextlib import closing

from harness import answer, sinew
from driver import OneWindow, Window, arm, enter, opened, pose_points, stroke
from limbs import limbs


def points_of(project, folder, pose="elbow-130", method=None):
    """What the whole stack makes of the pose, or a method."""
    made = folder / "shown.obj"
    sinew("export", project, "-o", made, "--pose", pose, *(["--method", method] if method else []))
    return [tuple(map(float, line.split()[1:4])) for line in made.read_text().splitlines() if line.startswith("v ")]


def largest_move(one, two):
    return max(sum((a - b) ** 2 for a, b in zip(p, q)) ** 0.5 for p, q in zip(one, two))


def fields_of(project):
    with closing(sqlite3.connect(f"file:{project}?mode=ro", uri=True)) as database:
        return {name for (name,) in database.execute("SELECT name FROM field")}


def strokes_of_three_brushes_become_the_example_and_are_undone_one_by_one(folder):
    project = arm(folder, fitted=False)
    seen = [points_of(project, folder)]
    with opened(project) as window:
        before = enter(window)
        for brush in ("Inflate", "Pinch", "Smooth"):
            report = stroke(window, brush=brush)
            assert report["undo"] == f"{brush.lower()} elbow-130", report["undo"]
            assert "inverse-psd" in report["layers"] and not report["alarmed"], report["message"]
            seen.append(points_of(project, folder))
            assert largest_move(seen[-1], seen[-2]) > 1e-5, brush
        assert len(report["history"]) == len(before["history"]) + 3
        for i in (2, 1, 0):
            window.key("ctrl+z", "undo")
            window.report()
            assert largest_move(points_of(project, folder), seen[i]) < 1e-6, i
        assert window.report()["sculpting"]
        for i in (1, 2, 3):
            window.key("ctrl+shift+z", "redo")
            window.report()
            assert largest_move(points_of(project, folder), seen[i]) < 1e-6, i


def brush_starts_at_a_share_of_the_mesh_and_says_when_it_reaches_no_point(folder):
    project = limbs(folder)
    with opened(project) as window:
        radius = enter(window, "bent")["brush_radius"]
        columns = list(zip(*pose_points(project, folder, "bent")))
        size = math.dist([min(c) for c in columns], [max(c) for c in columns])
        assert abs(radius / size - 0.06) < 1e-3, (radius, size)
        x, y, _, _ = window.report()["joints"]["root"]
        window.point(x, y)
        assert "Shift: smooth" in window.report()["hint"]
        window.type_into("side/Radius", "0.1")  # millimetres
        window.wait("radius 0.01")
        window.point(x, y)
        hint = window.report()["hint"]
        assert "reaches no point" in hint and "]: larger" in hint, hint
        window.type_into("side/Radius", "1e6")
        window.wait("radius")
        assert size < window.report()["brush_radius"] < 2 * size  # it ends at the diagonal of the character at rest


def first_stroke_in_a_pose_makes_the_example(window):
    enter(window, "both")
    report = stroke(window, brush="Grab", moves=((0, -4), (0, -4)))
    assert "both" in report["examples"] and abs(report["examples"]["both"] - 1) < 1e-3, report["examples"]
    report = stroke(window, "wrist", brush="Inflate", held=("ctrl",))
    assert len(report["examples"]) == 3 and report["undo"] == "inflate both", report["undo"]
    assert {row["name"] for row in answer("example", window.project, "list")["examples"]} == {"elbow-130", "wrist-150", "both"}


def pose_without_a_name_gets_that_of_its_first_example(folder):
    project = arm(folder, fitted=False)
    with opened(project) as window:
        for add in (False, True):  # by a stroke, and by Add
            window.click("poses/rest")
            window.wait("pose rest")
            before = window.report()
            window.click("outliner/elbow")
            window.type_into("side/z##rotation", 75)
            window.wait("rotate ")
            posed = window.report()
            assert posed["poses"] == before["poses"] + ["unnamed"]
            if add:
                window.click("side/Add")
                window.wait("example-add")
            else:
                window.key("Tab", "posing")
                stroke(window, brush="Inflate")
                window.key("Tab", "posing")
            finished = window.report()
            assert finished["poses"] == before["poses"] + ["Elbow 75°"] and finished["pose"] == "Elbow 75°", finished["poses"]
            assert set(finished["examples"]) - set(before["examples"]) == {"Elbow 75°"} and not finished["alarmed"], finished["message"]
            window.key("ctrl+z", "undo")
            assert window.report()["poses"] == posed["poses"]
            window.key("ctrl+shift+z", "redo")
            assert window.report()["poses"] == finished["poses"]
            window.key("ctrl+z", "undo")
            window.key("ctrl+z", "undo")
            assert window.report()["poses"] == before["poses"]


def rest_takes_no_sculpt_and_says_why(window):
    enter(window, "rest")
    before = window.report()
    x, y, _, _ = before["joints"]["elbow"]
    window.drag((x, y), ((6, 0), (6, 0)))
    window.wait("stroke-end")
    state = window.report()
    assert state["alarmed"] and "bend it" in state["message"] and "status/message" in state["words"], state["message"]
    assert all(state[key] == before[key] for key in ("history", "poses", "examples"))
    report = stroke(window, brush="Mask")  # which is for every pose
    assert report["undo"] == "mask" and not report["alarmed"], report["message"]


def sculpting_goes_on_in_the_next_pose(window):
    enter(window)
    window.click("poses/both")
    window.wait("pose both")
    assert window.report()["sculpting"]
    assert "both" in stroke(window, brush="Inflate")["examples"]


def stroke_on_a_frame_of_a_clip_stays_there_and_the_next_frame_is_one_key(window):
    window.scrub(0.6)
    window.key("Tab", "posing")
    before = window.report()
    first = stroke(window, brush="Inflate")
    assert not first["alarmed"] and [first[key] for key in ("clip", "seconds", "sculpting")] == [before["clip"], before["seconds"], True], first["message"]
    made = (set(first["examples"]) - set(before["examples"])).pop()
    assert abs(first["examples"][made] - 1) < 1e-3 and first["example"] == made, first["examples"]
    again = stroke(window, brush="Inflate")
    assert set(again["examples"]) == set(first["examples"]) and again["undo"] == f"inflate {made}", again["undo"]
    window.key("ctrl+Right", "sculpt-next")
    there = window.report()
    assert there["sculpting"] and there["clip"] == first["clip"] and there["seconds"] != first["seconds"], there["message"]
    window.key("Right", "step-on")
    there = window.report()
    moment = f"{there['clip']}:{there['seconds']}"
    unsculpted = points_of(window.project, window.folder, moment)
    sculpted = stroke(window, brush="Inflate")
    assert len(sculpted["examples"]) == len(first["examples"]) + 1 and not sculpted["alarmed"], sculpted["message"]
    displaced_count = sum(math.dist(p, q) > 1e-5 for p, q in zip(unsculpted, points_of(window.project, window.folder, moment)))
    assert 0 < displaced_count < 0.2 * len(unsculpted), displaced_count  # the stroke is of this frame's skin
    window.key("F8", "pose-rest")
    for key, done, shown in (("ctrl+z", "undo", sculpted), ("ctrl+z", "undo", first), ("ctrl+shift+z", "redo", first)):
        window.key(key, done)
        state = window.report()
        assert state["clip"] == first["clip"] and abs(state["seconds"] - shown["seconds"]) < 1 / 60, (state["clip"], state["seconds"])


def undo_and_redo_go_to_the_pose_that_they_change(window):
    enter(window)
    stroke(window, brush="Inflate")
    for key, done in (("ctrl+z", "undo"), ("ctrl+shift+z", "redo")):
        window.click("poses/both")
        window.wait("pose both")
        window.key(key, done)
        state = window.report()
        assert state["pose"] == "elbow-130" and state["example"] == "elbow-130" and state["sculpting"], (state["pose"], state["example"])


def measures_are_those_of_the_command_line(window):
    """Of examples with points that no stroke has touched."""
    enter(window, "both")
    stroke(window, brush="Inflate")
    window.key("F8", "pose-rest")
    window.click("side/Stack")
    window.wait("tab 1")
    window.click("side/Measure")
    window.wait("measure")
    state = window.report()
    numbers = "erms", "max_percent", "spill_mm", "spill_max_mm"
    shown = [[row[key] for key in numbers] for row in state["errors"]]
    printed = [[row[key] for key in numbers] for row in answer("measure", window.project)["errors"]]
    assert shown == printed and len(shown) == 8, (shown, printed)
    assert shown[1][0] < 1e-3 and shown[1][2] is not None and any(name.startswith("side/Spill") for name in state["words"]), shown[1]
    window.click("side/Shape")
    window.wait("tab 0")


def shift_smooths_whatever_brush_is_in_hand(window):
    enter(window)
    report = stroke(window, brush="Inflate", held=("shift",))
    assert report["undo"] == "smooth elbow-130" and report["brush"] == "inflate", report["undo"]


def mask_and_paint_are_shown_kept_and_undone(folder):
    project = arm(folder)
    with opened(project, drawn=True) as window:
        show_mask_and_paint(window, project)


def show_mask_and_paint(window, project):
    enter(window)
    plain = window.picture()
    report = stroke(window, brush="Paint")
    assert report["undo"] == "paint painted", report["undo"]
    painted = window.picture()
    assert window.changed(plain, painted) > 500
    report = stroke(window, "wrist", brush="Mask")
    assert report["undo"] == "mask", report["undo"]
    masked = window.picture()  # a tint, which leaves the rest of the skin as it is
    assert 50 < window.changed(plain, masked) < 0.4 * window.changed(plain, painted)
    assert {"painted", "sculpt-mask"} <= fields_of(project)
    window.key("ctrl+z", "undo")
    window.key("ctrl+z", "undo")
    window.report()
    assert not {"painted", "sculpt-mask"} & fields_of(project)


def weights_of_the_chosen_joint_are_painted_and_the_corrective_follows(window):
    before = points_of(window.project, window.folder, "rest"), points_of(window.project, window.folder)
    linear = points_of(window.project, window.folder, method="linear-blend")
    entered = enter(window)
    window.click("outliner/wrist")
    window.wait("joint wrist")
    window.click("side/Paint")
    window.wait("brush ")
    window.click("side/Paint joint weights")
    window.wait("paint-weights")
    report = stroke(window)
    assert report["undo"] == "paint weights of wrist" and not report["alarmed"], (report["undo"], report["message"])
    assert len(report["history"]) == len(entered["history"]) + 1  # the fit that follows is part of it
    # The skin is another, and yet the sculpt is what it was.
    assert largest_move(points_of(window.project, window.folder, method="linear-blend"), linear) > 1e-4
    assert largest_move(points_of(window.project, window.folder), before[1]) < 1e-6
    window.key("ctrl+z", "undo")
    window.report()
    assert largest_move(points_of(window.project, window.folder, method="linear-blend"), linear) == 0
    assert largest_move(points_of(window.project, window.folder, "rest"), before[0]) == 0


def kill_in_mid_stroke_costs_that_stroke(folder):
    project = arm(folder)
    window = Window(folder, project)
    with window:
        enter(window)
        stroke(window, brush="Inflate")
        sculpted = points_of(project, folder)
        x, y, _, _ = window.report()["joints"]["wrist"]
        window.point(x, y)
        window.tool("mousedown", 1)
        window.wait("stroke ")
        window.tool("mousemove_relative", "--", 6, 0)
        window.wait("dab ")
        window.kill()
    assert largest_move(points_of(project, folder), sculpted) == 0
    with Window(folder, project) as window:
        report = window.report()
        assert report["undo"] == "inflate elbow-130"
        assert report["dialog"] and any(name.endswith("/Continue") for name in report["widgets"])
        window.tool("key", "Return")
        assert window.report()["dialog"] == 0


def strokes_are_kept_when_the_window_is_closed_at_once(folder):
    project = arm(folder, fitted=False)
    with Window(folder, project) as window:
        enter(window)
        x, y, _, _ = window.report()["joints"]["elbow"]
        for _ in range(3):
            window.drag((x, y), ((6, 0), (6, 0)))
        window.tool("key", "ctrl+q")
        assert window.program.wait(60) == 0
    labels = [row["label"] for row in answer("history", project)["history"]]
    assert labels.count("grab elbow-130") == 3, labels


def morph_takes_the_shape_of_another_example(folder):
    """Of the wrist's sculpt, chosen in the list, while the elbow's pose is shown; the project opens with it again."""
    project = arm(folder)
    with Window(folder, project) as window:
        enter(window)
        window.key("0", "brush-morph")
        state = window.report()
        assert state["brush"] == "morph" and "side/Towards" in state["widgets"]
        window.click("side/Towards")
        window.click("list/wrist-150")
        assert window.wait("morph-to ") == "morph-to example wrist-150"
        before = pose_points(project, folder, "elbow-130")
        state = stroke(window, joint="wrist", moves=((4, 0), (-4, 0)) * 6)
        assert state["undo"] == "morph elbow-130" and not state["alarmed"], state["message"]
        after = pose_points(project, folder, "elbow-130")
        wrist, linear = (pose_points(project, folder, "wrist-150", method) for method in (None, "linear-blend"))
        displacement = [math.dist(a, b) for a, b in zip(before, after)]
        bulge = [math.dist(a, b) for a, b in zip(wrist, linear)]
        most = max(range(len(displacement)), key=displacement.__getitem__)
        assert displacement[most] > 1e-4 and bulge[most] > 0.3 * displacement[most], (displacement[most], bulge[most])
        assert max(m for m, b in zip(displacement, bulge) if b < 1e-6) < 0.1 * displacement[most]
    with Window(folder, project) as window:
        assert window.report()["brush"] == "morph"
        window.click("side/Towards")
        window.click("list/Rest shape")
        window.wait("morph-to rest")
        assert not window.report()["alarmed"]


CASES = [strokes_of_three_brushes_become_the_example_and_are_undone_one_by_one,
         brush_starts_at_a_share_of_the_mesh_and_says_when_it_reaches_no_point,
         pose_without_a_name_gets_that_of_its_first_example, morph_takes_the_shape_of_another_example,
         kill_in_mid_stroke_costs_that_stroke, strokes_are_kept_when_the_window_is_closed_at_once,
         *OneWindow(arm).cases(first_stroke_in_a_pose_makes_the_example, rest_takes_no_sculpt_and_says_why,
         sculpting_goes_on_in_the_next_pose, stroke_on_a_frame_of_a_clip_stays_there_and_the_next_frame_is_one_key,
         undo_and_redo_go_to_the_pose_that_they_change, measures_are_those_of_the_command_line,
         shift_smooths_whatever_brush_is_in_hand, weights_of_the_chosen_joint_are_painted_and_the_corrective_follows),
         mask_and_paint_are_shown_kept_and_undone]
