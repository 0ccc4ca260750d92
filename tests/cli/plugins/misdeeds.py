#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plug-in of which one function crashes, loops, aborts, exits, throws, scribbles over memory, returns an error or gives numbers that are
not finite, in every verb: one line names the plug-in and the function, the verb does what it does without the layer, and no project
changes. A sample of the table; all of it with 'all', or what a word names ('drive', 'measure', 'scribble')."""

import itertools
import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

from harness import SINEW, answer, made, random_seed, run, sinew, tiny_arm

PLUGINS = Path(sys.argv[2])
CHOSEN = sys.argv[3] if len(sys.argv) > 3 else ""
SAMPLED = 3

# What ends the process or never returns, with the words that say so.
FAULTS = {"crash": "memory that it does not own", "loop": "not returned", "abort": "abort()", "exit": "exit()", "throw": "abort()",
          "scribble": "memory that it does not own", "overflow": "its stack overflowed", "signal": "Terminated"}
# Reports without an end: they lengthen no call but a fit that learns.
TALK = {"talk": "not returned"}
ERROR = {"error": "failed"}
NOT_FINITE = {"nan": "finite"}

# The functions that use a fitted model, and what they may do.
FITTED = {"load": FAULTS | TALK | ERROR, "layout": FAULTS | TALK, "list": FAULTS, "passes": FAULTS | TALK,
          "lower": FAULTS | TALK | ERROR | NOT_FINITE, "drive": FAULTS | TALK | ERROR | NOT_FINITE,
          "prepare": FAULTS | TALK | ERROR, "deform": FAULTS | TALK | ERROR | NOT_FINITE, "describe": FAULTS | TALK | ERROR}
BOUND = {"create": FAULTS | TALK | ERROR, "fit": FAULTS | TALK | ERROR, "destroy": FAULTS}
# Those of the file; it is refused before there is a model.
LOADING = {"constructor": "while it is loaded", "open": "in its function 'open'", "deformer": "in its function 'deformer'",
           "extension": "in its function 'extension'", "close": "in its function 'close'", "destructor": "while it is unloaded"}
REFUSED = {"crash": "crashes", "loop": "stopped", "abort": "crashes", "exit": "ends the program", "throw": "crashes",
           "scribble": "crashes", "overflow": "crashes"}
# Those of a fit, in the worker.
ENDED = {"crash": "segmentation fault", "loop": "was stopped", "abort": "aborted", "exit": "ended early", "throw": "aborted",
         "scribble": "segmentation fault", "overflow": "segmentation fault", "signal": "Terminated"}
FITTING = {"create": ENDED | ERROR, "fit": ENDED | ERROR, "save": ENDED | ERROR, "destroy": ENDED, "load": ENDED | ERROR, "lower": ENDED,
           "release": ENDED}


def export(*words):
    return lambda project, file: ("export", project, *words, "-o", file)


# The words of each verb for a project and a file that it may write; the ending of the file; the functions that it does not call.
UNPOSED = ("drive", "prepare", "deform")
VERBS = {
    "measure": (lambda project, file: ("measure", project), "", ("describe",)),
    "info": (lambda project, file: ("info", project), "", ("describe", *UNPOSED)),
    "info --bounds": (lambda project, file: ("info", project, "--bounds"), "", ("describe",)),
    "export obj": (export("--pose", "both"), "obj", ("describe",)),
    "export pc2": (export("--clip", "bend"), "pc2", ("describe",)),
    "export glb": (export(), "glb", ()),
    "render": (lambda project, file: ("render", project, "-o", file, "--size", "64x48", "--pose", "rest"), "png", ("describe",)),
    "bake": (lambda project, file: ("bake", project, "-o", file), "sinew", ("describe",)),
}
DEAR = ("render", "bake")
LIMITED = ("loop", "talk")  # each takes a second of the processor, until its limit ends it; tests/cli/plugins/crashes.py has a loop for each limit


def environment(folder, plugin, misdeed=""):
    """With one plug-in, and no memory of what was found in it."""
    place = folder / "plugins"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    shutil.copy(PLUGINS / f"{plugin}.so", place)
    (place / "misdeed.txt").write_text(misdeed)
    shutil.rmtree(folder / "cache", ignore_errors=True)
    # AddressSanitizer would end a process before the signal that is tested.
    unheard = ":handle_segv=0:handle_sigbus=0:handle_abort=0"
    return {"SINEW_PLUGIN_PATH": f"{os.environ['SINEW_PLUGIN_PATH']}:{place}",
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + unheard,
            "SINEW_PLUGIN_SECONDS": "1" if misdeed.endswith(("loop", "talk")) else "60"}


def layer_of(plugin):
    return "test-misbehaves" if plugin.startswith("binds") else "bulge"


def with_layer(plugin, muted):
    """A project with a layer of the plug-in, made once."""
    path = Path(made().name) / f"{plugin}{'-muted' if muted else ''}.sinew"
    if not path.exists():
        env = environment(Path(made().name), plugin)
        tiny_arm(path)
        sinew(*(("stack", path, "add", "test-misbehaves") if plugin.startswith("binds") else
                ("fit", "test-misbehaves", path, "--layer", layer_of(plugin))), env=env)
        if muted:
            sinew("stack", path, "mute", layer_of(plugin), env=env)
    return path


def outcome(folder, verb, plugin, misdeed="", muted=False):
    """What a verb prints and writes, its lines about the plug-in, and whether the project is as it was."""
    words, ending, _ = VERBS[verb]
    project, file = folder / "p.sinew", folder / f"made.{ending}"
    before = with_layer(plugin, muted).read_bytes()
    project.write_bytes(before)
    file.unlink(missing_ok=True)
    result = sinew(*words(project, file), env=environment(folder, plugin, misdeed), status=None)
    lines = [line for line in result.stderr.splitlines() if "misbehaves" in line]
    assert result.returncode == (4 if any("is left out" in line for line in lines) else 0), (result.returncode, result.stderr)
    assert project.read_bytes() == before, "the project has changed"
    printed = result.stdout.replace(" (muted)", "")
    if ending == "sinew":
        # Its layers say whether one is muted, and its journal when it was made.
        return printed, sinew("stack", file, "list").stdout.replace(" (muted)", ""), lines
    return printed, file.read_bytes() if ending else b"", lines


expected = {}


def outcome_of(folder, verb, plugin, muted):
    key = verb, plugin, muted
    if key not in expected:
        expected[key] = outcome(folder, verb, plugin, muted=muted)
        assert not expected[key][2], expected[key][2]
    return expected[key][:2]


def check(folder, verb, plugin, function, misdeed, words):
    printed, written, lines = outcome(folder, verb, plugin, f"{function}:{misdeed}")
    if not words or function in VERBS[verb][2]:
        assert not lines and (printed, written) == outcome_of(folder, verb, plugin, False), lines
        return
    assert len(lines) == 1 and all(word in lines[0] for word in words), lines
    assert (printed, written) == outcome_of(folder, verb, plugin, True), "not what it does without the layer"


def named(function, misdeed):
    return f"{'from' if misdeed in ('loop', 'talk') else 'in'} {function}"


def rows():
    """All that a plug-in may do wrong in a verb, as the arguments of `check`."""
    for plugin, functions in (("misbehaves", FITTED), ("binds-and-misbehaves", BOUND)):
        for function, misdeeds in functions.items():
            for misdeed, words in misdeeds.items():
                for verb in VERBS:
                    yield verb, plugin, function, misdeed, (f"layer '{layer_of(plugin)}' (test-misbehaves)", named(function, misdeed), words, "is left out")
    for function, place in LOADING.items():
        for misdeed, words in REFUSED.items():
            for verb in VERBS:
                yield verb, "misbehaves", function, misdeed, ("layer 'bulge' is left out", "org.sinew.test.misbehaves", place, words)


def choose(table, count, key):
    """All rows, those that a word names, or a sample."""
    table = list(table)
    if CHOSEN == "all":
        return table
    if CHOSEN:
        return [row for row in table if CHOSEN in key(row)]
    random.seed(random_seed())
    return random.sample(table, count)


def verbs_go_on_without_the_layer(folder):
    table = rows() if CHOSEN else (row for row in rows() if row[0] not in DEAR and row[3] not in LIMITED)
    for row in choose(table, SAMPLED, lambda row: row[:4]):
        print(*row[:4], flush=True)
        check(folder, *row)


def reports_without_an_end_lengthen_no_call(folder):
    table = (("misbehaves", "drive"), ("misbehaves", "lower"), ("binds-and-misbehaves", "fit"))
    for plugin, function in choose(table, 1, lambda row: ("talk", *row)):
        words = (f"layer '{layer_of(plugin)}' (test-misbehaves)", f"from {function}", "is left out")
        check(folder, "measure", plugin, function, "talk", words)


# What a function may print and report, which costs no layer.
FLOODED = {"misbehaves": ("load", "layout", "extension", "list", "passes", "lower", "drive", "prepare", "deform", "describe", "constructor",
                          "destructor", "open", "deformer", "close"),
           "binds-and-misbehaves": ("create", "fit", "destroy", "release")}
MOST_FLOODED = 3 << 20


def floods_change_no_result(folder):
    """Nor do they fill the terminal."""
    table = ((plugin, function) for plugin, functions in FLOODED.items() for function in functions)
    for plugin, function in choose(table, 1, lambda row: ("flood", *row)):
        print("flood", function, flush=True)
        verb = "export glb" if function == "describe" else "measure"
        project, file = folder / "p.sinew", folder / "made.glb"
        before = with_layer(plugin, False).read_bytes()
        project.write_bytes(before)
        result = sinew(*VERBS[verb][0](project, file), env=environment(folder, plugin, f"{function}:flood"))
        written = file.read_bytes() if verb == "export glb" else b""
        assert (result.stdout, written) == outcome_of(folder, verb, plugin, False), result.stdout
        assert project.read_bytes() == before
        assert "enveloping" not in result.stderr, "a plug-in process prints the program's lines"
        assert len(result.stderr) < MOST_FLOODED and result.stderr.count("warning: flooding") <= 1000, len(result.stderr)
        if function not in LOADING:  # those run in the program too
            assert "\33" not in result.stderr and "?[2J" in result.stderr, "a terminal would obey it"


def floods_of_fits_change_no_result(folder):
    for function in choose(FITTING, 1, lambda name: ("flood", "fit", name)):
        print("flood", "fit", function, flush=True)
        printed = []
        for misdeed in ("", f"{function}:flood"):
            project = tiny_arm(folder / "p.sinew")
            result = sinew("fit", "test-misbehaves", project, env=environment(folder, "misbehaves", misdeed))
            printed.append((result.stdout.splitlines()[1:], answer("measure", project, env=environment(folder, "misbehaves"))))
            assert len(result.stderr) < MOST_FLOODED and result.stderr.count("warning: flooding") <= 1000, len(result.stderr)
        assert printed[0] == printed[1], printed


def processes_of(folder):
    """The processes that have a plug-in of a folder in their memory."""
    found = []
    for place in Path("/proc").glob("[0-9]*/maps"):
        try:
            if os.fsencode(folder) in place.read_bytes():
                found.append(int(place.parent.name))
        except OSError:
            pass
    return found


def processes_that_a_plugin_starts_hold_nothing_up(folder):
    """Those in its group end with it; one that has left that holds none of the program's pipes."""
    for misdeed, function in (("child", "load"), ("child and crash", "drive"), ("orphan", "drive"))[0 if CHOSEN else 1:]:
        begun = time.monotonic()
        printed, _, lines = outcome(folder, "measure", "misbehaves", f"{function}:{misdeed}")
        assert printed and (len(lines) == 1) == ("crash" in misdeed) and time.monotonic() - begun < 15, (misdeed, function, lines)
        left = processes_of(folder / "plugins")
        assert (misdeed == "orphan") == bool(left), (misdeed, function, left)
        for process in left:
            os.kill(process, signal.SIGKILL)


