#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""sinew render: its pictures, checked by counts of pixels that allow for another rasteriser."""

import json
import os
import struct
import subprocess

from harness import LONG, SINEW, answer, refusal, run, sinew, tiny_arm
from picture import Picture

WIDTH, HEIGHT = 160, 120


def arm(folder):
    project = folder / "arm.sinew"
    tiny_arm(project, fitted=True)
    return project


def drawn(project, *words, size=(WIDTH, HEIGHT)):
    path = project.parent / "picture.png"
    sinew("render", project, "-o", path, "--size", f"{size[0]}x{size[1]}", *words)
    return Picture(path)


def is_skin(pixel):
    return pixel[0] > pixel[2] + 24


def is_bone(pixel):
    return pixel[2] > pixel[0] + 24


def is_hot(pixel):
    """From the middle of the ramp on: red to violet."""
    return pixel[0] > pixel[1] + 60 and pixel[1] < 150


def cell(picture, column, row):
    """A view of a sheet, without its gutters."""
    return picture.part(column * WIDTH + 2, row * HEIGHT + 2, (column + 1) * WIDTH - 2, (row + 1) * HEIGHT - 2)


def fields_and_frames_differ(folder):
    project = arm(folder)
    pose = answer("example", project, "list")["examples"][0]["pose"]
    seen = [drawn(project, *words) for words in (
        ["--pose", pose], ["--pose", pose, "--method", "linear-blend", "--heat", "error"],
        ["--clip", "bend", "--frame", "5", "--wireframe", "--skeleton"])]
    for i, one in enumerate(seen):
        assert (one.width, one.height) == (WIDTH, HEIGHT)
        assert all(one.differing(two, 0, 0, WIDTH, HEIGHT) > 100 for two in seen[:i])
    assert "no such field" in refusal("render", project, "-o", folder / "y.png", "--heat", "nothing")
    assert not (folder / "y.png").exists()


def answers_say_where_the_camera_is(folder):
    """In front of the character and level: it looks along -z, and its target moves against the pan."""
    project, words = arm(folder), ("-o", folder / "x.png", "--size", "160x120", "--yaw", 0, "--pitch", 0)
    camera = answer("render", project, *words)["camera"]
    assert camera["up"] == [0, 1, 0] and abs(camera["vertical_degrees"] - 32) < 0.01, camera
    assert camera["eye"][:2] == camera["target"][:2] and camera["eye"][2] > camera["target"][2], camera
    panned = answer("render", project, *words, "--pan", "1,0")["camera"]
    assert panned["target"][0] < camera["target"][0] and panned["target"][1:] == camera["target"][1:], panned


def looks_differ_as_named(folder):
    """tests/render/looks.c says how each differs."""
    project = arm(folder)
    seen = {look: drawn(project, "--look", look, "--no-grid") for look in ("materials", "clay")}
    skin = {look: picture.count(is_skin) for look, picture in seen.items()}
    figure = skin["materials"]
    assert figure > 500 and skin["clay"] < figure / 10, skin
    raking = drawn(project, "--no-grid", "--lights", "raking", "--light-turn", 120)
    assert raking.differing(seen["materials"], 0, 0, WIDTH, HEIGHT) > 0.5 * figure
    assert "from -180 to 180" in refusal("render", project, "-o", folder / "y.png", "--light-turn", 181, status=2)
    assert "matcap-chrome" in refusal("render", project, "-o", folder / "y.png", "--look", "matcap", status=2)


