# SPDX-License-Identifier: GPL-3.0-or-later
"""A day's work on a figure of five meshes: sculpts at frames of a clip on body and shirt, undo that shows them, a mirror image on a side
that is not alike, errors that agree with the command line."""

import math
import re
import time

from harness import answer, obj_points, sinew
from driver import PATIENCE, OneWindow, opened, pose_points, stroke

NUMBERS = "erms", "max_percent", "spill_mm", "spill_max_mm"


def dressed(folder):
    sinew("sample", "dressed", "-o", folder / "dressed.sinew")
    return folder / "dressed.sinew"


def sculpt_frames(window):
    """One on the shirt, which is over the arm, and one on the body at the next frame. What was shown after each."""
    window.click("outliner/shirt##mesh")
    window.wait("mesh shirt")
    window.scrub(0.5)
    window.key("Tab", "posing")
    first = stroke(window, "upper_arm_l", brush="Inflate")
    window.key("Tab", "posing")
    window.click("outliner/body##mesh")
    window.wait("mesh body")
    window.key("ctrl+Right", "sculpt-next")  # here again: no sculpt of the body is like this frame
    window.key("Right", "step-on")
    second = stroke(window, "hand_l", brush="Inflate", moves=((-3, 0), (-3, 0)))
    return first, second


def sculpts_stay_at_their_frames_and_undo_goes_to_frame_and_mesh(window):
    first, second = sculpt_frames(window)
    for state, mesh in (first, "shirt"), (second, "body"):
        assert state["clip"] == "wave" and state["sculpting"] and state["mesh"] == mesh and not state["alarmed"], (state["mesh"], state["message"])
    assert len(second["examples"]) == 2 and first["seconds"] != second["seconds"], second["examples"]
    window.key("F8", "pose-rest")
    for key, done, shown in (("ctrl+z", "undo", second), ("ctrl+z", "undo", first), ("ctrl+shift+z", "redo", first)):
        window.key(key, done)
        state = window.report()
        assert (state["clip"], state["mesh"]) == ("wave", shown["mesh"]) and abs(state["seconds"] - shown["seconds"]) < 1 / 60, (state["clip"], state["mesh"], state["seconds"])


def errors_are_those_of_the_command_line(window):
    sculpt_frames(window)
    window.key("F8", "pose-rest")
    window.click("side/Stack")
    window.wait("tab 1")
    window.click("side/Measure")
    window.wait("measure")
    state = window.report()
    shown = [[row[key] for key in NUMBERS] for row in state["errors"]]
    printed = [[row[key] for key in NUMBERS] for row in answer("measure", window.project)["errors"]]
    assert shown == printed and len(shown) == 4, (shown, printed)
    assert max(shown[1][0], shown[3][0]) < 1e-3, shown  # the stack reproduces both sculpts
    window.click("side/Shape")
    window.wait("tab 0")


def mirror_image_takes_the_nearest_places_and_says_so(window):
    """There is a band around the right arm alone."""
    window.click("outliner/body##mesh")
    window.wait("mesh body")
    window.click("poses/elbow bent")
    window.wait("pose elbow bent")
    window.key("Tab", "posing")
    stroke(window, "lower_arm_l", brush="Inflate")
    window.key("Tab", "posing")
    window.click("side/Mirror")
    window.wait("example-mirror")
    state = window.report()
    said = re.search(r"(\d+) points of the other side without a partner took the sculpt of the nearest place", state["message"])
    assert said and int(said[1]) > 5 and not state["alarmed"], state["message"]
    mirrored = next(name for name in state["examples"] if name != "elbow bent")
    pose = next(row["pose"] for row in answer("example", window.project, "list")["examples"] if row["name"] == mirrored)
    depths = []
    for name in "elbow bent", pose:
        stack, linear = (pose_points(window.project, window.folder, name, method, "body") for method in (None, "linear-blend"))
        depths.append(max(sum((a - b) ** 2 for a, b in zip(p, q)) ** 0.5 for p, q in zip(stack, linear)))
    assert depths[0] > 1e-3 and abs(depths[1] / depths[0] - 1) < 0.2, depths


