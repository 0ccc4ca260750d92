#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""General behaviour of the command line: help, wrong usage, completion, plug-ins."""

import fcntl
import functools
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from harness import SINEW, Skip, answer, refusal, run, sample_arm, sinew

ROOT = Path(__file__).parents[2]
# Of a sanitized program, this looks at what reads and prints words. The rest is in libraries, whose own tests are sanitized.
IS_SANITIZED = b"__asan_init" in Path(SINEW).read_bytes()
VERBS = ("sample import reimport info pose example target skeleton bind weights track undo redo history stack fit measure view render export plugin plugins validate bench "
         "completion").split()


@functools.cache
def printed(*words):
    """What the program always prints for these words."""
    return sinew(*words).stdout


def help_names_every_verb(_):
    text = sinew("--help").stdout
    for verb in VERBS:
        assert f"  {verb} " in text, verb
        assert f"sinew {verb}" in printed(verb, "--help")
    assert "at held-out examples, and" in printed("fit", "--help")


def help_as_markdown_has_every_verb_and_operator(_):
    text = sinew("help", "--markdown").stdout
    for verb in VERBS:
        assert f"\n## {verb}\n" in text, verb
    assert "\n### weights prune\n" in text and "`--influences K` | the most joints" in text and "(default: 4) |" in text
    for row in (line for line in text.splitlines() if line.startswith("|")):
        assert len(re.findall(r"(?<!\\)\|", row)) == 3, row


def help_is_in_two_columns(_):
    for verb in VERBS:
        text = printed(verb, "--help")
        assert not [line for line in text.splitlines() if line != line.rstrip()], verb
        rows = [line for line in text.splitlines() if re.match(r"  (-|\.)", line)]
        # The meaning begins in column 31, or on the next line.
        assert rows and all(row[29:31] == "  " != row[31:33] if "  " in row[2:] else len(row) > 29 for row in rows), (verb, rows)
    assert "\n  --curve N,…                  also fit" in printed("compare", "--help")
    assert ".pc2" in printed("track", "--help") and ".glb" not in printed("track", "--help")


def wrong_usage_exits_with_two(_):
    assert "unknown verb" in refusal("frobnicate", status=2)
    assert "unknown verb" in answer("frobnicate", status=2)["error"]
    assert "unknown option" in refusal("info", "--frob", "x.sinew", status=2)
    assert "missing argument" in refusal("info", status=2)
    assert "unexpected argument" in refusal("info", "a", "b", status=2)
    assert "needs a value" in refusal("sample", "arm", "-o", status=2)
    assert "takes no value" in refusal("info", "--json=1", "x", status=2)


def missing_project_is_named_and_not_created(folder):
    path = folder / "none.sinew"
    assert str(path) in refusal("info", path)
    assert not path.exists()


def plugins_lists_what_ships_and_refuses_what_does_not_load(folder):
    (folder / "broken.so").write_bytes(b"not a shared object")
    (folder / "notes.txt").write_text("no plug-in")
    import os
    path = f"{folder}:{os.environ.get('SINEW_PLUGIN_PATH', '')}"
    listing = answer("plugins", env={"SINEW_PLUGIN_PATH": path})
    names = {row["short_name"] for row in listing["loaded"]}
    assert {"linear-blend", "dual-quaternion", "smooth", "inverse-psd"} <= names, names
    refused = [row for row in listing["refused"] if row["path"].endswith("broken.so")]
    assert len(refused) == 1 and refused[0]["reason"]
    assert not any("notes.txt" in row["path"] for row in listing["refused"])
    keys = [p["key"] for row in listing["loaded"] if row["short_name"] == "inverse-psd" for p in row["parameters"]]
    assert "kernel" in keys


def reference_has_every_name_of_the_headers(_):
    text = sinew("plugin", "reference").stdout
    headers = [path.read_text() for folder in ("include", "runtime") for path in (ROOT / "plugins" / folder / "sinew").glob("*.h")]
    names = {name for header in headers for name in re.findall(r"^(?:typedef )?(?:struct|enum) (snw_\w+) \{", header, flags=re.MULTILINE)}
    assert len(names) > 50 and not [name for name in names if f"[`{name}`]" not in text], names
    assert "unexpected argument 'all'" in refusal("plugin", "reference", "all", status=2)


