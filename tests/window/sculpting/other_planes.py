# SPDX-License-Identifier: GPL-3.0-or-later
"""Symmetry about another plane than x = 0, and what has no other side."""

import math
import sqlite3
from array import array
from contextlib import closing

from harness import answer, refusal, sinew, write_moved_obj
from limbs import limbs
from driver import opened, pose_points, stroke
from sides import TALL, assert_each_side_has_its_joint, begin, examples, rows, turn_symmetry


def character_beside_the_origin_is_symmetric(folder):
    """Strokes, masks and halves reach across its own middle."""
    middle = 0.4
    project = limbs(folder, offset=middle)
    with opened(project, TALL) as window:
        begin(window, "bent")
        turn_symmetry(window)
        report = stroke(window, "lower_l", brush="Inflate")
        assert report["message"].endswith("drive the new example bent, each on its own side.") and not report["alarmed"], report["message"]
        x, y, _, _ = report["joints"]["lower_l"]
        window.key("ctrl+b", "mask-box")
        window.drag((x - 30, y - 60), [(30, 60), (30, 60)])
        window.wait("mask-outline")
        window.report()
    assert_each_side_has_its_joint(project, folder, report, middle=middle)
    masked = "SELECT bytes FROM field JOIN array ON array.id = elements WHERE name = 'sculpt-mask'"
    mask, rest = rows(project, masked), pose_points(project, folder, "rest")
    places = {(round(x - middle, 4) + 0.0, round(y, 4), round(z, 4)): value for (x, y, z), value in zip(rest, array("d", mask[0][0]))}
    assert 20 < sum(places.values()) and all(places[-x + 0.0, y, z] == value for (x, y, z), value in places.items())


def example_of_a_character_beside_the_origin_is_mirrored_across_its_middle(folder):
    middle = 0.4
    project = limbs(folder, offset=middle)
    sinew("pose", project, "add", "one", "--rotate", "lower_l=0,0,1.2")
    with opened(project, TALL) as window:
        begin(window, "one")
        stroke(window, "lower_l", brush="Inflate")
        window.click("side/Mirror")
        window.wait("example-mirror")
        report = window.report()
        assert not report["alarmed"] and set(report["groups"]) == {"Left lower", "Right lower"}, (report["message"], report["groups"])
    rest, one, other = (pose_points(project, folder, pose) for pose in ("rest", "one", "one-mirrored"))
    image = {tuple(round(c, 4) + 0.0 for c in p): q for p, q in zip(rest, other)}
    for (x, y, z), (px, py, pz) in zip(rest, one):
        apart = math.dist((2 * middle - px, py, pz), image[(round(2 * middle - x, 4), round(y, 4) + 0.0, round(z, 4) + 0.0)])
        assert apart < 1e-4, apart
    assert answer("example", project, "mirror", "one", "--name", "again")["unpaired"] == 0


def example_is_mirrored_where_joints_name_no_sides(folder):
    """They have partners across the middle of the character, and none across x = 0."""
    middle = 0.4
    project = limbs(folder, offset=middle)
    with closing(sqlite3.connect(project)) as database, database:
        for old, new in {"upper_l": "one", "lower_l": "two", "upper_r": "three", "lower_r": "four"}.items():
            database.execute("UPDATE joint SET name = ? WHERE name = ?", (new, old))
    sinew("pose", project, "add", "bent arm", "--rotate", "two=0,0,1.2")
    with opened(project, TALL) as window:
        begin(window, "bent arm")
        stroke(window, "two", brush="Inflate")
        window.click("side/Mirror")
        window.wait("example-mirror")
        report = window.report()
        assert not report["alarmed"] and len(report["examples"]) == 2, (report["message"], report["examples"])
    assert sorted(group["joints"][0]["name"] for group in answer("group", project, "list")["groups"]) == ["four", "two"]


def sleeves_of_a_character_beside_the_origin_are_counterparts(folder):
    """Across its middle, for strokes and for Mirror."""
    middle = 0.4
    project = limbs(folder, dressed="both", offset=middle)
    sinew("pose", project, "add", "one", "--rotate", "lower_l=0,0,0.8")
    with opened(project, TALL) as window:
        begin(window, "bent")
        turn_symmetry(window)
        report = stroke(window, "lower_l", brush="Inflate")
        assert report["mesh"] == "sleeve" and len(report["examples"]) == 2 and not report["alarmed"], (report["message"], report["examples"])
        begin(window, "one")
        stroke(window, "lower_l")
        window.click("side/Mirror")
        window.wait("example-mirror")
        report = window.report()
        assert not report["alarmed"] and len(report["examples"]) == 4, (report["message"], report["examples"])
    found = rows(project, "SELECT pose.name, mesh.name, points_rest, array.bytes FROM example JOIN mesh ON mesh.id = example.mesh "
                 "JOIN pose ON pose.id = pose JOIN array ON array.id = edited")
    edits = {(pose, mesh): {tuple(round(c, 4) + 0.0 for c in array("d", rest)[3 * i:3 * i + 3]) for i in array("I", edited)}
             for pose, mesh, rest, edited in found}
    for pose, mirrored in ("bent", "bent"), ("one", "one-mirrored"):
        one, other = edits[pose, "sleeve"], edits[mirrored, "right sleeve"]
        assert len(one) > 10 and other == {(round(2 * middle - x, 4) + 0.0, y, z) for x, y, z in one}, (pose, one, other)


