#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""clang-tidy finds nothing in any file that is compiled. A file that passed is looked at again only when it, a header or the
rules have changed.  usage: tidy.py BUILD_FOLDER [--analyze]; the analyzer follows paths through the code and takes most of the
time, so it is left to the long suite, and the search for loops without an end, which takes a quarter of the rest.

Most of the other checks' time goes to the headers of the system. So files that read alike and share no name are included in
one, and clang-tidy looks at that. If it finds anything, or they cannot be compiled together, it looks at parts, down to a file."""

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import repeat
from pathlib import Path

from sources import ROOT, sources

SKIP = 77
TOGETHER = 40  # files at most, so that every core has some
# The warnings are gcc's, which ./test makes errors; clang knows others of the same name, and not all of its flags.
ARGUMENTS = [f"--extra-arg=-Wno-{name}" for name in ("unknown-warning-option", "ignored-optimization-argument", "double-promotion")]
# gcc warns of these, in each file.
JOINED = [f"--config-file={ROOT}/.clang-tidy", "--header-filter=/(plugins|deformers|host|ui|tests)/.*\\.(h|c|cpp)$",
          "--extra-arg=-Wno-shadow", "--extra-arg=-Wno-missing-prototypes"]
# What a file gives a name for itself: functions, variables and types, and the members of enums.
NAMES = re.compile(
    r"^(?:static|typedef|struct|union)\b[^\n(\[=;{]*?(\w+) ?[(\[=;{]|^\} ?(\w+)", re.MULTILINE)
FUNCTIONS = re.compile(r"^(?!static|typedef)\w[\w ]*[ *](\w+)\(", re.MULTILINE)  # of a file, for all
MACROS = re.compile(r"^#\s*define (\w+)", re.MULTILINE)
# And a header: functions, and structures that it defines, while other headers may declare them.
HEADER_NAMES = re.compile(
    r"^#\s*define (\w+)|^(?:static|struct|union)\b[^\n(\[=;{]*?(\w+) ?[(\[={]|^\} ?(\w+)"
    r"|^(?!static|typedef)\w[\w ]*[ *](\w+)\(", re.MULTILINE)
# Of the names of libraries those that files of ours give to something else.
LIBRARY_NAMES = {"<unistd.h>": ("group_member", "link", "write"), "<sys/socket.h>": ("bind", "send"), "<search.h>": ("entry",),
                 "<ftw.h>": ("entry",), "<zlib.h>": ("FAR", "OF"), "<png.h>": ("FAR", "OF"), "<cmocka.h>": ("fail", "skip")}
# A macro of ours that defines functions of a file.
DEFINED_BY_MACROS = {"SNK_SKIN_MODEL_FUNCTIONS(": ("lower", "save", "load")}
COMMENTS = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/', re.DOTALL)  # a string may have the signs of a comment
MEMBERS = re.compile(r"^(?:typedef )?enum\b[^{;]*\{([^}]*)\}", re.MULTILINE)


def digest(paths):
    total = hashlib.sha256()
    for path in paths:
        total.update(path.read_bytes())
    return total.hexdigest()


def names(path, gives):
    text = COMMENTS.sub("", path.read_text(encoding="utf-8"))
    taken = {name for found in gives.findall(text) for name in found if name}
    return taken | {name for members in MEMBERS.findall(text) for name in re.findall(r"(?:^|,)\s*(\w+)", members)}


@cache
def header_names(path):
    return names(path, HEADER_NAMES)


@cache
def headers_of(path, folders):
    """Our headers that a file includes, and those that they include."""
    found = set()
    for included in re.findall(r'^#include "(.*)"', path.read_text(encoding="utf-8"), re.MULTILINE):
        places = (folder / included for folder in (path.parent, *folders))
        header = next((place.resolve() for place in places if place.is_file()), None)
        if header and header not in found:
            found |= {header} | headers_of(header, folders)
    return found


def givers(path, words, build):
    """The names that a file and our headers in it give, each with the file that gives it."""
    folders = tuple(build / word[2:] for word in words if word.startswith("-I") and not word.startswith("-I/usr"))
    headers = headers_of(path, folders)
    given = {name: header for header in headers for name in header_names(header)}
    texts = [file.read_text(encoding="utf-8") for file in (path, *headers)]
    for library, taken in LIBRARY_NAMES.items():
        if any(f"#include {library}" in text for text in texts):
            given |= {name: library for name in taken}
    by_macros = {name: path for macro, taken in DEFINED_BY_MACROS.items() if f"\n{macro}" in texts[0] for name in taken}
    of_all = {name: path for name in FUNCTIONS.findall(texts[0])}
    return of_all | given | {name: path for name in names(path, NAMES)} | by_macros


def files_of(build, entry):
    """The file that is compiled, or those that meson has included in it."""
    path = (build / entry["file"]).resolve()
    if "-unity" not in path.name:
        return [path]
    return [Path(included).resolve() for included in re.findall("<(.*)>", path.read_text(encoding="utf-8"))]


def arguments_of(entry):
    """The compiler's words without what names the file, or the folder of its target."""
    words, kept = iter(shlex.split(entry["command"])), []
    for word in words:
        if word in ("-o", "-c", "-MF", "-MQ"):
            next(words)
        elif word != "-MD" and not (word.startswith("-I") and word.endswith(".p")):
            kept.append(word)
    return kept


