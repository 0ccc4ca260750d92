#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a rigger meets in a day: odd paths, old formats, muted examples, long jobs watched by a script."""

import json
import struct

from harness import LONG, answer, refusal, run, sample_arm, sinew, tiny_arm
from sequence import FRAMES, imported


def brackets_in_a_path_are_no_pattern(folder):
    place = folder / "takes [old]"
    place.mkdir()
    sinew("export", imported(folder), "-o", place / "frame?[1]*.obj")
    sinew("import", "--sequence", place / "frame?[1]*.obj", "-o", folder / "again.sinew")
    assert answer("info", folder / "again.sinew")["targets"][0]["frames"] == len(FRAMES)


def old_and_foreign_formats_are_named(folder):
    (folder / "old.glb").write_bytes(b"glTF" + struct.pack("<III", 1, 40, 20) + b"\0" * 24)
    (folder / "old.gltf").write_text(json.dumps({"meshes": {"body": {}}, "nodes": {"root": {}}}))
    (folder / "said.gltf").write_text(json.dumps({"asset": {"version": "1.0"}, "meshes": {}}))
    (folder / "game.m3d").write_bytes(b"3DMO" + b"\0" * 60)
    for name, words in (("old.glb", "is glTF 1.0"), ("old.gltf", "is glTF 1.0"), ("said.gltf", "is glTF 1.0"),
                        ("game.m3d", "Model 3D")):
        said = refusal("import", folder / name, "-o", folder / "p.sinew")
        assert words in said and "export it as" in said, said


def a_pointer_of_git_lfs_is_called_that(folder):
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"
    gltf = {"asset": {"version": "2.0"}, "buffers": [{"byteLength": 12, "uri": "hero.bin"}]}
    (folder / "hero.bin").write_text(pointer)
    (folder / "beside.gltf").write_text(json.dumps(gltf))
    for name in ("hero.glb", "hero.gltf", "hero.fbx", "hero.obj", "hero.dae"):
        (folder / name).write_text(pointer)
        said = refusal("import", folder / name, "-o", folder / "p.sinew")
        assert "Git LFS" in said and "git lfs pull" in said, said
    said = refusal("import", folder / "beside.gltf", "-o", folder / "p.sinew")
    assert "hero.bin" in said and "Git LFS" in said, said


def files_of_no_character_are_refused_with_what_they_need(folder):
    (folder / "run.abc").write_bytes(b"Ogawa\xff\x00\x01")
    said = refusal("import", folder / "run.abc", "-o", folder / "p.sinew")
    assert "Alembic" in said and "--sequence" in said and "--rest" in said, said
    project = tiny_arm(folder / "arm.sinew")
    sinew("export", project, "-o", folder / "arm.snwskin")
    said = refusal("import", folder / "arm.snwskin", "-o", folder / "p.sinew")
    assert "is a skin for players" in said and "import the character it was exported from" in said, said
    said = refusal("import", project, "-o", folder / "p.sinew")
    assert f"is a project already; 'sinew info {project}' shows it" in said, said


def muted_examples_are_shown(folder):
    project = tiny_arm(folder / "arm.sinew")
    name = answer("info", project)["examples"][0]["name"]
    sinew("example", project, "mute", name)
    assert [row["muted"] for row in answer("info", project)["examples"]] == [True, False]
    assert sinew("info", project).stdout.count("(muted)") == 1


def progress_is_printed_as_json_lines_on_request(folder):
    project = imported(folder)
    ended = sinew("fit", "sad", project, "--set", "joints=5", "--set", "refine=3", "--progress", "--json")
    lines = [json.loads(line) for line in ended.stderr.splitlines() if line.startswith("{")]
    assert lines and all(0 <= line["progress"] <= 1 and isinstance(line["activity"], str) for line in lines), ended.stderr
    assert json.loads(ended.stdout)["layer"] == "sad"
    assert not any(line.startswith("{") for line in sinew("fit", "sad", project, "--set", "joints=5", "--set", "refine=0").stderr.splitlines())