def all_looks_differ_as_named(folder):
    project = arm(folder)
    seen = {look: drawn(project, "--look", look, "--no-grid") for look in ("materials", "clay", "x-ray", "edges")}
    skin = {look: picture.count(is_skin) for look, picture in seen.items()}
    figure = skin["materials"]
    assert skin["edges"] == 0 and 0.1 * figure < skin["x-ray"] < figure, skin
    for look in ("clay", "x-ray", "edges"):
        assert seen[look].differing(seen["materials"], 0, 0, WIDTH, HEIGHT) > 0.7 * figure, look
    studio, raking, even = (drawn(project, "--no-grid", "--lights", lights) for lights in ("studio", "raking", "even"))
    assert studio.differing(seen["materials"], 0, 0, WIDTH, HEIGHT) == 0
    assert all(studio.differing(other, 0, 0, WIDTH, HEIGHT) > 0.5 * figure for other in (raking, even))
    rotated = drawn(project, "--no-grid", "--light-turn", 120)
    assert rotated.differing(studio, 0, 0, WIDTH, HEIGHT) > 0.5 * figure
    balls = [drawn(project, "--no-grid", "--look", f"matcap-{kind}") for kind in ("clay", "skin", "chrome")]
    for i, ball in enumerate(balls):
        assert all(ball.differing(other, 0, 0, WIDTH, HEIGHT) > 0.7 * figure for other in (*seen.values(), *balls[:i])), i
    lit = drawn(project, "--no-grid", "--look", "matcap-skin", "--lights", "raking", "--light-turn", 120)
    assert lit.differing(balls[1], 0, 0, WIDTH, HEIGHT) == 0
    assert drawn(project, "--dark").pixel(3, 3)[0] < 100 < drawn(project).pixel(3, 3)[0]


def bones_are_drawn_on_request(folder):
    project = arm(folder)
    assert drawn(project, "--look", "x-ray", "--skeleton").count(is_bone) > 30
    assert drawn(project, "--look", "x-ray").count(is_bone) == 0


def refined_box_is_rounder(folder):
    box = folder / "box.obj"
    box.write_text("\n".join([f"v {x} {y} {z}" for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
                             + ["f 1 2 4 3", "f 5 7 8 6", "f 1 5 6 2", "f 3 4 8 7", "f 1 3 7 5", "f 2 6 8 4"]))
    project = folder / "box.sinew"
    sinew("import", box, "-o", project)
    clay = ("--look", "clay", "--no-grid", "--zoom", "0.5")
    empty = drawn(project, *clay[:3], "--zoom", "0.01")
    boxes = [drawn(project, *clay, "--subdivide", level) for level in range(3 if LONG else 2)]
    covered = [box.differing(empty, 0, 0, WIDTH, HEIGHT) for box in boxes]
    assert covered[1] < 0.85 * covered[0] and (not LONG or 0.6 * covered[1] < covered[2] < covered[1]), covered
    if not LONG:
        return
    assert drawn(project, *clay, "--subdivide", 0, "--parallel").differing(boxes[0], 0, 0, WIDTH, HEIGHT) > 100
    smooth = boxes[1]
    assert smooth.differing(drawn(project, *clay, "--subdivide", 1, "--flat"), 0, 0, WIDTH, HEIGHT) > 0.3 * covered[1]


def several_views_are_side_by_side(folder):
    project = arm(folder)
    sheet = drawn(project, "--pose", "elbow-130", "--pose", "wrist-150", "--method", "linear-blend", "--method", "inverse-psd")
    assert (sheet.width, sheet.height) == (2 * WIDTH, 2 * HEIGHT)
    cells = [[cell(sheet, column, row) for column in range(2)] for row in range(2)]
    assert all(part.count(is_skin) > 300 for row in cells for part in row)
    for column in range(2):  # one pose by two methods: nearly alike, but for the correctives and the captions
        above, below = cells[0][column], cells[1][column]
        figure = above.count(is_skin)
        assert 20 < above.differing(below, 0, 0, above.width, above.height - 20) < 0.6 * figure, column
        other = cells[column][1 - column]
        assert cells[column][column].differing(other, 0, 0, other.width, other.height - 20) > 100, column
    frames = drawn(project, "--clip", "bend", "--frame", 0, "--frame", 6, "--frame", 12)
    assert (frames.width, frames.height) == (3 * WIDTH, HEIGHT)
    assert all(cell(frames, column, 0).count(is_skin) > 300 for column in range(3))


def errors_of_several_methods_share_one_scale(folder):
    project = arm(folder)
    words = ("--pose", "wrist-150", "--heat", "error", "--focus", "joints:elbow")
    both = drawn(project, *words, "--method", "linear-blend", "--method", "inverse-psd", "--method", "source")
    bar = WIDTH - 45
    before, after, source = (cell(both, column, 0).part(0, 0, bar, HEIGHT - 4) for column in range(3))
    assert before.count(is_hot) > 50 and after.count(is_hot) == 0, (before.count(is_hot), after.count(is_hot))
    assert source.count(is_skin) > 200  # it has no error: its own colours


def focus_and_zoom_come_nearer(folder):
    project = arm(folder)
    whole, hand = drawn(project), drawn(project, "--focus", "joints:wrist")
    assert drawn(project, "--zoom", "1.5").count(is_skin) > 1.3 * whole.count(is_skin)
    assert hand.count(is_skin) > 1.5 * whole.count(is_skin)
    assert "no joint is named 'nose'" in refusal("render", project, "-o", folder / "x.png", "--focus", "joints:nose")
    if LONG:
        panned = drawn(project, "--pan", "0.25,0", "--no-grid")
        assert panned.part(WIDTH // 2, 0, WIDTH, HEIGHT).count(is_skin) > 1.3 * panned.part(0, 0, WIDTH // 2, HEIGHT).count(is_skin)


def captions_are_given_for_every_view_or_none(folder):
    project = arm(folder)
    words = ("--pose", "elbow-130", "--pose", "wrist-150", "--no-grid")
    named, captioned = drawn(project, *words), drawn(project, *words, "--caption", "bent a little", "--caption", "twisted a little")
    assert named.differing(captioned, 0, HEIGHT - 24, named.width, HEIGHT) > 40
    assert named.differing(captioned, 0, 0, named.width, HEIGHT - 24) == 0
    assert "one for each of the 2 views" in refusal("render", project, "-o", folder / "x.png", *words, "--caption", "one", status=2)


def wrong_options_are_refused(folder):
    project = arm(folder)
    for words, line in ((["--look", "gold"], "materials, clay, x-ray, edges, matcap-clay, matcap-skin or matcap-chrome"),
                        (["--lights", "none"], "studio, raking or even"), (["--subdivide", "3"], "from 0 to 2"),
                        (["--frame", "3"], "the clip is missing"), (["--clip", "bend", "--frame", "25"], "from 0 to 24"),
                        (["--pose", "rest"] * 145, "at most 144"), (["--zoom", "0"], "from 0.01"), (["--pan", "1"], "RIGHT,UP"),
                        (["--clip", "bend", "--pose", "rest"], "exclude each other")):
        assert line in refusal("render", project, "-o", folder / "x.png", *words, status=2), words
    line = refusal("render", project, "-o", folder / "x.png", "--size", "8192x8192", *["--pose", "rest"] * 5)
    assert "million pixels" in line, line
    assert not (folder / "x.png").exists()


def of_triangles(path, count):
    """A project of so many meshes of a triangle each."""
    numbers = struct.pack("<9f3I", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2)
    path.with_suffix(".bin").write_bytes(numbers)
    path.with_suffix(".gltf").write_text(json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": list(range(count))}],
        "nodes": [{"mesh": 0, "translation": [i, 0, 0]} for i in range(count)],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"byteLength": len(numbers), "uri": path.with_suffix(".bin").name}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 12}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
                      {"bufferView": 1, "componentType": 5125, "count": 3, "type": "SCALAR"}]}))
    sinew("import", path.with_suffix(".gltf"), "-o", path)
    return path


