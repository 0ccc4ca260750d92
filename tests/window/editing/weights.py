#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Skin weights in the window: the skin follows the brush, locked joints keep their weights, the weights of a point are typed, and weights are
mirrored and pruned as a whole."""

import array
import sqlite3
from contextlib import closing

from harness import run
from limbs import JOINTS, limbs
from driver import Window
from under_xvfb import under_xvfb

NAMES = [name for name, _, _ in JOINTS]


def weights(project):
    """The weights of each point by the names of its joints."""
    with closing(sqlite3.connect(f"file:{project}?mode=ro", uri=True)) as database:
        joints = [NAMES[row[0]] for row in database.execute(
            "SELECT joint.position FROM slot JOIN joint ON slot.joint = joint.id ORDER BY slot.position")]
        row = database.execute("SELECT influence_offsets, influence_slots, influence_weights FROM mesh").fetchone()
    offsets, slots, values = array.array("I", row[0]), array.array("I", row[1]), array.array("d", row[2])
    return [{joints[slots[k]]: values[k] for k in range(offsets[i], offsets[i + 1])} for i in range(len(offsets) - 1)]


def painting(window):
    window.click("poses/bent")
    window.wait("pose bent")
    window.key("KP_End", "front")
    window.key("g", "grid")
    window.key("s", "skeleton")
    window.key("Tab", "posing")
    window.click("outliner/lower_l")
    window.wait("joint lower_l")
    window.click("side/Paint")
    window.wait("brush ")
    window.click("side/Paint joint weights")
    window.wait("paint-weights")


def paint(window, place):
    """A stroke in which the picture is taken before the button is released, and after it has been stored."""
    window.point(*place)
    window.tool("mousedown", 1)
    for dx, dy in [(4, 0), (-4, 0)] * 4:
        window.tool("mousemove_relative", "--", dx, dy)
    live = window.picture()
    window.tool("mouseup", 1)
    window.wait("stroke-end")
    report = window.report()
    assert not report["alarmed"], report["message"]
    return live, window.picture()


def skin_follows_the_brush_and_weights_are_locked_typed_mirrored_and_pruned(folder):
    project = limbs(folder)
    with Window(folder, project, size=(1000, 940)) as window:
        painting(window)
        report = window.report()
        (ux, uy, _, _), (lx, ly, _, _) = report["joints"]["upper_l"], report["joints"]["lower_l"]
        place = ux + 0.4 * (lx - ux), uy + 0.4 * (ly - uy)
        before, original = window.picture(), weights(project)
        live, after = paint(window, place)
        painted = weights(project)
        assert painted != original
        assert window.changed(before, live) > 800, window.changed(before, live)
        assert window.changed(live, after) < 0.2 * window.changed(before, live), "more than the ring of the brush"
        window.key("ctrl+z", "undo")
        window.report()
        assert weights(project) == original

        window.click("outliner/upper_l", button=3)
        window.click("popup/Lock weights")
        window.wait("joint-lock")
        window.click("outliner/lower_l")
        window.wait("joint lower_l")
        paint(window, place)
        assert all(now.get("upper_l") == then.get("upper_l") for now, then in zip(weights(project), original))
        window.click("outliner/upper_l", button=3)
        window.click("popup/Unlock weights")
        window.wait("joint-lock")

        window.point(*place)
        window.report()
        window.key("n", "weights-point")
        window.wait("weights-point ")
        report = window.report()
        point = int(next(name for name in report["words"] if name.startswith("side/Point ")).split()[1])
        assert weights(project)[point] == {"upper_l": 1}
        window.click("outliner/lower_l")
        window.type_into("side/upper_l##weight", "0.25")
        window.wait("weight ")
        report = window.report()
        assert report["undo"] == "set weights of upper_l", report["undo"]
        typed = weights(project)
        assert abs(typed[point]["upper_l"] - 0.25) < 1e-12 and abs(typed[point]["root"] - 0.75) < 1e-12, typed[point]
        assert sum(one != two for one, two in zip(typed, original)) < 40

        window.click("side/Mirror to −x")
        window.wait("weights-mirror")
        report = window.report()
        assert report["undo"] == "mirror weights of limbs" and not report["alarmed"], (report["undo"], report["message"])
        mirrored = [one for one, two in zip(weights(project), typed) if one != two]
        assert any(abs(one.get("upper_r", 0) - 0.25) < 1e-9 for one in mirrored), mirrored[:3]
        window.click("side/Prune")
        window.wait("weights-prune")
        report = window.report()
        assert report["undo"] == "prune weights of limbs", report["undo"]
        assert all(min(row.values()) >= 0.01 and abs(sum(row.values()) - 1) < 1e-9 for row in weights(project))


if __name__ == "__main__":
    under_xvfb()
    run([skin_follows_the_brush_and_weights_are_locked_typed_mirrored_and_pruned])
