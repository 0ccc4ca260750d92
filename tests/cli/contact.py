#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`sinew contact`: where meshes go through each other, what it refuses, and the field of depths; and `example push-out`."""

import base64
import json
import struct

from harness import LONG, answer, dressed, obj_points, refusal, run, sample_arm, sinew, tiny_arm


DEEP = "wave:0.75" if LONG else "wave:0.05"  # where the shirt is deepest in the body


def moments_are_listed_with_depths(folder):
    project = dressed(folder / "dressed.sinew")
    found = answer("contact", project, "--between", "body,shirt")
    rows = found["contact"]
    assert rows and all(row["mesh"] == "body" and row["other"] == "shirt" for row in rows), rows
    deepest = max(max(row["through"]["deepest_mm"], row["inside"]["deepest_mm"]) for row in rows)
    assert deepest > 1 and abs(deepest - found["deepest_mm"]) < 1e-9, found["deepest_mm"]
    through = next(row["through"] for row in rows if row["through"]["points"] > 0)
    assert through["joint"] and len(through["place"]) == 3 and len(through["direction"]) == 3, through
    assert found["rest"][0]["triangles"] > 0, found["rest"]
    lines = sinew("contact", project, "--between", "body,shirt").stdout.splitlines()
    assert any("meet at rest" in line for line in lines) and "body, shirt" in lines, lines
    if LONG:
        every = sinew("contact", project, "--clip", "wave").stdout.splitlines()
        assert sum("meet at rest" in line for line in every) == 1, every


def depth_beyond_the_most_ends_with_status_1(folder):
    project = dressed(folder / "dressed.sinew")
    sinew("contact", project, "--between", "body,shirt", "--most", "500")
    ended = sinew("contact", project, "--between", "body,shirt", "--most", "0.1", status=1)
    assert "--most is 0.1" in ended.stderr, ended.stderr


def one_pose_is_one_moment_and_wrong_words_are_refused(folder):
    project = dressed(folder / "dressed.sinew")
    assert answer("contact", project, "--at", "rest", "--between", "body,shirt")["moments"] == 1
    for words, status, message in (
        (["--between", "body"], 2, "expected two meshes"),
        (["--between", "body,coat"], 1, "no mesh 'coat'"),
        (["--between", "body,body"], 2, "--self"),
        (["--clip", "none"], 1, "no such clip"),
        (["--at", "rest", "--clip", "wave"], 2, "either --at or --clip"),
    ):
        refused = sinew("contact", project, *words, status=status)
        assert message in refused.stderr, refused.stderr


def field_has_the_depth_of_each_point(folder):
    project = dressed(folder / "dressed.sinew")
    sinew("contact", project, "--between", "body,shirt", "--field", "contact")
    sinew("render", project, "--heat", "contact", "--size", "64x64", "-o", folder / "heat.png")
    assert any("find contact" in str(row) for row in answer("history", project).values()), answer("history", project)


def measure_names_contact_that_a_corrective_makes(folder):
    project = folder / "arm.sinew"
    sample_arm(project, sample="arm")
    sinew("fit", "inverse-psd", project)
    measured = answer("measure", project)["contact"]
    (made,) = answer("contact", project, "--beyond", "linear-blend")["contact"]
    assert made["mesh"] == made["other"] == "arm" and made["deepest_mm"] > made["before_mm"], made
    assert measured and measured[0]["deepest_mm"] <= made["deepest_mm"], measured
    assert "contact: arm with itself" in sinew("measure", project).stdout
    assert "contact" not in answer("measure", project, "--method", "linear-blend")
    assert answer("contact", project, "--method", "linear-blend", "--beyond", "linear-blend")["contact"] == []


def export_and_bake_name_contact_that_they_make(folder):
    project = folder / "arm.sinew"
    tiny_arm(project)
    sinew("fit", "inverse-psd", project)
    baked = answer("bake", project)["contact"]
    (made,) = answer("export", project, "-o", folder / "arm.glb")["contact"]
    assert made["deepest_mm"] > 1 and made["before_mm"] < 0.1, made
    assert answer("measure", project)["contact"] == [made]
    assert "the stack before the bake has" in sinew("export", project, "-o", folder / "again.glb").stdout
    assert baked == [made], baked
    assert "contact" not in answer("export", project, "-o", folder / "arm.obj", "--pose", "rest")


def posed(project, pose, mesh):
    out = project.parent / "posed.obj"
    sinew("export", project, "--pose", pose, "--mesh", mesh, "-o", out)
    return obj_points(out)


