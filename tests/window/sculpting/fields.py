# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields in the window: influence colours, chosen with the mouse and live under the brush; a field over frames under the timeline."""

import array
import sqlite3
from contextlib import closing

from harness import sinew
from limbs import limbs
from sequence import imported
from driver import Window, opened

TALL = (1100, 1000)  # the whole right panel
BUILT_IN = ("none", "error", "influences", "sculpt")
BELOW = 0.03  # metres under the middle of a limb: where no bone is drawn over the skin


def choose_field(window, name):
    if "side/##heat" not in window.report()["widgets"]:
        window.click("side/View")
        window.wait("tab 2")
    window.click("side/##heat")
    window.click("list/" + (name.capitalize() if name in BUILT_IN else name))
    window.wait("field " + name)
    report = window.report()
    assert report["shown"] == name, report["shown"]
    return report


def along(report, x):
    """Where the skin of the left limb is on the screen, x metres from the middle."""
    (ux, uy, _, _), (lx, ly, _, _) = report["joints"]["upper_l"], report["joints"]["lower_l"]
    part, metre = (x - 0.02) / 0.28, (lx - ux) / 0.28
    return round(ux + part * (lx - ux)), round(uy + part * (ly - uy) + BELOW * metre)


def linear(pixel):
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (byte / 255 for byte in pixel)]


def alike(one, other, most):
    return max(abs(a - b) for a, b in zip(one, other)) < most


def influences_are_pure_at_the_ends_and_mixed_in_between(folder):
    project = limbs(folder)
    with Window(folder, project, size=TALL, pixel_size=1, drawn=True) as window:
        window.key("KP_End", "front")
        window.key("s", "skeleton")
        plain = window.picture()
        report = choose_field(window, "influences")
        picture = window.picture()
        assert window.changed(plain, picture) > 2000
        upper, elbow, lower, other = (linear(picture.pixel(*along(report, x))) for x in (0.13, 0.3, 0.42, -0.13))
        assert not alike(upper, lower, 0.15) and not alike(upper, other, 0.15), (upper, lower, other)
        assert alike(elbow, [(a + b) / 2 for a, b in zip(upper, lower)], 0.05), (upper, elbow, lower)
        assert alike(upper, linear(picture.pixel(*along(report, 0.18))), 0.03)
        choose_field(window, "none")
        assert window.changed(plain, window.picture()) == 0


def weights_that_are_painted_show_in_colours_at_once(folder):
    project = limbs(folder)
    with opened(project, TALL, drawn=True) as window:
        window.key("KP_End", "front")
        choose_field(window, "influences")
        window.click("side/Shape")
        window.wait("tab 0")
        window.click_joint("lower_l")
        window.key("Tab", "posing")
        window.click("side/Paint")
        window.wait("brush ")
        window.click("side/Paint joint weights")
        window.wait("paint-weights")
        report = window.report()
        place = along(report, 0.16)
        window.point(5, 5)
        before = linear(window.picture().pixel(*place))
        wanted = linear(window.picture().pixel(*along(report, 0.45)))
        window.point(*place)
        window.tool("mousedown", 1)
        for dx, dy in [(4, 0), (-4, 0)] * 6:
            window.tool("mousemove_relative", "--", dx, dy)
        window.report_at_once()
        live = linear(window.picture().pixel(*place))
        assert not alike(before, live, 0.05), (before, live)
        assert sum(abs(a - b) for a, b in zip(live, wanted)) < 0.6 * sum(abs(a - b) for a, b in zip(before, wanted)), (before, live, wanted)
        window.tool("mouseup", 1)
        window.wait("stroke-end")
        report = window.report()
        assert report["undo"] == "paint weights of lower_l", report["undo"]
        assert alike(live, linear(window.picture().pixel(*place)), 0.02)
        window.key("ctrl+z", "undo")
        window.report()
        window.point(5, 5)
        assert alike(before, linear(window.picture().pixel(*place)), 0.02)


def over_time(project):
    with closing(sqlite3.connect(f"file:{project}?mode=ro", uri=True)) as database:
        elements, unit = database.execute(
            "SELECT bytes, unit FROM field JOIN array ON array.id = elements WHERE name = 'sad.error-over-time'").fetchone()
        assert unit == "m"
        return array.array("d", elements)


def amber_top(picture, x, top, foot):
    """The first row of the curve at a column, which may fall between two pixels."""
    is_amber = lambda pixel: pixel[0] > 110 and pixel[0] > 1.2 * pixel[1] > 1.2 * 1.2 * pixel[2]
    return next((y for y in range(top, foot) if any(is_amber(picture.pixel(x + d, y)) for d in (-1, 0, 1))), foot)


def field_over_frames_is_the_curve_under_the_timeline(folder):
    project = imported(folder)
    sinew("fit", "sad", project, "--set", "joints=3", "--set", "refine=0", "--set", "blend=linear")
    values = over_time(project)
    with opened(project, TALL, drawn=True) as window:
        assert window.report()["plot"] == "largest error"
        window.click("timeline/##plot")
        window.click("list/sad.error-over-time")
        window.wait("plot sad.error-over-time")
        report = window.report()
        assert report["plot"] == "sad.error-over-time"
        x, y, width, height = map(round, report["widgets"]["timeline/scrub"])
        picture = window.picture()
        heights = []
        for frame in range(1, len(values) - 1):  # at the ends the curve meets the edges
            column = x + round(width * frame / (len(values) - 1))
            heights.append(y + height - amber_top(picture, column, y + 34, y + height))
        most = max(heights)
        assert most > 20, heights
        for value, high in zip(values[1:-1], heights):
            assert abs(high / most - value / max(values[1:-1])) < 0.12, (list(values), heights)
        window.click("side/Stack")
        window.wait("tab 1")
        window.click("timeline/##plot")
        window.click("list/Largest error")
        window.wait("plot largest error")
        assert window.report()["plot"] == "largest error"


CASES = [weights_that_are_painted_show_in_colours_at_once, field_over_frames_is_the_curve_under_the_timeline]
LONG = [influences_are_pure_at_the_ends_and_mixed_in_between]