def switches_are_shown_as_they_are_set(_):
    text = sinew("plugins").stdout
    assert "lock=off (off|on)" in text and "(0 to 1)" not in [line for line in text.splitlines() if " lock=" in line][0]


def plugin_refuses_what_it_cannot_begin_or_build(folder):
    assert "no such action 'make'; choose new, build, list or reference" in refusal("plugin", "make", status=2)
    assert "--kind blend, corrective" in refusal("plugin", "new", "lift", status=2)
    assert "no such kind" in refusal("plugin", "new", "lift", "--kind", "lattice", status=2)
    assert "Lift_: not a name" in refusal("plugin", "new", "Lift_", "--kind", "blend", status=2)
    assert "the folder cannot be made" in refusal("plugin", "new", "lift", "--kind", "blend", "-o", folder)
    assert "no such file" in refusal("plugin", "build", folder / "none.c").lower()
    assert "ends in .so" in refusal("plugin", "build", __file__, "-o", folder / "none.o", status=2)
    assert [row["short_name"] for row in answer("plugin", "list")["loaded"]] == [row["short_name"] for row in answer("plugins")["loaded"]]


def output_is_refused_before_the_work(folder):
    sample_arm(folder / "arm.sinew")
    (folder / "taken.glb").mkdir()
    (folder / "file").write_text("")
    for out, words in ((folder / "none" / "x.glb", "No such file or directory; create it first"),
                       (folder / "taken.glb", "this is a folder; name a file in it"), (folder / "file" / "x.glb", "is not a folder")):
        line = refusal("export", folder / "arm.sinew", "-o", out)
        assert words in line and str(out) in line, line
    assert "create it first" in refusal("sample", "arm", "-o", folder / "none" / "arm.sinew")
    assert "create it first" in refusal("render", folder / "arm.sinew", "-o", folder / "none" / "x.png")
    assert "create it first" in refusal("import", folder / "arm.obj", "-o", folder / "none" / "x.sinew")
    assert not (folder / "none").exists()


def info_leads_with_a_summary_and_shows_joints_as_a_tree(folder):
    project = folder / "hero.sinew"
    sample_arm(project, fitted=True)
    answered, lines = answer("info", project), sinew("info", project).stdout.splitlines()
    summary = answered["summary"]
    assert summary["name"] == "hero" and summary["stale"] == [] and summary["bytes"] == project.stat().st_size
    assert summary["points"] == sum(mesh["points"] for mesh in answered["meshes"])
    for key in ("meshes", "joints", "clips", "examples"):
        assert summary[key] == len(answered[key]), key
    assert summary["layers"] == len(answered["stack"])
    assert lines[0].startswith(f"hero: 1 mesh, {summary['points']} points, ") and f" {summary['layers']} layers, " in lines[0], lines[0]
    assert "stale" not in "\n".join(lines)
    depth = {None: 0}
    for row in answered["joints"]:
        depth[row["name"]] = depth[row["parent"]] + 1
        assert "  " * depth[row["name"]] + row["name"] in lines, row
    assert max(depth.values()) > 2


def info_names_what_is_stale(folder):
    project = folder / "p.sinew"
    sample_arm(project)
    sinew("fit", "linear-blend-fit", project)
    sinew("example", project, "remove", answer("info", project)["examples"][0]["name"])
    assert answer("info", project)["summary"]["stale"] == ["linear-blend-fit"]
    assert sinew("info", project).stdout.splitlines()[1] == "stale: linear-blend-fit"


