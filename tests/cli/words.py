#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""General behaviour of the command line: help, wrong usage, completion, plug-ins."""

import fcntl
import functools
import json
import os
import pty
import re
import select
import shlex
import shutil
import subprocess
from pathlib import Path

from harness import SINEW, Skip, answer, refusal, run, sinew, tiny_arm

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
        assert f"sinew {verb}" in printed(verb, "--help") == printed("help", verb)
    assert "at held-out examples, and" in printed("fit", "--help")
    assert printed("help", "weights", "prune") == printed("weights", "prune", "--help")
    sinew("help", "none", status=2)


def help_as_markdown_has_every_verb_and_operator(_):
    text = sinew("help", "--markdown").stdout
    for verb in VERBS:
        assert f"\n## {verb}\n" in text, verb
    assert "\n### weights prune\n" in text and "`--influences K` | the most joints" in text and "(default: 4) |" in text
    for row in (line for line in text.splitlines() if line.startswith("|")):
        assert len(re.findall(r"(?<!\\)\|", row)) == 3, row


def help_groups_verbs_under_headings(folder):
    """The list, the page and the manual have the same headings over the same verbs."""
    listed, page = sinew("--help").stdout, sinew("help", "--markdown").stdout
    sinew("help", "--man", folder / "man1")
    manual = (folder / "man1" / "sinew.1").read_text(encoding="utf-8").split(".SH VERBS")[1].split(".SH OPTIONS")[0]
    rows = re.findall(r"^([A-Z].*):$|^  ([a-z-]+) ", listed, flags=re.MULTILINE)
    headings = [heading for heading, _ in rows if heading]
    assert len(headings) == len(set(headings)) == 7 and rows[0][0] and [verb for _, verb in rows].count("fit") == 1, rows
    assert rows == re.findall(r"^# (?!The verbs)(.*)$|^## (.*)$", page, flags=re.MULTILINE), page
    assert rows == re.findall(r"^\.SS (.*)$|^\.TP\n\.B (.*)$", manual.replace("\\-", "-"), flags=re.MULTILINE), manual


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
    assert text.startswith("# Reference of Sinew's plug-in ABI: its headers"), text[:100]
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
    tiny_arm(folder / "arm.sinew")
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
    tiny_arm(project, fitted=True)
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
    tiny_arm(project)
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


def bash_offers(bash, folder, lines):
    """What is offered for each list of words, the last of which is completed."""
    (folder / "script").write_text(printed("completion", "bash"))
    asked = [f"COMP_WORDS=({shlex.join(words)}); COMP_CWORD={len(words) - 1}; _sinew; printf '%s\\n' \"${{COMPREPLY[@]}}\" ---"
             for words in lines]
    done = subprocess.run([bash, "-c", "\n".join(["source ./script", *asked])], capture_output=True, text=True, check=True,
                          cwd=folder)
    return [[word for word in part.split("\n") if word] for part in done.stdout.split("---\n")[:-1]]


def fish_offers(fish, folder, lines):
    (folder / "script").write_text(printed("completion", "fish"))
    asked = [f"complete -C '{' '.join(words)}'; echo ---" for words in lines]
    home = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    done = subprocess.run([fish, "--no-config", "-c", "\n".join(["source ./script", *asked])], capture_output=True, text=True,
                          check=True, cwd=folder, env=home)
    return [[row.split("\t")[0] for row in part.splitlines()] for part in done.stdout.split("---\n")[:-1]]


def zsh_offers(zsh, folder, lines):
    """At a terminal: the completion works nowhere else. The script is a file of $fpath, as when it is installed."""
    home = folder / ".zsh"
    home.mkdir()
    (home / "_sinew").write_text(printed("completion", "zsh"))
    # Ctrl-U empties the line, and Return asks for the next.
    (home / ".zshrc").write_text("PS1='READY> '\nfpath=($ZDOTDIR $fpath)\nautoload -Uz compinit; compinit -D -u\n"
                                 "bindkey '^I' list-choices\nsetopt no_beep no_always_last_prompt\nunset zle_bracketed_paste\n"
                                 "stty rows 200 columns 100\n")
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execve(zsh, [zsh, "-i"], {**os.environ, "ZDOTDIR": str(home), "TERM": "dumb"})

    def until_ready():
        text = ""
        while "READY> " not in text:
            assert select.select([terminal], [], [], 60)[0], f"zsh is silent after {text!r}"
            text += os.read(terminal, 65536).decode()
        return text.split("READY> ")[0].replace("\r", "")

    offered = []
    until_ready()
    for words in lines:
        os.write(terminal, f"{' '.join(words)}\t".encode())
        offered.append(re.split(r"(?<!\\)\s+", until_ready().strip().split("\n", 1)[1].strip()))
        os.write(terminal, b"\x15\n")
        until_ready()
    os.close(terminal)
    os.waitpid(process, 0)
    return offered


