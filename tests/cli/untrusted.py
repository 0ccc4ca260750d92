#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Untrusted files and projects on the command line: an error of one line or a result, and nothing else is touched."""

import base64
import json
import os
import resource
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

from harness import LONG, SINEW, Skip, answer, drop_faces, refusal, run, sinew, tiny_arm


def png(side, color):
    """A picture of one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes(color) * side) * side
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def write_gltf(path, indices, picture=None):
    """A mesh of three points and one triangle with these corners; with a picture, in it or beside it."""
    points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    numbers = b"".join(struct.pack("<3f", *p) for p in points) + struct.pack("<3I", *indices)
    path.with_suffix(".bin").write_bytes(numbers)
    shown = {} if not picture else {
        "images": [{"uri": picture}], "textures": [{"source": 0}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]}
    path.write_text(json.dumps(shown | {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "name": "thin"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1} | ({"material": 0} if picture else {})]}],
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
    project = tiny_arm(folder / "p.sinew")
    drop_faces(project)
    assert answer("info", project)["meshes"][0]["faces"] == 0
    sinew("render", project, "-o", folder / "p.png", "--size", "64x48")
    sinew("export", project, "-o", folder / "p.glb")
    assert "points or lines" in sinew("import", folder / "p.glb", "-o", folder / "q.sinew", status=1).stderr


def ase(*bodies):
    """An ASCII scene of 3ds Max with objects of three points each; with a face or without."""
    rows = "".join(f"\t*TM_ROW{i} {' '.join('1.0' if i == c else '0.0' for c in range(3))}\n" for i in range(4))
    text = "*3DSMAX_ASCIIEXPORT 200\n*SCENE {\n\t*SCENE_FIRSTFRAME 0\n}\n"
    for name, faces in bodies:
        points = "".join(f"\t\t*MESH_VERTEX {i} {x} {y} 0.0\n" for i, (x, y) in enumerate([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]))
        face = "\t\t*MESH_FACE 0: A: 0 B: 1 C: 2 AB: 1 BC: 1 CA: 1 *MESH_SMOOTHING 0 *MESH_MTLID 0\n" * faces
        text += (f'*GEOMOBJECT {{\n*NODE_NAME "{name}"\n*NODE_TM {{\n\t*NODE_NAME "{name}"\n{rows}}}\n*MESH {{\n\t*TIMEVALUE 0\n'
                 f"\t*MESH_NUMVERTEX 3\n\t*MESH_NUMFACES {faces}\n\t*MESH_VERTEX_LIST {{\n{points}\t}}\n\t*MESH_FACE_LIST {{\n{face}\t}}\n}}\n}}\n")
    return text


def ase_without_faces_is_refused_and_its_other_meshes_come_in(folder):
    (folder / "bare.ase").write_text(ase(("bare", 0)))
    line = refusal("import", folder / "bare.ase", "-o", folder / "p.sinew")
    assert "bare.ase" in line and "faces" in line and not (folder / "p.sinew").exists(), line
    (folder / "both.ase").write_text(ase(("bare", 0), ("whole", 1)))
    sinew("import", folder / "both.ase", "-o", folder / "p.sinew")
    assert [mesh["faces"] for mesh in answer("info", folder / "p.sinew")["meshes"]] == [1]
    sinew("render", folder / "p.sinew", "-o", folder / "p.png", "--size", "64x48")


NO_WORKER = {"SINEW_WORKER": "/bin/true"}


def sculpts_frames_and_poses_are_read_by_the_worker(folder):
    project = tiny_arm(folder / "p.sinew")
    sculpt, pose = folder / "sculpt.obj", folder / "pose.json"
    sinew("export", project, "--pose", "both", "-o", sculpt)
    sinew("export", project, "--clip", "bend", "-o", folder / "frames.pc2")
    pose.write_text(json.dumps({"local_rotations_xyzw": {answer("info", project)["joints"][1]["name"]: [0, 0, 0.6, 0.8]}}))
    verbs = (("example", project, "add", "--name", "mine", "--pose", "both", "--file", sculpt),
             ("target", project, "add", "--clip", "bend", "--file", folder / "frames.pc2", "--fps", "24", "--name", "mine"),
             ("pose", project, "add", "mine", "--file", pose))
    before = project.read_bytes()
    for words in verbs:
        line = sinew(*words, env=NO_WORKER, status=1).stderr
        assert "the reader crashed" in line, line
        assert project.read_bytes() == before
    for words in verbs:
        sinew(*words)
    assert "mine" in sinew("pose", project, "list").stdout and "mine" in [row["name"] for row in answer("info", project)["targets"]]


def names_of_a_pose_file_cannot_control_the_terminal(folder):
    project, pose = tiny_arm(folder / "p.sinew"), folder / "pose.json"
    pose.write_text(json.dumps({"channels": {"a\x1b[2Jb": 1}}))
    line = sinew("pose", project, "add", "mine", "--file", pose, status=1).stderr
    assert "the character has no a_[2Jb" in line and "\x1b" not in line, repr(line)


def names_of_files_cannot_control_the_terminal(folder):
    """An archive may hold them, and a pattern of the shell gives them to a command."""
    project, other = tiny_arm(folder / "a\x1b[2J\x7f\u009b1m\n.sinew"), folder / "\x1b[2J\udcff.glb"
    for words in (("info", project), ("info", project, "--json"), ("info", other), ("info", other, "--json"), ("export", project, "-o", other),
                  ("export", project, "-o", other, "--json"), ("undo", project), (other,), ("info", project, other), ("validate", other)):
        done = sinew(*words, status=None)
        lines, errors = done.stdout, done.stderr
        assert not any(letter < " " and letter != "\n" and letter != "\t" or "\x7f" <= letter < "\xa0" for letter in lines + errors), (words, lines, errors)
        assert "\n[2J" not in errors and errors.count("\n") <= 1 and (errors or done.returncode == 0), (words, errors)
        if "--json" in words:
            json.loads(lines)
    assert answer("export", project, "-o", project.with_suffix(".glb"))["file"] == str(project.with_suffix(".glb"))
    with open("/dev/full", "wb") as full:
        done = subprocess.run([SINEW, "stack", project, "mute", "linear-blend"], stdout=full, stderr=subprocess.PIPE, check=False, timeout=60)
    assert b"this command changed" in done.stderr and b"a_[2J" in done.stderr and done.stderr.count(b"\n") == 1, done.stderr


def pictures_are_decoded_by_the_worker(folder):
    inside = "data:image/png;base64," + base64.b64encode(png(8, (255, 0, 0))).decode()
    (folder / "beside.png").write_bytes(png(8, (255, 0, 0)))
    for name, picture in (("inside", inside), ("beside", "beside.png"))[:2 if LONG else 1]:
        project = folder / f"{name}.sinew"
        write_gltf(folder / f"{name}.gltf", (0, 1, 2), picture)
        sinew("import", folder / f"{name}.gltf", "-o", project)
        whole = sinew("render", project, "-o", folder / "whole.png", "--size", "64x48").stderr
        assert "picture" not in whole, whole
        bare = sinew("render", project, "-o", folder / "bare.png", "--size", "64x48", env=NO_WORKER).stderr
        assert "its material is shown without it" in bare, bare
        assert (folder / "whole.png").read_bytes() != (folder / "bare.png").read_bytes(), name


def raw_file_with_groups_is_imported(folder):
    corners = "0 0 0  1 0 0  0 1 0"
    (folder / "a.raw").write_text(f"one\n{corners} t1.png\ntwo\n{corners.replace('0 1 0', '0 2 0')} t2.png\n")
    sinew("import", folder / "a.raw", "-o", folder / "p.sinew")
    found = answer("info", folder / "p.sinew")
    assert sum(mesh["faces"] for mesh in found["meshes"]) == 2, found["meshes"]


def too_few_open_files_are_named_as_that(folder):
    write_gltf(folder / "a.gltf", (0, 1, 2))
    for most in (8, 12, 16) if LONG else (12,):
        done = subprocess.run([SINEW, "import", folder / "a.gltf", "-o", folder / "p.sinew"], capture_output=True, text=True, check=False, timeout=60,
                              preexec_fn=lambda most=most: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))
        assert done.returncode == 1 and "open files" in done.stderr and "malformed" not in done.stderr, (most, done.stderr)


def little_address_space_fails_commands_without_a_hang(folder):
    """OpenBLAS cannot start its threads there, and would wait for them at exit."""
    if "ASAN_OPTIONS" in os.environ and b"__asan_init" in Path(SINEW).read_bytes():
        raise Skip("a sanitizer needs more address space than that")
    env = {key: value for key, value in os.environ.items() if key != "OPENBLAS_NUM_THREADS"}
    project = tiny_arm(folder / "p.sinew")
    for megabytes in (140, 180, 220, 300) if LONG else (180,):
        for words in (("--version",), ("info", project), ("measure", project))[0 if LONG else 1:]:
            limit = megabytes << 20
            done = subprocess.run([SINEW, *words], capture_output=True, text=True, check=False, timeout=60, env=env,
                                  preexec_fn=lambda most=limit: resource.setrlimit(resource.RLIMIT_AS, (most, most)))
            failed = done.returncode == 1 and words != ("--version",) and done.stderr.startswith("sinew") and "memory" in done.stderr
            assert failed or done.returncode == 0 and done.stdout, (megabytes, words, done.returncode, done.stderr)


def planted_build_tree_is_not_followed(folder):
    """Neither plug-ins nor a worker come from what looks like a build tree around a copy of the program."""
    tree = Path(SINEW).parents[2]
    shipped = next(tree.glob("deformers/**/*.so"), None)
    if not shipped:
        raise Skip("this program is not in its build tree")
    for name in ("ui/cli", "deformers", "host", "meson-info", "data"):
        (folder / name).mkdir(parents=True)
    (folder / "meson-info" / "meson-info.json").write_text("{}")
    planted = Path(shutil.copy(shipped, folder / "deformers"))
    (folder / "host" / "sinew-worker").write_text(f"#!/bin/sh\ntouch {folder}/started\n")
    (folder / "host" / "sinew-worker").chmod(0o755)
    copied = shutil.copy(SINEW, folder / "ui" / "cli" / "sinew")
    write_gltf(folder / "a.gltf", (0, 1, 2))

    def output(*words, path):
        env = {**os.environ, "SINEW_PLUGIN_PATH": path, "XDG_DATA_HOME": str(folder / "data")}
        return subprocess.run([copied, *words], capture_output=True, text=True, check=False, timeout=60, env=env, cwd=folder).stdout

    assert str(planted) in output("plugins", path=str(planted))
    assert str(planted) not in output("plugins", path="")
    output("import", "a.gltf", "-o", "p.sinew", path="")
    assert not (folder / "started").exists()


def worker_gets_an_almost_empty_environment(folder):
    worker = next((path for path in (Path(SINEW).parents[2] / "host" / "sinew-worker", Path(SINEW).with_name("sinew-worker")) if path.exists()),
                  None)
    if not worker:
        raise Skip("the worker is neither in a build tree nor beside the program")
    script = folder / "worker.sh"
    script.write_text(f'#!/bin/sh\ntr "\\0" "\\n" < /proc/$$/environ > {folder}/environment\nexec {worker} "$@"\n')
    script.chmod(0o755)
    write_gltf(folder / "a.gltf", (0, 1, 2))
    sinew("import", folder / "a.gltf", "-o", folder / "p.sinew",
          env={"SINEW_WORKER": str(script), "SECRET_TOKEN": "abc", "DISPLAY": ":9", "HOME": str(folder)})
    rows = [line.partition("=") for line in (folder / "environment").read_text().splitlines()]
    names = {name for name, _, _ in rows}
    assert names <= {"SINEW_PLUGIN_PATH", "XDG_DATA_HOME", "HOME", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "LSAN_OPTIONS",
                     "UBSAN_OPTIONS", "OPENBLAS_NUM_THREADS"}, names
    assert ("HOME", "=", str(folder)) in rows and ("OPENBLAS_NUM_THREADS", "=", "1") in rows, rows


def limits_of_the_worker_are_options_of_all_verbs_that_start_it(folder):
    project = tiny_arm(folder / "p.sinew")
    sculpt, pose = folder / "sculpt.obj", folder / "pose.json"
    sinew("export", project, "--pose", "both", "-o", sculpt)
    sinew("export", project, "--clip", "bend", "-o", folder / "frames.pc2")
    sinew("export", project, "-o", folder / "arm.glb")
    pose.write_text("{}")
    worker = folder / "worker.sh"  # it never answers
    worker.write_text("#!/bin/sh\nexec sleep 100\n")
    worker.chmod(0o755)
    reads = (("import", folder / "arm.glb", "-o", folder / "new.sinew"), ("reimport", project, folder / "arm.glb"),
             ("example", project, "add", "--name", "mine", "--pose", "both", "--file", sculpt),
             ("target", project, "add", "--clip", "bend", "--file", folder / "frames.pc2", "--fps", "24", "--name", "mine"),
             ("track", project, "--sequence", folder / "frames.pc2"), ("pose", project, "add", "mine", "--file", pose))
    fits = (("bind", project, "--replace"), ("skeleton", project, "--replace"), ("fit", "inverse-psd", project))
    for number, words in enumerate((*reads, *fits)):
        for option in ("--memory", "--seconds") if LONG else ("--memory", "--seconds")[number % 2:][:1]:
            assert option in refusal(*words, option, "0", status=2)
    for words in (*reads, fits[0]) if LONG else (reads[0], fits[0]):  # a fit gets seconds to give its best so far: one will do
        line = refusal(*words, "--seconds", "0.2", env={"SINEW_WORKER": str(worker)})
        assert "longer than 0.2 seconds" in line and "raise the limit with --seconds" in line, line


def moved_installation_finds_its_plugins_for_fits_too(folder):
    """As one in a packager's staging folder (DESTDIR) is."""
    tree = Path(SINEW).parents[2]
    plugins = [path for name in ("linear-blend", "linear-blend-fit") for path in tree.glob(f"deformers/**/{name}.so")]
    if len(plugins) < 2 or not (tree / "host" / "sinew-worker").exists():
        raise Skip("this program is not in its build tree")
    programs, workers, libraries = (folder / name for name in os.environ.get("SINEW_FOLDERS", "bin:libexec:lib").split(":"))
    for place, files in ((programs, [SINEW]), (workers / "sinew", [tree / "host" / "sinew-worker"]), (libraries / "sinew" / "plugins", plugins)):
        place.mkdir(parents=True)
        for file in files:
            shutil.copy(file, place)
    project = tiny_arm(folder / "p.sinew")
    env = {**os.environ, "SINEW_PLUGIN_PATH": "", "XDG_DATA_HOME": str(folder / "none")}
    for words in (["plugins"], ["fit", "linear-blend-fit", project]):
        done = subprocess.run([programs / "sinew", *words], capture_output=True, text=True, check=False, timeout=60, env=env)
        assert done.returncode == 0 and "linear-blend-fit" in done.stdout, (words, done.stderr)


