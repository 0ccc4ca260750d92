#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of a crowd, and what plays them: crowd.py SINEW FOLDER few|all

With `all` in three.js in Chromium, against the program's own picture. The packages are installed into FOLDER; where node, the network, Chromium,
glslang or SPIRV-Cross is missing the cases skip and say so."""

import json
import re
import shutil
import struct
import subprocess
import sys
from functools import cache
from pathlib import Path

from harness import Skip, answer, made, refusal, run, sinew
from picture import Picture
from sequence import imported

HERE = Path(__file__).resolve().parent
EXPORT = HERE.parent / "export"
sys.path.insert(0, str(EXPORT))
from npm_packages import install  # noqa: E402 pylint: disable=wrong-import-position

PLAYER = HERE.parents[1] / "plugins" / "player" / "crowd"
FOLDER = Path(sys.argv[2])
ALL = sys.argv[3] == "all"
PACKAGES = EXPORT / "players" / "package.json"
WIDTH, HEIGHT = 480, 360


def arm(folder):
    project = folder / "arm.sinew"
    sinew("sample", "small-arm", "-o", project)
    return project


def exported(project, *words):
    out = project.parent / "crowd"
    return answer("export", project, "--crowd", out, "--members", 4, *words), out


@cache
def leveled():
    project = Path(made().name) / "leveled.sinew"
    sinew("sample", "small-arm", "-o", project)
    sinew("lod", project, "make", "--level", "triangles=20%", "--level", "triangles=6%", "--clip", "bend")
    return project


def palettes_are_the_same_in_all_files_but_for_rounding(folder):
    reported, out = exported(arm(folder), "--method", "dual-quaternion")
    description = json.loads((out / "crowd.json").read_text(encoding="utf-8"))
    width, height = description["palettes"]["width"], description["palettes"]["height"]
    (mesh,) = description["meshes"]
    assert (mesh["blend"], mesh["texels_a_slot"], width) == ("dual quaternions", 2, 2 * mesh["slots"]), mesh
    assert height == sum(clip["frames"] for clip in description["clips"]) == reported["frames"]
    assert len(description["members"]) == 4 and description["version"] == 1
    halves, floats = (out / "palettes.half.bin").read_bytes(), (out / "palettes.float.bin").read_bytes()
    count = 4 * width * height
    assert (len(halves), len(floats)) == (2 * count, 4 * count)
    exact = struct.unpack(f"<{count}f", floats)
    assert struct.unpack(f"<{count}e", halves) == struct.unpack(f"<{count}e", struct.pack(f"<{count}e", *exact))
    assert all(abs(sum(x * x for x in exact[i:i + 4]) - 1) < 1e-5 for i in range(0, count, 8))
    for name, kind, size, raw in (("half", 97, 2, halves), ("float", 109, 4, floats)):
        ktx = (out / f"palettes.{name}.ktx2").read_bytes()
        assert ktx[:12] == b"\xabKTX 20\xbb\r\n\x1a\n"
        assert struct.unpack_from("<9I", ktx, 12) == (kind, size, width, height, 0, 0, 1, 1, 0)
        offset, length, whole = struct.unpack_from("<3Q", ktx, 80)
        assert offset % 16 == 0 and length == whole == len(raw) and ktx[offset:] == raw
    error = description["error"]
    assert 0 < error["half"]["max_percent"] < 0.2 and error["float"]["max_percent"] < 0.001 and error["float"]["erms"] < 0.01, error


def what_a_crowd_leaves_out_is_measured(folder):
    project = arm(folder)
    sinew("pose", project, "add", "bent", "--rotate", "elbow=0,0,1.5")
    sinew("export", project, "--pose", "bent", "-o", folder / "bent.obj")
    lines = (folder / "bent.obj").read_text(encoding="utf-8").splitlines()
    raised = [f"v {line.split()[1]} {float(line.split()[2]) + 0.05} {line.split()[3]}" if line.startswith("v ") else line for line in lines]
    (folder / "raised.obj").write_text("\n".join(raised) + "\n", encoding="utf-8")
    sinew("example", project, "add", "--name", "bent", "--pose", "bent", "--file", folder / "raised.obj", "--group", "elbow")
    sinew("fit", "inverse-psd", project)
    reported = sinew("export", project, "--crowd", folder / "crowd").stdout
    assert "left out (correctives, morph targets) of arm (linear-blend + inverse-psd)" in reported, reported
    reported, _ = exported(project)
    assert reported["left_out_displacements"] > 0 and reported["float"]["max_percent"] > 1, reported


def levels_are_further_meshes_with_the_same_palettes(folder):
    project = Path(shutil.copy(leveled(), folder / "arm.sinew"))
    reported, out = exported(project)
    description = json.loads((out / "crowd.json").read_text(encoding="utf-8"))
    finest, middle, coarsest = description["meshes"]
    assert [mesh["levels"] for mesh in description["meshes"]] == [[0], [1], [2]] and reported["levels"] == 2, description["meshes"]
    assert {**finest, "name": 0, "levels": 0} == {**middle, "name": 0, "levels": 0} == {**coarsest, "name": 0, "levels": 0}
    assert description["palettes"]["width"] == finest["texels_a_slot"] * finest["slots"]
    assert description["levels"][0] == {} and description["levels"][1]["most_pixels"] > description["levels"][2]["most_pixels"] > 0
    assert description["error"]["float"]["max_percent"] < 0.001  # of the levels too
    glb = (out / "crowd.glb").read_bytes()
    gltf = json.loads(glb[20:20 + struct.unpack_from("<I", glb, 12)[0]])
    assert gltf["scenes"][0]["nodes"] == [0] and gltf["nodes"][0]["extensions"]["MSFT_lod"]["ids"] == [1, 2], gltf["nodes"]
    lower = sinew("export", project, "--crowd", out, "--method", "linear-blend").stdout
    assert "levels of detail (2) are left out" in lower, lower


def what_has_no_weights_is_refused(folder):
    out = folder / "out"
    assert "no skin" in refusal("export", imported(folder), "--crowd", out)
    project = arm(folder)
    box = refusal("export", project, "--crowd", out, "--method", "delta-mush")
    assert "delta-mush" in box and "sinew bake" in box, box
    assert "--pose" in refusal("export", project, "--crowd", out, "--pose", "rest", status=2)
    for members in (0, 1.5, 1e9):
        assert "whole number from 1 to 10000000" in refusal("export", project, "--crowd", out, "--members", members, status=2)
    assert "at most 100000 fit" in refusal("export", project, "--crowd", out, "--members", 10000000)
    assert "name a folder" in refusal("export", project, "--crowd", project, status=2)
    assert not out.exists()


def the_hlsl_is_the_glsl(folder):
    if not shutil.which("glslangValidator") or not shutil.which("spirv-cross"):
        raise Skip("no glslang or SPIRV-Cross")
    glsl = (PLAYER / "crowd.glsl").read_text(encoding="utf-8")
    uniforms = "layout(binding = 1) uniform Crowd { int crowd_first_texel; bool crowd_is_dual; bool crowd_is_shortest; };\n"
    glsl, found = re.subn(r"uniform int crowd_first_texel;.*\n.*crowd_is_dual;.*\n.*crowd_is_shortest;.*\n", uniforms, glsl)
    assert found == 1
    inputs = ("vec3 position_rest", "vec3 normal_rest", "ivec4 joints", "vec4 weights", "vec4 instance")
    text = "#version 450\n" + "".join(f"layout(location = {i}) in {one};\n" for i, one in enumerate(inputs))
    text += "layout(location = 0) out vec3 position_world;\nlayout(location = 1) out vec3 normal_world;\n"
    text += glsl.replace("uniform highp sampler2D", "layout(binding = 0) uniform highp sampler2D") + """