def reading_a_project_reports_progress(folder):
    project = imported(folder)
    for words in (("measure", project), ("export", project, "-o", folder / "sheet.pc2")):
        first = next(json.loads(line) for line in sinew(*words, "--progress").stderr.splitlines() if line.startswith("{"))
        assert first["activity"] == "reading frames", first


def a_number_that_stands_for_auto_is_refused(folder):
    project = imported(folder)
    assert "joints cannot be '0'; expected auto, or whole numbers from 1" in refusal("fit", "sad", project, "--set", "joints=0", status=2)


def suggested_frames_become_examples_of_the_groups_that_they_move(folder):
    project = tiny_arm(folder / "arm.sinew", fitted=True)
    for joint in ("elbow", "wrist"):
        sinew("group", project, "joints", joint, "--joints", joint)
    found = answer("pose", project, "suggest", "--clip", "bend", "--count", 2, "--add", "--from-target")
    assert found["suggested"] and all(one["groups"] == ["elbow"] for one in found["suggested"]), found
    said = found["suggested"][-1]["erms"]
    error = next(row["erms"] for row in answer("measure", project, "--clip", "bend")["errors"] if row["method"] == "stack")
    assert said < found["erms"] and abs(error - said) < 1e-6 * said, (error, said)
    examples = {row["name"]: row["groups"] for row in answer("example", project, "list")["examples"]}
    assert len(examples) == 2 + len(found["suggested"]) and all(groups == ["elbow"] for name, groups in examples.items() if name.startswith("bend-"))
    assert "means nothing without --add" in refusal("pose", project, "suggest", "--clip", "bend", "--from-target", status=2)


def frame_of_a_target_becomes_an_example_in_its_moment(folder):
    project = tiny_arm(folder / "arm.sinew")
    for name in ("elbow-130", "wrist-150"):
        sinew("example", project, "remove", name)
    made = answer("example", project, "add", "--pose", "bend:0.51", "--target", "bend", "--group", "bent", "--name", "peak")
    assert abs(made["seconds"] - 0.5) < 1e-9 and made["edited"] > 0, made  # the nearest of 25 frames in a second
    sinew("fit", "inverse-psd", project)
    played, sculpted = folder / "played.obj", folder / "sculpted.obj"
    sinew("export", project, "-o", played, "--pose", "bend:0.5", "--method", "source")
    sinew("export", project, "-o", sculpted, "--pose", "bend:0.5")
    of = lambda path: [float(word) for line in path.read_text().splitlines() if line.startswith("v ") for word in line.split()[1:4]]
    assert max(abs(a - b) for a, b in zip(of(played), of(sculpted), strict=True)) < 1e-5
    assert "give --pose 'bend:SECONDS'" in refusal("example", project, "add", "--pose", "twist:0.5", "--target", "bend", "--name", "other", status=2)
    assert "give --pose 'bend:SECONDS'" in refusal("example", project, "add", "--pose", "rest", "--target", "bend", "--name", "other", status=2)


def suggestions_take_no_name_that_is_in_use(folder):
    project = tiny_arm(folder / "arm.sinew", fitted=True)
    sinew("group", project, "remove", "elbow")
    sinew("group", project, "joints", "wrist", "--joints", "wrist")
    sinew("group", project, "name", "wrist", "suggested")
    words = ("pose", project, "suggest", "--clip", "bend", "--count", 1)
    found = answer(*words)["suggested"][0]
    assert found["groups"] == ["suggested-2"], found
    name = f"bend-{found['seconds']:.4g}"
    sinew("pose", project, "add", name)
    sinew(*words, "--add", "--from-target")
    poses = {row["name"] for row in answer("pose", project, "list")["poses"]}
    assert {name, f"{name}-2"} <= poses, poses
    examples = {row["name"]: row["groups"] for row in answer("example", project, "list")["examples"]}
    assert examples[f"{name}-2"] == ["suggested-2"] and name not in examples, examples
    assert examples["wrist-150"] == ["suggested"], examples