def make_files_to_complete(folder):
    for name in ("a b.sinew", "hero.sinew", "run.pc2"):
        (folder / name).touch()
    (folder / "frames").mkdir()


def shells_complete_verbs_options_choices_and_files(folder):
    """The same questions to each shell that is here."""
    lines = [line.split(" ") for line in (
        "sinew ex", "sinew weights hero.sinew ", "sinew weights hero.sinew prune --", "sinew weights hero.sinew mirror --axis ",
        "sinew export hero.sinew --hierarchy ", "sinew sample ", "sinew target hero.sinew add --file ",
        "sinew export hero.sinew --crowd ")]
    missing = []
    for shell, offers in {"bash": bash_offers, "zsh": zsh_offers, "fish": fish_offers}.items():
        path, here = shutil.which(shell), folder / shell
        if not path:
            missing.append(shell)
            continue
        here.mkdir()
        make_files_to_complete(here)
        verbs, actions, options, choices, others, samples, files, folders = map(set, offers(path, here, lines))
        assert verbs >= {"example", "export"} and "pose" not in verbs, (shell, verbs)
        assert actions == {"copy", "mirror", "normalise", "prune", "set", "take"}, (shell, actions)
        assert options >= {"--influences", "--lock", "--json"} and "--axis" not in options, (shell, options)
        assert choices == {"x", "y", "z"} and others == {"flat", "skeleton", "tree"}, (shell, choices, others)
        assert samples >= {"arm", "dressed"}, (shell, samples)
        assert files >= {"hero.sinew", "run.pc2"} and files & {"frames", "frames/"}, (shell, files)
        assert folders & {"frames", "frames/"} and "run.pc2" not in folders, (shell, folders)
    if missing:
        raise Skip(f"no {', '.join(missing)}")


def completion_of_bash_offers_verbs_actions_and_options(folder):
    bash = shutil.which("bash")
    if not bash:
        raise Skip("no bash")
    make_files_to_complete(folder)
    expected = {"sinew|ex": ["example", "export"], "sinew|stack|P.sinew|mu": ["mute"],
                # Most verbs take a project first; these do not.
                "sinew|plugin|ne": ["new"], "sinew|plugin|build|ne": [], "sinew|bench|scu": ["sculpt"], "sinew|stack|mu": [],
                "sinew|info|": ["frames", "a b.sinew", "hero.sinew"], "sinew|measure|P.sinew|--clip|": [],
                # bash has --option=value as three words.
                "sinew|export|P.sinew|--hierarchy|=": ["flat", "tree", "skeleton"], "sinew|export|P.sinew|--hierarchy|=|t": ["tree"]}
    lines = [line.split("|") for line in (*expected, "sinew|example|P.sinew|--p")]
    *offered, options = bash_offers(bash, folder, lines)
    assert dict(zip(expected, offered)) == expected, offered
    assert "--pose" in options, options
    for shell in ("bash", "zsh", "fish"):
        assert answer("completion", shell) == {"script": printed("completion", shell), "left_out": []}


def manual_has_a_page_for_every_verb(folder):
    sinew("help", "--man", folder / "man1", env={"SOURCE_DATE_EPOCH": "86400"})
    pages = {path.name: path.read_text(encoding="utf-8") for path in (folder / "man1").iterdir()}
    assert set(pages) >= {"sinew.1", *(f"sinew-{verb}.1" for verb in VERBS)} and len(pages) > 30, pages.keys()
    weights = pages["sinew-weights.1"]
    assert weights.startswith('.TH SINEW\\-WEIGHTS 1 "1970-01-02" "sinew '), weights[:80]
    assert ".SS prune\n" in weights and ".B \\-\\-influences K\nthe most joints" in weights
    # The same again over what is there.
    sinew("help", "--man", folder / "man1", env={"SOURCE_DATE_EPOCH": "86400"})
    assert {path.name for path in (folder / "man1").iterdir()} == set(pages)
    (folder / "file").touch()
    assert "file/sinew.1: " in refusal("help", "--man", folder / "file")
    assert "--man needs a value" in refusal("help", "--man", status=2)


