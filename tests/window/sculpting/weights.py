# SPDX-License-Identifier: GPL-3.0-or-later
"""Skin weights in the window: the skin follows the brush, locked joints keep their weights, the weights of a point are typed, and weights are
mirrored, pruned and bound as a whole."""

import array
import math
import sqlite3
from contextlib import closing

from harness import answer, refusal, sample_arm, sinew
from limbs import JOINTS, limbs
from driver import Window, enter, opened, pose_points

NAMES = [name for name, _, _ in JOINTS]


def weights(project, mesh="limbs"):
    """The weights of each point of a mesh by the names of its joints."""
    with closing(sqlite3.connect(f"file:{project}?mode=ro", uri=True)) as database:
        joints = [NAMES[row[0]] for row in database.execute(
            "SELECT joint.position FROM slot JOIN joint ON slot.joint = joint.id ORDER BY slot.position")]
        row = database.execute("SELECT influence_offsets, influence_slots, influence_weights FROM mesh WHERE name = ?", (mesh,)).fetchone()
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


def paint(window, place, look=lambda: None):
    """A stroke; what is seen before the button is released."""
    window.point(*place)
    window.tool("mousedown", 1)
    for dx, dy in [(4, 0), (-4, 0)] * 4:
        window.tool("mousemove_relative", "--", dx, dy)
    live = look()
    window.tool("mouseup", 1)
    window.wait("stroke-end")
    report = window.report()
    assert not report["alarmed"], report["message"]
    return live


def switch_lock(window, verb, joint):
    window.click("outliner/" + joint, button=3)
    window.click(f"popup/{verb} weights")
    window.wait("joint-lock")


def skin_follows_the_brush(window, project, place, original):
    before = window.picture()
    live = paint(window, place, window.picture)
    after = window.picture()
    assert weights(project) != original
    assert window.changed(before, live) > 800, window.changed(before, live)
    assert window.changed(live, after) < 0.2 * window.changed(before, live), "more than the ring of the brush"
    window.key("ctrl+z", "undo")
    window.report()
    assert weights(project) == original


def lock_protects_from_the_brush(window, project, place, original):
    switch_lock(window, "Lock", "lower_l")
    window.click("outliner/root")
    window.wait("joint root")
    paint(window, place)
    rooted = weights(project)
    assert all(one.get("lower_l") == two.get("lower_l") for one, two in zip(rooted, original))
    assert any(one.get("root", 0) > 0.1 and "lower_l" in two for one, two in zip(rooted, original)), "nothing was painted"
    switch_lock(window, "Unlock", "lower_l")


def weights_of_a_point_are_typed_and_dragged(window, project, place):
    before = weights(project)
    window.point(*place)
    window.report()
    window.key("n", "weights-point")
    window.wait("weights-point ")
    report = window.report()
    point = int(next(name for name in report["words"] if name.startswith("side/Point ")).split()[1])
    assert before[point] == {"upper_l": 1}
    window.click("outliner/lower_l")
    window.type_into("side/upper_l##weight", "0.25")
    window.wait("weight ")
    report = window.report()
    assert report["undo"] == "set weights of upper_l", report["undo"]
    typed = weights(project)
    assert abs(typed[point]["upper_l"] - 0.25) < 1e-12 and abs(typed[point]["root"] - 0.75) < 1e-12, typed[point]
    assert sum(one != two for one, two in zip(typed, before)) < 40
    line = window.drag_number("side/upper_l##weight", 20, "weight ")  # the slider's middle is 0.5
    report = window.report()
    assert report["undo"] == "set weights of upper_l", report["undo"]
    assert 0.5 < float(line.split()[1]) < 1 and abs(weights(project)[point]["upper_l"] - float(line.split()[1])) < 1e-6, line
    window.key("ctrl+z", "undo")
    report = window.report()
    assert weights(project) == typed
    root, upper = (report["widgets"][f"side/{name}##weight"][1] for name in ("root", "upper_l"))
    assert root < upper, "the rows are not in the order of the joints"


def weights_are_mirrored_and_pruned(window, project):
    before = weights(project)
    window.click("side/Mirror to −x")
    window.wait("weights-mirror")
    report = window.report()
    assert report["undo"] == "mirror weights of limbs" and not report["alarmed"], (report["undo"], report["message"])
    mirrored = [one for one, two in zip(weights(project), before) if one != two]
    assert any(abs(one.get("upper_r", 0) - 0.25) < 1e-9 for one in mirrored), mirrored[:3]
    window.click("side/Prune")
    window.wait("weights-prune")
    report = window.report()
    assert report["undo"] == "prune weights of limbs", report["undo"]
    assert all(min(row.values()) >= 0.01 and abs(sum(row.values()) - 1) < 1e-9 for row in weights(project))


def binding_keeps_locked_weights(window, project):
    before = weights(project)
    switch_lock(window, "Lock", "upper_l")
    window.key("ctrl+p", "palette")
    window.report()
    window.write("bind skin")
    window.wait("bind-skin")
    report = window.report()
    assert report["undo"] == "bind" and not report["alarmed"], (report["undo"], report["message"])
    bound = weights(project)
    assert all(abs(one.get("upper_l", 0) - two.get("upper_l", 0)) < 1e-9 for one, two in zip(bound, before))
    assert any(abs(one.get("root", 0) - two.get("root", 0)) > 0.01 for one, two in zip(bound, before))