def validate_passes_a_plugin_and_fails_what_is_none(folder):
    """What ships is validated by tests/plugin/validate.c."""
    path = next(row["path"] for row in answer("plugins")["loaded"] if row["short_name"] == "dual-quaternion")
    checks = answer("validate", path, "--seed", 7)["checks"]
    assert len(checks) > 3 and all(check["passed"] for check in checks), checks
    (folder / "broken.so").write_bytes(b"not a shared object")
    result = sinew("validate", folder / "broken.so", "--json", status=1)
    assert '"passed":\tfalse' in result.stdout and "broken.so" in result.stderr
    assert "it is not a shared object; name a .so" in result.stdout, result.stdout


def completion_of_bash_offers_verbs_actions_and_options(folder):
    bash = shutil.which("bash")
    if not bash:
        raise Skip("no bash")
    script = printed("completion", "bash")

    def complete(*words):
        line = f"{script}\nCOMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _sinew; echo \"${{COMPREPLY[*]}}\""
        return subprocess.run([bash, "-c", line], capture_output=True, text=True, check=True, cwd=folder).stdout.split()

    assert complete("sinew", "ex") == ["example", "export"]
    assert "--pose" in complete("sinew", "example", "P.sinew", "--p")
    assert complete("sinew", "stack", "P.sinew", "mu") == ["mute"]
    # Most verbs take a project first; these do not.
    assert complete("sinew", "plugin", "ne") == ["new"] and complete("sinew", "plugin", "build", "ne") == []
    assert complete("sinew", "bench", "scu") == ["sculpt"] and complete("sinew", "stack", "mu") == []
    for shell in ("bash", "zsh", "fish"):
        assert answer("completion", shell) == {"script": printed("completion", shell), "left_out": []}


def shells_read_their_completion(folder):
    for shell in ("bash", "zsh", "fish"):
        if shutil.which(shell):
            script = folder / f"completion.{shell}"
            script.write_text(printed("completion", shell))
            read = subprocess.run([shell, "-n", script], capture_output=True, text=True, check=False)
            assert read.returncode == 0 and not read.stderr, read.stderr
    fish = printed("completion", "fish")
    for option in ("json", "quiet", "progress", "help"):
        for verb in VERBS:
            assert f"'__fish_seen_subcommand_from {verb}' -l {option} " in fish, (verb, option)
    # Where there is no fish: each line is of plain words and of quoted ones in which quotes are escaped.
    for line in printed("completion", "fish").splitlines()[1:]:
        assert re.fullmatch(r"(?:[^'\\]|'(?:[^'\\]|\\['\\])*')*", line), line


def failure_is_also_in_the_object(folder):
    result = sinew("info", folder / "none.sinew", "--json", status=1)
    error = json.loads(result.stdout)["error"]
    assert "none.sinew" in error and result.stderr == f"sinew info: {error}\n", result
    for words in (("nosuch",), ("info",), ("info", "none.sinew", "--nosuch"), ("pose", "none.sinew", "nosuch"), ("do", "none.sinew", "--nosuch")):
        result = sinew(*words, "--json", status=2)
        shown = json.loads(result.stdout)
        assert shown["left_out"] == [] and shown["error"] in result.stderr, (words, shown)


def completion_of_an_unknown_shell_is_refused(_):
    assert "bash, zsh or fish" in refusal("completion", "tcsh", status=2)


