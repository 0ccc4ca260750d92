# SPDX-License-Identifier: GPL-3.0-or-later
"""A character with a sleeve on either side: under symmetry, strokes, masks, fields and weights reach the mesh of the other side."""

import math
import sqlite3
from array import array
from contextlib import closing

from harness import sinew
from limbs import JOINTS, limbs
from driver import Window, enter, opened, pose_points, stroke

TALL = (1000, 940)
SIDES = "sleeve", "right sleeve"


def edits(project):
    """The points that each mesh's example moves, by their places at rest."""
    found = {}
    with closing(sqlite3.connect(project)) as database:
        rows = database.execute("SELECT mesh.name, mesh.points_rest, array.bytes FROM example JOIN mesh ON mesh.id = example.mesh "
                                "JOIN array ON array.id = edited").fetchall()
    for mesh, rest, edited in rows:
        places, indices = array("d", rest), array("I", edited)
        found[mesh] = {tuple(round(c, 5) + 0.0 for c in places[3 * i:3 * i + 3]) for i in indices}
    return found


def symmetry_reaches_the_mesh_of_the_other_side(folder):
    """As one step; not if that mesh is locked."""
    project = limbs(folder, dressed="both")
    with opened(project, TALL) as window:
        first = enter(window, "bent")
        window.click("side/Symmetry")
        window.wait("symmetry")
        report = stroke(window, "lower_l", brush="Inflate")
        assert report["mesh"] == "sleeve" and len(report["history"]) == len(first["history"]) + 1, report["history"]
        assert report["groups"]["Left lower"]["examples"] == ["bent"] and len(report["groups"]["Right lower"]["examples"]) == 1, report["groups"]
        assert all(abs(weight - 1) < 1e-3 for weight in report["examples"].values()) and len(report["examples"]) == 2, report["examples"]
        edited = edits(project)
        assert len(edited["sleeve"]) > 10 and {(-x + 0.0, y, z) for x, y, z in edited["sleeve"]} == edited["right sleeve"], edited
        report = stroke(window, "lower_r")  # from the other side: both examples go on
        assert report["mesh"] == "right sleeve" and len(report["examples"]) == 2 and len(report["history"]) == len(first["history"]) + 2, report["examples"]
        for _ in range(2):
            window.key("ctrl+z", "undo")
        assert not window.report()["examples"]
        window.click("outliner/right sleeve##mesh")
        window.wait("mesh right sleeve")
        assert window.report()["mesh"] == "right sleeve"
        window.key("ctrl+p", "palette")
        window.report()
        window.write("lock mesh")
        window.wait("mesh-lock")
        report = stroke(window, "lower_l", brush="Inflate")
        assert set(edits(project)) == {"sleeve"}, (report["mesh"], report["message"], set(edits(project)))


def rows(project, query, *values):
    with closing(sqlite3.connect(f"file:{project}?mode=ro", uri=True)) as database:
        return database.execute(query, values).fetchall()


def by_place(rest, values):
    """Values of points by their places at rest."""
    places = array("d", rest)
    return {tuple(round(c, 5) + 0.0 for c in places[3 * i:3 * i + 3]): value for i, value in enumerate(values)}


def field(project, name):
    """The values of a field on each mesh."""
    found = rows(project, "SELECT mesh.name, mesh.points_rest, array.bytes FROM field JOIN mesh ON mesh.id = field.mesh "
                 "JOIN array ON array.id = elements WHERE field.name = ?", name)
    return {mesh: by_place(rest, array("d", values)) for mesh, rest, values in found}


def weights(project, mesh, joint):
    """Of a joint at each point of a mesh."""
    slots = [JOINTS[row[0]][0] for row in rows(
        project, "SELECT joint.position FROM slot JOIN joint ON slot.joint = joint.id ORDER BY slot.position")]
    ((rest, *skin),) = rows(project, "SELECT points_rest, influence_offsets, influence_slots, influence_weights FROM mesh WHERE name = ?", mesh)
    offsets, influences, values = array("I", skin[0]), array("I", skin[1]), array("d", skin[2])
    return by_place(rest, [sum(values[k] for k in range(offsets[i], offsets[i + 1]) if slots[influences[k]] == joint)
                           for i in range(len(offsets) - 1)])


def assert_reflected(one, other):
    assert len(one) == len(other) > 100
    apart = max(abs(value - other[(-x + 0.0, y, z)]) for (x, y, z), value in one.items())
    assert apart < 1e-9, apart


def around(x, y):
    return round(x) - 40, round(y) - 40, round(x) + 40, round(y) + 40


def begin(window):
    """In the pose bent, with symmetry, seen from the front; returns the history."""
    history = enter(window, "bent")["history"]
    window.key("KP_End", "front")
    window.click("side/Symmetry")
    window.wait("symmetry")
    return history