def strokes_on_the_body_move_the_clothes_over_it(window):
    window.click("outliner/body##mesh")
    window.wait("mesh body")
    window.click("outliner/Hide##shirt")
    window.wait("mesh-hide")
    window.click("poses/elbow bent")
    window.wait("pose elbow bent")
    window.key("Tab", "posing")
    window.click("side/Carry to clothes")
    window.wait("carry-along")
    state = stroke(window, "lower_arm_l", brush="Inflate")
    sculpts = {row["mesh"]: row for row in answer("example", window.project, "list")["examples"]}
    assert set(sculpts) == {"body", "shirt"} and not state["alarmed"], (sculpts, state["message"])
    depths = [max(sum((a - b) ** 2 for a, b in zip(p, q)) ** 0.5 for p, q in
                  zip(*(pose_points(window.project, window.folder, "elbow bent", method, mesh) for method in (None, "linear-blend"))))
              for mesh in ("body", "shirt")]
    assert 1e-3 < depths[1] < 1.5 * depths[0], depths
    window.key("ctrl+z", "undo")
    assert not window.report()["examples"]
    window.click("side/Carry to clothes")
    window.wait("carry-along")  # the key after it is not for a field


def winding(point, triangles):
    """Of a full sphere, how much of it the triangles cover as seen from a point (Van Oosterom and Strackee)."""
    x, y, z = point
    total = 0
    for (ax, ay, az), (bx, by, bz), (cx, cy, cz) in triangles:
        ax, ay, az, bx, by, bz, cx, cy, cz = ax - x, ay - y, az - z, bx - x, by - y, bz - z, cx - x, cy - y, cz - z
        a, b, c = math.hypot(ax, ay, az), math.hypot(bx, by, bz), math.hypot(cx, cy, cz)
        volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
        below = (a * b * c + (ax * bx + ay * by + az * bz) * c + (bx * cx + by * cy + bz * cz) * a
                 + (cx * ax + cy * ay + cz * az) * b)
        total += math.atan2(volume, below)
    return total / (2 * math.pi)


def body_triangles(window):
    """In the bent pose, in which no stroke is on the body."""
    out = window.folder / "body.obj"
    sinew("export", window.project, "--pose", "elbow bent", "--mesh", "body", "-o", out)
    body = obj_points(out)
    faces = [[int(corner.split("/")[0]) - 1 for corner in line.split()[1:]] for line in out.read_text().splitlines() if line.startswith("f ")]
    return [[body[i] for i in (face[0], face[k], face[k + 1])] for face in faces for k in range(1, len(face) - 1)]


def points_pushed_in(window, before, triangles):
    """How many points of the shirt were pushed, of every fourth, and how many of those are now inside the body."""
    pushed = [q for p, q in zip(before, pose_points(window.project, window.folder, "elbow bent", None, "shirt")) if math.dist(p, q) > 1e-3]
    some = pushed[::4]  # each is tested against every triangle
    return len(some), sum(winding(point, triangles) > 0.5 for point in some)


def strokes_that_stay_outside_push_no_point_through_the_body(window):
    window.click("outliner/shirt##mesh")
    window.wait("mesh shirt")
    window.key("KP_End", "front")
    window.click("poses/elbow bent")
    window.wait("pose elbow bent")
    window.key("Tab", "posing")
    window.click("side/Inflate")
    window.wait("brush ")
    before, counts = pose_points(window.project, window.folder, "elbow bent", None, "shirt"), []
    triangles = body_triangles(window)
    for click, done in (None, None), ("side/Stay outside", "stay-outside"), ("outliner/Hide##body", "mesh-hide"):
        if click:
            window.click(click)
            window.wait(done)
        joints = window.report()["joints"]
        sleeve = [0.3 * a + 0.7 * b for a, b in zip(joints["upper_arm_l"][:2], joints["lower_arm_l"][:2])]
        window.drag(sleeve, ((-4, 0), (4, 0)) * 5, "ctrl")
        window.wait("stroke-end")
        state = window.report()
        assert not state["alarmed"] and state["mesh"] == "shirt", (state["mesh"], state["message"])
        counts.append(points_pushed_in(window, before, triangles))
        window.key("ctrl+z", "undo")
        assert not window.report()["examples"]
    print("points pushed, and inside:", *counts)
    assert counts[0][1] > 0 and counts[1][0] > 3 and counts[1][1] == 0, counts
    assert counts[2][1] > 0, counts  # a hidden mesh is no wall
    window.key("ctrl+i", "mask-invert")
    window.click("side/Stay outside")
    window.wait("stay-outside")
    window.key("ctrl+shift+h", "mask-hide")
    assert window.report()["hidden_points"] > 0, window.report()["message"]  # the mask is still there
    window.key("alt+shift+h", "mesh-show-all")
    window.key("Tab", "posing")
    window.key("F8", "pose-rest")


