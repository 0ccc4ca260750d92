# SPDX-License-Identifier: GPL-3.0-or-later
"""Every brush with the mouse, on a tube of known shape: each has its effect, and none beyond its reach."""

import array
import math
import sqlite3
from contextlib import closing

from limbs import RADIUS, limbs
from driver import OneWindow, enter, pose_points

REACH = 0.05  # metres, of the brush
TOUCHED = 1e-6
HITHER_AND_THITHER = [(4, 0), (-4, 0)]  # pixels


class Tube:
    """The tube in a window, bent, seen from the front, to be sculpted. Its left upper arm is a cylinder about x; strokes are made at
    its middle, on the side that faces the eye."""

    def __init__(self, window):
        self.window, self.folder, self.project = window, window.folder, window.project
        self.bent, self.rest = (pose_points(self.project, self.folder, pose) for pose in ("bent", "rest"))
        window.key("KP_End", "front")
        window.key("g", "grid")  # what a software rasteriser takes longest for
        self.begin()
        window.type_into("side/Radius", str(1000 * REACH))
        window.wait("radius ")
        state = window.report()
        assert abs(state["brush_radius"] - REACH) < 1e-9, state["brush_radius"]
        joints = state["joints"]
        upper, lower = joints["upper_l"], joints["lower_l"]
        self.scale = (lower[0] - upper[0]) / 0.28  # pixels a metre at the depth of the joints
        self.there, self.center = ((upper[0] + lower[0]) / 2, upper[1]), (0.16, 0, RADIUS)

    def begin(self):
        enter(self.window, "bent")
        self.seen = [self.bent]  # after each step of the history

    def stroke(self, brush, moves=((0, 0),), held=()):
        """What was there before, and where it has gone."""
        window = self.window
        window.click("side/" + brush.capitalize())
        window.wait("brush " + brush)
        window.drag(self.there, moves, *held)
        window.wait("stroke-end")
        state = window.report()
        assert not state["alarmed"], state["message"]
        self.seen.append(pose_points(self.project, self.folder, "bent"))
        before, after = self.seen[-2:]
        return before, [tuple(b - a for a, b in zip(p, q)) for p, q in zip(before, after)], state

    def undo(self):
        self.window.key("ctrl+z", "undo")
        self.window.report()
        self.seen.pop()


def length(v):
    return math.sqrt(sum(c * c for c in v))


def dot(a, b):
    return sum(c * d for c, d in zip(a, b))


def minus(a, b):
    return tuple(c - d for c, d in zip(a, b))


def outward(p):
    """The cylinder's normal."""
    return 0, p[1] / math.hypot(p[1], p[2]), p[2] / math.hypot(p[1], p[2])


def touched(before, moves, tube, beyond=0.0):
    """The points that have moved; all of them within the brush's reach of the stroke, which may have gone so far beyond."""
    rows = [(p, d) for p, d in zip(before, moves) if length(d) > TOUCHED]
    assert len(rows) > 10, len(rows)
    farthest = max(length(minus(p, tube.center)) for p, _ in rows)
    assert farthest < REACH + beyond + 0.01, f"a point {farthest} m from the stroke has moved"
    return rows


def grab_drags_the_skin_along_with_the_mouse(tube):
    before, moves, _ = tube.stroke("grab", [(0, -6)] * 3)
    rows = touched(before, moves, tube)
    most = max((d for _, d in rows), key=length)
    assert abs(most[1] - 18 / tube.scale) < 0.2 * 18 / tube.scale and abs(most[0]) + abs(most[2]) < 0.1 * most[1], most
    assert all(dot(d, (0, 1, 0)) > 0.9 * length(d) for _, d in rows)


def inflate_pushes_outward_and_ctrl_inward(tube):
    for held, sign in ((), 1), (("ctrl",), -1):
        before, moves, state = tube.stroke("inflate", held=held)
        assert state["undo"] == "inflate bent"
        assert all(sign * dot(d, outward(p)) > 0.8 * length(d) for p, d in touched(before, moves, tube))
        tube.undo()


def smooth_and_shift_even_out_a_bump(tube):
    tube.stroke("inflate")
    for brush, held in ("smooth", ()), ("inflate", ("shift",)):
        before, moves, state = tube.stroke(brush, HITHER_AND_THITHER, held)
        assert state["undo"] == "smooth bent", state["undo"]
        rows = touched(before, moves, tube)
        top, fall = max(rows, key=lambda row: row[0][2])
        assert fall[2] < -0.01 * (top[2] - RADIUS), (top, fall)
        tube.undo()


def erase_brings_back_what_was_there(tube):
    _, bump, _ = tube.stroke("inflate")
    _, moves, _ = tube.stroke("erase", HITHER_AND_THITHER * 4)
    raised = sum(map(length, bump))
    remaining = sum(length([b + m for b, m in zip(row, move)]) for row, move in zip(bump, moves))
    assert remaining < 0.4 * raised, f"{remaining} of {raised} is left"