def masks_and_fields_reach_the_mesh_of_the_other_side(folder):
    """Each stroke is one step, and the whole mask is cleared, inverted and made by a joint on both sides; without symmetry on one."""
    project = limbs(folder, dressed="both")
    with opened(project, TALL, drawn=True) as window:
        history = begin(window)
        plain = window.picture()
        report = stroke(window, "lower_l", brush="Mask")
        assert len(report["history"]) == len(history) + 1 and not report["alarmed"], (report["history"], report["message"])
        mask = field(project, "sculpt-mask")
        assert set(mask) == set(SIDES) and max(mask["sleeve"].values()) > 0.2, set(mask)
        assert_reflected(mask["sleeve"], mask["right sleeve"])
        x, y, _, _ = report["joints"]["lower_r"]
        masked = window.picture()
        assert masked.differing(plain, *around(x, y)) > 100  # it is seen there
        window.key("alt+m", "mask-clear")
        window.report()
        assert all(value == 0 for values in field(project, "sculpt-mask").values() for value in values.values())
        window.key("ctrl+i", "mask-invert")
        window.report()
        assert all(value == 1 for values in field(project, "sculpt-mask").values() for value in values.values())
        window.key("ctrl+z", "undo")
        window.click("outliner/lower_l")
        window.wait("joint lower_l")
        window.key("ctrl+j", "mask-joint")
        window.report()
        mask = field(project, "sculpt-mask")
        assert_reflected(mask["sleeve"], mask["right sleeve"])
        assert mask["sleeve"] == weights(project, "sleeve", "lower_l")
        window.key("alt+m", "mask-clear")
        report = stroke(window, "lower_l", brush="Paint")
        painted = field(project, "painted")
        assert set(painted) == set(SIDES) and max(painted["sleeve"].values()) > 0.2 and not report["alarmed"], (set(painted), report["message"])
        assert_reflected(painted["sleeve"], painted["right sleeve"])
        window.key("ctrl+z", "undo")
        window.report()
        assert not field(project, "painted")
        window.click("side/Symmetry")
        window.wait("symmetry")
        stroke(window, "lower_l")
        assert set(field(project, "painted")) == {"sleeve"}


def outlines_mask_both_sides(folder, dressed="both"):
    """A box, and a lasso that unmasks: on the mesh of the other side, or on the other side of one symmetric mesh."""
    project = limbs(folder, dressed=dressed)
    with Window(folder, project, size=TALL) as window:
        begin(window)
        if dressed:
            window.click("outliner/sleeve##mesh")
            window.wait("mesh sleeve")
        x, y, _, _ = window.report()["joints"]["lower_l"]
        window.key("ctrl+b", "mask-box")
        window.drag((x - 30, y - 60), [(30, 60), (30, 60)])
        window.wait("mask-outline")
        assert window.report()["undo"] == "mask inside an outline"
        boxed = field(project, "sculpt-mask")
        window.key("ctrl+l", "mask-lasso")
        window.drag((x - 40, y - 70), [(40, 0), (0, 140), (-40, 0), (0, -100)], "ctrl")
        window.wait("mask-outline")
        window.report()
        for mask in boxed, field(project, "sculpt-mask"):
            left, right = [mask[side] for side in SIDES] if dressed else [mask["limbs"]] * 2
            assert_reflected(left, right)
        masked = sum(sum(values.values()) for values in boxed.values())
        left = sum(value for values in boxed.values() for (x, _, _), value in values.items() if x > 0)
        assert masked == 2 * left > 20, (masked, left)
        assert 0.2 < sum(sum(values.values()) for values in mask.values()) / masked < 0.8
        window.key("alt+m", "mask-clear")
        window.click("side/Symmetry")
        window.wait("symmetry")
        window.key("ctrl+b", "mask-box")
        window.drag((x - 30, y - 60), [(30, 60), (30, 60)])
        window.wait("mask-outline")
        window.report()
        alone = field(project, "sculpt-mask")
        assert sum(sum(values.values()) for values in alone.values()) == left, alone.keys()


def outlines_mask_both_sides_of_one_mesh(folder):
    outlines_mask_both_sides(folder, dressed=False)


