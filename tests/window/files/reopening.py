# SPDX-License-Identifier: GPL-3.0-or-later
"""A project is shown again as it was left: camera, pose, what is selected, and the brush; after a crash and after closing it."""

import math

from harness import sinew
from driver import Window, enter, stroke
from limbs import limbs

KEPT = ("pose", "clip", "mesh", "joint", "example", "group", "brush", "sculpting", "look", "lights", "light_turn")


def leave(window, folder):
    """Turns the camera, selects this and that, and makes a stroke with a brush of its own size."""
    enter(window, "bent")
    window.click("outliner/lower_l")
    window.wait("joint lower_l")
    x, y = window.middle()
    window.drag((x, y - 200), [(60, 10), (60, 10)], button=2)
    window.type_into("side/Radius", "70")  # millimetres; the command has centimetres
    window.wait("radius 7")
    window.click("side/Inflate")
    window.wait("brush inflate")
    window.type_into("side/Strength", "0.25")
    window.wait("strength 0.25")
    window.click("side/Symmetry")
    window.wait("symmetry")
    state = stroke(window, joint="lower_l")
    assert state["example"] == "bent" and state["mesh"] == "sleeve", state["message"]
    return state


def expect_same(window, before):
    state = window.report()
    assert {key: state[key] for key in KEPT} == {key: before[key] for key in KEPT}, ({key: state[key] for key in KEPT}, before["joint"])
    assert abs(state["brush_radius"] - before["brush_radius"]) < 1e-12
    assert abs(state["brush_strength"] - before["brush_strength"]) < 1e-12 and state["symmetry"]
    for joint, place in before["joints"].items():
        assert math.dist(place[:2], state["joints"][joint][:2]) < 0.5, (joint, place, state["joints"][joint])
    return state


def view_returns_after_a_crash_and_after_closing(folder):
    project = limbs(folder, dressed=True)
    with Window(folder, project) as window:
        leave(window, folder)
        before = window.report()
        window.report()  # at rest
        window.kill()
    with Window(folder, project) as window:
        state = window.report()
        window.click(next(name for name in state["widgets"] if name.endswith("/Continue")))
        state = expect_same(window, before)
        # A stroke goes on as before.
        assert stroke(window, joint="lower_l")["undo"] == "inflate bent"
        window.key("Tab", "posing")
        window.click("outliner/upper_r")
        window.wait("joint upper_r")
        window.click("outliner/limbs##mesh")
        window.wait("mesh limbs")
        window.key("k", "matcap")
        window.click("side/View")
        window.click("side/Raking")
        window.wait("lights 1")
        window.type_into("side/##light-turn", -30)
        window.wait("light-turn -30")
        before = window.report()
        assert before["mesh"] == "limbs" and not before["sculpting"]
        assert (before["look"], before["lights"]) == ("matcap-clay", "raking") and abs(before["light_turn"] + math.pi / 6) < 1e-9
    with Window(folder, project) as window:
        expect_same(window, before)


def what_is_gone_or_damaged_is_passed_over(folder):
    project = limbs(folder)
    with Window(folder, project) as window:
        window.click("outliner/lower_l")
        window.wait("joint lower_l")
        window.report()
    sinew("joint", project, "name", "lower_l", "forearm")
    with Window(folder, project) as window:
        assert window.report()["joint"] is None
    (view,) = (folder / "state" / "sinew" / "views").iterdir()
    first, *_ = view.read_text().splitlines()
    view.write_text("\n".join([first, "camera 1 nan 3 0 0 0 0", "camera 1 2", "camera", "", "radius -4", "radius 1e300", "brush", "joint",
                               "strength grab 9", "strength", "tab 99", "tab -1", "seconds nan", "falloff nothing", "alpha /nowhere.png",
                               "look nothing", "lights", "lights 2", "light-turn 99", "light-turn nan",
                               "sculpting 7", "unknown words", "x" * 5000]) + "\n")
    with Window(folder, project) as window:
        state = window.report()
        assert not state["alarmed"] and not state["sculpting"] and state["joint"] is None, state["message"]
        assert all(math.isfinite(c) for place in state["joints"].values() for c in place)
        enter(window, "bent")
    # The file of a project that is gone goes as well.
    other = folder / "other"
    other.mkdir()
    second = limbs(other)
    project.unlink()
    with Window(folder, second) as window:
        window.report()
    views = [path.read_text().splitlines()[0] for path in (folder / "state" / "sinew" / "views").iterdir()]
    assert views == [f"project {second}"], views


CASES = [view_returns_after_a_crash_and_after_closing, what_is_gone_or_damaged_is_passed_over]