def morph_goes_to_the_skin_below_and_ctrl_away(tube):
    _, bump, _ = tube.stroke("inflate")
    raised = sum(map(length, bump))
    for held, larger in (("ctrl",), True), ((), False):
        _, moves, state = tube.stroke("morph", HITHER_AND_THITHER * 4, held)
        assert state["undo"] == "morph bent", state["undo"]
        left = sum(length([b + m for b, m in zip(row, move)]) for row, move in zip(bump, moves))
        assert left > 1.02 * raised if larger else left < 0.4 * raised, f"{left} of {raised} is left"
        tube.undo()


def flatten_presses_towards_a_plane_and_ctrl_away(tube):
    for held, flatter in ((), True), (("ctrl",), False):
        before, moves, _ = tube.stroke("flatten", HITHER_AND_THITHER, held)
        rows = [(p, d) for p, d in touched(before, moves, tube) if length(minus(p, tube.center)) < 0.6 * REACH]
        spread = [max(zs) - min(zs) for zs in ([p[2] for p, _ in rows], [p[2] + d[2] for p, d in rows])]
        assert (spread[1] < spread[0]) == flatter, spread
        tube.undo()


def pinch_draws_points_together_and_ctrl_spreads_them(tube):
    for held, nearer in ((), True), (("ctrl",), False):
        before, moves, _ = tube.stroke("pinch", held=held)
        rows = touched(before, moves, tube)
        drawn = sum(dot(d, minus(tube.center, p)) for p, d in rows)
        assert (drawn > 0) == nearer, drawn
        tube.undo()


def slide_and_relax_stay_on_the_surface(tube):
    before, moves, _ = tube.stroke("slide", [(6, 0)] * 3)
    rows = touched(before, moves, tube, 18 / tube.scale)
    assert max(d[0] for _, d in rows) > 0.3 * 18 / tube.scale
    before, moves, _ = tube.stroke("relax", HITHER_AND_THITHER)
    for p, d in touched(before, moves, tube, 18 / tube.scale):
        x, y, z = (a + b for a, b in zip(p, d))
        assert abs(math.hypot(y, z) - RADIUS) < 1.5e-3, (x, y, z)


def values(project, name):
    with closing(sqlite3.connect(f"file:{project}?mode=ro", uri=True)) as database:
        return array.array("d", database.execute("SELECT bytes FROM field JOIN array ON array.id = elements WHERE name = ?",
                                                (name,)).fetchone()[0])


def mask_guards_and_ctrl_takes_the_guard_away(tube):
    free = max(map(length, tube.stroke("inflate")[1]))
    tube.undo()
    tube.stroke("mask", HITHER_AND_THITHER * 3)
    assert 0.8 < max(values(tube.project, "sculpt-mask")) <= 1
    _, moves, _ = tube.stroke("inflate")
    assert max(map(length, moves)) < 0.8 * free
    tube.undo()
    guard = sum(values(tube.project, "sculpt-mask"))
    tube.stroke("mask", HITHER_AND_THITHER * 3, ("ctrl",))
    assert sum(values(tube.project, "sculpt-mask")) < 0.5 * guard


def masks_by_box_lasso_and_joint(tube):
    window, (x, y) = tube.window, tube.there
    undo = window.report()["undo"]
    window.key("ctrl+b", "mask-box")
    window.drag((x, y), [])  # a click: nothing is inside
    window.wait("mask-outline")
    assert window.report()["undo"] == undo
    window.key("ctrl+b", "mask-box")
    window.drag((x - 30, y - 60), [(30, 60), (30, 60)])
    window.wait("mask-outline")
    assert window.report()["undo"] == "mask inside an outline"
    reach = 30 / tube.scale
    boxed = values(tube.project, "sculpt-mask")
    for place, value in zip(tube.seen[0], boxed):
        inside = abs(place[0] - tube.center[0]) / reach
        assert value in (0, 1) and (value == 1 if inside < 0.8 else value == 0 or inside < 1.3), (place, value)
    window.key("ctrl+l", "mask-lasso")
    window.drag((x - 40, y - 70), [(40, 0), (0, 140), (-40, 0), (0, -100)], "ctrl")
    window.wait("mask-outline")
    window.report()
    unmasked = values(tube.project, "sculpt-mask")
    assert 0.3 * sum(boxed) < sum(unmasked) < 0.7 * sum(boxed), (sum(boxed), sum(unmasked))
    window.key("alt+m", "mask-clear")
    window.click("outliner/lower_l")
    window.wait("joint lower_l")
    window.key("ctrl+j", "mask-joint")
    window.report()
    for place, value in zip(tube.rest, values(tube.project, "sculpt-mask")):
        assert abs(value - min(max((place[0] - 0.24) / 0.12, 0), 1)) < 1e-6, (place, value)


