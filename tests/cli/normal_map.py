#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Normal maps by the command line: one step, a material of its own for a level, tangents in the file, flat from a mesh to itself, the normals
of a mesh with more detail, and a line for what cannot be done.

usage: normal_map.py SINEW"""

import functools
import json
import math
import os
import shutil
import signal
import struct
import subprocess
from pathlib import Path

from harness import BLENDER_ENVIRONMENT, SINEW, answer, made, refusal, run, sinew, tiny_arm
from picture import Picture

BLENDER_SCRIPT = Path(__file__).resolve().parents[1] / "blender" / "normals.py"
SMALL = Path(os.environ.get("SINEW_TEST_SMALL_DATA", Path(__file__).resolve().parents[1] / "data"))


@functools.cache
def unwrapped_arm():
    project = Path(made().name) / "arm.sinew"
    tiny_arm(project)
    sinew("unwrap", project, "--charts", "8", "--clip", "bend", "--size", "256")
    return project


def arm(folder):
    return Path(shutil.copy(unwrapped_arm(), folder))


def exported(project, folder, *words):
    """The document of a file, and its pictures by name."""
    sinew("export", project, "-o", folder / "out.glb", "--allow-error", "100", *words)
    file = (folder / "out.glb").read_bytes()
    length = struct.unpack_from("<I", file, 12)[0]
    document, body = json.loads(file[20:20 + length]), file[28 + length:]
    views = document.get("bufferViews", [])
    pictures = {}
    for image in document.get("images", []):
        view = views[image["bufferView"]]
        pictures[image["name"]] = body[view.get("byteOffset", 0):view.get("byteOffset", 0) + view["byteLength"]]
    return document, pictures


def largest_angle(folder, png):
    """Of the texels away from the flat one, in degrees."""
    (folder / "map.png").write_bytes(png)
    picture = Picture(folder / "map.png")
    texels = (tuple(row[i:i + 3]) for row in picture.rows for i in range(0, len(row), 4))
    return max(math.degrees(math.acos(min(1, (z - 127.5) / math.dist((x, y, z), (127.5,) * 3)))) for x, y, z in set(texels))


def bent_share(folder, png):
    """Of the texels, those away from the flat one."""
    (folder / "map.png").write_bytes(png)
    texels = [tuple(row[i:i + 3]) for row in Picture(folder / "map.png").rows for i in range(0, len(row), 4)]
    return sum(texel != (128, 128, 255) for texel in texels) / len(texels)


def level_gets_a_map_and_tangents_as_one_step(folder):
    project = arm(folder)
    sinew("lod", project, "make", "--level", "triangles=25%", "--clip", "bend")
    before = exported(project, folder, "--levels", "extension")[0]
    said = answer("normal-map", project, "--size", "64", "--clip", "bend")
    assert [row["level"] for row in said["maps"]] == [1] and said["poses"] > 20 and 0.3 < said["maps"][0]["covered"] < 1, said
    document, pictures = exported(project, folder, "--levels", "extension")
    meshes = {mesh["name"]: mesh["primitives"] for mesh in document["meshes"]}
    level, whole = next(v for k, v in meshes.items() if k.endswith("_LOD1")), next(v for k, v in meshes.items() if k.endswith("_LOD0"))
    assert all("TANGENT" in part["attributes"] for part in level) and "TANGENT" not in whole[0]["attributes"]
    materials = document["materials"]
    assert "normalTexture" in materials[level[0]["material"]] and "normalTexture" not in materials[whole[0]["material"]]
    png = next(iter(pictures.values()))
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack_from(">IIB", png, 16) == (64, 64, 8), png[:32]
    assert 2 < largest_angle(folder, png) < 80
    grown = bent_share(folder, png)
    print(f"charts cover {said['maps'][0]['covered']:.3f} of the square, and with what has grown around them {grown:.3f}")
    assert grown > said["maps"][0]["covered"] + 0.1, (grown, said)
    again = answer("normal-map", project, "--size", "64", "--clip", "bend")
    document = exported(project, folder, "--levels", "extension")
    assert again["maps"] == said["maps"] and document[1] == pictures and len(document[0]["materials"]) == len(materials), "not in its place"
    sinew("undo", project)
    sinew("undo", project)
    assert exported(project, folder, "--levels", "extension")[0] == before


def map_of_a_mesh_from_itself_is_flat(folder):
    project = arm(folder)
    said = answer("normal-map", project, "--level", "0", "--size", "64")
    assert said["maps"][0]["overlapping"] == 0, said
    document, pictures = exported(project, folder)
    assert "TANGENT" in document["meshes"][0]["primitives"][0]["attributes"]
    assert largest_angle(folder, next(iter(pictures.values()))) < 0.6  # (128, 128, 255): half a step of eight bits
    sinew("normal-map", project, "--level", "0", "--size", "64")  # its own map is carried on
    assert largest_angle(folder, next(iter(exported(project, folder)[1].values()))) < 0.6


def map_has_the_normals_of_a_mesh_with_more_detail(folder):
    project = arm(folder)
    high = folder / "high.obj"
    sinew("export", project, "-o", high, "--pose", "rest")
    said = answer("normal-map", project, "--from", high, "--size", "64")
    assert said["poses"] == 1 and said["maps"][0]["level"] == 0
    assert largest_angle(folder, next(iter(exported(project, folder)[1].values()))) < 6, "its own shape has other normals"
    lines = [line.split() for line in high.read_text(encoding="utf-8").splitlines()]
    bumpy = folder / "bumpy.obj"
    bumpy.write_text("".join(" ".join(["v", words[1], str(float(words[2]) + 0.008 * math.sin(60 * float(words[1]))), words[3]]
                                      if words[:1] == ["v"] else words) + "\n" for words in lines), encoding="utf-8")
    sinew("normal-map", project, "--from", bumpy, "--size", "64")
    bent = largest_angle(folder, next(iter(exported(project, folder)[1].values())))
    sinew("normal-map", project, "--level", "0", "--size", "64", "--clip", "bend")
    carried = largest_angle(folder, next(iter(exported(project, folder)[1].values())))
    print(f"a bumpy mesh bends normals by {bent:.1f} degrees, and the next map of the mesh itself by {carried:.1f}")
    assert bent > 12 and 0.6 * bent < carried < 1.2 * bent, (bent, carried)
    far = folder / "far.obj"
    far.write_text("".join(" ".join(["v", *(str(float(n) + 50) for n in words[1:4])] if words[:1] == ["v"] else words) + "\n" for words in lines),
                   encoding="utf-8")
    assert "of it has the other mesh within" in refusal("normal-map", project, "--from", far, "--size", "64")
    (folder / "empty.obj").write_text("v 0 0 0\n", encoding="utf-8")
    refusal("normal-map", project, "--from", folder / "empty.obj")
    refusal("normal-map", project, "--from", folder / "none.obj")


def what_cannot_be_done_is_named(folder):
    project = folder / "leaf.sinew"
    sinew("import", SMALL / "small" / "leaf.gltf", "-o", project)
    assert "has no UVs; 'sinew unwrap" in refusal("normal-map", project, "--level", "0")
    assert "no levels of detail" in refusal("normal-map", project)
    assert "no level 3" in refusal("normal-map", project, "--level", "3")
    sinew("lod", project, "make", "--level", "triangles=50%")
    assert "level 1 of mesh" in refusal("normal-map", project)
    for size in ("0", "100000"):
        assert "from 16 to 8192" in refusal("normal-map", project, "--size", size, status=2)


def sheets(folder, is_overlapping):
    """A project of square sheets that lie on each other, where all but the first have normals that lean, and rise in later frames."""
    count = 3 if is_overlapping else 2
    def write(path, height):
        lines = []
        for sheet in range(count):
            for x, y in ((0, 0), (1, 0), (1, 1), (0, 1)):
                lines += [f"v {x} {y} {sheet * height}", f"vt {0.1 + 0.3 * x + (0 if is_overlapping else 0.5 * sheet)} {0.1 + 0.3 * y}",
                          "vn 0.5 0 0.866" if sheet else "vn 0 0 1"]
        lines += ["f " + " ".join(f"{i}/{i}/{i}" for i in range(first, first + 4)) for first in range(1, 4 * count, 4)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    project = folder / "sheets.sinew"
    for frame in range(4):
        write(folder / f"sheet{frame}.obj", frame)
    sinew("import", "--sequence", folder / "sheet*.obj", "--rest", folder / "sheet0.obj", "-o", project)
    return project


def surfaces_that_touch_at_rest_stay_apart(folder):
    project = sheets(folder, False)
    sinew("normal-map", project, "--level", "0", "--size", "64")
    assert largest_angle(folder, next(iter(exported(project, folder)[1].values()))) < 0.6, "a partner on the other sheet"
    sinew("undo", project)
    sinew("normal-map", project, "--level", "0", "--size", "64", "--poses", "rest")
    assert largest_angle(folder, next(iter(exported(project, folder)[1].values()))) > 20, "at rest nothing tells the sheets apart"


def overlapping_uvs_are_named(folder):
    project = sheets(folder, True)
    answered = sinew("normal-map", project, "--level", "0", "--size", "64", "--json")
    assert "% of the square, and the first face has the texels there" in answered.stderr, answered.stderr
    assert 0.085 < json.loads(answered.stdout)["maps"][0]["overlapping"] < 0.092, answered.stdout


def a_map_that_cannot_be_read_is_named(folder):
    project = arm(folder)
    sinew("normal-map", project, "--level", "0", "--size", "64", "--clip", "bend")
    sinew("export", project, "-o", folder / "out.glb")
    file = bytearray((folder / "out.glb").read_bytes())
    picture = file.index(b"IDAT")
    file[picture + 8:picture + 40] = bytes(32)
    (folder / "damaged.glb").write_bytes(file)
    sinew("import", folder / "damaged.glb", "-o", folder / "damaged.sinew")
    said = sinew("normal-map", folder / "damaged.sinew", "--level", "0", "--size", "64", "--clip", "bend")
    assert "cannot be read: what it shows is not in the new map" in said.stderr, said.stderr
    sinew("undo", folder / "damaged.sinew")
    said = sinew("unwrap", folder / "damaged.sinew", "--size", "64", "--clip", "bend")
    assert "no picture that can be read" in said.stderr, said.stderr


def a_bake_that_is_stopped_changes_nothing(folder):
    project = arm(folder)
    before = project.read_bytes()
    process = subprocess.Popen([SINEW, "normal-map", project, "--level", "0", "--progress"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               text=True)
    line = next((line for line in process.stderr if "progress" in line), None)
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=120)[1]
    assert line and process.returncode == 1 and "cancelled" in errors, (process.returncode, errors)
    assert project.read_bytes() == before and list(folder.iterdir()) == [project], list(folder.iterdir())


def files_with_maps_pass_the_validator(folder):
    package = Path(os.environ.get("SINEW_GLTF_VALIDATOR", "none"))
    if not (package / "node_modules" / "gltf-validator").is_dir() or not shutil.which("node"):
        print("skipped: the tests of export have not installed the validator")
        return
    project = arm(folder)
    sinew("lod", project, "make", "--level", "triangles=25%", "--clip", "bend")
    sinew("normal-map", project, "--size", "64", "--clip", "bend")
    sinew("export", project, "-o", folder / "out.glb", "--levels", "extension", "--allow-error", "100")
    program = Path(__file__).resolve().parents[1] / "export" / "validator" / "validate.cjs"
    done = subprocess.run(["node", program, package, folder / "out.glb"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def blender_shows_the_map(folder):
    blender = shutil.which("blender")
    if not blender:
        print("skipped: no Blender")
        return
    project = arm(folder)
    sinew("lod", project, "make", "--level", "triangles=5%", "--clip", "bend")
    sinew("normal-map", project, "--size", "256", "--clip", "bend")
    sinew("export", project, "-o", folder / "level.glb", "--levels", "1", "--allow-error", "100")
    sinew("export", project, "-o", folder / "mesh.glb")
    shown = subprocess.run([blender, "-b", "--factory-startup", "--python-exit-code", "1", "-P", BLENDER_SCRIPT, "--", folder / "level.glb",
                            folder / "mesh.glb"], capture_output=True, encoding="utf-8", timeout=900, check=False, env=BLENDER_ENVIRONMENT)
    if "No module named 'numpy'" in shown.stdout + shown.stderr:
        print("skipped: Blender has no numpy, which its reader of glTF needs")
        return
    assert shown.returncode == 0, shown.stdout + shown.stderr
    mapped, plain = next([float(word) for word in line.split()[1:]] for line in shown.stdout.splitlines() if line.startswith("normals "))
    print(f"the normals that Blender shows are {mapped:.2f} degrees from those of the mesh, {plain:.2f} without the map")
    assert mapped < 0.6 * plain, (mapped, plain)


run([level_gets_a_map_and_tangents_as_one_step, map_of_a_mesh_from_itself_is_flat,
     map_has_the_normals_of_a_mesh_with_more_detail,
     surfaces_that_touch_at_rest_stay_apart, overlapping_uvs_are_named, a_map_that_cannot_be_read_is_named,
     a_bake_that_is_stopped_changes_nothing, what_cannot_be_done_is_named], long=[files_with_maps_pass_the_validator, blender_shows_the_map])
