#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Unwrapping by the command line is one step: UVs and fields come and go with it, and what cannot be done is named.

usage: unwrap.py SINEW"""

import json
import struct

from harness import answer, data, refusal, run, sinew


def has_uvs(project, folder):
    sinew("export", project, "-o", folder / "out.glb")
    file = (folder / "out.glb").read_bytes()
    document = json.loads(file[20:20 + struct.unpack_from("<I", file, 12)[0]])
    return "TEXCOORD_0" in document["meshes"][0]["primitives"][0]["attributes"]


def unwrapping_is_one_step_with_its_fields(folder):
    project = folder / "arm.sinew"
    sinew("sample", "small-arm", "-o", project)
    fields = answer("info", project).get("fields")
    said = answer("unwrap", project, "--charts", "8", "--clip", "bend", "--size", "512")
    print(f"{said['charts']} charts, {said['stretch_poses']:.4f} over the poses, {said['stretch_rest']:.4f} at rest, {said['used']:.3f} used")
    assert 2 <= said["charts"] <= 8 and 1 <= said["stretch_poses"] < 1.1 and said["worst_chart"] < 1.25 and said["used"] > 0.4
    sinew("undo", project)
    assert answer("info", project).get("fields") == fields
    sinew("redo", project)
    again = answer("unwrap", project, "--charts", "uv-charts", "--clip", "bend", "--size", "512")
    assert again["charts"] == said["charts"] and abs(again["before_poses"] - said["stretch_poses"]) < 1e-5
    kept = answer("unwrap", project, "--clip", "bend", "--size", "512")
    assert kept["charts"] == said["charts"], (kept, said)
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
    sinew("sample", "small-arm", "-o", project)
    one = sinew("unwrap", project, "--charts", "1", "--size", "256", "--clip", "bend", "--json")
    assert 2 <= json.loads(one.stdout)["charts"] <= 8, one.stdout
    assert "charts, more than 1: fewer would stretch beyond 1.25" in one.stderr, one.stderr
    two = sinew("unwrap", project, "--charts", "2", "--size", "256", "--clip", "bend")
    assert "more than" not in two.stderr, two.stderr


def fits_that_read_no_uvs_stay_current(folder):
    project = folder / "arm.sinew"
    sinew("sample", "small-arm", "-o", project)
    sinew("fit", "inverse-psd", project)
    assert not answer("unwrap", project, "--size", "256").get("refitted")
    layers = answer("stack", project, "list")["layers"]
    assert len(layers) > 1 and not any(layer["stale"] for layer in layers), layers


def what_cannot_be_done_is_named(folder):
    project = folder / "arm.sinew"
    sinew("sample", "small-arm", "-o", project)
    assert "has no field of this name" in refusal("unwrap", project, "--charts", "parts")
    assert "is 200 pixels of a texture of 128" in refusal("unwrap", project, "--size", "128", "--padding", "200", status=2)
    assert "a number of charts is 1 to 10000" in refusal("unwrap", project, "--charts", "0", status=2)
    assert "--on is now --mesh" in refusal("unwrap", project, "--on", "arm", status=2)


run([unwrapping_is_one_step_with_its_fields, textures_are_resampled_in_the_same_step, more_charts_than_were_asked_for_are_named,
     fits_that_read_no_uvs_stay_current, what_cannot_be_done_is_named])