def readers_of_manuals_find_no_fault(folder):
    sinew("help", "--man", folder / "man1")
    pages = sorted((folder / "man1").iterdir())
    mandoc, man = shutil.which("mandoc"), shutil.which("man")
    if mandoc:
        done = subprocess.run([mandoc, "-T", "lint", "-W", "style", *pages], capture_output=True, text=True, check=False)
        assert done.returncode == 0 and not done.stdout, done.stdout[:2000]
    if man:
        env = {**os.environ, "LC_ALL": "C.UTF-8", "MANPAGER": "cat", "MANWIDTH": "80"}
        for page in (folder / "man1" / f"sinew{verb}.1" for verb in ("", "-weights", "-export", "-example")):
            done = subprocess.run([man, "--warnings", "--local-file", page], capture_output=True, text=True, check=False,
                                  env=env)
            assert done.returncode == 0 and not done.stderr and "SYNOPSIS" in done.stdout, done.stderr
    if not mandoc or not man:
        raise Skip("no mandoc" if man else "no man" if mandoc else "no mandoc, no man")


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
    project, out = tiny_arm(folder / "p.sinew"), folder / "out.sinew"
    left = [folder / f"out.sinew.unfinished-aB3dE6{ending}" for ending in ("", "-journal")]
    left.append(folder / "out.sinew.unfinished-xY4zW7-journal")
    others = [folder / "out.sinew.unfinished-short", folder / "other.sinew.unfinished-aB3dE6"]
    for path in (*left, *others):
        path.write_text("left")
    sinew("fit", "inverse-psd", project, "-o", out)
    assert not any(path.exists() for path in left) and all(path.exists() for path in others)
    assert sorted(path.name for path in folder.iterdir()) == sorted(path.name for path in (project, out, *others))


def long_names_work_or_are_refused(folder):
    project = tiny_arm(folder / "p.sinew")
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
    project = tiny_arm(folder / "p.sinew")
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
    project, kept = tiny_arm(folder / "p.sinew"), folder / "kept"
    kept.write_text("kept")
    (folder / "link").symlink_to(kept)
    assert "through a link" in refusal("info", project, "--trace", folder / "link") and kept.read_text() == "kept"


def writer_that_waits_says_so(folder):
    project = tiny_arm(folder / "p.sinew")
    with open(project) as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        process = subprocess.Popen([SINEW, "pose", project, "add", "x"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        assert "waiting for other commands that change it" in process.stderr.readline()
    assert process.wait(timeout=60) == 0
    process.stderr.close()
    assert "x" in [row["name"] for row in answer("pose", project, "list")["poses"]]


of_words = [missing_project_is_named_and_not_created, plugin_refuses_what_it_cannot_begin_or_build, switches_are_shown_as_they_are_set,
            reference_has_every_name_of_the_headers, output_is_refused_before_the_work,
            completion_of_an_unknown_shell_is_refused,
            manual_has_a_page_for_every_verb, shells_read_their_completion, trace_is_not_written_through_a_link]
run([help_as_markdown_has_every_verb_and_operator, help_groups_verbs_under_headings, info_leads_with_a_summary_and_shows_joints_as_a_tree,
     wrong_usage_exits_with_two,
     plugins_lists_what_ships_and_refuses_what_does_not_load, completion_of_bash_offers_verbs_actions_and_options,
     failure_is_also_in_the_object, long_names_work_or_are_refused,
     *([] if IS_SANITIZED else [*of_words, help_names_every_verb, help_is_in_two_columns, validate_passes_a_plugin_and_fails_what_is_none,
                                info_names_what_is_stale, what_a_killed_command_left_is_swept, full_device_is_reported,
                                writer_that_waits_says_so, shells_complete_verbs_options_choices_and_files,
                                readers_of_manuals_find_no_fault])], long=[*of_words, long_paths_work_or_are_refused])
