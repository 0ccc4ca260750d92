#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page to show: sinew report; and in Chromium, where it is there, its character beside the viewport's picture."""

import base64
import functools
import json
import math
import re
import shutil
import struct
import subprocess
import xml.etree.ElementTree as tree
import zlib
from pathlib import Path

from harness import LONG, Skip, answer, dressed, environment, made, refusal, run, sinew, tiny_arm
from html_page import Page, names_no_address
from sequence import imported

PLAYER = Path(__file__).resolve().parents[1] / "player"
VIEW = ("--look", "clay", "--lights", "even", "--no-grid", "--dark", "--size", "240x240")


def report(project, page):
    return answer("report", project, "-o", page, env=environment(["render"]))


@functools.cache
def arm():
    """A fitted arm with a level of detail, and its page."""
    folder = Path(made().name)
    project, page = tiny_arm(folder / "a<b>&c.sinew", fitted=True), folder / "review.html"
    sinew("lod", project, "make", "--level", "triangles=50%")
    return project, page, report(project, page)


def packed(page, name):
    return zlib.decompress(base64.b64decode(page.scripts[name], validate=True))


def page_is_one_file_that_names_no_address(_):
    project, path, said = arm()
    text = path.read_text(encoding="utf-8")
    page = Page(text)
    assert said["bytes"] == path.stat().st_size < 1_000_000, said["bytes"]
    assert names_no_address(text) and all(value.startswith("data:image/png;base64,") for value in page.loads)
    assert "a&lt;b&gt;&amp;c.sinew" in text and "<b>&c" not in text
    assert page.heads == ["Errors over time", "Errors", "Levels of detail", "Examples"], page.heads
    assert len(page.images) == 2 and len(set(page.images)) == 2  # a row for each example
    assert ("Contact: at no moment" in text) != ("Contact" in page.heads) and "Levels of detail: the" not in text
    measured = answer("measure", project)["errors"]
    assert [row["erms"] for row in said["errors"]] == [row["erms"] for row in measured]
    for cells, row in zip(page.tables[0], measured, strict=True):
        assert cells[:2] == [row["against"], row["method"]] and math.isclose(float(cells[3]), row["erms"], rel_tol=1e-8, abs_tol=1e-12), cells
    level = answer("lod", project, "list")["levels"][0]
    assert float(page.tables[1][0][3]) == level["triangles"], (page.tables[1], level)


def gltf_of(bytes_):
    return json.loads(bytes_[20:20 + struct.unpack_from("<I", bytes_, 12)[0]])