def a_first_look_at_few_frames_is_refined(folder):
    project = folder / "cloth.sinew"
    sample_arm(folder / "long.sinew", sample="cloth")
    sinew("export", folder / "long.sinew", "-o", folder / "f*.obj", "--to", 0.2)
    sinew("import", "--sequence", folder / "f*.obj", "-o", project)
    error = lambda *words: answer("fit", "sad", project, "--set", "joints=10", *words)["errors"][-1]["erms"]
    usual, plain = error(), error("--set", "blend=dual-quaternion")
    assert usual < 0.3 * plain, (usual, plain)
    sinew("export", project, "-o", folder / "cloth.glb")


def largest_distance_is_bounded(folder):
    project = folder / "bounded.sinew"
    sample_arm(project, sample="cloth")
    words = ["fit", "sad", project, "--set", "joints=6", "--set", "refine=20"]
    plain = answer(*words, "--set", "blend=linear")["errors"][-1]["max_percent"]
    bounded = answer(*words, "--set", f"largest={0.8 * plain}")["errors"][-1]["max_percent"]
    assert bounded <= 0.8 * plain * 1.001, (plain, bounded)
    assert "needs linear blend" in refusal(*words, "--set", "blend=dual-quaternion", status=2)
    assert "needs refining" in refusal(*words, "--set", "refine=0", status=2)


def dense_weights_are_played_here_and_said_to_be_lost_in_a_file(folder):
    project = folder / "dense.sinew"
    sample_arm(project, sample="cloth")
    words = ["fit", "sad", project, "--set", "joints=12", "--set", "refine=5"]
    few = answer(*words, "--set", "transforms=affine", "--set", "blend=linear")["errors"][-1]["erms"]
    dense = answer(*words, "--set", "influences=all", "--set", "blend=auto")["errors"][-1]["erms"]
    assert dense < 0.9 * few, (dense, few)
    assert abs(answer("measure", project)["errors"][-1]["erms"] - dense) < 1e-9
    said = refusal("export", project, "-o", folder / "dense.glb")
    assert "blend=linear" in said and not (folder / "dense.glb").exists(), said
    exported = sinew("export", project, "-o", folder / "dense.glb", "--allow-error", said.split("--allow-error ")[1].split()[0], "--json")
    assert "no engine plays its negative weights" in exported.stderr, exported.stderr
    assert json.loads(exported.stdout)["source_erms"] > 1.2 * dense, exported.stdout
    assert "expected all, or whole numbers from 1" in refusal(*words, "--set", "influences=0", status=2)


def one_mesh_of_several_is_exported_alone(folder):
    triangle = {"attributes": {"POSITION": 0}}
    data = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    document = {"asset": {"version": "2.0"}, "scenes": [{"nodes": [0, 1]}], "nodes": [{"mesh": 0}, {"mesh": 1}],
                "meshes": [{"name": name, "primitives": [triangle]} for name in ("coat", "body")],
                "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
                "bufferViews": [{"buffer": 0, "byteLength": len(data)}], "buffers": [{"byteLength": len(data), "uri": "two.bin"}]}
    (folder / "two.bin").write_bytes(data)
    (folder / "two.gltf").write_text(json.dumps(document))
    sinew("import", folder / "two.gltf", "-o", folder / "two.sinew")
    sinew("export", folder / "two.sinew", "--mesh", "body", "-o", folder / "one.gltf")
    assert [mesh["name"] for mesh in json.loads((folder / "one.gltf").read_text())["meshes"]] == ["body"]
    assert answer("export", folder / "two.sinew", "-o", folder / "both.gltf")["meshes"] == 2