def program_without_plugins_says_so(folder):
    """As a copy of the program alone is."""
    alone = shutil.copy(SINEW, folder / "sinew")
    done = subprocess.run([alone, "plugins"], capture_output=True, text=True, check=False, timeout=60,
                          env={**os.environ, "SINEW_PLUGIN_PATH": "", "XDG_DATA_HOME": str(folder)})
    if done.returncode == 0:
        raise Skip("Sinew is installed, and its plug-ins are found")
    assert done.returncode == 1 and "no plug-in was found; reinstall Sinew" in done.stderr, (done.returncode, done.stdout, done.stderr)


run([moved_installation_finds_its_plugins_for_fits_too, program_without_plugins_says_so,
     mesh_whose_faces_have_no_area_is_named_and_refused, project_with_a_mesh_without_faces_is_drawn,
     ase_without_faces_is_refused_and_its_other_meshes_come_in,
     raw_file_with_groups_is_imported, too_few_open_files_are_named_as_that,
     sculpts_frames_and_poses_are_read_by_the_worker, names_of_a_pose_file_cannot_control_the_terminal,
     names_of_files_cannot_control_the_terminal, pictures_are_decoded_by_the_worker,
     planted_build_tree_is_not_followed, worker_gets_an_almost_empty_environment,
     limits_of_the_worker_are_options_of_all_verbs_that_start_it, little_address_space_fails_commands_without_a_hang],
    long=[too_few_open_files_are_named_as_that, pictures_are_decoded_by_the_worker,
          limits_of_the_worker_are_options_of_all_verbs_that_start_it,
          little_address_space_fails_commands_without_a_hang])