def other_processes_are_out_of_reach(folder):
    """The program, whose child a plug-in process is; and who has started the program, once it has loaded the plug-in."""
    check(folder, "measure", "misbehaves", "drive", "kill", None)
    words = ("layer 'bulge' is left out", "org.sinew.test.misbehaves", LOADING["constructor"], "Bad system call")
    check(folder, "measure", "misbehaves", "constructor", "kill", words)


def files_of_the_program_are_out_of_reach(folder):
    """The project that a verb has open, whose change `outcome` would see."""
    for function in choose(("constructor", "deformer", "close", "destructor", "load", "drive"), 1, lambda name: ("overwrite", name)):
        printed, _, _ = outcome(folder, "measure", "misbehaves", f"{function}:overwrite")
        assert printed in (outcome_of(folder, "measure", "misbehaves", muted)[0] for muted in (False, True)), (function, printed)


def memory_of_a_plugin_is_limited(folder):
    if b"__asan_init" in Path(SINEW).read_bytes():
        return  # the sanitizer needs more than any limit
    check(folder, "measure", "misbehaves", "drive", "hoard", ("layer 'bulge' (test-misbehaves)", "in drive", "memory", "is left out"))


def fits_cost_that_fit(folder):
    table = ((function, misdeed, words) for function, misdeeds in FITTING.items() for misdeed, words in misdeeds.items())
    for function, misdeed, words in choose(table, 1, lambda row: ("fit", *row)):
        print("fit", function, misdeed, flush=True)
        project = tiny_arm(folder / "p.sinew")
        before = project.read_bytes()
        result = sinew("fit", "test-misbehaves", project, "--seconds", "1", status=1, env=environment(folder, "misbehaves", f"{function}:{misdeed}"))
        lines = [line for line in result.stderr.splitlines() if "misbehaves" in line]
        assert len(lines) == 1 and f" in {function}" in lines[0] and words in lines[0], result.stderr
        assert project.read_bytes() == before