def page_has_the_exported_character_and_its_errors(_):
    project, path, said = arm()
    page = Page(path.read_text(encoding="utf-8"))
    after, before = packed(page, "after"), packed(page, "before")
    for bytes_ in (after, before):
        assert struct.unpack_from("<4sII", bytes_) == (b"glTF", 2, len(bytes_))
    gltf = gltf_of(after)
    assert "images" not in gltf and "TEXCOORD_0" not in gltf["meshes"][0]["primitives"][0]["attributes"]
    assert [clip["name"] for clip in gltf["animations"]] == ["bend", "twist", "both"]
    facts, heat = json.loads(page.scripts["facts"]), packed(page, "heat")
    points = gltf["accessors"][gltf["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]["count"]
    assert [error["clip"] for error in facts["errors"]] == ["bend", "twist", "both"] and points == answer("info", project)["meshes"][0]["points"]
    begin = 0
    for error in facts["errors"]:
        assert error["begin"] == begin and error["points"] == points and error["rows"] == 2
        begin += 2 * points * len(error["seconds"])
        worst = max(row["max_percent"] for row in said["errors"] if row["against"] == error["clip"])
        assert max(heat[error["begin"]:begin]) == 255 and error["millimetres"] > 0 < worst
    assert begin == len(heat)
    charts = re.findall(r"<svg.*?</svg>", path.read_text(encoding="utf-8"), re.S)
    assert len(charts) == 3 and all(chart.count("<polyline") == 2 for chart in charts)
    for chart in charts:
        tree.fromstring(chart)


def skin_that_engines_play_differently_says_so(folder):
    """Smoothed clothes make contact, and there is nothing to measure against. A sequence has no 'before', because it has no skin."""
    project, path = dressed(folder / "dressed.sinew"), folder / "page.html"
    sinew("stack", project, "add", "delta-mush", "--set", "iterations=40")
    report(project, path)
    page = Page(path.read_text(encoding="utf-8"))
    assert page.heads == ["Contact"] and {"before", "after"} <= page.scripts.keys() and 'class="warning"' in path.read_text(encoding="utf-8"), page.heads
    gltf = gltf_of(packed(page, "after"))
    assert [material["name"] for material in gltf["materials"]] == ["body", "shirt", "trousers", "hair", "staff"], gltf["materials"]
    assert len({tuple(material["pbrMetallicRoughness"]["baseColorFactor"]) for material in gltf["materials"]}) == 5 and "images" not in gltf
    assert [primitive["material"] for mesh in gltf["meshes"] for primitive in mesh["primitives"]] == [0, 1, 2, 3, 4]
    assert "Levels of detail: the project has none." in path.read_text(encoding="utf-8")
    project, again = imported(folder), folder / "again.html"
    report(project, path)
    report(project, again)
    assert again.read_bytes() == path.read_bytes()
    page = Page(path.read_text(encoding="utf-8"))
    assert "before" not in page.scripts and page.heads == ["Errors over time", "Errors"], page.heads


def wrong_words_are_refused_and_nothing_is_written(folder):
    project = tiny_arm(folder / "arm.sinew")
    assert "-o PAGE.html" in refusal("report", project, status=2)
    assert "html" in refusal("report", project, "-o", folder / "page.pdf", status=2)
    assert "none.sinew" in refusal("report", folder / "none.sinew", "-o", folder / "page.html")
    assert list(folder.iterdir()) == [project]


def browser_draws_what_the_viewport_draws(folder):
    """The silhouettes by linear blend and by the stack; what the keys do, on a narrow page and a wide one; no message and no request."""
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))) or not shutil.which("node"):
        raise Skip("no Chromium, or no node to drive it")
    project, path, _ = arm()
    asks, empty = [], folder / "empty.png"
    for method, wipe in (("linear-blend", 100), ("stack", 0)):
        view = ("render", project, "--pose", "both:0.25", "--method", method, *VIEW)
        ours = folder / f"{method}.png"
        camera = answer(*view, "-o", ours)["camera"]
        if not asks:
            sinew(*view, "-o", empty, "--pan", "60,0")
        # The same moment and skin; and once the other skin, and another moment.
        shown = ((0.25, wipe),) if wipe else ((0.25, wipe), (0.25, 100), *(((0.5, wipe),) if LONG else ()))
        asks += [{"hash": f"clip=both&seconds={seconds}&wipe={side}", "ours": str(ours), "empty": str(empty), "eye": ",".join(map(str, camera["eye"])),
                  "target": ",".join(map(str, camera["target"]))} for seconds, side in shown]
    (folder / "asks.json").write_text(json.dumps(asks))
    done = subprocess.run(["node", PLAYER / "review.mjs", path, folder / "asks.json", *(["900", "390"] if LONG else ["390"])],
                          capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    print(found)
    assert found["messages"] == [] and found["asked"] == [], found
    for size in found["sizes"]:
        assert size["scrolls"] <= size["width"] and size["canvas"] > 0.6 * min(size["width"], 800), size
        assert all(size["keys"].values()) and {"view", "wipe", "clip", "play", "time", "turn", "heat", "joint", "angle-x", "rest"} <= set(size["reached"]), size
    assert len(found["pixels"]) == len(asks), found
    for ask, pixels in enumerate(found["pixels"]):
        same = ask < 2
        assert pixels["both"] > 1250 and (pixels["far"] < 0.001 * pixels["both"]) == same, found["pixels"]


run((page_is_one_file_that_names_no_address, page_has_the_exported_character_and_its_errors,
skin_that_engines_play_differently_says_so,
     wrong_words_are_refused_and_nothing_is_written, browser_draws_what_the_viewport_draws),
    long=[browser_draws_what_the_viewport_draws])