def full_device_is_reported(folder):
    for words in (("--help",), ("--version",), ("help", "--markdown"), ("completion", "bash"), ("export", "--help")):
        with open("/dev/full", "w") as full:
            result = subprocess.run([SINEW, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert result.returncode == 1 and "standard output could not be written" in result.stderr, (words, result)


def what_a_killed_command_left_is_swept(folder):
    project, out = sample_arm(folder / "p.sinew"), folder / "out.sinew"
    left = [folder / f"out.sinew.unfinished-aB3dE6{ending}" for ending in ("", "-journal")]
    left.append(folder / "out.sinew.unfinished-xY4zW7-journal")
    others = [folder / "out.sinew.unfinished-short", folder / "other.sinew.unfinished-aB3dE6"]
    for path in (*left, *others):
        path.write_text("left")
    sinew("fit", "inverse-psd", project, "-o", out)
    assert not any(path.exists() for path in left) and all(path.exists() for path in others)
    assert sorted(path.name for path in folder.iterdir()) == sorted(path.name for path in (project, out, *others))


def long_names_work_or_are_refused(folder):
    project = sample_arm(folder / "p.sinew")
    longest, too_long = "n" * (247 - 6) + ".sinew", "n" * (248 - 6) + ".sinew"
    sinew("export", project, "-o", folder / ("n" * 251 + ".glb"))
    sinew("import", folder / ("n" * 251 + ".glb"), "-o", folder / longest)
    sinew("pose", folder / longest, "add", "x")
    assert "its name is longer than 247 bytes" in refusal("import", folder / ("n" * 251 + ".glb"), "-o", folder / too_long, status=2)
    assert "File name too long" in refusal("export", project, "-o", folder / ("n" * 252 + ".glb"))


def long_paths_work_or_are_refused(folder):
    """SQLite takes 512 bytes, the system 4,095; a file that is being written has another name."""
    path, levels = folder, (3860 - len(str(folder))) // 201
    for _ in range(levels):
        path /= "d" * 200
    path /= "e" * (3860 - len(str(path)) - 1)
    os.makedirs(path)
    longest = 4095 - len(str(path)) - 1 - len(".sinew")
    project = sample_arm(folder / "p.sinew")
    sinew("export", project, "-o", folder / "p.glb")
    for name, words in (("p", ("fit", "inverse-psd", project)), ("n" * longest, ("import", folder / "p.glb"))):
        deep = path / f"{name}.sinew"
        sinew(*words, "-o", deep)
        sinew("pose", deep, "add", "x")
        sinew("pose", f"{name}.sinew", "add", "y", cwd=path)
        sinew("undo", deep)
        assert [row["name"] for row in answer("pose", deep, "list")["poses"]][-1] == "x"
        sinew("export", deep, "-o", path / f"{name}.obj", "--pose", "rest")
    assert len(str(deep)) == 4095 and len(list(path.iterdir())) == 4, list(path.iterdir())
    line = refusal("info", path / ("n" * (longest + 7)))
    assert len(line) < 1100 and line.startswith(f"sinew info: {folder}") and line.endswith(": cannot be opened: File name too long"), line
    assert "File name too long" in refusal("export", project, "--pose", "rest", "-o", path / f"{'n' * (longest + 3)}.obj")


def trace_is_not_written_through_a_link(folder):
    project, kept = sample_arm(folder / "p.sinew"), folder / "kept"
    kept.write_text("kept")
    (folder / "link").symlink_to(kept)
    assert "through a link" in refusal("info", project, "--trace", folder / "link") and kept.read_text() == "kept"


def writer_that_waits_says_so(folder):
    project = sample_arm(folder / "p.sinew")
    with open(project) as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        process = subprocess.Popen([SINEW, "pose", project, "add", "x"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        assert "waiting for other commands that change it" in process.stderr.readline()
    assert process.wait(timeout=60) == 0
    process.stderr.close()
    assert "x" in [row["name"] for row in answer("pose", project, "list")["poses"]]


run([help_as_markdown_has_every_verb_and_operator, info_leads_with_a_summary_and_shows_joints_as_a_tree,
     wrong_usage_exits_with_two, missing_project_is_named_and_not_created,
     plugins_lists_what_ships_and_refuses_what_does_not_load, plugin_refuses_what_it_cannot_begin_or_build, switches_are_shown_as_they_are_set, reference_has_every_name_of_the_headers, output_is_refused_before_the_work,
     completion_of_bash_offers_verbs_actions_and_options,
     *([] if IS_SANITIZED else [help_names_every_verb, help_is_in_two_columns, validate_passes_a_plugin_and_fails_what_is_none, info_names_what_is_stale, long_paths_work_or_are_refused,
                                what_a_killed_command_left_is_swept, full_device_is_reported, writer_that_waits_says_so]), completion_of_an_unknown_shell_is_refused,
     shells_read_their_completion, failure_is_also_in_the_object, long_names_work_or_are_refused,
     trace_is_not_written_through_a_link], long=[long_paths_work_or_are_refused])