def along_the_upper_arm(window, share):
    (ux, uy, _, _), (lx, ly, _, _) = (window.report()["joints"][name] for name in ("upper_l", "lower_l"))
    return ux + share * (lx - ux), uy + share * (ly - uy)


def skin_follows_the_brush_and_weights_are_locked_typed_mirrored_pruned_and_bound(folder):
    """Each begins with what the one before has left."""
    project = limbs(folder)
    original = weights(project)
    with Window(folder, project, size=(1000, 940), pixel_size=1, drawn=True) as window:
        painting(window)
        skin_follows_the_brush(window, project, along_the_upper_arm(window, 0.4), original)
    with opened(project, (1000, 940)) as window:
        painting(window)
        lock_protects_from_the_brush(window, project, along_the_upper_arm(window, 0.9), original)
        weights_of_a_point_are_typed_and_dragged(window, project, along_the_upper_arm(window, 0.4))
        weights_are_mirrored_and_pruned(window, project)
        binding_keeps_locked_weights(window, project)


def weights_are_copied_from_another_mesh(folder):
    """As the command line does it: from the nearest places at rest, without those of locked joints."""
    project = limbs(folder, dressed=True)
    sinew("weights", project, "prune", "--influences", 1, "--mesh", "sleeve")
    original = weights(project, "sleeve")
    sinew("weights", project, "copy", "--from", "limbs", "--mesh", "sleeve")
    expected = weights(project, "sleeve")
    sinew("undo", project)
    assert weights(project, "sleeve") == original != expected
    with opened(project, (1000, 940)) as window:
        painting(window)
        assert "side/Copy from…" in window.report()["widgets"]
        window.click("outliner/sleeve##mesh")
        window.wait("mesh sleeve")
        window.click("side/Copy from…")
        window.report()
        window.click("popup/limbs")
        window.wait("weights-copy limbs")
        report = window.report()
        assert report["undo"] == "copy weights to sleeve" and not report["alarmed"], (report["undo"], report["message"])
        copied = weights(project, "sleeve")
        assert all(abs(one.get(name, 0) - two.get(name, 0)) < 1e-12 for one, two in zip(copied, expected) for name in one | two)
        window.key("ctrl+z", "undo")
        switch_lock(window, "Lock", "upper_l")
        window.key("ctrl+p", "palette")
        window.report()
        window.write("copy weights from")
        window.wait("weights-copy")
        window.report()
        window.tool("key", "ctrl+a")
        window.write("limbs")
        window.wait("weights-copy limbs")
        report = window.report()
        assert not report["alarmed"], report["message"]
        locked = weights(project, "sleeve")
        # Each point of the sleeve follows one of two joints alone, so nothing remains to be shared.
        assert all(abs(one.get(name, 0) - two.get(name, 0)) < 1e-12 for one, two in zip(locked, original) for name in one | two)


def learned_weights_are_taken_and_painted(folder):
    project = sample_arm(folder / "arm.sinew")
    sinew("fit", "linear-blend-fit", project)
    learned = pose_points(project, folder, "elbow-130")
    muted = lambda: {row["name"]: row["muted"] for row in answer("stack", project, "list")["layers"]}
    before = muted()
    assert before["linear-blend"] and not before["linear-blend-fit"], before
    with opened(project, (1000, 940)) as window:
        enter(window)
        window.click("outliner/elbow")
        window.wait("joint elbow")
        window.click("side/Paint")
        window.wait("brush ")
        window.click("side/Paint joint weights")
        window.wait("paint-weights")
        state = window.report()
        assert "learned weights" in state["message"], state["message"]
        window.click("side/Take learned weights")
        window.wait("weights-take")
        state = window.report()
        assert state["undo"] == "take learned weights" and not state["alarmed"], (state["undo"], state["message"])
        assert "side/Take learned weights" not in state["widgets"]
        assert max(math.dist(p, q) for p, q in zip(learned, pose_points(project, folder, "elbow-130"))) < 1e-5
        x, y, _, _ = state["joints"]["elbow"]
        window.drag((x, y), [(6, 0), (6, 0)])
        window.wait("stroke-end")
        assert window.report()["undo"].startswith("paint weights of elbow")
        assert max(math.dist(p, q) for p, q in zip(learned, pose_points(project, folder, "elbow-130"))) > 1e-3
        after = muted()
        assert not after["linear-blend"] and after["linear-blend-fit"], after
        window.key("ctrl+z", "undo")
        window.key("ctrl+z", "undo")
        window.report()
        assert muted() == before
    sinew("weights", project, "take")
    assert max(math.dist(p, q) for p, q in zip(learned, pose_points(project, folder, "elbow-130"))) < 1e-5
    assert "learned weights" in refusal("weights", project, "take")


CASES = [skin_follows_the_brush_and_weights_are_locked_typed_mirrored_pruned_and_bound]
LONG = [weights_are_copied_from_another_mesh, learned_weights_are_taken_and_painted]