def side_that_is_not_bent_gets_no_example_and_mirror_makes_one(folder):
    """An example of the right sleeve in a pose that bends the left arm alone would act whenever that arm bends."""
    project = limbs(folder, dressed="both")
    sinew("pose", project, "add", "one", "--rotate", "lower_l=0,0,1.2")
    with opened(project, TALL) as window:
        history = enter(window, "one")["history"]
        window.click("side/Symmetry")
        window.wait("symmetry")
        report = stroke(window, "lower_l", brush="Inflate")
        assert set(report["examples"]) == {"one"} and set(edits(project)) == {"sleeve"}, (report["examples"], set(edits(project)))
        assert not report["alarmed"] and report["message"].startswith("right sleeve keeps its shape"), report["message"]
        assert len(report["history"]) == len(history) + 1
        window.click("side/Mirror")
        window.wait("example-mirror")
        report = window.report()
        assert ": example Right lower 69° in pose one-mirrored is its mirror image" in report["message"] and not report["alarmed"], report["message"]
        assert report["groups"]["Right lower"] == {"joints": ["lower_r"], "examples": ["Right lower 69°"]}, report["groups"]
        edited = edits(project)
        assert {(-x + 0.0, y, z) for x, y, z in edited["sleeve"]} == edited["right sleeve"], edited
        # Mirrored again, and mirrored back, both are updated: none is made.
        for example in "one", "Right lower 69°":
            window.click("side/" + example)
            window.wait("example " + example)
            window.click("side/Mirror")
            window.wait("example-mirror")
            report = window.report()
            assert set(report["examples"]) == {"one", "Right lower 69°"} and not report["alarmed"], (report["examples"], report["message"])
    poses = {mesh: pose_points(project, folder, pose, mesh=mesh) for mesh, pose in (("sleeve", "one"), ("right sleeve", "one-mirrored"))}
    places = {mesh: pose_points(project, folder, "rest", mesh=mesh) for mesh in poses}
    image = {tuple(round(c, 4) + 0.0 for c in p): q for p, q in zip(places["right sleeve"], poses["right sleeve"])}
    for (x, y, z), p in zip(places["sleeve"], poses["sleeve"]):
        q = image[(round(-x, 4) + 0.0, round(y, 4) + 0.0, round(z, 4) + 0.0)]
        assert math.dist((-p[0], p[1], p[2]), q) < 1e-4, (p, q)


def weights_reach_the_joint_of_the_other_side_on_its_mesh(folder):
    """Live, and not if that joint is locked."""
    project = limbs(folder, dressed="both")
    with opened(project, TALL, drawn=True) as window:
        begin(window)
        window.key("g", "grid")
        window.key("s", "skeleton")
        window.click("outliner/lower_l")
        window.wait("joint lower_l")
        window.click("side/Paint")
        window.wait("brush ")
        window.click("side/Paint joint weights")
        window.wait("paint-weights")
        (ux, uy, _, _), (lx, ly, _, _) = (window.report()["joints"][name] for name in ("upper_l", "lower_l"))
        (mx, my, _, _), (rx, ry, _, _) = (window.report()["joints"][name] for name in ("upper_r", "lower_r"))
        place = ux + 0.8 * (lx - ux), uy + 0.8 * (ly - uy)
        other = mx + 0.8 * (rx - mx), my + 0.8 * (ry - my)
        before = {side: weights(project, side, joint) for side, joint in zip(SIDES, ("lower_l", "lower_r"))}
        window.point(*place)
        window.report()
        shown = window.picture()
        window.tool("mousedown", 1)
        for dx in (4, -4) * 4:
            window.tool("mousemove_relative", "--", dx, 0)
        live = window.picture()
        window.tool("mouseup", 1)
        window.wait("stroke-end")
        report = window.report()
        assert not report["alarmed"] and report["mesh"] == "sleeve", (report["mesh"], report["message"])
        assert live.differing(shown, *around(*other)) > 100  # before it is stored
        assert report["history"][-1] == "paint weights of lower_l", report["history"]
        one, two = weights(project, "sleeve", "lower_l"), weights(project, "right sleeve", "lower_r")
        assert max(abs(one[p] - before["sleeve"][p]) for p in one) > 0.1
        assert_reflected(one, two)
        window.key("ctrl+z", "undo")
        window.report()
        assert weights(project, "right sleeve", "lower_r") == before["right sleeve"]
        window.click("outliner/lower_r", button=3)
        window.click("popup/Lock weights")
        window.wait("joint-lock")
        window.click("outliner/lower_l")
        window.wait("joint lower_l")
        window.point(*place)
        window.drag(place, [(4, 0), (-4, 0)])
        window.wait("stroke-end")
        window.report()
        assert weights(project, "sleeve", "lower_l") != before["sleeve"]
        assert weights(project, "right sleeve", "lower_r") == before["right sleeve"]


CASES = [symmetry_reaches_the_mesh_of_the_other_side, masks_and_fields_reach_the_mesh_of_the_other_side,
         outlines_mask_both_sides, side_that_is_not_bent_gets_no_example_and_mirror_makes_one,
         weights_reach_the_joint_of_the_other_side_on_its_mesh]
LONG = [outlines_mask_both_sides_of_one_mesh]
