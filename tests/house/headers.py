#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every header for plug-in authors, as it is installed, compiles by itself as pedantic C11, without a warning, and after and before all
others as C++17. So do the examples, which use the macros for tables and outputs, as C11 and as C++20.

Arguments: the build folder, the C compiler's words, then "--", then the C++ compiler's. What passed is looked at again only when
a header, an example or a compiler has changed.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from sources import ROOT

# What meson installs as include/sinew.
INSTALLED = ("plugins/include/sinew", "plugins/runtime/sinew", "plugins/kit/include/sinew")
FLAGS = ["-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]


def install(include):
    """Copies the headers to where an author has them. Returns their names, as they are included."""
    for folder in INSTALLED:
        shutil.copytree(ROOT / folder, include / "sinew", dirs_exist_ok=True)
    return sorted(path.relative_to(include).as_posix() for path in include.rglob("*.h"))


def compile_headers(compiler, language, standard, include, headers):
    """The compiler's words on a file that holds nothing but these includes; empty where there are none."""
    # A second include shows that the guard guards; the helpers are static, so that unused ones are no news.
    text = "".join(f'#include "{header}"\n' for header in (*headers, *headers))
    command = [*compiler, f"-std={standard}", *FLAGS, f"-I{include}", "-x", language, "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


def compile_example(compiler, language, standard, include, path):
    """The same of an example. C++ has no compound literals, but compilers do."""
    lenient = ["-Wno-pedantic", "-Wno-missing-field-initializers"] if language == "c++" else []
    command = [*compiler, f"-std={standard}", *FLAGS, *lenient, "-D_GNU_SOURCE", f"-I{include}", "-x", language, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


def digest():
    """Of all that is looked at, and of what looks at it."""
    total = hashlib.sha256(repr(sys.argv).encode())
    for folder in (*INSTALLED, "plugins/examples"):
        for path in sorted(path for path in (ROOT / folder).rglob("*.[ch]")):
            total.update(path.read_bytes())
    split = sys.argv.index("--")
    for compiler in (sys.argv[2:split], sys.argv[split + 1:]):
        total.update(subprocess.run([*compiler, "--version"], capture_output=True, check=False).stdout)
    total.update(Path(__file__).read_bytes())
    return total.hexdigest()


def main():
    split = sys.argv.index("--")
    c, cpp = sys.argv[2:split], sys.argv[split + 1:]
    stamp, faults = Path(sys.argv[1]) / "headers", []
    if stamp.exists() and stamp.read_text(encoding="ascii") == digest():
        print("as they were when they passed")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        headers = install(Path(folder))
        assert {"sinew/sinew.h", "sinew/plugin.h", "sinew/kit/skin/skins.h"} <= set(headers), headers
        faults += [compile_headers(c, "c", "c11", folder, [name]) for name in headers]
        faults += [compile_headers(cpp, "c++", "c++17", folder, names) for names in (headers, headers[::-1])]
        examples = sorted((ROOT / "plugins" / "examples").glob("*/*.c"))
        assert len(examples) >= 4
        for path in examples:
            faults += [compile_example(c, "c", "c11", folder, path), compile_example(cpp, "c++", "c++20", folder, path)]
    print(*filter(None, faults), sep="\n")
    print(f"{len(headers)} headers and {len(examples)} examples looked at")
    if not any(faults):
        stamp.write_text(digest(), encoding="ascii")
    return 1 if any(faults) else 0


sys.exit(main())