def when(window, holds):
    """The state at the first moment at which that is so, whatever is under way."""
    end = time.monotonic() + PATIENCE
    while not holds(state := window.report_at_once()):
        assert time.monotonic() < end, state["touching"]
        time.sleep(0.05)
    return state


def contact_is_tinted_while_a_joint_is_dragged(window):
    window.key("KP_End", "front")
    window.click_joint("upper_arm_l")
    window.key("s", "skeleton")
    plain = window.picture()
    window.key("alt+c", "contact")
    assert window.changed(plain, window.picture()) == 0  # what meets at rest is not counted
    gx, gy, radius, _ = window.report()["gizmo"]
    far, near = round(0.707 * radius), round(0.293 * radius)
    window.tool("mousemove", "--window", window.id, round(gx + far), round(gy - far), "mousedown", 1)
    for dx, dy in ((near, far), (-near, far)):
        window.tool("mousemove_relative", "--", dx, dy)
        window.wait("try-rotate ")
    during = when(window, lambda state: state["touching"] > 20)
    assert not during["undo"], during["undo"]  # nothing is stored yet
    window.tool("mouseup", 1)
    window.wait("rotate ")
    window.report()
    whole = when(window, lambda state: state["contact_seconds"])  # all is tested then, and agrees
    print(f"all was tested and shown {1000 * whole['contact_seconds']:.0f} ms after the last pose")
    after = window.report()["touching"]
    tinted = window.picture()
    window.key("alt+c", "contact")
    assert after > 20 and window.changed(tinted, window.picture()) > 50, after
    window.key("s", "skeleton")


def click_goes_to_the_deepest_contact_of_the_clip(window):
    window.key("alt+c", "contact")
    window.scrub(0.1)
    state = when(window, lambda state: state["contact_keys"])
    found = answer("contact", window.project, "--clip", "wave")
    assert state["contact_keys"] == found["moments"] and abs(1000 * state["contact_deepest"] - found["deepest_mm"]) < 1e-9, found["deepest_mm"]
    window.click(f"timeline/Contact {found['deepest_mm']:.2f} mm")
    window.wait("contact-worst")
    state = window.report()
    deepest = max(found["contact"], key=lambda row: max(row["through"]["deepest_mm"], row["inside"]["deepest_mm"]))
    assert deepest["at"] == f"wave:{state['seconds']:g}" and f"{found['deepest_mm']:.2f} mm" in state["message"], (deepest["at"], state["seconds"])
    x, y, width, height = map(round, window.report()["viewport"])
    middle = window.picture().part(x + width // 3, y + height // 3, x + 2 * width // 3, y + 2 * height // 3)
    assert middle.count(lambda pixel: pixel[0] > 150 and pixel[1] < 90) > 300  # close up
    window.key("alt+c", "contact")


def morph_targets_of_one_name_are_one_slider(folder):
    """As an import names them, after their meshes."""
    project, file = folder / "named.sinew", folder / "dressed.glb"
    sinew("sample", "dressed", "-o", folder / "dressed.sinew")
    sinew("export", folder / "dressed.sinew", "-o", file)
    sinew("import", file, "-o", project)
    with opened(project, (1100, 1000)) as window:
        shapes = [name for name in window.report()["widgets"] if name.endswith("##shape")]
        assert shapes == ["side/breathe##shape", "side/body.smile##shape"], shapes
        window.type_into(shapes[0], "0.5")
        window.wait("shape-weight")
        pose = window.report()["pose"]
    for mesh in "body", "shirt":
        assert pose_points(project, folder, pose, mesh=mesh) != pose_points(project, folder, "rest", mesh=mesh), mesh


CASES = [*OneWindow(dressed, drawn=True).cases(contact_is_tinted_while_a_joint_is_dragged,
         click_goes_to_the_deepest_contact_of_the_clip),
         *OneWindow(dressed).cases(sculpts_stay_at_their_frames_and_undo_goes_to_frame_and_mesh,
         mirror_image_takes_the_nearest_places_and_says_so, strokes_on_the_body_move_the_clothes_over_it),
         *OneWindow(dressed).cases(strokes_that_stay_outside_push_no_point_through_the_body),
         morph_targets_of_one_name_are_one_slider]
LONG = [*OneWindow(dressed).cases(errors_are_those_of_the_command_line)]