def fit_names_no_function_once_the_method_has_ended(folder):
    project = tiny_arm(folder / "p.sinew")
    before = project.read_bytes()
    env = environment(folder, "misbehaves", "destructor after a fit:crash")
    line = sinew("fit", "test-misbehaves", project, status=1, env=env).stderr
    assert "test-misbehaves: the fit crashed (segmentation fault)" in line, line
    assert project.read_bytes() == before


def fit_names_the_layer_below_that_ends_it(folder):
    project = tiny_arm(folder / "p.sinew")
    sinew("fit", "test-misbehaves", project, "--layer", "bulge", env=environment(folder, "misbehaves"))
    before = project.read_bytes()
    line = sinew("fit", "inverse-psd", project, status=1, env=environment(folder, "misbehaves", "deform:crash")).stderr
    assert "segmentation fault" in line and "test-misbehaves was running deform of layer 'bulge'" in line, line
    assert project.read_bytes() == before


def comparisons_have_the_other_methods(folder):
    functions = [name for name in (*FITTING, *UNPOSED) if name != "release"]
    table = itertools.product(functions, ("crash", "loop", "abort") if CHOSEN else ("crash", "abort"))
    for function, misdeed in choose(table, 1, lambda row: ("compare", *row)):
        print("compare", function, misdeed, flush=True)
        project = tiny_arm(folder / "p.sinew")
        before = project.read_bytes()
        result = sinew("compare", project, "--train", "bend", "--test", "twist", "--methods", "linear-blend-fit,test-misbehaves", "--curve", "none",
                       status=1, env=environment(folder, "misbehaves", f"{function}:{misdeed}"))
        lines = [line for line in result.stderr.splitlines() if "misbehaves" in line]
        assert len(lines) == 1 and "1 of 2 methods failed" in lines[0] and named(function, misdeed) in lines[0], lines
        assert any(line.startswith("linear-blend-fit") and "failed" not in line for line in result.stdout.splitlines()), result.stdout
        assert project.read_bytes() == before


if __name__ == "__main__":
    run([verbs_go_on_without_the_layer, reports_without_an_end_lengthen_no_call, floods_change_no_result,
         *([floods_of_fits_change_no_result] if CHOSEN else []), processes_that_a_plugin_starts_hold_nothing_up, other_processes_are_out_of_reach,
         files_of_the_program_are_out_of_reach, memory_of_a_plugin_is_limited, fits_cost_that_fit,
         fit_names_no_function_once_the_method_has_ended, fit_names_the_layer_below_that_ends_it,
         comparisons_have_the_other_methods])
