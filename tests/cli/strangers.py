#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files and projects that strangers send, by the command line: one line, or a result, and nothing else is touched."""

import json
import os
import resource
import sqlite3
import struct
import subprocess
from pathlib import Path

from harness import SINEW, Skip, answer, run, sample_arm, sinew


def write_gltf(path, indices):
    """A mesh of three points and one triangle with these corners."""
    points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    numbers = b"".join(struct.pack("<3f", *p) for p in points) + struct.pack("<3I", *indices)
    path.with_suffix(".bin").write_bytes(numbers)
    path.write_text(json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "name": "thin"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"byteLength": len(numbers), "uri": path.with_suffix(".bin").name}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 12}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
                      {"bufferView": 1, "componentType": 5125, "count": 3, "type": "SCALAR"}]}))


def mesh_whose_faces_have_no_area_is_named_and_refused(folder):
    write_gltf(folder / "thin.gltf", (0, 0, 1))
    result = sinew("import", folder / "thin.gltf", "-o", folder / "p.sinew", status=1)
    assert "mesh thin is left out: it has no faces with an area" in result.stderr, result.stderr
    assert "thin.gltf: no mesh has faces with an area; export the character with its polygons" in result.stderr, result.stderr
    assert not (folder / "p.sinew").exists()
    write_gltf(folder / "whole.gltf", (0, 1, 2))
    sinew("import", folder / "whole.gltf", "-o", folder / "p.sinew")


def project_with_a_mesh_without_faces_is_drawn(folder):
    """As imports made them before they left such meshes out, normals of no corners included."""
    project = sample_arm(folder / "p.sinew")
    with sqlite3.connect(project) as file:
        file.execute("UPDATE mesh SET face_count = 0, face_offsets = ?, face_points = x'', face_materials = NULL, "
                     "corner_uvs = NULL, corner_colors = NULL, corner_normals = x''", (struct.pack("<I", 0),))
    file.close()
    assert answer("info", project)["meshes"][0]["faces"] == 0
    sinew("render", project, "-o", folder / "p.png")
    sinew("export", project, "-o", folder / "p.glb")
    assert "points or lines" in sinew("import", folder / "p.glb", "-o", folder / "q.sinew", status=1).stderr


def little_address_space_ends_commands_and_not_for_ever(folder):
    """OpenBLAS cannot start its threads there, and would wait for them at exit."""
    if "ASAN_OPTIONS" in os.environ and b"__asan_init" in Path(SINEW).read_bytes():
        raise Skip("a sanitizer needs more address space than that")
    env = {key: value for key, value in os.environ.items() if key != "OPENBLAS_NUM_THREADS"}
    for megabytes in (140, 180, 220, 300):
        limit = megabytes << 20
        done = subprocess.run([SINEW, "--version"], capture_output=True, text=True, check=False, timeout=60, env=env,
                              preexec_fn=lambda most=limit: resource.setrlimit(resource.RLIMIT_AS, (most, most)))
        assert done.returncode == 0 and done.stdout.startswith("sinew "), (megabytes, done.returncode, done.stderr)


run([mesh_whose_faces_have_no_area_is_named_and_refused, project_with_a_mesh_without_faces_is_drawn,
     little_address_space_ends_commands_and_not_for_ever])