def paint_brings_a_field_to_its_value_and_ctrl_to_zero(tube):
    before, moves, state = tube.stroke("paint", HITHER_AND_THITHER * 3)
    assert state["undo"] == "paint painted" and max(map(length, moves)) < TOUCHED
    painted = values(tube.project, "painted")
    assert 0.8 < max(painted) <= 1 and min(painted) >= 0
    assert all(value == 0 for p, value in zip(before, painted) if length(minus(p, tube.center)) > REACH + 0.01)
    tube.stroke("paint", HITHER_AND_THITHER * 3, ("ctrl",))
    assert sum(values(tube.project, "painted")) < 0.5 * sum(painted)


def draw_clay_crease_scrape_fill_and_elastic_act_and_are_undone(tube):
    tube.stroke("inflate")
    for brush, moves, sign in (("draw", ((0, 0),), 1), ("clay", ((0, 0),), 1), ("scrape", ((0, 0),), -1), ("fill", ((0, 0),), 1),
                               ("crease", ((0, 0),), -1), ("elastic", [(0, -6)] * 3, 1)):
        before, steps, state = tube.stroke(brush, moves)
        assert state["undo"] == brush + " bent" and state["brush"] == brush, (state["undo"], state["brush"])
        rows = touched(before, steps, tube, 2 * REACH if brush == "elastic" else 0)
        way = (0, 1, 0) if brush == "elastic" else (0, 0, 1)
        raised = sum(dot(step, way) for _, step in rows)
        assert sign * raised > 0.5 * sum(length(step) for _, step in rows if sign * dot(step, way) > 0), (brush, raised)
        tube.undo()


def every_other_brush_is_taken_by_its_button(tube):
    """What each does to the skin is tested without a window (tests/sculpt)."""
    tube.stroke("inflate")
    for brush in "flatten", "pinch", "slide", "relax", "morph", "erase", "draw", "clay", "scrape", "fill", "crease", "elastic":
        _, _, state = tube.stroke(brush, [(0, -6)] * 3 if brush == "elastic" else HITHER_AND_THITHER)
        assert state["undo"] == brush + " bent" and state["brush"] == brush, (state["undo"], state["brush"])
    tube.undo()
    assert tube.window.report()["undo"] == "crease bent"


def volume_reaches_what_the_surface_does_not(tube):
    for _ in range(6):
        tube.window.key("bracketright", "larger")
    behind = []
    for _ in range(2):
        before, moves, _ = tube.stroke("inflate")
        behind.append(sum(p[2] < -0.9 * RADIUS and length(d) > TOUCHED for p, d in zip(before, moves)))
        tube.undo()
        tube.window.click("side/Through volume")
        tube.window.wait("volume")
    assert behind[0] == 0 and behind[1] > 10, behind


def symmetry_does_on_the_other_side_what_is_done_on_this(tube):
    tube.window.click("side/Symmetry")
    tube.window.wait("symmetry")
    for brush in "grab", "inflate":
        before, moves, _ = tube.stroke(brush, [(4, -5)] * 3)
        there = {tuple(round(c, 4) + 0.0 for c in p): d for p, d in zip(before, moves)}
        for p, d in zip(before, moves):
            if length(d) > 1e-5 and p[0] > 0:
                other = there[tuple(round(c, 4) + 0.0 for c in (-p[0], p[1], p[2]))]
                assert length(minus((-d[0], d[1], d[2]), other)) < 0.02 * length(d) + 1e-6, (brush, p, d, other)
        assert sum(length(d) > 1e-4 for p, d in zip(before, moves) if p[0] < 0) > 10
        tube.undo()
    tube.window.click("side/Symmetry")
    tube.window.wait("symmetry")


CASES = OneWindow(limbs, Tube).cases(
    grab_drags_the_skin_along_with_the_mouse, inflate_pushes_outward_and_ctrl_inward, smooth_and_shift_even_out_a_bump,
    every_other_brush_is_taken_by_its_button, mask_guards_and_ctrl_takes_the_guard_away, masks_by_box_lasso_and_joint,
    paint_brings_a_field_to_its_value_and_ctrl_to_zero, symmetry_does_on_the_other_side_what_is_done_on_this,
    volume_reaches_what_the_surface_does_not)
LONG = OneWindow(limbs, Tube).cases(
    erase_brings_back_what_was_there, morph_goes_to_the_skin_below_and_ctrl_away, flatten_presses_towards_a_plane_and_ctrl_away,
    pinch_draws_points_together_and_ctrl_spreads_them, slide_and_relax_stay_on_the_surface,
    draw_clay_crease_scrape_fill_and_elastic_act_and_are_undone)