def sculpt_without_another_side_says_what_to_do(folder):
    """Not with options of the command line."""
    project = limbs(folder, dressed=True)
    sinew("pose", project, "add", "one", "--rotate", "lower_l=0,0,1.2")
    with opened(project, TALL) as window:
        begin(window, "one")
        report = stroke(window, "lower_l", brush="Inflate")
        assert report["mesh"] == "sleeve", report["mesh"]
        window.click("side/Mirror")
        window.wait("example-mirror")
        refused = window.report()
        assert refused["alarmed"] and refused["message"].startswith("nothing on the other side is like sleeve where one is sculpted"), refused["message"]
        assert refused["history"] == report["history"], refused["history"]
        window.click("side/Paint")
        window.wait("brush ")
        window.key("ctrl+p", "palette")
        window.report()
        window.write("mirror weights")
        window.wait("weights-mirror")
        refused = window.report()
        assert refused["alarmed"] and "its weights have no mirror image" in refused["message"], refused["message"]
    line = refusal("example", project, "mirror", "one")
    assert "tolerance" in line, line


def points_without_another_side_are_counted(folder):
    """The mesh ends at the left elbow: of a sculpt of the right one, the outer part has no image."""
    project = limbs(folder, divided=True)
    sinew("pose", project, "add", "one", "--rotate", "lower_r=0,0,-1.2")
    with opened(project, TALL) as window:
        begin(window, "one")
        stroke(window, "lower_r", brush="Inflate")
        window.click("side/Mirror")
        window.wait("example-mirror")
        report = window.report()
    assert not report["alarmed"] and report["message"].startswith("mirror example one: example Left lower 69° in pose "), report["message"]
    ((edited, places),) = rows(project, "SELECT bytes, points_rest FROM example JOIN mesh ON mesh.id = example.mesh "
                                "JOIN array ON array.id = edited WHERE example.name = 'one'")
    lost = int(report["message"].split("; ")[1].split()[0])
    beyond, inside = (sum(1 for i in array("I", edited) if sign * (array("d", places)[3 * i] + 0.3) > 1e-6) for sign in (-1, 1))
    border = len(array("I", edited)) - beyond - inside  # of its points the other border has half, those of the inner faces
    assert 0 < beyond <= lost <= beyond + border and inside > 0, (beyond, lost, border)


def prop_of_one_hand_is_symmetric_about_its_own_middle(folder):
    """And has no mirror image: in the mirrored pose it would be at rest."""
    project = limbs(folder, dressed=True)
    with closing(sqlite3.connect(project)) as database, database:
        ((count,),) = database.execute("SELECT point_count FROM mesh WHERE name = 'sleeve'")
        ((slot,),) = database.execute("SELECT slot.position FROM slot JOIN joint ON slot.joint = joint.id WHERE joint.name = 'lower_l'")
        database.execute("UPDATE mesh SET influence_offsets = ?, influence_slots = ?, influence_weights = ? WHERE name = 'sleeve'",
                         (array("I", range(count + 1)), array("I", [slot] * count), array("d", [1] * count)))
    with opened(project, TALL) as window:
        begin(window, "bent")
        turn_symmetry(window)
        x, y, _, _ = window.report()["joints"]["lower_l"]
        window.drag((x + 20, y - 30), ((4, 0), (4, 0)))
        window.wait("stroke-end")
        report = window.report()
        assert report["mesh"] == "sleeve" and not report["alarmed"], report["message"]
        window.click("side/Mirror")
        window.wait("example-mirror")
        refused = window.report()
        assert refused["alarmed"] and refused["message"].startswith("nothing on the other side is like sleeve"), refused["message"]
    ((rest, edited),) = rows(project, "SELECT points_rest, bytes FROM mesh JOIN example ON example.mesh = mesh.id "
                              "JOIN array ON array.id = edited")
    places = array("d", rest)
    edits = {tuple(round(c, 4) + 0.0 for c in places[3 * i:3 * i + 3]) for i in array("I", edited)}
    assert len(edits) > 5 and edits == {(round(0.6 - x, 4) + 0.0, y, z) for x, y, z in edits}, edits


def mesh_without_a_skin_is_mirrored_about_its_own_middle(folder):
    """No joint moves it, so none of one side alone does."""
    project = limbs(folder, dressed=True)
    with closing(sqlite3.connect(project)) as database, database:
        database.execute("UPDATE mesh SET influence_offsets = NULL, influence_slots = NULL, influence_weights = NULL WHERE name = 'sleeve'")
    sinew("pose", project, "add", "one", "--rotate", "lower_l=0,0,1.2")
    sinew("export", project, "--pose", "one", "--mesh", "sleeve", "-o", folder / "sleeve.obj")
    write_moved_obj(folder / "sleeve.obj", folder / "sculpted.obj", lambda p: (0, 0.01, 0) if p[0] > 0.35 else (0, 0, 0))
    sinew("example", project, "add", "--name", "one", "--pose", "one", "--file", folder / "sculpted.obj", "--mesh", "sleeve",
          "--group", "Left", "--joints", "lower_l")
    mirrored = answer("example", project, "mirror", "one")
    assert math.isclose(mirrored["plane"], 0.3, abs_tol=1e-6) and mirrored["edited"] > 5, mirrored
    assert examples(project)[mirrored["made"][0]["example"]]["groups"] == ["Right"], examples(project)


CASES = [character_beside_the_origin_is_symmetric, example_of_a_character_beside_the_origin_is_mirrored_across_its_middle,
         sculpt_without_another_side_says_what_to_do, mesh_without_a_skin_is_mirrored_about_its_own_middle]
LONG = [example_is_mirrored_where_joints_name_no_sides, sleeves_of_a_character_beside_the_origin_are_counterparts,
        points_without_another_side_are_counted, prop_of_one_hand_is_symmetric_about_its_own_middle]