void main() {
	vec3 p = position_rest, n = normal_rest;
	crowd_skin(joints, weights, int(instance.w), p, n);
	crowd_place(instance, p, n);
	position_world = p;
	normal_world = n;
	gl_Position = vec4(p, 1.0);
}
"""
    shader = folder / "crowd.vert"
    shader.write_text(text, encoding="utf-8")
    subprocess.run(["glslangValidator", "-V", shader, "-o", folder / "crowd.spv"], check=True, stdout=subprocess.DEVNULL)
    made = subprocess.run(["spirv-cross", folder / "crowd.spv", "--hlsl", "--shader-model", "50"], check=True, capture_output=True, text=True).stdout
    kept = (PLAYER / "crowd.hlsl").read_text(encoding="utf-8")
    assert kept[kept.index("\ncbuffer"):].split() == made.split()


def is_skin(pixel):
    return pixel[0] > pixel[2] + 24


def shared_share(one, two):
    """Of the pixels that either has skin in."""
    both = either = 0
    for first, second in zip(one.rows, two.rows):
        pairs = [(is_skin(first[i:i + 3]), is_skin(second[i:i + 3])) for i in range(0, len(first), 4)]
        both += sum(a and b for a, b in pairs)
        either += sum(a or b for a, b in pairs)
    return both / either


def rendered(project, seconds, *words):
    path = project.parent / f"drawn-{seconds}.png"
    reported = answer("render", project, "--crowd", *words, "--no-grid", "--seconds", seconds, "-o", path)
    return reported, Picture(path)


def drawn_by_the_page(out, camera, width, height, calls=1):
    """The page of a folder 0.4 s after the start, through the camera of a render."""
    missing = install(FOLDER, PACKAGES, "three")
    if missing or not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        raise Skip(missing or "no Chromium")
    page = out.parent / "page.png"
    query = f"seconds=0.4&eye={','.join(map(str, camera['eye']))}&target={','.join(map(str, camera['target']))}&degrees={camera['vertical_degrees']}"
    done = subprocess.run(["node", HERE / "crowd_page.mjs", FOLDER, out, query, page, str(width), str(height)],
                          capture_output=True, text=True, check=False, timeout=500)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["drawn"]["calls"] == calls and not found["messages"], found
    return found, Picture(page)


def the_page_shows_what_the_program_shows(folder):
    project = arm(folder)
    for method in ("linear-blend", "dual-quaternion"):
        _, out = exported(project, "--method", method)
        reported, drawn = rendered(project, 0.4, 4, "--method", method, "--pitch", 0.3, "--size", f"{WIDTH}x{HEIGHT}")
        found, page = drawn_by_the_page(out, reported["camera"], WIDTH, HEIGHT)
        share = shared_share(drawn, page)
        print(method, "shares", share, "WGSL", found["wgsl"])
        assert share > 0.94, share
        assert found["wgsl"] is None or found["wgsl"]["most"] < 1e-3, found


def the_page_shows_the_levels_that_the_program_shows(folder):
    project = Path(shutil.copy(leveled(), folder / "arm.sinew"))
    _, out = exported(project, "--members", 12)
    reported, drawn = rendered(project, 0.4, 12, "--pitch", 0.2, "--size", "960x720")
    found, page = drawn_by_the_page(out, reported["camera"], 960, 720, calls=sum(map(bool, reported["levels"])))
    share = shared_share(drawn, page)
    print("levels", reported["levels"], "share", share)
    assert sum(map(bool, reported["levels"])) > 1 and found["drawn"]["triangles"] == reported["triangles"], (reported, found)
    assert share > 0.94, share


def a_thousand_are_drawn_by_the_page(folder):
    """Each member is a few pixels wide, so that more of them are at edges; half a second later the picture is another."""
    project, words = arm(folder), (1000, "--method", "dual-quaternion", "--pitch", 0.8, "--size", "1280x960")
    _, out = exported(project, "--method", "dual-quaternion", "--members", 1000)
    (reported, drawn), (_, later) = rendered(project, 0.4, *words), rendered(project, 0.9, *words)
    found, page = drawn_by_the_page(out, reported["camera"], 1280, 960)
    share, otherwise = shared_share(drawn, page), shared_share(later, page)
    print("a thousand share", share, "and half a second later", otherwise)
    assert found["drawn"]["triangles"] == reported["triangles"] == 1000 * 4992, found
    assert share > 0.85 and otherwise < 0.65, (share, otherwise)


run([palettes_are_the_same_in_all_files_but_for_rounding, what_a_crowd_leaves_out_is_measured, levels_are_further_meshes_with_the_same_palettes, what_has_no_weights_is_refused, the_hlsl_is_the_glsl,
     *([the_page_shows_what_the_program_shows, the_page_shows_the_levels_that_the_program_shows, a_thousand_are_drawn_by_the_page] if ALL else [])])
