#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Levels of detail by the command line: made, listed, removed, stale when their mesh has changed, drawn, and in files.

usage: levels.py SINEW"""

import json
import shutil
import struct
from functools import cache
from pathlib import Path

from harness import answer, data, made, refusal, run, sample_arm, sinew, tiny_arm


@cache
def leveled():
    project = Path(made().name) / "leveled.sinew"
    tiny_arm(project)
    answer("lod", project, "make", "--level", "triangles=25%", "--level", "triangles=6%,influences=2", "--clip", "bend")
    return project


def copy(folder):
    return Path(shutil.copy(leveled(), folder / "arm.sinew"))


def listed(project):
    return answer("lod", project, "list").get("levels", [])


def gltf_document(path):
    data = Path(path).read_bytes()
    return json.loads(data[20:20 + struct.unpack_from("<I", data, 12)[0]])


def levels_are_listed_with_their_errors_and_are_one_step(folder):
    project = copy(folder)
    fine, coarse = listed(project)
    print(f"errors: {fine['rms_percent']:.3f} % with {fine['triangles']} triangles, {coarse['rms_percent']:.3f} % with {coarse['triangles']}")
    assert (fine["number"], coarse["number"], coarse["influences"]) == (1, 2, 2), (fine, coarse)
    assert 0 < fine["rms_percent"] < coarse["rms_percent"] < 0.5 and fine["largest_percent"] < coarse["largest_percent"] < 3
    assert 0 < coarse["screen_share"] < fine["screen_share"] and fine["bytes"] > coarse["bytes"] and fine["worst_pose"]
    assert fine["uv_rms_percent"] > 0 and not fine["stale"]
    sinew("undo", project)
    assert listed(project) == []
    sinew("redo", project)
    assert listed(project) == [fine, coarse]
    sinew("lod", project, "remove", 1)
    assert listed(project) == [coarse]


def levels_are_stale_when_their_weights_have_changed_and_current_when_that_is_undone(folder):
    project = copy(folder)
    sinew("weights", project, "prune", "--influences", 1)
    assert all(level["stale"] for level in listed(project))
    sinew("undo", project)
    assert not any(level["stale"] for level in listed(project))


def a_file_has_the_levels_behind_their_mesh_with_one_skin(folder):
    project, file = copy(folder), folder / "arm.glb"
    sinew("export", project, "--levels", "extension", "-o", file)
    document = gltf_document(file)
    node = next(node for node in document["nodes"] if node.get("name") == "arm_LOD0")
    ids, shares = node["extensions"]["MSFT_lod"]["ids"], node["extras"]["MSFT_screencoverage"]
    assert [document["nodes"][i]["name"] for i in ids] == ["arm_LOD1", "arm_LOD2"] and document["extensionsUsed"] == ["MSFT_lod"]
    assert not set(ids) & set(document["scenes"][0]["nodes"]) and len(document["skins"]) == 1
    assert len(shares) == 3 and shares[0] > shares[1] > shares[2] == 0, shares
    triangles = [document["accessors"][mesh["primitives"][0]["indices"]]["count"] // 3 for mesh in document["meshes"]]
    assert triangles[1:] == [level["triangles"] for level in listed(project)], triangles


def levels_in_a_file_come_back_as_levels(folder):
    project, file, back = copy(folder), folder / "arm.glb", folder / "back.sinew"
    sinew("export", project, "--levels", "extension", "-o", file)
    sinew("import", file, "-o", back)
    before, after = listed(project), listed(back)
    for key in ("number", "mesh", "triangles", "influences", "joints", "screen_share"):
        assert [level[key] for level in after] == [level[key] for level in before], (key, after)
    assert not any(level["stale"] or "rms_percent" in level for level in after), after
    at = {row["clip"]: row["rms_percent"] for row in answer("lod", back, "show", 2)["errors"]}
    assert abs(at["bend"] - before[1]["rms_percent"]) < 0.1 * before[1]["rms_percent"] and set(at) == {"", "bend", "twist", "both"}, at


def a_level_is_measured_over_clips_and_over_poses_that_were_held_out(folder):
    level, errors = (answer("lod", leveled(), "show", 2, "--clip", "twist")[key] for key in ("levels", "errors"))
    held_out, twist = errors
    assert [row["clip"] for row in errors] == ["", "twist"] and twist["worst_pose"].startswith("twist"), errors
    assert held_out["rms_percent"] == level[0]["rms_percent"] and twist["largest_percent"] >= twist["rms_percent"] > 0, errors


def levels_are_written_to_files_or_one_alone(folder):
    project = copy(folder)
    said = answer("export", project, "--levels", "files", "-o", folder / "arm.glb")
    sizes = [(folder / f"arm_LOD{n}.glb").stat().st_size for n in range(3)]
    assert [row["file"] for row in said["files"]] == [str(folder / f"arm_LOD{n}.glb") for n in range(3)] and sizes == sorted(sizes, reverse=True)
    assert all(row["max_percent"] < 0.1 for row in said["files"]), said  # an engine plays each as the project does
    sinew("export", project, "--levels", 2, "-o", folder / "far.glb")
    assert (folder / "far.glb").stat().st_size == sizes[2]


def levels_of_an_affine_blend_keep_its_rows(folder):
    """A linear blend in their place is 0.0047 % off with all triangles, and 0.0100 % with a quarter."""
    project = folder / "smooth.sinew"
    sample_arm(project)
    sinew("mesh", project, "subdivide")
    sinew("lod", project, "make", "--level", "triangles=100%", "--level", "triangles=25%,influences=2")
    whole, coarse = listed(project)
    assert whole["rms_percent"] < 1e-4 and whole["largest_percent"] < 1e-3, whole
    assert 1e-4 < coarse["rms_percent"] < 0.0095 and coarse["influences"] == 2, coarse
    sinew("export", project, "--levels", "extension", "-o", folder / "smooth.glb")
    assert len(gltf_document(folder / "smooth.glb")["meshes"]) == 3


def what_cannot_be_reached_is_named(folder):
    project = folder / "fox.sinew"
    sinew("import", data("characters/Fox.glb"), "-o", project)
    printed = sinew("lod", project, "make", "--level", "triangles=5%,influences=1,joints=2")
    (level,) = listed(project)
    for words in f"has {level['triangles']} triangles instead of 29", f"has {level['joints']} joints instead of 2":
        assert words in printed.stdout + printed.stderr, (printed.stdout, printed.stderr)


def what_cannot_be_made_is_refused_in_a_line(folder):
    project = copy(folder)
    for level, words in (("faces=3", "a level is triangles="), ("50%", "a level is triangles="), ("influences=2", "needs triangles="),
                         ("triangles=0%", "a share from over 0"), ("triangles=25%,triangles=50%", "given twice"), ("triangles=50%,influences=9", "1 to 8"),
                         ("triangles=50%,joints=x", "from 1 on"), ("triangles=50%,", "nothing follows")):
        assert words in refusal("lod", project, "make", "--level", level, status=2), level
    order = ("--level", "triangles=10%", "--level", "triangles=50%")
    assert "give the finest level first" in refusal("lod", project, "make", *order, status=2)
    assert "no mask has this name" in refusal("lod", project, "make", "--level", "triangles=50%", "--protect", "face")
    assert "there is no level 7" in refusal("lod", project, "remove", 7)
    assert "there is no level 7" in refusal("lod", project, "show", 7)
    assert "there is no level 7" in refusal("export", project, "--levels", 7, "-o", folder / "no.glb")
    assert "hold levels" in refusal("export", project, "--levels", "extension", "--pose", "rest", "-o", folder / "no.obj", status=2)


run([levels_are_listed_with_their_errors_and_are_one_step,
     levels_are_stale_when_their_weights_have_changed_and_current_when_that_is_undone,
     a_file_has_the_levels_behind_their_mesh_with_one_skin, levels_in_a_file_come_back_as_levels,
     a_level_is_measured_over_clips_and_over_poses_that_were_held_out, levels_are_written_to_files_or_one_alone,
     what_cannot_be_reached_is_named, what_cannot_be_made_is_refused_in_a_line],
    long=[levels_of_an_affine_blend_keep_its_rows])