def what_is_read(words):
    """Of a compiler's words those that change what it reads in a file: not folders, warnings, nor how it makes code."""
    return [word for word in words if word.startswith(("-std", "-m"))]


def definitions(words):
    return dict((word[2:] + "=").split("=", 1) for word in words if word.startswith("-D"))


def defines_alike(group, path, words):
    """Neither defines a macro that the other has with another value, or that it names and does not have."""
    ours, theirs = definitions(words), group["defined"]
    text = path.read_text(encoding="utf-8")
    return (all(ours[name] == value if name in ours else name not in text for name, value in theirs.items()) and
            all(name in theirs or not any(name in file.read_text(encoding="utf-8") for file, _ in group["files"]) for name in ours))


def groups_of(files, arguments, build):
    """Lists of files that read alike and give no name twice, each with a compiler's words, whose folders are those of all."""
    groups = []
    for path, stamp in files:
        alike, given = (what_is_read(arguments[path]), path.suffix), givers(path, arguments[path], build)
        for group in groups:
            if group["alike"] == alike and len(group["files"]) < TOGETHER and all(
                    group["given"].get(name, giver) == giver for name, giver in given.items()) and defines_alike(
                    group, path, arguments[path]):
                break
        else:
            group = {"alike": alike, "words": [], "given": {}, "defined": {}, "files": []}
            groups.append(group)
        group["defined"] |= definitions(arguments[path])
        group["words"] += [word for word in arguments[path] if word not in group["words"]]
        group["given"] |= given
        group["files"].append((path, stamp))
    return [(group["words"], group["files"]) for group in groups]


def run(build, checks, path):
    result = subprocess.run(["clang-tidy", "--quiet", "-p", build, *checks, *ARGUMENTS, path], capture_output=True, text=True,
                            check=False)
    return "" if result.returncode == 0 else result.stdout + result.stderr


def joined_part(place, path):
    """Includes a file with a main of its own, and ends its macros."""
    macros = ["main", *MACROS.findall(path.read_text(encoding="utf-8"))]
    return f'#define main main_{place}\n#include "{path}"\n' + "".join(f"#undef {name}\n" for name in macros)


def run_joined(build, checks, words, files):
    with tempfile.TemporaryDirectory() as folder:
        joined = Path(folder) / ("joined" + files[0][0].suffix)
        joined.write_text("".join(map(joined_part, range(len(files)), (path for path, _ in files))), encoding="utf-8")
        entry = {"directory": str(build), "file": str(joined), "arguments": [*words, "-c", str(joined)]}
        (Path(folder) / "compile_commands.json").write_text(json.dumps([entry]), encoding="utf-8")
        return run(folder, checks + JOINED, joined)


def look_at(build, checks, group):
    """What is found in the files of a group. Those in which nothing is get their stamps."""
    words, files = group
    found = run_joined(build, checks, words, files)
    if not found:
        for _, stamp in files:
            stamp.touch()
        return []
    if len(files) == 1:
        return [found]
    # Those that it names are looked at without the others. If it names all or none, each half is.
    named = [file for file in files if re.search(f"{re.escape(str(file[0]))}:.*error:", found)]
    parts = named, [file for file in files if file not in named]
    if not all(parts):
        parts = files[:len(files) // 2], files[len(files) // 2:]
    return [report for part in parts for report in look_at(build, checks, (words, part))]


def main():
    if not shutil.which("clang-tidy"):
        print("skipped: clang-tidy is not installed")
        return SKIP
    build = Path(sys.argv[1]).resolve()
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    ours = set(sources(".c", ".cpp"))
    arguments = {path: arguments_of(entry) for entry in commands for path in files_of(build, entry)}
    compiled = sorted(set(arguments) & ours)
    rules = digest([ROOT / ".clang-tidy", *sources(".h")])
    analyze = "--analyze" in sys.argv
    stamps = build / ("tidy-analyzed" if analyze else "tidy")
    stamps.mkdir(exist_ok=True)
    stamp_names = [stamps / hashlib.sha256(f"{rules} {path} {digest([path])}".encode()).hexdigest() for path in compiled]
    for old in set(stamps.iterdir()) - set(stamp_names):
        old.unlink()
    checks = [] if analyze else ["--checks=-clang-analyzer-*,-bugprone-infinite-loop"]
    files = [(path, stamp) for path, stamp in zip(compiled, stamp_names) if not stamp.exists()]
    groups = groups_of(files, arguments, build)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        reports = sum(pool.map(look_at, repeat(build), repeat(checks), groups), [])
    print(*reports, sep="\n")
    print(f"{len(files)} of {len(compiled)} files looked at, {len(reports)} with findings")
    return 1 if reports else 0


sys.exit(main())