def the_loss_of_an_export_is_reported_before_the_file_is_written(folder):
    project, file = tiny_arm(folder / "arm.sinew"), folder / "arm.glb"
    sinew("fit", "animation-space", project)
    said = refusal("export", project, "-o", file, "--allow-error", 0.0001)
    assert "--allow-error" in said and not file.exists(), said
    lines = sinew("export", project, "-o", file, "--allow-error", 50).stdout.splitlines()
    assert any("against the stack" in line for line in lines[:-1]) and lines[-1].startswith(f"{file}: "), lines
    assert file.exists()


def an_export_keeps_to_the_limits_of_an_engine(folder):
    project = tiny_arm(folder / "arm.sinew")
    listed = refusal("export", project, "-o", folder / "a.glb", "--for", "nowhere", status=2).split("expected ")[1]
    engines = listed.strip().replace(" or ", ", ").split(", ")
    assert "|".join(engines) in sinew("export", "--help").stdout, engines
    for engine in engines if LONG else engines[::4]:
        said = answer("export", project, "-o", folder / f"{engine}.glb", "--for", engine)
        assert said["engine"] == engine and said["bytes"] == (folder / f"{engine}.glb").stat().st_size, said
    said = refusal("export", project, "-o", folder / "b.glb", "--for", "three", "--influences", 8, status=2)
    assert "three.js plays 4" in said and not (folder / "b.glb").exists(), said
    assert "leave it out" in refusal("export", project, "-o", folder / "b.pc2", "--clip", "bend", "--for", "vrm", status=2)
    assert "leave it out" in refusal("export", project, "-o", folder / "b.glb", "--units", "m", status=2)
    assert "cm, m, mm, in or ft" in refusal("export", project, "-o", folder / "b.fbx", "--units", "mile", status=2)
    assert "can be compressed" in refusal("export", project, "-o", folder / "b.fbx", "--compress", status=2)
    said = answer("export", project, "-o", folder / "b.fbx", "--units", "in")
    assert said["clips"] == 3 and said["bytes"] == (folder / "b.fbx").stat().st_size, said
    sinew("import", folder / "b.fbx", "-o", folder / "back.sinew")
    before, after = (answer("info", path)["meshes"][0] for path in (project, folder / "back.sinew"))
    assert before["points"] == after["points"] and abs(before["diagonal"] - after["diagonal"]) < 1e-6, (before, after)


def a_mesh_without_points_at_the_same_place_has_no_seams(folder):
    project = tiny_arm(folder / "arm.sinew")
    assert answer("info", project, "--seams")["seams"] == []
    assert "none" in sinew("info", project, "--seams").stdout
    sinew("stack", project, "add", "dual-quaternion")
    said = answer("info", project, "--seams")
    assert said["seams"] == [] and "dual quaternions" in said["seams_left_out"][0]["reason"], said
    words = sinew("info", project, "--seams").stdout
    assert "is left out" in words and "none: no two points" not in words, words


run([suggested_frames_become_examples_of_the_groups_that_they_move, frame_of_a_target_becomes_an_example_in_its_moment,
     suggestions_take_no_name_that_is_in_use, brackets_in_a_path_are_no_pattern, old_and_foreign_formats_are_named,
     a_pointer_of_git_lfs_is_called_that,
         files_of_no_character_are_refused_with_what_they_need, muted_examples_are_shown,
     progress_is_printed_as_json_lines_on_request, reading_a_project_reports_progress, a_number_that_stands_for_auto_is_refused,
     one_mesh_of_several_is_exported_alone, the_loss_of_an_export_is_reported_before_the_file_is_written,
     an_export_keeps_to_the_limits_of_an_engine,
     a_mesh_without_points_at_the_same_place_has_no_seams],
    long=[dense_weights_are_played_here_and_said_to_be_lost_in_a_file, largest_distance_is_bounded, a_first_look_at_few_frames_is_refined,
          an_export_keeps_to_the_limits_of_an_engine])