def push_out_leaves_little_deep_and_the_rest_as_it_is(folder):
    project = dressed(folder / "dressed.sinew")
    before = {pose: posed(project, pose, "shirt") for pose in ("rest", DEEP)}
    if LONG:
        body = posed(project, DEEP, "body")
        found_before = answer("contact", project, "--between", "body,shirt")
    pushed = answer("example", project, "push-out", "shirt", "--out-of", "body")
    assert pushed["deepest_mm"] <= 0.5 < pushed["deepest_mm_before"] / 4, pushed  # nothing is deeper than asked
    assert pushed["outside_folds_mm"] <= 0.5 and pushed["most_mm"] <= 25, pushed
    assert 1 <= pushed["poses"] <= 6 and len(pushed["made"]) == pushed["poses"], pushed
    assert pushed["clips"][0]["clip"] == "wave" and pushed["clips"][0]["asked"] == 1, pushed
    assert posed(project, "rest", "shirt") == before["rest"]
    if LONG:
        found = answer("contact", project, "--between", "body,shirt")
        for contact, key in ((found_before, "deepest_mm_before"), (found, "deepest_mm")):
            deepest = max(row["through"]["deepest_mm"] for row in contact["contact"])
            assert abs(deepest - pushed[key]) < 0.01, (key, deepest, pushed[key])
        assert posed(project, DEEP, "body") == body
        sinew("export", project, "-o", folder / "pushed.glb")
        sinew("import", folder / "pushed.glb", "-o", folder / "again.sinew")
        again = answer("contact", folder / "again.sinew", "--between", "body,shirt")  # quads are cut along the same diagonals
        assert all(abs(again[key] - found[key]) < 0.1 for key in ("through_mm", "inside_mm")), (again["deepest_mm"], found["deepest_mm"])
    after = posed(project, DEEP, "shirt")
    most = max(sum((a - b) ** 2 for a, b in zip(p, q)) ** 0.5 for p, q in zip(before[DEEP], after))
    assert 0.001 < most <= pushed["most_mm"] / 1000 + 1e-5, most
    sinew("undo", project)
    summary = answer("info", project)["summary"]
    assert summary["layers"] == 1 and summary["examples"] == 0, summary
    assert posed(project, DEEP, "shirt") == before[DEEP]


def push_out_refuses_what_it_cannot_do(folder):
    project = dressed(folder / "dressed.sinew")
    for words, status, message in (
        (["shirt", "--out-of", "shirt"], 2, "that is the mesh itself"),
        (["coat"], 1, "no mesh is named 'coat'"),
        (["shirt", "--poses", "0"], 2, "from 1 to 64"),
        (["shirt", "--clip", "none"], 1, "no clip is named 'none'"),
    ):
        assert message in refusal("example", project, "push-out", *words, status=status), words
    sinew("stack", project, "add", "delta-mush")
    assert "delta-mush" in refusal("example", project, "push-out", "shirt")


def meshes_of_other_units_are_named(folder):
    sizes = {"metres": 1, "millimetres": 1000}
    numbers = [value * size for size in sizes.values() for value in (0, 0, 0, 1, 0, 0, 0, 1, 0)]
    packed = struct.pack(f"<{len(numbers)}f", *numbers)
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": i, "name": name} for i, name in enumerate(sizes)],
        "meshes": [{"name": name, "primitives": [{"attributes": {"POSITION": i}}]} for i, name in enumerate(sizes)],
        "accessors": [{"bufferView": 0, "byteOffset": 36 * i, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0],
                       "max": [size, size, 0]} for i, size in enumerate(sizes.values())],
        "bufferViews": [{"buffer": 0, "byteLength": len(packed)}],
        "buffers": [{"byteLength": len(packed), "uri": "data:application/octet-stream;base64," + base64.b64encode(packed).decode()}],
    }
    (folder / "two.gltf").write_text(json.dumps(document), encoding="utf-8")
    sinew("import", folder / "two.gltf", "-o", folder / "two.sinew")
    found = sinew("contact", folder / "two.sinew", "--at", "rest")
    assert "check that their units are the same" in found.stderr, found.stderr


if __name__ == "__main__":
    run([moments_are_listed_with_depths, depth_beyond_the_most_ends_with_status_1,
         one_pose_is_one_moment_and_wrong_words_are_refused, field_has_the_depth_of_each_point,
         export_and_bake_name_contact_that_they_make,
         push_out_leaves_little_deep_and_the_rest_as_it_is,
         push_out_refuses_what_it_cannot_do, meshes_of_other_units_are_named],
        long=[moments_are_listed_with_depths, measure_names_contact_that_a_corrective_makes,
              push_out_leaves_little_deep_and_the_rest_as_it_is])