def most_kilobytes(project):
    process = subprocess.Popen([SINEW, "render", project, "-o", project.with_suffix(".png"), "--size", "64x48"], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss


def many_meshes_take_little_memory_each(folder):
    """Mesa keeps kilobytes for each buffer, texture and vertex array, and 64 for each draw that waits."""
    if b"__asan_init" in open(SINEW, "rb").read():
        return
    count = 500
    each = (most_kilobytes(of_triangles(folder / "many.sinew", count)) - most_kilobytes(of_triangles(folder / "one.sinew", 1))) / count
    print(f"{each:.0f} kB")
    assert each < 40, each


def five_thousand_meshes_take_less_than_300_megabytes(folder):
    kilobytes = most_kilobytes(of_triangles(folder / "many.sinew", 5000))
    print(f"{kilobytes} kB")
    assert kilobytes < 300 * 1024, kilobytes


run([fields_and_frames_differ, answers_say_where_the_camera_is, looks_differ_as_named, refined_box_is_rounder,
     several_views_are_side_by_side, errors_of_several_methods_share_one_scale, focus_and_zoom_come_nearer,
     captions_are_given_for_every_view_or_none, wrong_options_are_refused],
    long=[bones_are_drawn_on_request, all_looks_differ_as_named, refined_box_is_rounder, focus_and_zoom_come_nearer,
          many_meshes_take_little_memory_each, five_thousand_meshes_take_less_than_300_megabytes])
