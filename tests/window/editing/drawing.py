# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints drawn on the skin of a mesh animation: placed in the middle of the limb, moved, renamed, parented, deleted, taken back; and the
skeleton that follows them."""

from harness import answer, sinew
from driver import opened


def joints(project):
    return {row["name"]: row for row in answer("joint", project, "list")["joints"]}


def click(window, x, y):
    window.point(x, y)
    window.tool("click", 1)
    window.wait("joint-draw")
    report = window.report()
    assert not report["alarmed"], report["message"]
    return report


def name(window, button, words, done):
    """Presses a button that asks for a text."""
    window.click("side/" + button)
    window.report()
    window.tool("key", "ctrl+a")
    window.write(words)
    window.wait(done)
    return window.report()


def skeleton_is_drawn_on_the_skin_and_followed(folder):
    project = folder / "bar.sinew"
    sinew("sample", "bar", "-o", project)
    with opened(project, (760, 480)) as window:
        window.key("g", "grid")  # what a software rasteriser takes longest for
        window.key("KP_End", "front")
        window.key("j", "draw-joints")
        window.key("a", "frame")
        report = window.report()
        assert report["drawing_joints"] and report["clip"] is None, report
        x, y = window.middle(report)
        reach = 0.25 * report["viewport"][2]
        for step in (-1, 0, 1):
            report = click(window, x + step * reach, y)
        assert report["history"][-3:] == ["add joint joint-1", "add joint joint-2", "add joint joint-3"] and report["joint"] == "joint-3", report
        drawn = joints(project)
        assert [row["parent"] for row in drawn.values()] == ["", "joint-1", "joint-2"], drawn
        places = [row["place"] for row in drawn.values()]
        assert all(abs(place[2]) < 0.02 for place in places) and places[0][0] < places[1][0] < places[2][0], places

        px, py, _, _ = report["joints"]["joint-2"]
        window.drag((px, py), [(0, -20), (0, -20)])
        window.wait("joint-move")
        report = window.report()
        after = joints(project)
        assert report["joint"] == "joint-2" and after["joint-2"]["place"][1] > places[1][1] + 0.001, after
        assert max(abs(a - b) for a, b in zip(after["joint-3"]["place"], places[2])) < 1e-9, after
        window.key("ctrl+z", "undo")
        window.report()
        assert joints(project) == drawn

        assert name(window, "Rename…", "knee", "joint-name")["joint"] == "knee"
        window.click_joint("joint-3")
        name(window, "Parent…", "joint-1", "joint-parent")
        assert joints(project)["joint-3"]["parent"] == "joint-1"
        report = name(window, "Parent…", "joint-3", "joint-parent")
        assert report["alarmed"] and "itself" in report["message"], report["message"]
        window.key("ctrl+z", "undo")
        window.click("side/Skeleton from motion")
        window.wait("skeleton-follow")
        report = window.report()
        assert not report["alarmed"] and "a skeleton of 4 joints" in report["message"], report["message"]
        assert set(joints(project)) == {"root", "joint-1", "knee", "joint-3"}
        window.click_joint("knee")
        window.key("j", "draw-joints")
        window.click("side/Bind skin")
        window.wait("bind-skin")
        report = window.report()
        assert not report["alarmed"] and "weights of 1 mesh" in report["message"], report["message"]


CASES = [skeleton_is_drawn_on_the_skin_and_followed]
