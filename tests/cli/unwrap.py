#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Unwrapping by the command line is one step: UVs and fields come and go with it, and what cannot be done is named.

usage: unwrap.py SINEW"""

import json
import struct

from harness import answer, refusal, run, sinew


def has_uvs(project, folder):
    sinew("export", project, "-o", folder / "out.glb")
    data = (folder / "out.glb").read_bytes()
    document = json.loads(data[20:20 + struct.unpack_from("<I", data, 12)[0]])
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


def what_cannot_be_done_is_named(folder):
    project = folder / "arm.sinew"
    sinew("sample", "small-arm", "-o", project)
    assert "has no field of this name" in refusal("unwrap", project, "--charts", "parts")
    assert "a number of charts is 1 to 10000" in refusal("unwrap", project, "--charts", "0", status=2)
    assert "--on is now --mesh" in refusal("unwrap", project, "--on", "arm", status=2)


run([unwrapping_is_one_step_with_its_fields, what_cannot_be_done_is_named])
