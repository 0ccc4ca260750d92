#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Unwrapping by the command line is one step: UVs and fields come and go with it, and what cannot be done is named.

usage: unwrap.py SINEW"""

import json
import math
import struct

from harness import answer, data, refusal, run, sinew, tiny_arm


def has_uvs(project, folder):
    sinew("export", project, "-o", folder / "out.glb")
    file = (folder / "out.glb").read_bytes()
    document = json.loads(file[20:20 + struct.unpack_from("<I", file, 12)[0]])
    return "TEXCOORD_0" in document["meshes"][0]["primitives"][0]["attributes"]


def unwrapping_is_one_step_with_its_fields(folder):
    project = folder / "arm.sinew"
    tiny_arm(project)
    fields = answer("info", project).get("fields")
    said = answer("unwrap", project, "--charts", "8", "--clip", "bend", "--size", "128")
    print(f"{said['charts']} charts, {said['stretch_poses']:.4f} over the poses, {said['stretch_rest']:.4f} at rest, {said['used']:.3f} used")
    assert 2 <= said["charts"] <= 8 and 1 <= said["stretch_poses"] < 1.1 and said["worst_chart"] < 1.25 and said["used"] > 0.4
    sinew("undo", project)
    assert answer("info", project).get("fields") == fields
    sinew("redo", project)
    again = answer("unwrap", project, "--charts", "uv-charts", "--clip", "bend", "--size", "128")
    assert again["charts"] == said["charts"] and abs(again["before_poses"] - said["stretch_poses"]) < 1e-5
    assert has_uvs(project, folder)


def pictures_of(project, folder):
    """The bytes of the pictures of its export."""
    sinew("export", project, "-o", folder / "out.glb")
    file = (folder / "out.glb").read_bytes()
    length = struct.unpack_from("<I", file, 12)[0]
    document = json.loads(file[20:20 + length])
    views = [document["bufferViews"][image["bufferView"]] for image in document["images"]]
    starts = [28 + length + view.get("byteOffset", 0) for view in views]
    return [file[start:start + view["byteLength"]] for start, view in zip(starts, views)]


def textures_are_resampled_in_the_same_step(folder):
    project = folder / "man.sinew"
    sinew("import", data("characters/CesiumMan.glb"), "-o", project)
    before = pictures_of(project, folder)
    said = answer("unwrap", project, "--size", "256")
    assert said["textures"] == 1 and 0 < said["texture_rms"] < 20, said
    after = pictures_of(project, folder)
    assert after[0][:4] == b"\x89PNG" and struct.unpack_from(">II", after[0], 16) == (256, 256), after[0][:32]
    sinew("undo", project)
    assert pictures_of(project, folder) == before
    kept = sinew("unwrap", project, "--rebake", "off")
    assert "stays as it is: --rebake off" in kept.stderr, kept.stderr
    assert pictures_of(project, folder) == before


def more_charts_than_were_asked_for_are_named(folder):
    project = folder / "arm.sinew"
    tiny_arm(project)
    one = sinew("unwrap", project, "--charts", "1", "--size", "64", "--clip", "bend", "--json")
    assert 2 <= json.loads(one.stdout)["charts"] <= 8, one.stdout
    assert "charts, more than 1: fewer would stretch beyond 1.25" in one.stderr, one.stderr
    two = sinew("unwrap", project, "--charts", "2", "--size", "64", "--clip", "bend")
    assert "more than" not in two.stderr, two.stderr


def fits_that_read_no_uvs_stay_current(folder):
    project = folder / "arm.sinew"
    tiny_arm(project)
    sinew("fit", "inverse-psd", project)
    assert not answer("unwrap", project, "--size", "256").get("refitted")
    layers = answer("stack", project, "list")["layers"]
    assert len(layers) > 1 and not any(layer["stale"] for layer in layers), layers


def write_odd(path):
    """A ramp that goes around more than once, an octahedron, three triangles at one edge, and one without an area."""
    points, faces = [], []
    for i in range(26):
        for radius in (1, 1.5, 2):
            points.append((radius * math.cos(0.3 * i), 0.02 * i, radius * math.sin(0.3 * i)))
    faces += [(a, a + 1, a + 4, a + 3) for i in range(25) for a in (3 * i + 1, 3 * i + 2)]
    at = len(points) + 1
    points += [(5, 0, 0), (7, 0, 0), (6, 1, 0), (6, -1, 0), (6, 0, 1), (6, 0, -1)]
    faces += [tuple(at + k for k in corners) for corners in ((0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5))]
    at = len(points) + 1
    points += [(0, 0, 9), (1, 0, 9), (0, 1, 9), (0, -1, 9), (0, 0, 10), (2, 0, 9), (3, 0, 9)]
    faces += [tuple(at + k for k in corners) for corners in ((0, 1, 2), (1, 0, 3), (1, 0, 4), (1, 5, 6))]
    path.write_text("".join("v " + " ".join(map(str, p)) + "\n" for p in points) + "".join("f " + " ".join(map(str, f)) + "\n" for f in faces),
                    encoding="utf-8")


def odd_surfaces_are_named_and_have_a_map(folder):
    project = folder / "odd.sinew"
    write_odd(folder / "odd.obj")
    sinew("import", folder / "odd.obj", "-o", project)
    result = sinew("unwrap", project, "--size", "512", "--json")
    said = json.loads(result.stdout)
    for line in ("no pose differs from the rest: the UVs are those of the rest alone", "1 part without seams where the surface closes",
                 "1 chart crossed itself when flat, and became two", "1 edge of more than two faces"):
        assert line in result.stderr, (line, result.stderr)
    assert 1 <= said["stretch_rest"] < 1.25 and said["used"] > 0.3 and has_uvs(project, folder), said
    fields = {field["name"] for field in answer("info", project)["fields"]}
    assert {"uv-charts", "uv-stretch-rest", "uv-stretch-poses"} <= fields, fields


def what_cannot_be_done_is_named(folder):
    project = folder / "arm.sinew"
    tiny_arm(project)
    assert "has no field of this name" in refusal("unwrap", project, "--charts", "parts")
    assert "is 200 pixels of a texture of 128" in refusal("unwrap", project, "--size", "128", "--padding", "200", status=2)
    assert "a number of charts is 1 to 10000" in refusal("unwrap", project, "--charts", "0", status=2)


run([unwrapping_is_one_step_with_its_fields, more_charts_than_were_asked_for_are_named,
     fits_that_read_no_uvs_stay_current, odd_surfaces_are_named_and_have_a_map, what_cannot_be_done_is_named],
    long=[textures_are_resampled_in_the_same_step])
